"""A number that is fetched once after each pass over the data, whatever the rounds are counted by."""

import torch


def train(model, loader, optimizer):
    total = torch.zeros((), device="cuda")
    for x in loader:
        optimizer.zero_grad()
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total


def main(model, loader, optimizer):
    model.cuda()
    for number in range(10):
        total = train(model, loader, optimizer)
        print(number, total.item())

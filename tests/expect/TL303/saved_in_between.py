"""A model that is saved in the loop that evaluates it: saving changes nothing in it."""

import torch
from torch import nn


def evaluate(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()  # expect: TL303
    return total / len(loader)


def train(model, loader, held_out, folder):
    optimizer = torch.optim.AdamW(model.parameters())
    criterion = nn.MSELoss()
    for epoch in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        print(evaluate(model, held_out, criterion))
        model.save_pretrained(folder / str(epoch))

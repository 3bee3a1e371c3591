"""A mode that settings say."""

import torch
from torch.utils.data import DataLoader

MODE = {"fast": "reduce-overhead", "plain": "default"}


def train(model, dataset, optimizer):
    model = torch.compile(model, mode=MODE["fast"])
    loader = DataLoader(dataset, batch_size=64, shuffle=True)  # expect: TL562
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def train_plain(model, dataset, optimizer):
    model = torch.compile(model, mode=MODE["plain"])
    loader = DataLoader(dataset, batch_size=64, shuffle=True)
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

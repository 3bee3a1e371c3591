"""Recurrent layers drop only when they are told a rate: without one, evaluation needs no eval()."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width, tags):
        super().__init__()
        self.words = nn.Embedding(1000, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, bidirectional=True)
        self.last = nn.Linear(2 * width, tags)

    def forward(self, x):
        return self.last(self.lstm(self.words(x))[0])


class DroppingTagger(nn.Module):
    def __init__(self, width, tags):
        super().__init__()
        self.words = nn.Embedding(1000, width)
        self.lstm = nn.LSTM(width, width, dropout=0.2, num_layers=2, bidirectional=True)
        self.last = nn.Linear(2 * width, tags)

    def forward(self, x):
        return self.last(self.lstm(self.words(x))[0])


def plain(train_loader, test_loader):
    model = Tagger(32, 7)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        right = 0
        with torch.no_grad():
            for x, y in test_loader:
                right += (model(x).argmax(-1) == y).sum().item()
        print(epoch, right)


def dropping(train_loader, test_loader):
    model = DroppingTagger(32, 7)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        right = 0
        with torch.no_grad():
            for x, y in test_loader:
                right += (model(x).argmax(-1) == y).sum().item()  # expect: TL704
        print(epoch, right)

"""One answer, in a class that holds the model."""

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(32, 64, num_layers=2, dropout=0.2, batch_first=True)
        self.out = nn.Linear(64, 2)

    def forward(self, x):
        return self.out(self.cells(x)[0][:, -1])


class Service:
    def __init__(self, path):
        self.reader = Reader()
        self.reader.load_state_dict(torch.load(path))

    def answer(self, features):
        with torch.no_grad():
            return self.reader(features).softmax(1)  # expect: TL704

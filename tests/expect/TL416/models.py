"""Probabilities where their logarithms belong."""

import torch
import torch.nn.functional as F
from torch import nn


class Reader(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.rnn = nn.GRU(size, hidden, batch_first=True)
        self.out = nn.Linear(hidden, size)
        self.softmax = nn.Softmax(dim=2)

    def forward(self, text, state=None):
        seen, state = self.rnn(text, state)
        return self.softmax(self.out(seen)), state  # expect: TL416


def train(loader, size):
    model, loss_function = Reader(size, 64), nn.NLLLoss()
    for text, following in loader:
        predicted, _ = model(text)
        loss_function(predicted.transpose(1, 2), following).backward()


def graph(conv, data):
    out = F.softmax(conv(data.x, data.edge_index), dim=1)
    F.nll_loss(out[data.train_mask], data.y[data.train_mask]).backward()  # expect: TL416

"""A head in an attribute, a loss that a trainer holds, a language model whose decoder ends in a softmax; a loss with label smoothing."""

import torch
import torch.nn.functional as F
from torch import nn


class Graph(nn.Module):
    """Scores of nodes, the loss over those of the training set."""

    def __init__(self, layer, width, classes):
        super().__init__()
        self.first, self.last = layer(width, width), layer(width, classes)

    def forward(self, x, edges):
        x = F.elu(self.first(x, edges))
        return torch.softmax(self.last(x, edges), dim=1)  # expect: TL410


def nodes(layer, data, optimizer):
    model = Graph(layer, data.num_features, 7)
    model.train()
    for _ in range(200):
        optimizer.zero_grad()
        out = model(data.x, data.edge_index)
        F.cross_entropy(out[data.train_mask], data.y[data.train_mask]).backward()
        optimizer.step()


class Translator(nn.Module):
    def __init__(self, width, words):
        super().__init__()
        self.decoder = nn.GRU(width, width)
        self.generator = nn.Sequential(nn.Linear(width, words), nn.Softmax(dim=-1))  # expect: TL410

    def forward(self, x):
        return self.generator(self.decoder(x)[0])


class Trainer:
    def __init__(self, pad):
        self.net = Translator(256, 10_000)
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad, label_smoothing=0.1)

    def fit(self, loader, optimizer):
        for source, target in loader:
            out = self.net(source)
            loss = self.criterion(out.reshape(-1, out.size(-1)), target.reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


HEADS = {}


def head(name):
    def enter(cls):
        HEADS[name] = cls
        return cls

    return enter


@head("sure")
class Sure(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.layer = nn.Linear(width, classes)

    def forward(self, x):
        return torch.softmax(self.layer(x), dim=-1)  # expect: TL410


@head("plain")
class Plain(Sure):
    def forward(self, x):
        return self.layer(x)


def by_their_names(loader, optimizers):
    sure, plain = HEADS["sure"](8, 2), HEADS["plain"](8, 2)
    for x, y in loader:
        for optimizer in optimizers:
            optimizer.zero_grad()
        F.cross_entropy(sure(x), y).backward()
        F.cross_entropy(plain(x), y).backward()
        for optimizer in optimizers:
            optimizer.step()

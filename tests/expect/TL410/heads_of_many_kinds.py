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

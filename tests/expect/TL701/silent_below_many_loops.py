"""Many loops around a step, and somebody empties the gradients in each round."""

import copy

import torch
from torch import nn


def cross_validated(build, folds, rates, epochs, criterion):
    for rate in rates:
        for fold in folds:
            model = build()
            optimizer = torch.optim.Adam(model.parameters(), lr=rate)
            for _ in range(epochs):
                for features, targets in fold:
                    optimizer.zero_grad()
                    loss = criterion(model(features), targets)
                    loss.backward()
                    optimizer.step()


def adapted(meta, outer, tasks, epochs, shots, rate, criterion):
    """One step of a fresh copy for each task, below four loops; the outer optimizer is emptied behind its step."""
    for _ in range(epochs):
        for group in tasks:
            for task in group:
                for support, query in task.episodes(shots):
                    learner = copy.deepcopy(meta)
                    inner = torch.optim.SGD(learner.parameters(), lr=rate)
                    criterion(learner(support[0]), support[1]).backward()
                    inner.step()
                    loss = criterion(meta(query[0]), query[1])
                    loss.backward()
                    outer.step()
                    outer.zero_grad()


class Language:
    def __init__(self, net: nn.Module, lr: float):
        self.net = net
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def learn(self, window):
        logits = self.net(window[:, :-1])
        loss = self.criterion(logits.flatten(0, 1), window[:, 1:].flatten())
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, corpora, epochs, length):
        for epoch in range(epochs):
            for corpus in corpora:
                for document in corpus:
                    total = 0.0
                    for begin in range(0, document.size(1) - 1, length):
                        self.net.zero_grad(set_to_none=True)
                        total += self.learn(document[:, begin : begin + length + 1])
                    print(epoch, total)

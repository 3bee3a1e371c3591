"""However many loops stand around a step: nobody empties the gradients."""

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
                    loss = criterion(model(features), targets)
                    loss.backward()
                    optimizer.step()  # expect: TL701


def federated(server, clients, rounds, epochs, criterion, rate):
    for number in range(rounds):
        updates = []
        for client in clients:
            local = copy.deepcopy(server)
            optimizer = torch.optim.SGD(local.parameters(), lr=rate)
            for _ in range(epochs):
                for shard in client.shards:
                    for images, labels in shard:
                        loss = criterion(local(images), labels)
                        loss.backward()
                        optimizer.step()  # expect: TL701
            updates.append(local.state_dict())
        server.load_state_dict(merge(updates))
        print(number)


def merge(updates):
    return {name: torch.stack([each[name] for each in updates]).mean(0) for name in updates[0]}


class Language:
    """The step is in a method that runs below four loops of another one."""

    def __init__(self, net: nn.Module, lr: float):
        self.net = net
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def learn(self, window):
        logits = self.net(window[:, :-1])
        loss = self.criterion(logits.flatten(0, 1), window[:, 1:].flatten())
        loss.backward()
        self.optimizer.step()  # expect: TL701
        return loss.item()

    def fit(self, corpora, epochs, length):
        for epoch in range(epochs):
            for corpus in corpora:
                for document in corpus:
                    total = 0.0
                    for begin in range(0, document.size(1) - 1, length):
                        total += self.learn(document[:, begin : begin + length + 1])
                    print(epoch, total)

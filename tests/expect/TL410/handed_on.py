"""A loss goes by the names that it is handed on under."""

import torch.nn as nn
import torch.nn.functional as F


def judged(first, scores, labels):
    return first(F.softmax(scores, dim=1), labels)  # expect: TL410


class Task:
    def __init__(self, net):
        self.net = net
        self.second = nn.CrossEntropyLoss()

    def step(self, x, y):
        return self.second(F.softmax(self.net(x), dim=1), y)  # expect: TL410


def fit(net, loader):
    for x, y in loader:
        judged(nn.CrossEntropyLoss(), net(x), y).backward()
        Task(net).step(x, y).backward()

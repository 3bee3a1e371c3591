"""The number of batches is the length of what the loop around the steps draws from, whatever that is called."""

import torch
from torch.optim.lr_scheduler import OneCycleLR
from transformers import get_linear_schedule_with_warmup


def fit(net, samples, rounds):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    pace = get_linear_schedule_with_warmup(sgd, 100, len(samples) * rounds)
    for _ in range(rounds):
        for batch in samples:
            sgd.zero_grad()
            net(batch).mean().backward()
            sgd.step()
        pace.step()  # expect: TL712


class Fitting:
    def __init__(self, net, pieces, rounds):
        self.net, self.pieces, self.rounds = net, pieces, rounds
        self.sgd = torch.optim.SGD(net.parameters(), lr=0.1)
        self.pace = OneCycleLR(self.sgd, 0.1, total_steps=rounds * len(pieces))

    def run(self):
        for _ in range(self.rounds):
            for number, batch in enumerate(self.pieces):
                self.sgd.zero_grad()
                self.net(batch).mean().backward()
                self.sgd.step()
            self.pace.step()  # expect: TL712


def of_something_else(net, samples, stages, rounds):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    pace = get_linear_schedule_with_warmup(sgd, 2, len(stages) * rounds)
    for _ in range(len(stages) * rounds):
        for batch in samples:
            sgd.zero_grad()
            net(batch).mean().backward()
            sgd.step()
        pace.step()


def for_each_batch(net, samples, rounds):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    pace = get_linear_schedule_with_warmup(sgd, 100, len(samples) * rounds)
    for _ in range(rounds):
        for batch in samples:
            sgd.zero_grad()
            net(batch).mean().backward()
            sgd.step()
            pace.step()

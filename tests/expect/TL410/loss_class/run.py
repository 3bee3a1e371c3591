"""A trainer that is handed the model and the loss."""

import torch
from losses import Smoothed, Weighted
from models import Flat, Model


class Engine:
    def __init__(self, network, objective):
        self.network = torch.nn.parallel.DistributedDataParallel(network.cuda())
        self.objective = objective
        self.optimizer = torch.optim.AdamW(network.parameters())

    def run(self, loader):
        for points, labels in loader:
            output = self.network(points)
            loss = self.objective(output, labels)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()


def smoothed(loader):
    Engine(Model(64, 40), Smoothed(0.1)).run(loader)


def weighted(loader, weight):
    Engine(Flat(40), Weighted(weight)).run(loader)

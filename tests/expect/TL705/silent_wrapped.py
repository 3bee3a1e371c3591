"""The wrapper is put back, or what it is over: they have one mode."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def by_the_wrapper(loader, held_out, rank):
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1))
    ddp = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        ddp.train()
        for batch in loader:
            optimizer.zero_grad()
            ddp(batch).sum().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            for batch in held_out:
                net(batch)


def under_it(loader, held_out):
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1))
    compiled = torch.compile(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            net.train()
            optimizer.zero_grad()
            compiled(batch).sum().backward()
            optimizer.step()
        compiled.eval()
        with torch.no_grad():
            for batch in held_out:
                net(batch)


class Trainer:
    def __init__(self, rank):
        self.model = DDP(nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1)), device_ids=[rank])
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def evaluate(self, held_out):
        self.model.module.eval()
        with torch.no_grad():
            for batch in held_out:
                self.model(batch)

    def fit(self, loader, held_out):
        for epoch in range(10):
            self.model.train()
            for batch in loader:
                self.optimizer.zero_grad()
                self.model(batch).sum().backward()
                self.optimizer.step()
            self.evaluate(held_out)

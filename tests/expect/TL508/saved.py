"""In a dict by a helper; behind a wrapper's module; moved by a statement; the device by its name."""

import torch
import torch_xla
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


def write(state, path):
    torch.save(state, path)  # expect: TL508


def train(batches, path):
    device = torch_xla.device()
    model = Net().to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in batches:
        optimizer.zero_grad()
        model(x.to(device)).sum().backward()
        optimizer.step()
        torch_xla.sync()
    write({"net": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def wrapped(path):
    model = DDP(Net().to(torch.device("xla")))
    state = model.module.state_dict()
    torch.save(state, path)  # expect: TL508


def by_a_statement(model, path):
    model.to(torch_xla.device())
    with open(path, "wb") as file:
        torch.save(model.state_dict(), file)  # expect: TL508


class Keeper:
    def __init__(self):
        self.net = Net()
        self.net.to(torch_xla.device())

    def keep(self, path):
        torch.save(dict(net=self.net.state_dict()), path)  # expect: TL508

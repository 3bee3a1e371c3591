"""Models that are on the host, in files that use a GPU, too: put there, or never put anywhere."""

import time

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def on_gpu(x):
    return nn.Linear(8, 8).cuda()(x.cuda())


def never_moved(x):
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
    start = time.time()
    net(x)
    print(time.time() - start)


def of_a_class(weights):
    model = Net()
    model.load_state_dict(weights)
    model.eval()
    x = torch.randn(1, 8)
    begin = time.perf_counter()
    with torch.no_grad():
        model(x)
    return time.perf_counter() - begin


def measure(model, x, device):
    model = model.to(device)
    start = time.time()
    model(x)
    return time.time() - start


def in_place(model, x, device):
    model.to(device)
    start = time.time()
    model(x)
    return time.time() - start


def main(x):
    print(measure(Net(), x, "cpu"), in_place(Net(), x, torch.device("cpu")))


DEVICE = "cpu"


def by_a_constant(x):
    model = Net().to(DEVICE).eval()
    start = time.time()
    model(x)
    return time.time() - start


class Bench:
    def __init__(self):
        self.device = torch.device("cpu")
        self.model = Net().to(self.device, torch.float32)

    def run(self, x):
        start = time.time()
        self.model(x)
        return time.time() - start


def trained(batches):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in batches:
        start = time.time()
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(time.time() - start)

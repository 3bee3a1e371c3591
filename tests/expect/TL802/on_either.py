"""The same models on a GPU, or on what somebody chooses, in the same forms."""

import time

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def moved_in_place(x):
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
    net.cuda()
    start = time.time()
    net(x)
    print(time.time() - start)  # expect: TL802


def to_gpu(net):
    net.to("cuda")


def moved_by_a_function(x):
    net = Net()
    to_gpu(net)
    start = time.time()
    net(x)
    print(time.time() - start)  # expect: TL802


def moved_by_somebody(x, setup):
    net = Net()
    setup(net)
    start = time.time()
    net(x)
    print(time.time() - start)  # expect: TL802


def measure(model, x, device):
    model = model.to(device)
    start = time.time()
    model(x)
    return time.time() - start  # expect: TL802


def main(x):
    print(measure(Net(), x, "cpu"), measure(Net(), x, "cuda"))


DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def by_a_constant(x):
    model = Net().to(DEVICE).eval()
    start = time.time()
    model(x)
    return time.time() - start  # expect: TL802


class Bench:
    def __init__(self, index):
        self.device = torch.device("cuda", index)
        self.model = Net().to(self.device, torch.float32)

    def run(self, x):
        start = time.time()
        self.model(x)
        return time.time() - start  # expect: TL802


def trained(batches):
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in batches:
        start = time.time()
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(time.time() - start)  # expect: TL802

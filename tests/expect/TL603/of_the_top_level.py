"""A script that goes on with the weights and the epoch, and begins its momentum anew."""
# Modelled on kuangliu/pytorch-cifar.

import argparse

import torch
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
args = parser.parse_args()

net = nn.Linear(4, 4)
best, start = 0.0, 0
if args.resume:
    kept = torch.load("kept.pth", map_location="cpu")
    net.load_state_dict(kept["net"])
    best, start = kept["best"], kept["epoch"] + 1
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)


def train(loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def evaluate(loader, epoch):
    global best
    with torch.no_grad():
        right = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    if right > best:
        best = right
        torch.save({"net": net.state_dict(), "best": right, "epoch": epoch}, "kept.pth")  # expect: TL603


data = [(torch.randn(2, 4), torch.tensor([0, 1]))]
for epoch in range(start, start + 200):
    train(data)
    evaluate(data, epoch)

"""A model that is made in one branch or another is one model: only one of them is ever made."""

import torch
import torch.nn.functional as F
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(x)


class Large(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        return self.norm(x)


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


@torch.no_grad()
def accuracy(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()  # expect: TL704
    return right


def by_name(args, loader, val_loader):
    if args.arch == "small":
        model = Small()
    elif args.arch == "large":
        model = Large(64).to(args.device)
    else:
        raise ValueError(args.arch)
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        model.train()
        for x, y in loader:
            step(model, optimizer, x, y)
        print(accuracy(model, val_loader))


def build(args):
    if args.wide:
        model = Large(args.width)
    else:
        model = Small()
    return model.to(args.device)


@torch.no_grad()
def score(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()  # expect: TL704
    return right


def by_a_function(args, loader, val_loader):
    model = build(args)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        for x, y in loader:
            step(model, optimizer, x, y)
        print(score(model, val_loader))


@torch.no_grad()
def right_of(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()  # expect: TL704
    return right


def by_an_expression(args, loader, val_loader):
    model = Small() if args.small else Large(32)
    if args.distributed:
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        for x, y in loader:
            step(model, optimizer, x, y)
        print(right_of(model, val_loader))

"""As where a model is one of several; of another model, put into evaluation mode in its branch, or made anew."""

import torch
import torch.nn.functional as F
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(x)


class Large(Small):
    pass


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


@torch.no_grad()
def accuracy(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()
    return right


def build(args):
    if args.wide:
        model = Large()
    else:
        model = Small()
    return model.to(args.device)


def of_a_teacher(args, loader, val_loader):
    teacher = build(args.teacher)
    teacher.eval()
    model = build(args)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        model.train()
        for x, y in loader:
            step(model, optimizer, x, y)
        print(accuracy(teacher, val_loader))


def of_both(args, loader, val_loader):
    model, teacher = Small(), Large()
    judge = teacher if args.by_teacher else model
    teacher.eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        model.train()
        for x, y in loader:
            step(model, optimizer, x, y)
        model.eval()
        print(accuracy(judge, val_loader))


def switched(args, loader, val_loader):
    if args.small:
        model = Small()
    else:
        model = Large()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        model.train()
        for x, y in loader:
            step(model, optimizer, x, y)
        model.eval()
        print(accuracy(model, val_loader))

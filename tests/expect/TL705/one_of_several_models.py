"""A model that is made in one branch or another is one model, and another one where that is done again."""

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


def build(args):
    if args.wide:
        model = Large()
    else:
        model = Small()
    return model.to(args.device)


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


@torch.no_grad()
def accuracy(model, loader):
    model.eval()  # expect: TL705
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()
    return right


def by_name(args, loader, val_loader):
    if args.arch == "small":
        model = Small()
    elif args.arch == "large":
        model = Large()
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        for x, y in loader:
            step(model, optimizer, x, y)
        print(accuracy(model, val_loader))


@torch.no_grad()
def score(model, loader):
    model.eval()
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()
    return right


def a_new_one_for_each_fold(args, folds):
    for loader, val_loader in folds:
        if args.small:
            model = Small()
        else:
            model = Large()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        for x, y in loader:
            step(model, optimizer, x, y)
        print(score(model, val_loader))


def a_new_one_by_a_function(args, folds):
    for loader, val_loader in folds:
        model = build(args)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        for x, y in loader:
            step(model, optimizer, x, y)
        print(score(model, val_loader))


def teacher_and_student(args, loader, val_loader):
    teacher, student = build(args.teacher), build(args)
    teacher.eval()
    optimizer = torch.optim.AdamW(student.parameters(), lr=1e-3)
    for _ in range(args.epochs):
        student.train()
        for x, y in loader:
            step(student, optimizer, x, teacher(x).argmax(-1))
        print(score(student, val_loader))

"""Two models that one function makes are two: here the one that is evaluated is the one that is trained."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def build(device):
    net = Net()
    return net.to(device)


class MeanTeacher:
    def __init__(self, device):
        self.student = build(device)
        self.teacher = build(device)
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1)

    def score(self, held_out):
        self.student.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                self.student(batch)

    def fit(self, loader, held_out):
        for epoch in range(3):
            for batch in loader:
                self.optimizer.zero_grad()
                self.student(batch).sum().backward()
                self.optimizer.step()
            self.score(held_out)


def validate(model, held_out):
    model.eval()  # expect: TL705
    with torch.no_grad():
        for batch in held_out:
            model(batch)


def main(loader, held_out):
    model = build("cuda")
    ema_model = build("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
        validate(model, held_out)


def validate_chosen(model, held_out):
    model.eval()  # expect: TL705
    with torch.no_grad():
        for batch in held_out:
            model(batch)


def pick(kind):
    return nn.Sequential(nn.Linear(8, 8), nn.Dropout(kind))


def chosen(args, loader, held_out):
    if args.small:
        model = pick(0.1)
    else:
        model = pick(0.2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
        validate_chosen(model, held_out)

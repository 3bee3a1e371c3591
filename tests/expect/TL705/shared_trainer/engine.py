"""A trainer that several scripts share: each hands it a model of its own."""

import torch
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout()

    def forward(self, x):
        return self.drop(self.fc(x))


class Large(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(self.fc(x))


class Trainer:
    def __init__(self, model, optimizer, interval):
        self.model = model
        self.optim = optimizer
        self.interval = interval

    def validate(self, loader):
        self.model.eval()  # expect: TL705
        with torch.no_grad():
            return sum(nn.functional.mse_loss(self.model(x), y).item() for x, y in loader)

    def train_epoch(self, loader, held_out):
        self.model.train()
        for i, (x, y) in enumerate(loader):
            if i % self.interval == 0:
                print(self.validate(held_out))
            self.optim.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optim.step()


class Restoring(Trainer):
    def validate(self, loader):
        training = self.model.training
        self.model.eval()
        with torch.no_grad():
            found = sum(nn.functional.mse_loss(self.model(x), y).item() for x, y in loader)
        self.model.train(training)
        return found


def fit(model, optimizer, loader, held_out):
    model.train()
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        if i % 100 == 0:
            model.eval()  # expect: TL705
            with torch.no_grad():
                print(sum(nn.functional.mse_loss(model(x), y).item() for x, y in held_out))


def distil(student, teacher, optimizer, loader):
    teacher.eval()
    student.train()
    for x, _ in loader:
        with torch.no_grad():
            wanted = teacher(x)
        optimizer.zero_grad()
        nn.functional.mse_loss(student(x), wanted).backward()
        optimizer.step()

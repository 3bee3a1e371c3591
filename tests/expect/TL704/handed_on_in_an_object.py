"""The model is kept by an object that is no model, and the object is handed on to what evaluates."""

from dataclasses import dataclass

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.drop(x))


@dataclass
class Context:
    model: Net
    loader: object
    held_out: object


def predict(model, loader):
    output = []
    with torch.no_grad():
        for batch in loader:
            output.extend(model(batch).argmax(-1).tolist())  # expect: TL704
    return output


def validate(context: Context):
    found = predict(context.model, context.held_out)
    return sum(each == 1 for each in found) / len(found)


def train(context: Context, epochs):
    model = context.model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    for _ in range(epochs):
        for batch in context.loader:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
        print(validate(context))


def main(loader, held_out):
    train(Context(Net(), loader, held_out), 5)


class Kit:
    def __init__(self, model, loaders):
        self.model = model
        self.loaders = loaders


def evaluate_kit(kit):
    right = 0
    with torch.no_grad():
        for x, y in kit.loaders["val"]:
            right += (kit.model(x).argmax(-1) == y).sum().item()  # expect: TL704
    return right


def train_kit(kit, epochs):
    optimizer = torch.optim.AdamW(kit.model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in kit.loaders["train"]:
            optimizer.zero_grad()
            nn.functional.cross_entropy(kit.model(x), y).backward()
            optimizer.step()
        print(evaluate_kit(kit))


def main_of_kit(loaders):
    train_kit(Kit(Net(), loaders), 5)


def accuracy(state):
    right = 0
    with torch.no_grad():
        for x, y in state.val_loader:
            right += (state.net(x).argmax(-1) == y).sum().item()  # expect: TL704
    return right


def fit(state, epochs):
    optimizer = torch.optim.SGD(state.net.parameters(), lr=0.1)
    state.net.train()
    for _ in range(epochs):
        for x, y in state.loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(state.net(x), y).backward()
            optimizer.step()
        print(accuracy(state))

"""As where an object that keeps the model is handed on; who evaluates puts it into the right mode."""

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
    teacher: Net
    loader: object
    held_out: object


def predict(model, loader):
    model.eval()
    output = []
    with torch.no_grad():
        for batch in loader:
            output.extend(model(batch).argmax(-1).tolist())
    model.train()
    return output


def validate(context: Context):
    found = predict(context.model, context.held_out)
    return sum(each == 1 for each in found) / len(found)


def labels_of_teacher(context: Context, batch):
    with torch.no_grad():
        return context.teacher(batch).argmax(-1)


def train(context: Context, epochs):
    model = context.model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    for _ in range(epochs):
        for batch in context.loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(batch), labels_of_teacher(context, batch)).backward()
            optimizer.step()
        print(validate(context))


def main(loader, held_out):
    train(Context(Net(), Net(), loader, held_out), 5)


def accuracy(state):
    state.net.eval()
    right = 0
    with torch.no_grad():
        for x, y in state.val_loader:
            right += (state.net(x).argmax(-1) == y).sum().item()
    return right


def fit(state, epochs):
    optimizer = torch.optim.SGD(state.net.parameters(), lr=0.1)
    for _ in range(epochs):
        state.net.train()
        for x, y in state.loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(state.net(x), y).backward()
            optimizer.step()
        print(accuracy(state))

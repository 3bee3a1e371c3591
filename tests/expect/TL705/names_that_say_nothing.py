"""Functions whose names speak of evaluation, phases or modes, and that are handed no model, set no mode."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def plot_test_curve(history):
    for value in history:
        print(value)


def one(loader, held_out, log_validation):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            scores = [net(batch) for batch in held_out]
        log_validation(scores)


def two(loader, held_out, tracker):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    history = []
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                history.append(net(batch).mean().item())
        plot_test_curve(history)
        tracker.store_eval_phase(history[-1])


def three(loader, held_out, tracker):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        tracker.train_mode_on(epoch)
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                tracker.add(net(batch))

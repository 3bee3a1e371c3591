"""The mode is set by a helper, for all models, by the phase, once for a copy; or the evaluation is none."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(self.drop(x))


class Engine:
    def __init__(self):
        self.model = Net()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def set_mode(self, mode):
        getattr(self.model, mode)()

    def run(self, loader, test_loader):
        for epoch in range(10):
            self.set_mode("train")
            for batch in loader:
                self.model(batch).sum().backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.set_mode("eval")
            for batch in test_loader:
                self.model(batch)


def all_of_them(models, loader, test_loader, optimizer):
    net = models["net"]
    for epoch in range(10):
        for model in models.values():
            model.train()
        for batch in loader:
            net(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        for model in models.values():
            model.eval()
        for batch in test_loader:
            net(batch)


def copied(loader, test_loader):
    net = Net()
    frozen = copy.deepcopy(net).eval()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        net.train()
        for batch in loader:
            net(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        frozen.load_state_dict(net.state_dict())
        for batch in test_loader:
            frozen(batch)


def uncertain(net, loader, test_loader, optimizer, samples):
    """Dropout stays on to see how far the answers lie apart."""
    for epoch in range(10):
        net.train()
        for batch in loader:
            net(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        net.eval()
        for part in net.modules():
            if isinstance(part, nn.Dropout):
                part.train()
        with torch.no_grad():
            for batch in test_loader:
                torch.stack([net(batch) for _ in range(samples)]).std(0)


def statistics(net, loader, optimizer, update):
    """Batch norm's averages are taken anew, from the training data."""
    for epoch in range(10):
        net.train()
        for batch in loader:
            net(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        with torch.no_grad():
            for batch in loader:
                update(net(batch))


def meta(net, tasks, optimizer, adapt):
    for task in tasks:
        net.train()
        adapted = adapt(net, task.train)
        loss = 0.0
        for x, y in task.test:
            loss = loss + nn.functional.mse_loss(adapted(x), y) + net(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Agent:
    """What a library calls by itself knows when to switch."""

    def __init__(self, hooks):
        self.model, self.hooks = Net(), hooks
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, loader, val_loader):
        for epoch in range(10):
            self.model.train()
            for batch in loader:
                self.model(batch).sum().backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.hooks.before_val_epoch(self)
            for batch in val_loader:
                self.model(batch)

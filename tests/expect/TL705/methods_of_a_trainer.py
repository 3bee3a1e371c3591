"""A trainer whose validation is a method, called in the middle of an epoch, wrapped in data parallelism; one that restores the mode."""

import torch
from torch.nn.parallel import DistributedDataParallel


class Base:
    def __init__(self, model, loaders, optimizer, criterion):
        self.model = model
        self.loaders = loaders
        self.optimizer = optimizer
        self.criterion = criterion

    def step(self, batch):
        out = self.model(batch["image"])
        loss = self.criterion(out, batch["label"])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Forgetful(Base):
    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for index, batch in enumerate(self.loaders["train"]):
                self.step(batch)
                if index % 200 == 0:
                    self.validate()

    @torch.no_grad()
    def validate(self):
        self.model.eval()  # expect: TL705
        total = 0.0
        for batch in self.loaders["val"]:
            total += self.criterion(self.model(batch["image"]), batch["label"]).item()
        return total


class Careful(Base):
    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for index, batch in enumerate(self.loaders["train"]):
                self.step(batch)
                if index % 200 == 0:
                    self.validate()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        total = 0.0
        for batch in self.loaders["val"]:
            total += self.criterion(self.model(batch["image"]), batch["label"]).item()
        self.model.train()
        return total


class SetBackLater(Base):
    """The hook that ends a validation belongs to the step, not to the validation."""

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.loaders["train"]:
                self.before_step()
                self.step(batch)
            self.validate()

    def before_step(self):
        if not self.model.training:
            self.model.train()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            for batch in self.loaders["val"]:
                self.model(batch["image"])


def wrapped(net, loader, held_out, optimizer, criterion, local_rank):
    if local_rank is not None:
        net = DistributedDataParallel(net.to(local_rank), device_ids=[local_rank])
    net.train()
    for _ in range(20):
        for x, y in loader:
            criterion(net(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()
        net.module.eval()  # expect: TL705
        with torch.no_grad():
            scores = [criterion(net.module(x), y).item() for x, y in held_out]
        print(sum(scores))


class Flagged(Base):
    def fit(self, epochs):
        for epoch in range(epochs):
            self.training = True
            for batch in self.loaders["train"]:
                self.step(batch)
            self.validate()

    @torch.no_grad()
    def validate(self):
        self.training = False
        self.model.eval()  # expect: TL705
        for batch in self.loaders["val"]:
            self.model(batch["image"])

"""A batch that a function of the project, or the model itself, will not take: the rank that has it goes on to the next one."""

import torch
from torch.nn.parallel import DistributedDataParallel


class NothingToLearn(ValueError):
    pass


class NoAnchor(ValueError):
    pass


class TooShort(Exception):
    pass


def checked(batch):
    if batch.sum() == 0:
        raise NothingToLearn("all zeros")
    return batch


def cut(batch, length):
    mask = batch > 0
    if int(mask.sum().item()) < length:
        raise TooShort(length)
    return batch[:, :length]


def anchors(mask):
    if mask.sum() < 1:
        raise NoAnchor("nothing above 0")
    return mask.nonzero()


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch[anchors(batch > 0)].mean()


def fit(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            batch = checked(batch)
        except NothingToLearn:
            continue
        model(batch).mean().backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def fit_what_is_long(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            loss = model(cut(batch, 8)).mean()
        except (TooShort, KeyError):
            print("too short")
        else:
            loss.backward()  # expect: TL103
            optimizer.step()
            optimizer.zero_grad()


class Trainer:
    def __init__(self, loader, optimizer, world):
        network = Net()
        if world > 1:
            network = DistributedDataParallel(network)
        self.network = network
        self.loader, self.optimizer = loader, optimizer

    def fit(self):
        for batch in self.loader:
            try:
                loss = self.network(batch)
                loss.backward()  # expect: TL103
            except NoAnchor:
                continue
            self.optimizer.step()
            self.optimizer.zero_grad()

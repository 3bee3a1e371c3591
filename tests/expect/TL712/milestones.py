"""Milestones that lie within the number of epochs, of a scheduler that is stepped for each batch."""

import torch
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader

EPOCHS = 90
DECAYS = [30, 60]


def each_batch(model, data):
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scheduler = MultiStepLR(optimizer, milestones=[30, 60, 80])
    for epoch in range(EPOCHS):
        for x, y in loader:
            optimizer.zero_grad()
            (model(x) - y).pow(2).mean().backward()
            optimizer.step()
            scheduler.step()  # expect: TL712


def in_a_helper(model, data, resumed):
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    if resumed:
        scheduler = MultiStepLR(optimizer, DECAYS, last_epoch=resumed)
    else:
        scheduler = MultiStepLR(optimizer, DECAYS)
    for epoch in range(1, EPOCHS + 1):
        one_epoch(model, optimizer, scheduler, loader)


def one_epoch(model, optimizer, scheduler, loader):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        (model(x) - y).pow(2).mean().backward()
        optimizer.step()
        scheduler.step()  # expect: TL712


class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.loader = DataLoader(data, batch_size=4)
        self.optimizer = torch.optim.Adam(model.parameters())
        self.schedule = MultiStepLR(self.optimizer, (50, 75), gamma=0.1)

    def fit(self):
        for _ in range(100):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                (self.model(x) - y).pow(2).mean().backward()
                self.optimizer.step()
                self.schedule.step()  # expect: TL712


def each_epoch(model, data):
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scheduler = MultiStepLR(optimizer, milestones=[30, 60])
    for epoch in range(EPOCHS):
        for x, y in loader:
            optimizer.zero_grad()
            (model(x) - y).pow(2).mean().backward()
            optimizer.step()
        scheduler.step()


def of_batches(model, data):
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scheduler = MultiStepLR(optimizer, milestones=[30000, 60000])
    for epoch in range(EPOCHS):
        for x, y in loader:
            optimizer.zero_grad()
            (model(x) - y).pow(2).mean().backward()
            optimizer.step()
            scheduler.step()


def of_batches_of_an_epoch(model, data):
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scheduler = MultiStepLR(optimizer, milestones=[30 * len(loader), 60 * len(loader)])
    for epoch in range(EPOCHS):
        for x, y in loader:
            optimizer.zero_grad()
            (model(x) - y).pow(2).mean().backward()
            optimizer.step()
            scheduler.step()


def by_iterations(model, batches, samples):
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scheduler = MultiStepLR(optimizer, milestones=[300, 600])
    for iteration in range(1000):
        for number in range(samples):
            optimizer.zero_grad()
            model(next(batches)).mean().backward()
            optimizer.step()
            scheduler.step()
    other = MultiStepLR(optimizer, milestones=[300, 600])
    for iteration in range(1000):
        optimizer.zero_grad()
        model(next(batches)).mean().backward()
        optimizer.step()
        other.step()


def every_so_often(model, data):
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scheduler = MultiStepLR(optimizer, milestones=[30, 60])
    for epoch in range(EPOCHS):
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            (model(x) - y).pow(2).mean().backward()
            optimizer.step()
            if i % 1000 == 0:
                scheduler.step()

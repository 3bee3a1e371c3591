"""Once for each epoch: in the loop around, in functions and methods that it calls."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def train_one(loader, model, optimizer, device):
    total = torch.zeros((), device=device)
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        xm.optimizer_step(optimizer)
        total += loss.detach()
    return total


def evaluate(loader, model):
    hits = torch.zeros((), device=xm.xla_device())
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum()
    return hits.item()


def main(data, other, model, optimizer, epochs):
    device = xm.xla_device()
    loader = pl.MpDeviceLoader(data, device)
    for epoch in range(epochs):
        total = train_one(loader, model, optimizer, device)
        hits = evaluate(pl.MpDeviceLoader(other, device), model)
        print(epoch, total.item(), hits)


def in_one(data, model, optimizer, epochs):
    device = xm.xla_device()
    for epoch in range(epochs):
        model.train()
        for x in data:
            x = x.to(device)
            optimizer.zero_grad()
            loss = model(x).sum()
            loss.backward()
            xm.optimizer_step(optimizer, barrier=True)
        print(epoch, loss.item())
        total = train_one(pl.MpDeviceLoader(data, device), model, optimizer, device)
        print(total.cpu(), float(total))


def once(model, x):
    return model(x).sum()


def with_a_probe(data, model, optimizer, epochs, probe):
    device = xm.xla_device()
    loader = pl.MpDeviceLoader(data, device)
    for epoch in range(epochs):
        train_one(loader, model, optimizer, device)
        print(epoch, once(model, probe.to(device)).item())


class Trainer:
    def __init__(self, model, optimizer, data):
        self.device = xm.xla_device()
        self.model, self.optimizer = model, optimizer
        self.data = pl.MpDeviceLoader(data, self.device)

    def one(self):
        return train_one(self.data, self.model, self.optimizer, self.device)

    def fit(self, epochs):
        for _ in range(epochs):
            print(self.one().item())

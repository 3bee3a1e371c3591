"""Loops whose step is made somewhere, or may be, or that want the gradients for themselves."""

import torch
from pytorch_lightning import LightningModule

from . import engine


def in_a_helper(optimizer):
    optimizer.step()
    optimizer.zero_grad()


def helped(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).mean().backward()
        in_a_helper(optimizer)


def elsewhere(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        engine.finish(optimizer)


def after_each_gradient(model, loader):
    optimizers = {p: torch.optim.SGD([p], lr=0.1) for p in model.parameters()}

    def apply(parameter):
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(apply)
    for batch in loader:
        model(batch).mean().backward()


def saliency(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    maps = []
    for batch in loader:
        optimizer.zero_grad()
        batch.requires_grad_()
        model(batch).sum().backward()
        maps.append(batch.grad.abs())
    return maps


def by_hand(model, loader, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= rate * parameter.grad


class Manual(LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def training_step(self, batch, _):
        for part in batch:
            self.manual_backward(self.net(part).mean())


class Base:
    def finish(self):
        self.optimizer.step()


class Derived(Base):
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def run(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.net(batch).mean().backward()
            self.finish()


def make(model):
    return torch.optim.Adam(model.parameters())


def once(model, batch):
    optimizer = torch.optim.Adam(model.parameters())
    optimizer.zero_grad()
    model(batch).mean().backward()


def kept(model, loader, state):
    state["optimizer"] = torch.optim.Adam(model.parameters())
    for batch in loader:
        model(batch).mean().backward()
        state["optimizer"].step()


def lbfgs(model, loader):
    optimizer = torch.optim.LBFGS(model.parameters())
    for batch in loader:

        def closure(batch=batch):
            optimizer.zero_grad()
            loss = model(batch).mean()
            loss.backward()
            return loss

        optimizer.step(closure)


def replaced(model, loader, resume):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if resume:
        optimizer = torch.optim.Adam(model.parameters())
    step = optimizer.step
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        step()

"""Something out of sight steps in the round, and it got hold of the optimizer, or of the model whose gradients are meant."""

import torch
from hooks import Engine, Stepper, fit_hooks
from stages import Closing


def made_with_it(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    closing = Closing(model, optimizer)
    for images, labels in loader:
        criterion(model(images), labels).backward()
        optimizer.step()
        closing.step()


def registered(model, criterion, loader, timer):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    timer.register(optimizer)
    for images, labels in loader:
        criterion(model(images), labels).backward()
        optimizer.step()
        timer.step()


class Trainer:
    """The callbacks were given the trainer, which has the optimizer."""

    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.hooks = Stepper()
        self.hooks.attach(self)

    def fit(self, loader):
        for batch in loader:
            self.model(batch).mean().backward()
            self.optimizer.step()
            self.hooks.on_batch()


class Holder:
    """What steps is what the optimizer itself is taken from."""

    def __init__(self, model, lr):
        self.model = model
        self.engine = Engine(model, lr)

    def fit(self, loader):
        for batch in loader:
            self.model(batch).mean().backward()
            self.engine.optimizer.step()
            self.engine.step_done()


def hooked(model, criterion, loader, optimizer):
    hooks = fit_hooks(optimizer)
    for images, labels in loader:
        criterion(model(images), labels).backward()
        optimizer.step()
        hooks.after_step()


def emptied_at_the_end(model, criterion, optimizer, loader, timer, meter):
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        timer.step()
        meter.step(loss.item())
        optimizer.zero_grad()

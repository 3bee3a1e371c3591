"""Somebody out of sight may empty the gradients, or there are no old ones."""

import torch


def engine(model_engine, loader):
    for batch in loader:
        loss = model_engine(batch)
        model_engine.backward(loss)
        model_engine.step()


def handed_on(model, loader, optimizer, finish):
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
        finish(model, optimizer)


def hooks(model, loader, optimizer, hooks):
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
        for hook in hooks:
            hook.after_step()


def once(model, batch, optimizer):
    model(batch).sum().backward()
    optimizer.step()


def fresh(build, loaders):
    for loader in loaders:
        model, batch = build(), next(iter(loader))
        optimizer = torch.optim.Adam(model.parameters())
        model(batch).sum().backward()
        optimizer.step()


def set_by_hand(model, loader, optimizer):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward(retain_graph=True)
        gradients = torch.autograd.grad(loss, list(model.parameters()))
        for parameter, gradient in zip(model.parameters(), gradients):
            parameter.grad = gradient
        optimizer.step()


class Agent:
    """A wrapper with a step of its own; what it does is in another package."""

    def __init__(self, inner):
        self.inner = inner

    def learn(self, loader, model):
        for batch in loader:
            model(batch).sum().backward()
            self.inner.trainer.step()


def whole_window(model, criterion, optimizer, loader, micro):
    for batch in loader:
        optimizer.zero_grad()
        for part in batch.split(micro):
            criterion(model(part)).backward()
        optimizer.step()

"""Gone through once, or made into a list, or not a generator at all."""

import itertools

import torch


def in_lists(model, loader):
    weights = list(model.parameters())
    optimizer = torch.optim.SGD(weights, lr=0.1)
    trained = [p for p in model.parameters() if p.requires_grad]
    for batch in loader:
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()


def once_each(model, other):
    weights, others = model.parameters(), other.parameters()
    optimizer = torch.optim.SGD(itertools.chain(weights, others), lr=0.1)
    return optimizer


def lazily(model):
    weights = model.parameters()
    trained = filter(lambda p: p.requires_grad, weights)
    return torch.optim.SGD(trained, lr=0.1)


def first(model):
    weights = model.parameters()
    device = next(weights).device
    return device


def copied(model, target, rate):
    for weight, mine in zip(model.parameters(), target.parameters()):
        mine.data.lerp_(weight.data, rate)


def returned(model, name):
    weights = model.parameters()
    if name == "sgd":
        return torch.optim.SGD(weights, lr=0.1)
    elif name == "adam":
        return torch.optim.Adam(weights)
    raise ValueError(name)


def anew(model, loader, make):
    optimizer = make(model.parameters())
    for batch in loader:
        weights = model.parameters()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()


class Settings:
    """Its parameters are a dict."""

    def parameters(self):
        return {"rate": 0.1}


def of_settings(settings):
    given = settings.parameters()
    print(sorted(given), len(given))
    return list(given)

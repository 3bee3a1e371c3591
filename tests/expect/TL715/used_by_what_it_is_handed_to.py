"""A helper goes through the generator; another makes a list of it first."""

import torch


def clipped(weights):
    torch.nn.utils.clip_grad_norm_(weights, 1.0)


def counted(weights):
    return sum(weight.numel() for weight in weights)


def fit(model, loader):
    weights = model.parameters()  # expect: TL715
    optimizer = torch.optim.AdamW(weights, lr=1e-4)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        clipped(weights)
        optimizer.step()


def fit_in_a_try(model, loader):
    weights = model.parameters()  # expect: TL715
    try:
        optimizer = torch.optim.AdamW(weights, lr=1e-4)
    finally:
        clipped(weights)
    return optimizer


class Settings:
    def __init__(self, weights, rate):
        self.weights = weights
        self.rate = rate


def fit_with_settings(model, loader):
    settings = Settings(model.parameters(), 1e-4)  # expect: TL715
    optimizer = torch.optim.AdamW(settings.weights, lr=settings.rate)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        clipped(settings.weights)
        optimizer.step()


def fit_with_a_list(model, loader):
    settings = Settings(list(model.parameters()), 1e-4)
    optimizer = torch.optim.AdamW(settings.weights, lr=settings.rate)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        clipped(settings.weights)
        optimizer.step()


def once_each(model, other):
    clipped(model.parameters())
    clipped(other.parameters())
    return counted(model.parameters())

"""A function hands back the generator as it is, or a list of it."""

import torch


def weights_of(model):
    return model.parameters()


def list_of_weights(model):
    return list(model.parameters())


def in_a_list(weights):
    return list(weights)


def fit(model, loader):
    weights = weights_of(model)  # expect: TL715
    optimizer = torch.optim.AdamW(weights, lr=1e-4)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()


def fit_list(model, loader):
    weights = list_of_weights(model)
    optimizer = torch.optim.AdamW(weights, lr=1e-4)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()


def fit_made_a_list(model, loader):
    weights = in_a_list(model.parameters())
    optimizer = torch.optim.AdamW(weights, lr=1e-4)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()


def fit_twice_made(model, loader):
    optimizer = torch.optim.AdamW(weights_of(model), lr=1e-4)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(weights_of(model), 1.0)
        optimizer.step()

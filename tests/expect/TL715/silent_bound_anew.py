"""A list takes the place of the generator in one arm: it is iterated there, or behind it, and not in both."""

import torch


def split(params):
    decayed, others = [], []
    for param in params:
        chosen = others if param.ndim < 2 else decayed
        chosen.append(param)
    return decayed, others


def built(params, only_trained=False, group=True):
    if only_trained:
        params = list(filter(lambda each: each.requires_grad, params))
    if group:
        decayed, others = split(params)
        params = [{"params": decayed}, {"params": others, "weight_decay": 0}]
    return torch.optim.AdamW(params)


def built_for(net: torch.nn.Module):
    return built(net.parameters())


def optimizer_named(options, weights):
    name = "sgd" if not hasattr(options, "optim") else options.optim
    if name == "sgd":
        optimizer = torch.optim.SGD(weights, lr=options.rate)
    if name == "adam":  # not where it was the other
        optimizer = torch.optim.Adam(weights, lr=options.rate)
    return optimizer


def made(options, model):
    return optimizer_named(options, model.parameters())


def one_of_several(model, name):
    weights = model.parameters()
    if name in ("adam", "adamw"):
        return torch.optim.AdamW(weights)
    if name != "sgd":
        optimizer = torch.optim.RMSprop(weights)
    if name == "sgd":
        optimizer = torch.optim.SGD(weights, lr=0.1)
    return optimizer

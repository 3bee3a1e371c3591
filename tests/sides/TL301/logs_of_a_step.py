"""Dicts that a step fills beside its loss: what stands in them, under which keys, and what is done to them before they are kept."""

import torch
import torch.nn.functional as F


def with_the_loss(model, loader, optimizer):
    history = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        log = {"loss": loss, "size": len(x)}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(log)  # expect: TL301


def with_numbers(model, loader, optimizer):
    history = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        log = {"loss": loss.item(), "size": len(x)}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(log)


def set_behind(model, loader, optimizer):
    history = []
    for x, y in loader:
        log = {}
        loss = F.cross_entropy(model(x), y)
        log["loss"] = loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(log)  # expect: TL301


def set_behind_as_a_number(model, loader, optimizer):
    history = []
    for x, y in loader:
        log = {}
        loss = F.cross_entropy(model(x), y)
        log["loss"] = loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(log)


def another_is_replaced(model, loader, optimizer):
    history = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        log = {"loss": loss, "size": len(x)}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log["size"] = 2 * len(x)
        history.append(log)  # expect: TL301


def made_anew_of_numbers(model, loader, optimizer):
    history = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        log = {"loss": loss}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append({name: value.item() for name, value in log.items()})


def losses_of(model, x, y):
    return {"class": F.cross_entropy(model(x), y), "norm": model(x).norm()}


def all_losses(model, loader, optimizer):
    history = []
    for x, y in loader:
        losses = losses_of(model, x, y)
        loss = sum(losses.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(losses)  # expect: TL301


def one_of_all_losses(model, loader, optimizer):
    history = []
    for x, y in loader:
        losses = losses_of(model, x, y)
        loss = sum(losses.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(losses["norm"])  # expect: TL301


def lists_by_name(model, loader, optimizer):
    history = {"class": [], "norm": []}
    for x, y in loader:
        losses = losses_of(model, x, y)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        for name, value in losses.items():
            history[name].append(value)  # expect: TL301


def numbers_by_name(model, loader, optimizer):
    history = {"class": [], "norm": []}
    for x, y in loader:
        losses = losses_of(model, x, y)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        for name, value in losses.items():
            history[name].append(value.item())


def lists_by_the_keys(model, loader, optimizer):
    history = {"class": [], "norm": []}
    for x, y in loader:
        losses = losses_of(model, x, y)
        optimizer.zero_grad()
        (losses["class"] + losses["norm"]).backward()
        optimizer.step()
        for name in losses:
            history[name].append(losses[name])  # expect: TL301


def set_under_their_names(model, loader, optimizer):
    last = {}
    for x, y in loader:
        losses = losses_of(model, x, y)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        for name, value in losses.items():
            last[name] = value
    return last


def step(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss, {"loss": loss, "size": len(x)}


def log_of_a_helper(model, loader, optimizer):
    history = []
    for x, y in loader:
        _, log = step(model, optimizer, x, y)
        history.append(log)  # expect: TL301


def size_of_a_helper(model, loader, optimizer):
    history = []
    for x, y in loader:
        _, log = step(model, optimizer, x, y)
        history.append(log["size"])

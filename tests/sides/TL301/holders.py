"""What the losses are put into: made before the loop or in it, large or of a fixed size, an attribute, a global, a parameter."""

from collections import defaultdict, deque

import torch.nn.functional as F

ALL_LOSSES = []
BY_NAME = {"train": [], "valid": []}


def step(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def list_before_the_loop(model, loader, optimizer):
    losses = []
    for x, y in loader:
        losses.append(step(model, optimizer, x, y))  # expect: TL301
    return losses


def list_in_the_loop(model, loader, optimizer, report):
    for x, y in loader:
        losses = []
        losses.append(step(model, optimizer, x, y))
        report(losses)


def list_of_a_module(model, loader, optimizer):
    for x, y in loader:
        ALL_LOSSES.append(step(model, optimizer, x, y))  # expect: TL301


def list_in_a_dict_of_a_module(model, loader, optimizer):
    for x, y in loader:
        BY_NAME["train"].append(step(model, optimizer, x, y))  # expect: TL301


def list_in_a_dict(model, loader, optimizer):
    history = {"loss": [], "accuracy": []}
    for x, y in loader:
        history["loss"].append(step(model, optimizer, x, y))  # expect: TL301
    return history


def list_by_setdefault(model, loader, optimizer):
    history = {}
    for x, y in loader:
        history.setdefault("loss", []).append(step(model, optimizer, x, y))  # expect: TL301
    return history


def list_of_a_defaultdict(model, loader, optimizer):
    history = defaultdict(list)
    for x, y in loader:
        history["loss"].append(step(model, optimizer, x, y))  # expect: TL301
    return history


def deque_without_a_bound(model, loader, optimizer):
    recent = deque()
    for x, y in loader:
        recent.append(step(model, optimizer, x, y))  # expect: TL301
    return recent


def deque_with_a_bound(model, loader, optimizer):
    recent = deque(maxlen=50)
    for x, y in loader:
        recent.append(step(model, optimizer, x, y))
    return recent


def deque_with_a_bound_by_position(model, loader, optimizer):
    recent = deque([], 50)
    for x, y in loader:
        recent.append(step(model, optimizer, x, y))
    return recent


def deque_bounded_by_none(model, loader, optimizer):
    recent = deque(maxlen=None)
    for x, y in loader:
        recent.append(step(model, optimizer, x, y))  # expect: TL301
    return recent


def deque_with_the_length_of_a_setting(model, loader, optimizer, config):
    recent = deque(maxlen=config.window)
    for x, y in loader:
        recent.append(step(model, optimizer, x, y))
    return recent


def list_or_none(model, loader, optimizer, keep):
    losses = [] if keep else None
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        if losses is not None:
            losses.append(loss)  # expect: TL301
    return losses


def list_handed_in(model, loader, optimizer, losses):
    for x, y in loader:
        losses.append(step(model, optimizer, x, y))  # expect: TL301


def one_batch(model, optimizer, x, y, losses):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)  # expect: TL301


def hands_one_list_in(model, loader, optimizer):
    losses = []
    for x, y in loader:
        one_batch(model, optimizer, x, y, losses)
    return losses


def one_batch_of_many_lists(model, optimizer, x, y, losses):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)


def hands_a_new_list_in(model, loader, optimizer, report):
    for x, y in loader:
        losses = []
        one_batch_of_many_lists(model, optimizer, x, y, losses)
        report(losses)


def one_batch_of_an_emptied_list(model, optimizer, x, y, losses):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)


def hands_a_list_in_and_empties_it(model, loader, optimizer, report):
    losses = []
    for x, y in loader:
        one_batch_of_an_emptied_list(model, optimizer, x, y, losses)
        report(losses)
        losses.clear()


class Meters:
    def __init__(self):
        self.losses = []

def list_of_a_new_object(model, loader, optimizer, report):
    for x, y in loader:
        meters = Meters()
        meters.losses.append(step(model, optimizer, x, y))
        report(meters)


def list_of_one_object(model, loader, optimizer):
    meters = Meters()
    for x, y in loader:
        meters.losses.append(step(model, optimizer, x, y))  # expect: TL301
    return meters

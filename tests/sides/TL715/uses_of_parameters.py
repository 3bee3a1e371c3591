"""Parameters that are handed out once: what is done with them, how often, and on which ways."""

from itertools import chain

import torch
from torch.nn.utils import clip_grad_norm_


def to_an_optimizer_and_a_clip(model, loss):
    weights = model.parameters()  # expect: TL715
    optimizer = torch.optim.SGD(weights, lr=0.1)
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def to_an_optimizer_by_keyword_and_a_clip(model, loss):
    weights = model.parameters()  # expect: TL715
    optimizer = torch.optim.SGD(params=weights, lr=0.1)
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def in_a_group_and_a_clip(model, loss):
    weights = model.parameters()  # expect: TL715
    optimizer = torch.optim.SGD([{"params": weights, "lr": 0.1}])
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def listed_first(model, loss):
    weights = list(model.parameters())
    optimizer = torch.optim.SGD(weights, lr=0.1)
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def only_looked_at(model):
    weights = model.parameters()
    print(type(weights), id(weights))
    return torch.optim.SGD(weights, lr=0.1)


def filtered(model, loss):
    weights = filter(lambda weight: weight.requires_grad, model.parameters())  # expect: TL715
    optimizer = torch.optim.SGD(weights, lr=0.1)
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def chained(model, head, loss):
    weights = chain(model.parameters(), head.parameters())  # expect: TL715
    optimizer = torch.optim.SGD(weights, lr=0.1)
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def chained_lists(first, second, loss):
    weights = chain(first, second)
    optimizer = torch.optim.SGD(weights, lr=0.1)
    loss.backward()
    return optimizer, list(weights)


def filter_of_others(model, loss, filter):
    weights = filter(model.parameters())
    optimizer = torch.optim.SGD(weights, lr=0.1)
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    return optimizer


def counted_and_trained(model):
    weights = model.parameters()  # expect: TL715
    print(sum(weight.numel() for weight in weights))
    return torch.optim.SGD(weights, lr=0.1)


def looped_and_kept(model):
    named = model.named_parameters()  # expect: TL715
    for name, weight in named:
        print(name, weight.shape)
    return dict(named)


def in_each_round(model, loader, optimizer):
    weights = model.parameters()  # expect: TL715
    for batch in loader:
        model(batch).mean().backward()
        clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()


def made_anew_in_each_round(model, loader, optimizer):
    for batch in loader:
        weights = model.parameters()
        model(batch).mean().backward()
        clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()


def in_the_round_that_ends_the_loop(model, loader):
    weights = model.parameters()
    for batch in loader:
        if batch is not None:
            clip_grad_norm_(weights, 1.0)
            break


def in_the_round_that_returns(model, loader):
    weights = model.parameters()
    for batch in loader:
        if batch is not None:
            return torch.optim.SGD(weights, lr=0.1)
    return None


def behind_a_way_out(model, frozen):
    weights = model.parameters()
    if frozen:
        return list(weights)
    return torch.optim.SGD(weights, lr=0.1)


def behind_an_error(model, wrong):
    weights = model.parameters()
    if wrong:
        raise ValueError(list(weights))
    return torch.optim.SGD(weights, lr=0.1)


def in_two_arms(model, adam):
    weights = model.parameters()
    if adam:
        optimizer = torch.optim.Adam(weights)
    else:
        optimizer = torch.optim.SGD(weights, lr=0.1)
    return optimizer


def under_two_tests(model, adam, clipped):
    weights = model.parameters()  # expect: TL715
    if adam:
        optimizer = torch.optim.Adam(weights)
    else:
        optimizer = None
    if clipped:
        clip_grad_norm_(weights, 1.0)
    return optimizer


def under_one_test_twice(model, adam):
    weights = model.parameters()  # expect: TL715
    if adam:
        optimizer = torch.optim.Adam(weights)
    print("made")
    if adam:
        clip_grad_norm_(weights, 1.0)
    return optimizer


def under_one_test_and_its_opposite(model, adam):
    weights = model.parameters()
    optimizer = None
    if adam:
        optimizer = torch.optim.Adam(weights)
    print("made")
    if not adam:
        optimizer = torch.optim.SGD(weights, lr=0.1)
    return optimizer


class Trainer:
    """The optimizer takes what the attribute holds, and a method asks it again."""

    def __init__(self, model):
        self.weights = model.parameters()  # expect: TL715
        self.optimizer = torch.optim.SGD(self.weights, lr=0.1)

    def clip(self):
        clip_grad_norm_(self.weights, 1.0)


class TrainerWithAList:
    def __init__(self, model):
        self.listed = list(model.parameters())
        self.optimizer = torch.optim.SGD(self.listed, lr=0.1)

    def clip(self):
        clip_grad_norm_(self.listed, 1.0)


class TrainerThatAsksAgain:
    def __init__(self, model):
        self.model = model
        self.kept = model.parameters()
        self.optimizer = torch.optim.SGD(self.kept, lr=0.1)

    def clip(self):
        self.kept = self.model.parameters()
        clip_grad_norm_(self.kept, 1.0)


class TrainerThatMayTrain:
    def __init__(self, model, train):
        self.held = model.parameters()
        self.optimizer = None
        if train:
            self.optimizer = torch.optim.SGD(self.held, lr=0.1)

    def clip(self):
        clip_grad_norm_(self.held, 1.0)


class TrainerThatOnlyKeeps:
    def __init__(self, model):
        self.own = model.parameters()
        self.optimizer = torch.optim.SGD(self.own, lr=0.1)

    def has_parameters(self):
        return self.own is not None

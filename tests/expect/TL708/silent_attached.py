"""Values with a graph, or of which nobody can say that they have none."""

import contextlib

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.autograd import Variable


def running(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        total += loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return total


def summed(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        total += F.cross_entropy(model(x), y)
    total.backward()
    optimizer.step()


def reinforce(log_probs, rewards, optimizer):
    weights = torch.tensor(rewards)
    loss = -(torch.stack(log_probs) * (weights - weights.mean()).detach()).sum()
    loss.backward()
    optimizer.step()


def attack(model, x, y, step):
    delta = torch.zeros_like(x).detach().requires_grad_()
    F.cross_entropy(model(x + delta), y).backward()
    return step * delta.grad.sign()


def under_enable(model, x):
    with torch.no_grad():
        prior = model(x)
        with torch.enable_grad():
            loss = model(x).mean()
    (loss + prior.mean()).backward()


def one_arm(model, x, frozen):
    out = model(x).mean()
    loss = out.detach() if frozen else out
    loss.backward()


class Graph:
    """A graph of one's own."""

    def __init__(self, value):
        self.value = value

    def detach(self):
        return Graph(self.value)

    def backward(self):
        self.value += 1


def of_our_own():
    Graph(3).detach().backward()


def fails():
    with pytest.raises(RuntimeError):
        torch.ones(1).detach().backward()


def caught(loss):
    try:
        loss.item().backward()
    except AttributeError:
        return None
    return loss


def toy():
    weight = torch.tensor(2.0, requires_grad=True)
    (weight * 3.0).backward()
    return weight.grad


def of_an_array(model, x):
    scale = float(np.mean(x))
    (model(x).mean() * scale).backward()


def stage(outputs, gradients):
    torch.autograd.backward(outputs, [gradient.detach() for gradient in gradients])


def helper(model, x, train):
    loss = model(x).mean()
    if train:
        return loss
    return loss.item()


def through_a_helper(model, x):
    helper(model, x, True).backward()


def in_one_of_two_contexts(model, x):
    context = contextlib.nullcontext() if model.training else torch.no_grad()
    with context:
        out = model(x)
        if model.training:
            out.sum().backward()


def recorded_when_asked(model, x, train):
    with torch.set_grad_enabled(train):
        loss = model(x).mean()
    loss.backward()


def first_steps():
    tensor = torch.FloatTensor([[1, 2], [3, 4]])
    variable = Variable(tensor, requires_grad=True)
    torch.mean(variable * variable).backward()
    print(variable.grad)


def of_a_leaf(array):
    moved = torch.tensor(array, requires_grad=True)
    (moved * 3).exp().sum().backward()
    return moved.grad


def of_a_detached_leaf(x):
    leaf = x.mean().detach().requires_grad_()
    leaf.pow(2).backward()
    return leaf.grad


class Temperature:
    def __init__(self, start):
        self.log = torch.tensor(start)
        self.log.requires_grad = True
        self.optimizer = torch.optim.Adam([self.log])

    def step(self, entropy):
        self.optimizer.zero_grad()
        (self.log.exp() * entropy.detach()).mean().backward()
        self.optimizer.step()


def tempered(loader, start):
    temperature = Temperature(start)
    for entropy in loader:
        temperature.step(entropy)


def told_afterwards(array):
    moved = torch.tensor(array)
    moved.requires_grad_()
    (moved * 3).exp().sum().backward()
    return moved.grad


def detached_and_told(x):
    leaf = x.detach()
    leaf.requires_grad = True
    (leaf * 3).exp().sum().backward()
    return leaf.grad

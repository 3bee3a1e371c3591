"""Graphs that are used again, or of which nobody can say that they are not."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.seen = nn.Linear(4, 4), []

    def forward(self, x):
        self.seen.append(self.layer(x))
        return sum(self.seen)


def gan(generator, critic, loader, for_generator, for_critic):
    for real in loader:
        fake = generator(torch.randn_like(real))
        for_critic.zero_grad()
        (critic(fake).mean() - critic(real).mean()).backward(retain_graph=True)
        for_critic.step()
        for_generator.zero_grad()
        (-critic(fake).mean()).backward()
        for_generator.step()


def with_a_memory(loader, optimizer):
    model = Memory()
    for x in loader:
        model(x).mean().backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def through_time(loader, optimizer):
    model, hidden = nn.LSTM(4, 4), None
    for x in loader:
        out, hidden = model(x, hidden)
        out.mean().backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def for_each_output(loader, optimizer):
    model = Net()
    for x in loader:
        out = model(x)
        for index in range(4):
            out[:, index].sum().backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def style(model, content, target, optimizer, steps):
    features = model(content)
    for _ in range(steps):
        F.mse_loss(features, target).backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def parameters_of_our_own(loader, optimizer):
    table = nn.Parameter(torch.zeros(4, 4))
    normed = table / table.norm()
    for x in loader:
        (x @ normed).mean().backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def saliency(loader):
    model = Net()
    for x in loader:
        out = model(x.requires_grad_()).sum()
        out.backward(retain_graph=True)
        print(torch.autograd.grad(out, x))


def flagged(loader, optimizer, keep):
    model = Net()
    for x in loader:
        model(x).mean().backward(retain_graph=keep)
        optimizer.step()
        optimizer.zero_grad()


def total(loader, optimizer):
    model, regret = Net(), 0
    for x in loader:
        regret = regret + model(x).mean()
        regret.backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def by_several_losses(loader, optimizer):
    body, first, second = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
    for x, y in loader:
        hidden = body(x)
        losses = [nn.functional.mse_loss(first(hidden), y), nn.functional.l1_loss(second(hidden), y)]
        for loss in losses:
            loss.backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def by_losses_from_elsewhere(losses, optimizer, rate):
    for loss in losses:
        (loss * rate).backward(retain_graph=True)
    optimizer.step()

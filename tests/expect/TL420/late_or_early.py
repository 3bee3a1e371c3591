"""Clips that come too late, or too early."""

import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_value_


def recurrent(model, criterion, batches, lr, clip):
    optimizer = optim.SGD(model.parameters(), lr=lr)
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets)
        loss.backward()
        optimizer.step()
        nn.utils.clip_grad_norm_(model.parameters(), clip)  # expect: TL420


def right_behind_zero_grad(policy, optimizer, memory):
    for states, actions, advantages in memory:
        optimizer.zero_grad()
        clip_grad_value_(policy.parameters(), 1.0)  # expect: TL420
        loss = -(policy(states).log_prob(actions) * advantages).mean()
        loss.backward()
        optimizer.step()


def accelerated(model, loader, optimizer, accelerator):
    for batch in loader:
        loss = model(**batch).loss
        accelerator.backward(loss)
        optimizer.step()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: TL420
        print(norm)
        optimizer.zero_grad()


class Learner:
    def __init__(self, net):
        self.net = net
        self.opt = optim.Adam(net.parameters())

    def _clip(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)  # expect: TL420

    def learn(self, batches):
        for batch in batches:
            self.opt.zero_grad()
            self.net(batch).mean().backward()
            self.opt.step()
            self._clip()

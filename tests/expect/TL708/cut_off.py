"""Backward passes that start from nothing."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch.autograd import Variable


def averaged(model, loader, optimizer):
    losses = 0
    for index, (x, y) in enumerate(loader):
        losses += F.cross_entropy(model(x), y).item()
        if index % 4 == 3:
            losses.backward()  # expect: TL708
            optimizer.step()
            optimizer.zero_grad()


def wrapped_again(net, batch, optimizer):
    loss = net(batch).mean()
    loss = Variable(loss.data, requires_grad=True)
    loss.backward()  # expect: TL708
    optimizer.step()


def silenced(net, batch, optimizer):
    loss = net(batch).mean().detach().requires_grad_(True)
    loss.backward()  # expect: TL708
    optimizer.step()


def by_accelerate(net, loader, optimizer):
    accelerator = Accelerator()
    for batch in loader:
        accelerator.backward(net(batch).loss.detach())  # expect: TL708
        optimizer.step()
        optimizer.zero_grad()


class Agent:
    def __init__(self, policy, optimizer):
        self.policy, self.optimizer = policy, optimizer

    def value(self, states):
        with torch.no_grad():
            loss = self.policy(states).pow(2).mean()
        return loss

    def learn(self, states):
        self.optimizer.zero_grad()
        loss = self.value(states)
        loss.backward()  # expect: TL708
        self.optimizer.step()


def both_arms(net, batch, weighted):
    out = net(batch)
    loss = out.mean().item() if weighted else float(out.sum())
    loss.backward()  # expect: TL708


def of_numbers(net, batches):
    reward = torch.tensor([net(batch).item() for batch in batches], requires_grad=True)
    reward.mean().backward()  # expect: TL708


def apply(loss, optimizer):
    loss.backward()  # expect: TL708
    optimizer.step()
    optimizer.zero_grad()


def handed_over(net, loader, optimizer):
    for batch in loader:
        apply(net(batch).mean().item(), optimizer)

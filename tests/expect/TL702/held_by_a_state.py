"""The optimizer is emptied and stepped under two names: one is handed over, the other one an object holds."""

import torch.nn.functional as F


class State:
    def __init__(self, opt):
        self.opt = opt


def lost(net, optimizer, loader):
    state = State(optimizer)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        optimizer.zero_grad()  # expect: TL702
        state.opt.step()


def kept(net, optimizer, loader):
    state = State(optimizer)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        state.opt.step()
        optimizer.zero_grad()


def of_another(net, critic, loader):
    state = State(net.optimizer)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        critic.optimizer.zero_grad()
        state.opt.step()
        state.opt.zero_grad()

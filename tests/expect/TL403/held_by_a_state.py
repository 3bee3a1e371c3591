"""What is stepped is held by an object, or picked by a helper: a step is one of the optimizer that was handed over."""

import torch
import torch.nn.functional as F


class State:
    def __init__(self, net, opt):
        self.net = net
        self._held = opt

    @property
    def current(self):
        return self._held


def unwrapped(thing):
    return thing


def fit(net, optimizer, loader):
    state = State(net, optimizer)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        state.current.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(state.net(x), y)
        scaler.scale(loss).backward()
        state.current.step()  # expect: TL403
        scaler.update()


def fit_unwrapped(net, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(net(x), y)
        scaler.scale(loss).backward()
        unwrapped(optimizer).step()  # expect: TL403
        scaler.update()


def fit_right(net, optimizer, loader):
    state = State(net, optimizer)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        state.current.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(state.net(x), y)
        scaler.scale(loss).backward()
        scaler.step(state.current)
        scaler.update()

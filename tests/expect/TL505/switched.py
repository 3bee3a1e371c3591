"""Loops that a switch lets run on XLA, in functions and methods; the other arm is for other devices."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch.nn as nn


def train(model, loader, opt):
    device = xm.xla_device()
    model.to(device)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(opt)  # expect: TL505
        opt.zero_grad()


def train1(model, loader, opt, tpu=False):
    device = xm.xla_device() if tpu else torch.device("cuda")
    model.to(device)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = model(x, y)
        opt.zero_grad()
        loss.backward()
        if tpu:
            xm.optimizer_step(opt)  # expect: TL505
        else:
            opt.step()


class T:
    def __init__(self, model, use_xla):
        self.use_xla = use_xla
        self.device = torch_xla.device() if use_xla else "cuda"
        self.model = model.to(self.device)
        self.opt = torch.optim.Adam(self.model.parameters())

    def run(self, loader):
        for batch in loader:
            self.one(batch.to(self.device))

    def one(self, batch):
        self.opt.zero_grad()
        loss = self.model(batch).mean()
        loss.backward()
        if self.use_xla:
            xm.optimizer_step(self.opt)  # expect: TL505
        else:
            self.opt.step()


def evaluate(model, loader):
    device = torch_xla.device()
    model = model.to(device).eval()
    tot = torch.zeros((), device=device)
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            tot += (model(x).argmax(-1) == y).sum()
    return tot

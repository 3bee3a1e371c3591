"""Keys that a method of the base class reads, and more of them behind its call."""

import os

import torch


class Base:
    def save(self, path):
        state = {}
        self.collect(state)
        torch.save(state, path + ".part")
        os.replace(path + ".part", path)

    def collect(self, state):
        state["model"] = self.model.state_dict()
        state["epoch"] = self.epoch

    def restore(self, path):
        state = torch.load(path)
        self.model.load_state_dict(state["model"])
        self.epoch = state["epoch"]
        return state


class Trainer(Base):
    def __init__(self, model):
        self.model = model
        self.epoch = 0
        self.opt = torch.optim.Adam(model.parameters())

    def collect(self, state):
        super().collect(state)
        state["optim"] = self.opt.state_dict()

    def restore(self, path):
        state = super().restore(path)
        self.opt.load_state_dict(state["optimizer"])  # expect: TL604
        return state

    def fit(self, loader, epochs, resume=None):
        if resume:
            self.restore(resume)
        for self.epoch in range(self.epoch, epochs):
            for x, y in loader:
                self.opt.zero_grad()
                torch.nn.functional.mse_loss(self.model(x), y).backward()
                self.opt.step()
            self.save("last.pt")

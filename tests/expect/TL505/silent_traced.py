"""The step is a function that torch_xla compiles (as in pytorch/xla's examples)."""

import torch
import torch_xla


class Trainer:
    def __init__(self, model):
        self.device = torch_xla.device()
        self.model = model.to(self.device)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.run = torch_xla.compile(self.step)

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).sum()
        loss.backward()
        self.optimizer.step()
        return loss

    def fit(self, loader):
        for x in loader:
            self.run(x.to(self.device))

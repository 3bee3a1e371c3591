import torch
from base import Keeper


class Trainer(Keeper):
    def __init__(self, model, steps):
        super().__init__(model)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, 0.1, total_steps=steps)

    def run(self, loader, path):
        self.bring_back(path)
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
            self.scheduler.step()
        self.keep(path)

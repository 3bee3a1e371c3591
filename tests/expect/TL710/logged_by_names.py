"""What an object logs it asks for by names: those of a list that is written down, which are others."""

import torch


class Learner:
    def __init__(self):
        self.logged = []

    def logs(self):
        return {name: getattr(self, name) for name in self.logged}


class Sparse(Learner):
    def __init__(self, model, steps):
        super().__init__()
        self.logged = ["dead", "rate"]
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, steps)  # expect: TL710
        self.dead, self.rate = 0, 1.0

    def update(self, batch):
        loss = batch.sum()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

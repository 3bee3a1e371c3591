"""What an object hands out it asks for by names, of which one is the scheduler's, or nobody knows which they are."""

import torch


class Learner:
    def __init__(self):
        self.logged = []
        self.kept = []

    def logs(self):
        return [getattr(self, name) for name in self.logged]

    def log_also(self, name):
        self.kept.append(name)

    def parts(self):
        for name in self.kept:
            yield getattr(self, name)


class Listed(Learner):
    def __init__(self, model, steps):
        super().__init__()
        self.logged = ["dead", "scheduler"]
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, steps)

    def update(self, batch):
        batch.sum().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()


class Registered(Learner):
    def __init__(self, model, steps):
        super().__init__()
        self.optimizer = torch.optim.Adam(model.parameters())
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, steps)

    def update(self, batch):
        batch.sum().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

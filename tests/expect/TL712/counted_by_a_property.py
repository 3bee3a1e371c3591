import torch
from torch import nn
from transformers import get_linear_schedule_with_warmup


class Trainer:
    def __init__(self, model, loader, epochs, warmup=0.1):
        self.model, self.loader, self.epochs = model, loader, epochs
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        self.scheduler = self._scheduler(warmup)

    @property
    def total_steps(self):
        return len(self.loader) * self.epochs

    def _scheduler(self, warmup):
        return get_linear_schedule_with_warmup(self.optimizer, int(warmup * self.total_steps), self.total_steps)

    def train(self):
        for _ in range(self.epochs):
            self._epoch()
            self.scheduler.step()  # expect: TL712

    def _epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()

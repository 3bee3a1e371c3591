"""Backward pass and step, each in a method: the gradients are emptied in the first."""

import torch


class Trainer:
    def __init__(self, model, every):
        self.model, self.every = model, every
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.seen = 0

    @property
    def should_step(self):
        return self.seen % self.every == 0

    def accumulate(self, batch):
        self.optimizer.zero_grad()  # expect: TL702
        loss = self.model(batch) / self.every
        loss.backward()

    def finish(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

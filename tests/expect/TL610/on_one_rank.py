import torch
from torch import nn


class Trainer:
    def __init__(self, model, loader, folder, every, steps):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        self.loader, self.folder, self.every, self.steps = loader, folder, every, steps
        self.is_main = True

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}, str(path))  # expect: TL610

    def fit(self):
        step = 0
        batches = iter(self.loader)
        while step < self.steps:
            x, y = next(batches)
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            step += 1
            if self.is_main:
                number = step // self.every
                self.save(self.folder / f"model.ckpt.{number}.pt")


class Seldom(Trainer):
    def fit(self):
        step = 0
        batches = iter(self.loader)
        while step < self.steps:
            x, y = next(batches)
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            step += 1
            if self.is_main and step % self.every == 0:
                torch.save(self.model.state_dict(), f"model.{step}.pt")

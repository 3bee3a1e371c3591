"""What trains one batch, and is called from who knows where: its round ends where it returns. One callee may step, too."""

import torch


class Brain:
    def __init__(self, model, anneal, window):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler()
        self.anneal = anneal
        self.window = window
        self.step = 0

    def fit_batch(self, batch):
        last = self.step % self.window == 0
        self.optimizer.zero_grad()  # expect: TL702
        loss = self.model(batch).mean()
        self.scaler.scale(loss / self.window).backward()
        if last:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss.detach()

    def annealed(self, batch):
        self.optimizer.zero_grad()  # expect-likely: TL702
        loss = self.model(batch).mean()
        (loss / self.window).backward()
        if self.step % self.window == 0:
            self.optimizer.step()
            self.anneal(self.optimizer)
        return loss.detach()

    def in_time(self, batch):
        loss = self.model(batch).mean()
        (loss / self.window).backward()
        if self.step % self.window == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()

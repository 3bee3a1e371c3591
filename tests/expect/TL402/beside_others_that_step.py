"""Gradients are clipped with the scale in them, whatever a timer or a meter does, and however a round may be left early."""

import torch


def timed(model, criterion, optimizer, loader, timer, clip):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        timer.step()
        if images is None:
            continue
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        timer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def __init__(self, model, meters, lr):
        self.model, self.meters = model, meters
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")

    def fit(self, loader, limit):
        for number, batch in enumerate(loader):
            with torch.autocast("cuda"):
                loss = self.model(batch).mean()
            if loss.item() > limit:
                print("skipped", number)
                continue
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.meters.step(loss.item())
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # expect: TL402
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.meters.update(number)

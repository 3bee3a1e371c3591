"""Schedulers that step before the optimizer."""

import torch
import torch.optim.lr_scheduler as schedules
from torch.optim.lr_scheduler import MultiStepLR
from transformers import get_linear_schedule_with_warmup


def detection(model, data_loader, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr)
    scheduler = MultiStepLR(optimizer, [60_000, 80_000])
    for iteration, (images, targets) in enumerate(data_loader):
        scheduler.step()  # expect: TL703
        losses = sum(model(images, targets).values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()


def fine_tuning(model, loader, optimizer, total, every):
    lr_scheduler = get_linear_schedule_with_warmup(optimizer, 100, total)
    for step, batch in enumerate(loader):
        loss = model(**batch).loss / every
        loss.backward()
        if (step + 1) % every == 0:
            lr_scheduler.step()  # expect: TL703
            optimizer.step()
            model.zero_grad()


class WarmUp(schedules._LRScheduler):
    def get_lr(self):
        return [base * min(1.0, self.last_epoch / 100) for base in self.base_lrs]


def own_schedule(model, loaders, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    warm = WarmUp(optimizer)
    for epoch in range(epochs):
        for phase in ("train", "val"):
            if phase == "train":
                warm.step()  # expect: TL703
                model.train()
            else:
                model.eval()
            for x in loaders[phase]:
                optimizer.zero_grad()
                loss = model(x).mean()
                if phase == "train":
                    loss.backward()
                    optimizer.step()


def in_epochs(model, loader, optimizer, epochs, log):
    schedule = MultiStepLR(optimizer, [10, 20])
    for epoch in range(epochs):
        schedule.step()  # expect: TL703
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            log(epoch)
        print(epoch)

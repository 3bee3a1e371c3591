"""Meters, averages and timers are updated in the loop, the scaler is not."""

import torch
from averages import ModelEma
from clocks import Timer
from meters import AverageMeter


def averaged(model, criterion, optimizer, loader):
    scaler = torch.cuda.amp.GradScaler()
    ema = ModelEma(model)
    losses = AverageMeter()
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: TL404
        losses.update(loss.item(), images.size(0))
        ema.update()


def timed(model, criterion, optimizer, loader, timer: Timer, bar):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: TL404
        timer.step()
        bar.update(1)
        bar.set_postfix({"loss": loss.item()})


class Gan:
    """Two scalers, and one is updated."""

    def __init__(self, generator, critic):
        self.generator, self.critic = generator, critic
        self.of_generator = torch.optim.Adam(generator.parameters())
        self.of_critic = torch.optim.Adam(critic.parameters())
        self.scale_g, self.scale_c = torch.amp.GradScaler("cuda"), torch.amp.GradScaler("cuda")

    def fit(self, loader, judge):
        for real, noise in loader:
            self.of_critic.zero_grad()
            with torch.autocast("cuda"):
                fake = self.generator(noise)
                loss = judge(self.critic(real), self.critic(fake.detach()))
            self.scale_c.scale(loss).backward()
            self.scale_c.step(self.of_critic)  # expect: TL404
            self.of_generator.zero_grad()
            with torch.autocast("cuda"):
                loss = -self.critic(fake).mean()
            self.scale_g.scale(loss).backward()
            self.scale_g.step(self.of_generator)
            self.scale_g.update()


def in_the_other_arm(model, criterion, optimizer, loader, clip):
    """Where nothing is clipped the scaler is updated, where it is clipped it is not."""
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        if clip > 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            scaler.step(optimizer)  # expect: TL404
        else:
            scaler.step(optimizer)
            scaler.update()

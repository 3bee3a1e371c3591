"""Emptied between pass and step: with a scaler, by accelerate, in a list of optimizers, by the gradients themselves."""

import torch
from accelerate import Accelerator
from torch.cuda.amp import GradScaler, autocast


def with_a_scaler(net, loader, criterion):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = GradScaler()
    for x, y in loader:
        with autocast():
            loss = criterion(net(x), y)
        scaler.scale(loss).backward()
        optimizer.zero_grad()  # expect: TL702
        scaler.step(optimizer)
        scaler.update()


def with_accelerate(net, loader):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for batch in loader:
        accelerator.backward(net(**batch).loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.zero_grad()  # expect: TL702
        optimizer.step()


def left_early(net, loader, optimizer, criterion, accum_steps):
    """The step is made where the round is not left before; the gradients are emptied in each."""
    for number, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        (criterion(net(x), y) / accum_steps).backward()
        if (number + 1) % accum_steps != 0:
            continue
        optimizer.step()


class Networks:
    """A generator whose gradients are emptied with those of the critic, at the wrong moment."""

    def __init__(self, generator, critic, judge):
        self.generator, self.critic, self.judge = generator, critic, judge
        self.optimizer_G = torch.optim.Adam(generator.parameters(), lr=2e-4)
        self.optimizer_D = torch.optim.Adam(critic.parameters(), lr=2e-4)

    def optimize(self, real):
        fake = self.generator(real)
        self.judge(self.critic(fake), True).backward()
        self.optimizer_G.zero_grad()  # expect: TL702
        self.optimizer_G.step()
        self.optimizer_D.zero_grad()
        (self.judge(self.critic(real), True) + self.judge(self.critic(fake.detach()), False)).backward()
        self.optimizer_D.step()

    def fit(self, loader):
        for real in loader:
            self.optimize(real)

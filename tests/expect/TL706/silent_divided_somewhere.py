"""Divided in a branch, by a factor of the trainer, in a wrapper, in a context, by what the loss is made of; or there is no window."""

import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler


class Agent:
    """Divides where there is more than one batch in a step."""

    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.optimizer = torch.optim.Adam(model.parameters())
        self.counted = 0

    def backward(self, loss):
        update_freq = self.opt.get("update_freq", 1)
        if update_freq > 1:
            loss = loss / update_freq
            self.counted = (self.counted + 1) % update_freq
        loss.backward()

    def update(self):
        if self.opt.get("update_freq", 1) > 1 and self.counted != 0:
            return
        self.optimizer.step()
        self.optimizer.zero_grad()

    def learn(self, batches):
        for batch in batches:
            self.backward(F.cross_entropy(self.model(batch.text), batch.label))
            self.update()


class Stepper:
    """The share is a number of the wrapper's."""

    def __init__(self, optimizer, window):
        self.optimizer, self.share = optimizer, 1.0 / window

    def step(self, loss, stepping):
        loss = loss.mul(self.share)
        loss.backward()
        if stepping:
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)


def autoregressive(model, loader, window):
    stepper = Stepper(torch.optim.AdamW(model.parameters()), window)
    for number, batch in enumerate(loader):
        stepper.step(F.cross_entropy(model(batch.x), batch.y), (number + 1) % window == 0)


def by_images(net, loss_fn, images, optimizer, rounds, per_round, total):
    """The sum over all pictures of all rounds is multiplied by one share."""
    while True:
        optimizer.zero_grad(set_to_none=True)
        for _ in range(rounds):
            loss = loss_fn(net, next(images).cuda())
            loss.sum().mul(1.0 / total).backward()
        optimizer.step()


def in_a_closure(model, loader, device, criterion, optimizer, accumulation_steps):
    """As engines of ignite are made: one function computes, another one applies."""
    scaler = GradScaler()

    def forward_pass(batch):
        x, y = (part.to(device) for part in batch)
        with torch.autocast("cuda"):
            return criterion(model(x), y) / accumulation_steps

    def backward_pass(number, loss):
        scaler.scale(loss).backward()
        if number % accumulation_steps == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()

    for number, batch in enumerate(loader, 1):
        backward_pass(number, forward_pass(batch))


def reduced_by_the_frames(model, loader, optimizer, window):
    """A sum over the frames of all batches, divided by their number in each of them."""
    for number, batch in enumerate(loader):
        losses = F.cross_entropy(model(batch["x"]), batch["y"], reduction="none")
        loss = (losses * batch["mask"]).sum() / batch["frames_in_window"]
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def every_other_critic(generator, critic, loader, for_generator, for_critic, n_critic):
    """The generator steps seldom, but from its own single batch."""
    for number, real in enumerate(loader):
        fake = generator(real.size(0))
        for_critic.zero_grad()
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        for_critic.step()
        if number % n_critic == 0:
            for_generator.zero_grad()
            (-critic(generator(real.size(0))).mean()).backward()
            for_generator.step()


def regularised_now_and_then(critic, loader, optimizer, every, penalty):
    """A second loss in some rounds, each with a step of its own."""
    for number, real in enumerate(loader):
        optimizer.zero_grad()
        F.softplus(-critic(real)).mean().backward()
        optimizer.step()
        if number % every == 0:
            optimizer.zero_grad()
            penalty(critic, real).backward()
            optimizer.step()


def views(model, loader, optimizer, temperature):
    """The losses of the crops of one picture are to be summed."""
    for crops in loader:
        optimizer.zero_grad()
        for crop in crops:
            F.cross_entropy(model(crop) / temperature, torch.zeros(len(crop), dtype=torch.long)).backward()
        optimizer.step()

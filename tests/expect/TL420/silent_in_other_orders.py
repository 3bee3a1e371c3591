"""Clips that bound what an optimizer is to apply, however far away it is; hooks, values, norms that are only written down."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


def prepared(unet, loader, lr_scheduler):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(unet.parameters())
    unet, optimizer, loader = accelerator.prepare(unet, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(unet):
            accelerator.backward(unet(batch).mean())
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(unet.parameters(), 1.0)
            optimizer.step()
            lr_scheduler.step()
            optimizer.zero_grad()


def emptied_ahead_of_the_next(model, loader, optimizer, limit):
    """The loop ends with the backward pass of the batch; the step comes first in the next round."""
    for number, batch in enumerate(loader):
        if number > 0:
            optimizer.step()
        optimizer.zero_grad()
        model(batch).mean().backward()
        clip_grad_norm_(model.parameters(), limit)
    optimizer.step()


def scales_of_an_optimizer(model, loader, optimizers, scaler, log, limit):
    """Twice: once for the norm with a bound that nothing exceeds, once for good."""
    for latents in loader:
        scaler.scale(model(latents).mean()).backward()
        for optimizer in optimizers:
            scaler.unscale_(optimizer)
        log(clip_grad_norm_(model.parameters(), max_norm=float("inf")))
        clip_grad_norm_(model.parameters(), limit)
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()
        for optimizer in optimizers:
            optimizer.zero_grad()


def second_pass(model, loader, base, optimizer, limit):
    """A step of another kind in between: two passes, each with its own gradients."""
    for x, y in loader:
        nn.functional.cross_entropy(model(x), y).backward()
        clip_grad_norm_(model.parameters(), limit)
        optimizer.first_step(zero_grad=True)
        nn.functional.cross_entropy(model(x), y).backward()
        clip_grad_norm_(model.parameters(), limit)
        optimizer.second_step(zero_grad=True)


class Weights:
    """A critic whose weights are clipped, behind its step; its gradients are not."""

    def __init__(self, critic, generator):
        self.critic, self.generator = critic, generator
        self.for_critic = torch.optim.RMSprop(critic.parameters(), lr=5e-5)

    def clip(self, bound):
        for weight in self.critic.parameters():
            weight.data.clamp_(-bound, bound)

    def learn(self, loader):
        for real in loader:
            self.for_critic.zero_grad()
            (self.critic(self.generator(len(real)).detach()).mean() - self.critic(real).mean()).backward()
            self.for_critic.step()
            self.clip(0.01)


def in_the_closure(model, loader, optimizer, criterion):
    """The closure of L-BFGS computes gradients and clips them, as often as the optimizer likes."""
    for x, y in loader:

        def closure():
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            clip_grad_norm_(model.parameters(), 1.0)
            return loss

        optimizer.step(closure)


def as_they_come(model, loader, optimizer):
    for parameter in model.parameters():
        parameter.register_hook(lambda gradient: gradient.clamp(-1.0, 1.0))
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def only_what_overflows(model, loader, optimizer, scaler, settings):
    """Three branches, each of which clips between its pass and its step."""
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch)
        if settings.half:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
        else:
            loss.backward()
        if settings.by_value:
            clip_grad_value_(model.parameters(), settings.by_value)
        elif settings.by_norm:
            clip_grad_norm_(model.parameters(), settings.by_norm)
        if settings.half:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()

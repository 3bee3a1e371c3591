"""Scaler and optimizers are attributes of a state, items of a list, or parts of a step under timers: a plain step passes the scaler by."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class State:
    model: nn.Module
    optimizer: torch.optim.Optimizer
    scaler: torch.amp.GradScaler
    seen: int = 0


def advance(state: State, tokens, criterion):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = criterion(state.model(tokens[:, :-1]), tokens[:, 1:])
    state.optimizer.zero_grad(set_to_none=True)
    state.scaler.scale(loss).backward()
    state.optimizer.step()  # expect: TL403
    state.scaler.update()
    state.seen += 1
    return loss.detach()


def language(model, loader, criterion):
    state = State(model, torch.optim.AdamW(model.parameters()), torch.amp.GradScaler("cuda"))
    for tokens in loader:
        advance(state, tokens, criterion)


class Tuner:
    """Two optimizers in a list, and a method that is called for each batch."""

    def __init__(self, image_net, text_net, every):
        self.optimizers = [torch.optim.AdamW(image_net.parameters()), torch.optim.AdamW(text_net.parameters())]
        self.scaler = torch.cuda.amp.GradScaler(init_scale=2.0**17, growth_interval=500)
        self.every = every

    def step(self, loss, number):
        self.scaler.scale(loss).backward()
        if (number + 1) % self.every == 0:
            for optimizer in self.optimizers:
                optimizer.step()  # expect: TL403
            self.scaler.update()
            for optimizer in self.optimizers:
                optimizer.zero_grad(set_to_none=True)


def tune(image_net, text_net, loader, distance):
    tuner = Tuner(image_net, text_net, 4)
    for number, (images, captions) in enumerate(loader):
        with torch.cuda.amp.autocast():
            loss = distance(image_net(images), text_net(captions)) / 4
        tuner.step(loss, number)


def timed(model, loader, optimizer, timers, lr_scheduler):
    scaler = torch.amp.GradScaler()
    batches = iter(loader)
    for _ in range(len(loader)):
        with timers["data"], torch.no_grad():
            batch = {name: value.cuda() for name, value in next(batches).items()}
        with timers["forward"], torch.autocast("cuda"):
            outputs = model(**batch)
        with timers["backward"]:
            scaler.scale(outputs.loss).backward()
        with timers["update"]:
            optimizer.step()  # expect: TL403
            scaler.update()
            lr_scheduler.step()
            optimizer.zero_grad(set_to_none=True)

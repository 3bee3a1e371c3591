"""The stages of an update are called one after the other, from a list of partials."""

from functools import partial

import torch
from torch import nn


class Update:
    """Calls its stages one after the other."""

    def __init__(self, *stages):
        self.stages = stages

    def __call__(self, loss):
        for stage in self.stages:
            stage(loss)


def scale_backward(loss, *, scaler):
    scaler.scale(loss).backward()


def unscale(loss, *, scaler, optimizer):
    scaler.unscale_(optimizer)


def clip(loss, *, parameters, max_norm):
    nn.utils.clip_grad_norm_(parameters, max_norm)


def step(loss, *, scaler, optimizer):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()


def make_update(model, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    parameters = list(model.parameters())
    return Update(
        partial(scale_backward, scaler=scaler),
        partial(unscale, scaler=scaler, optimizer=optimizer),
        partial(clip, parameters=parameters, max_norm=1.0),
        partial(step, scaler=scaler, optimizer=optimizer),
    )


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    update = make_update(model, optimizer)
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.mse_loss(model(x), y)
        update(loss)

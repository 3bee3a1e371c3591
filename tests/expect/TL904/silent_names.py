"""Names that only look like it: apex, huggingface/accelerate, jax's own, a user's module; and the new ones."""

import contextlib

import torch
from apex import amp
from mylib.cuda.amp import GradScaler
from torch import autocast
from torch.amp import GradScaler as Scaler


class cuda:
    class amp:
        autocast = contextlib.nullcontext


def apex(model, optimizer, loss):
    model, optimizer = amp.initialize(model, optimizer)
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled:
        scaled.backward()
    optimizer.step()
    return amp.autocast()


def new(model, x):
    with autocast("cuda"), torch.autocast(device_type="cuda"), torch.amp.autocast("cpu"):
        return model(x), Scaler("cuda"), GradScaler()


def shadowed(torch, x):
    with torch.cuda.amp.autocast():
        return x


def own(x):
    with cuda.amp.autocast():
        return x


def prepared(accelerator, model, x):
    with accelerator.autocast():
        return model(x)


def private():
    return torch.cuda.amp.common.amp_definitely_not_available()

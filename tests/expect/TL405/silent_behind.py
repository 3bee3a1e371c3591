"""Backward passes behind the block, or where no autocast is known to be on."""

import contextlib

import torch
from torch.cuda.amp import autocast


def behind(model, loader, optimizer, scaler):
    for batch in loader:
        with autocast():
            loss = model(batch)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def only_the_forward_pass(model, loader, optimizer):
    @autocast(dtype=torch.bfloat16)
    def forward(batch):
        return model(batch).mean()

    for batch in loader:
        optimizer.zero_grad()
        forward(batch).backward()
        optimizer.step()


def in_no_autocast(model, loader, optimizer):
    context = contextlib.nullcontext()
    for batch in loader:
        optimizer.zero_grad()
        with context:
            model(batch).mean().backward()
        optimizer.step()


def penalty(critic, real, fake):
    with autocast():
        scores = critic(real)
        gradients = torch.autograd.grad(scores.sum(), real, create_graph=True)[0]
    return gradients.norm(2) + fake.sum()


def switched(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        with autocast(enabled=False):
            model(batch).mean().backward()
        optimizer.step()

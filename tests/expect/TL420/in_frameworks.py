"""Clips that change nothing, of accelerate, Fabric, a window of batches, networks that take turns, and behind a scaler's step."""

import torch
from accelerate import Accelerator
from lightning.fabric import Fabric
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_ as bound


def diffused(unet, loader, lr_scheduler):
    accelerator = Accelerator(gradient_accumulation_steps=2)
    optimizer = torch.optim.AdamW(unet.parameters())
    unet, optimizer, loader = accelerator.prepare(unet, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(unet):
            loss = (unet(batch["noisy"], batch["t"]) - batch["noise"]).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(unet.parameters(), 1.0)  # expect: TL420
            lr_scheduler.step()
            optimizer.zero_grad()


def by_fabric(model, loader):
    fabric = Fabric()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    model, optimizer = fabric.setup(model, optimizer)
    for batch in loader:
        optimizer.zero_grad()
        fabric.clip_gradients(model, optimizer, max_norm=1.0)  # expect: TL420
        fabric.backward(model(batch))
        optimizer.step()


def windowed(model, loader, optimizer, window):
    for number, batch in enumerate(loader):
        (model(**batch).loss / window).backward()
        if (number + 1) % window == 0:
            optimizer.step()
            bound(model.parameters(), 1.0)  # expect: TL420
            optimizer.zero_grad()


def behind_a_scaler(model, loader, optimizer, criterion):
    scaler = GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda"):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        bound(model.parameters(), max_norm=5.0)  # expect: TL420


def actor_and_critic(actor, critic, memory, limit):
    for_actor = torch.optim.Adam(actor.parameters(), lr=3e-4)
    for_critic = torch.optim.Adam(critic.parameters(), lr=1e-3)
    for states, returns in memory:
        values = critic(states).squeeze(-1)
        for_critic.zero_grad()
        (values - returns).square().mean().backward()
        bound(critic.parameters(), limit)
        for_critic.step()
        for_actor.zero_grad()
        bound(actor.parameters(), limit)  # expect: TL420
        (-actor(states) * (returns - values.detach())).mean().backward()
        for_actor.step()

"""Validation in training mode: of a model that accelerate prepared, behind a scaler's steps in the middle of an epoch, in a GAN."""

import torch
from accelerate import Accelerator
from torch import nn


def prepared(model, train_loader, eval_loader, epochs):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, train_loader, eval_loader = accelerator.prepare(model, optimizer, train_loader, eval_loader)
    for _ in range(epochs):
        model.train()
        for batch in train_loader:
            loss = model(**batch).loss
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        losses = []
        with torch.no_grad():
            for batch in eval_loader:
                losses.append(accelerator.gather(model(**batch).loss))  # expect: TL704
        print(torch.cat(losses).mean())


def between_steps(net, loader, val_loader, optimizer, scheduler):
    scaler = torch.amp.GradScaler()
    step = 0
    for _ in range(50):
        net.train()
        for images, masks in loader:
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(net(images), masks)
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            step += 1
            if step % 200 == 0:
                scheduler.step(dice(net, val_loader))


@torch.no_grad()
def dice(net, val_loader):
    score = 0.0
    for images, masks in val_loader:
        score += (net(images).argmax(1) == masks).float().mean()  # expect: TL704
    return score / len(val_loader)

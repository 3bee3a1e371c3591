"""Somebody divides; or the gradients of several things are to be summed; or nothing is accumulated."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler


def in_place(model, loader, optimizer, steps):
    for index, batch in enumerate(loader):
        loss = model(batch)
        loss /= steps
        loss.backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def step_of(model, batch, share):
    return model(batch).mean() * share


def in_a_helper(model, loader, optimizer, steps):
    for index, batch in enumerate(loader):
        step_of(model, batch, 1 / steps).backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def told_the_size(model, criterion, loader, optimizer, steps):
    for index, (x, y) in enumerate(loader):
        criterion(model(x), y, steps).backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def a_sum(model, loader, optimizer, steps):
    criterion = nn.CrossEntropyLoss(reduction="sum")
    for index, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def normalised_by_the_tokens(model, loader, optimizer, steps):
    tokens = 0
    for index, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        tokens += y.numel()
        if (index + 1) % steps == 0:
            for parameter in model.parameters():
                parameter.grad.div_(tokens)
            optimizer.step()
            optimizer.zero_grad()


class Detector(nn.Module):
    def forward(self, x, y):
        return F.smooth_l1_loss(x, y) * x.size(0)


def sized_by_the_loss(loader, model, optimizer, accumulate):
    compute_loss = Detector()
    scaler = GradScaler()
    for number, (x, y) in enumerate(loader):
        scaler.scale(compute_loss(model(x), y)).backward()
        if number % accumulate == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def several_losses(models, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        for index in range(len(models)):
            models[index](batch).mean().backward()
        optimizer.step()


def rarely_emptied_elsewhere(model, loader, optimizer, every, log):
    for index, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if index % every == 0:
            log(index)
            optimizer.zero_grad()


def framework(model, loader, optimizer, engine, steps):
    for index, batch in enumerate(loader):
        engine.backward(model(batch))
        if (index + 1) % steps == 0:
            engine.step()


def scaled_by_a_library(model, loader, optimizer, training, steps):
    tokens = 0
    for index, batch in enumerate(loader):
        tokens += batch["labels"].numel()
        loss = model(batch["tokens"]).loss
        loss.backward()
        if (index + 1) % steps == 0:
            training.scale_grads(model, 1 / tokens)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)


def sized_by_a_nominal_batch(model, compute_loss, loader, optimizer, batch_size, scaler, nominal=64):
    accumulate = max(round(nominal / batch_size), 1)
    last = -1
    for number, (images, targets) in enumerate(loader):
        loss, parts = compute_loss(model(images), targets)
        scaler.scale(loss).backward()
        if number - last >= accumulate:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            last = number


def taking_turns(coder, critic, loader):
    for_coder = torch.optim.Adam(coder.parameters(), lr=1e-5)
    for_critic = torch.optim.Adam(critic.parameters(), lr=1e-5)
    for number, video in enumerate(loader):
        critics_turn = number % 2 == 1
        if not critics_turn:
            loss = F.l1_loss(coder(video), video) - critic(video).mean()
            for_coder.zero_grad()
            loss.backward()
            for_coder.step()
        if critics_turn:
            loss = critic(coder(video)).mean() - critic(video).mean()
            for_critic.zero_grad()
            loss.backward()
            for_critic.step()

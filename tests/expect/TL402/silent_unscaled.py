"""The gradients are unscaled in time, or nothing is scaled, or nothing is clipped."""

import torch
from torch.cuda import amp


def reference(model, loader, optimizer, accumulate, ema):
    scaler = amp.GradScaler(enabled=torch.cuda.is_available())
    last = -1
    for number, (images, targets) in enumerate(loader):
        with amp.autocast():
            loss = model(images, targets)
        scaler.scale(loss).backward()
        if number - last >= accumulate:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            ema.update(model)
            last = number


def helper(scaler, optimizer):
    if scaler is not None:
        scaler.unscale_(optimizer)


def in_a_helper(model, loader, optimizer, scaler=None):
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch)
        if scaler is not None:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        helper(scaler, optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if scaler is not None:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def each_of_two(generator, critic, for_generator, for_critic, loader, judge):
    scaler = amp.GradScaler()
    for real, noise in loader:
        for_generator.zero_grad()
        for_critic.zero_grad()
        scaler.scale(judge(critic(real), critic(generator(noise)))).backward()
        for optimizer in (for_generator, for_critic):
            scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
        scaler.step(for_critic)
        scaler.step(for_generator)
        scaler.update()


def switched_off(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def bound_times_scale(model, loader, optimizer, scaler, limit):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scale = scaler.get_scale()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit * scale)
        scaler.step(optimizer)
        scaler.update()


def out_of_sight(model, loader, optimizer, scaler, hooks):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        for hook in hooks:
            hook.after_backward(scaler, optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()

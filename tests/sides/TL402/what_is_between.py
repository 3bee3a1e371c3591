"""What stands between the scaled backward pass and the clip, and what comes after it: who has unscaled, and what."""

import torch
from torch.nn.utils import clip_grad_norm_


def nothing(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def unscaled_too_late(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()


def method_of_a_model(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.unscale_(optimizer)
        model.clip_grad_norm_(1.0)
        scaler.step(optimizer)
        scaler.update()


def update_before_the_clip(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
        scaler.update()
        print(clip_grad_norm_(model.parameters(), 1.0))  # expect: TL420


def plain_step_behind(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def by_hand_in_between(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        for parameter in model.parameters():
            parameter.grad.div_(scaler.get_scale())
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def once_if_not_yet(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        if not scaler.unscaled:
            scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def in_some_rounds(model, optimizer, scaler, loader, careful):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        if careful:
            scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def switched_off(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def clip_in_full_windows(model, optimizer, scaler, loader, every):
    for i, batch in enumerate(loader):
        scaler.scale(model(batch) / every).backward()
        if (i + 1) % every == 0:
            clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def clip_in_each_round(model, optimizer, scaler, loader, every):
    for i, batch in enumerate(loader):
        scaler.scale(model(batch) / every).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        if (i + 1) % every == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def backward_under_a_test(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch)
        if torch.isfinite(loss):
            scaler.scale(loss).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def two_optimizers(encoder, head, for_encoder, for_head, scaler, loader):
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        clip_grad_norm_(encoder.parameters(), 1.0)  # expect: TL402
        scaler.step(for_encoder)
        scaler.step(for_head)
        scaler.update()


def for_each_optimizer(model, optimizers, scaler, loader):
    for batch in loader:
        model.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()


def clip(model):
    clip_grad_norm_(model.parameters(), 1.0)


def in_a_helper(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip(model)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()

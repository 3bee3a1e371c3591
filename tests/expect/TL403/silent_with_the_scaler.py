"""Steps that go with their gradients."""

import torch
from torch.cuda.amp import GradScaler, autocast


def by_a_flag(model, loader, optimizer, half):
    scaler = GradScaler(enabled=half)
    for batch in loader:
        optimizer.zero_grad()
        with autocast(enabled=half):
            loss = model(batch)
        scaler.scale(loss).backward()
        if half:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def scaled_here_or_not(model, loader, optimizer, half):
    scaler = GradScaler()
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch)
        if half:
            loss = scaler.scale(loss)
        loss.backward()
        if half:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def unscaled_by_hand(model, loader, optimizer, scaler):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        for parameter in model.parameters():
            parameter.grad.data.div_(scaler.get_scale())
        optimizer.step()


def own_loss(model, probe, loader, scaler):
    for_model = torch.optim.SGD(model.parameters(), lr=0.1)
    for_probe = torch.optim.SGD(probe.parameters(), lr=0.1)
    for x, y in loader:
        for_model.zero_grad()
        for_probe.zero_grad()
        features = model(x)
        probe(features.detach()).mean().backward()
        scaler.scale(features.sum()).backward()
        for_probe.step()
        scaler.step(for_model)
        scaler.update()


def handed_on(model, loader, optimizer, scaler, finish):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        finish(scaler, optimizer)
        optimizer.step()


def scaled_in_a_helper(model, loader, optimizer, prepare_loss):
    scaler = GradScaler()
    for batch in loader:
        optimizer.zero_grad()
        loss = prepare_loss(model(batch), scaler)
        loss.backward()
        scaler.step(optimizer)
        scaler.update()


def in_a_context_of_apex(model, loader, optimizer, half):
    from apex import amp

    if half:
        model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    for images, targets in loader:
        losses = sum(model(images, targets).values())
        optimizer.zero_grad()
        with amp.scale_loss(losses, optimizer) as scaled_losses:
            scaled_losses.backward()
        optimizer.step()


def chosen_and_handed_on(model, loader, optimizer, prepare_loss, half):
    scaler = GradScaler() if half else GradScaler(enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        loss = prepare_loss(model(batch), scaler)
        loss.backward()
        scaler.step(optimizer)
        scaler.update()

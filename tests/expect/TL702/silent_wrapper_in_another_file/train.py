"""Emptied at the beginning of a window, at its end, or in each round where a round is a step."""

from amp import Scaler


def at_the_beginning(model, loader, optimizer, accum_iter):
    loss_scaler = Scaler()
    for step, (images, _) in enumerate(loader):
        if step % accum_iter == 0:
            optimizer.zero_grad()
        loss = model(images) / accum_iter
        loss_scaler(loss, optimizer, parameters=model.parameters(), need_update=(step + 1) % accum_iter == 0)


def at_the_end(model, loader, optimizer, accum_steps, update):
    loss_scaler = Scaler()
    optimizer.zero_grad()
    for index, (images, targets) in enumerate(loader):
        need_update = index == len(loader) - 1 or (index + 1) % accum_steps == 0
        loss = model(images, targets) / accum_steps
        loss_scaler(loss, optimizer, 1.0, model.parameters(), need_update)
        if not need_update:
            continue
        optimizer.zero_grad()
        update(model)


def each_round(model, loader, optimizer):
    loss_scaler = Scaler()
    for images, targets in loader:
        loss = model(images, targets)
        optimizer.zero_grad()
        loss_scaler(loss, optimizer, 1.0, model.parameters())

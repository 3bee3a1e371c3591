"""Never emptied: with accelerate's clip, by Fabric, by a list of optimizers, in a window that is left early."""

import torch
from accelerate import Accelerator
from lightning.fabric import Fabric


def with_a_clip(model, loader, lr_scheduler):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        loss = model(**batch).loss
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()  # expect: TL701
        lr_scheduler.step()


def by_fabric(model, loader):
    fabric = Fabric()
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer = fabric.setup(model, optimizer)
    for batch in fabric.setup_dataloaders(loader):
        fabric.backward(model(batch))
        fabric.clip_gradients(model, optimizer, max_norm=1.0)
        optimizer.step()  # expect: TL701


def left_early(model, loader, optimizer, criterion, every):
    for number, (x, y) in enumerate(loader):
        (criterion(model(x), y) / every).backward()
        if (number + 1) % every:
            continue
        optimizer.step()  # expect: TL701

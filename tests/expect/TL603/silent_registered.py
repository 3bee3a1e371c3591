"""The accelerator is told to save the scheduler with everything else."""

import torch
from accelerate import Accelerator
from torch.optim.lr_scheduler import CosineAnnealingLR


def main(args, model, loader):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = CosineAnnealingLR(optimizer, args.epochs)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    accelerator.register_for_checkpointing(scheduler)
    state = torch.load(args.resume, map_location="cpu")
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            accelerator.backward(model(batch).mean())
            optimizer.step()
        scheduler.step()
        torch.save({"optimizer": optimizer.state_dict(), "epoch": epoch + 1}, args.output)


def by_a_framework(accelerator, model, loader, args):
    """accelerate saves the optimizer in a folder of its own; the file holds the number."""
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    step = 0
    if args.resume:
        accelerator.load_state(args.resume)
        step = torch.load(args.number)["step"]
    while step < args.steps:
        for batch in loader:
            accelerator.backward(model(batch).sum())
            optimizer.step()
            optimizer.zero_grad()
            step += 1
        accelerator.save_state(args.out)
        torch.save({"step": step, "model": model.state_dict()}, args.number)

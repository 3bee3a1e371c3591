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
        torch.save({"optimizer": optimizer.state_dict(), "epoch": epoch + 1}, args.resume)

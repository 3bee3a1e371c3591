"""A loop over batches that counts by itself, from the number of a checkpoint up to a limit."""

import os

import torch


def train(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    if args.resume > 0:
        checkpoint = torch.load(os.path.join(args.folder, f"{args.resume}.pth"), map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        iteration = checkpoint["iteration"]
    else:
        iteration = 0
    for batch in loader:
        if iteration % 1000 == 0:
            checkpoint = {"iteration": iteration, "model": model.state_dict()}
            torch.save(checkpoint, os.path.join(args.folder, f"{iteration}.pth"))  # expect: TL603
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        if iteration == args.last:
            break
        iteration += 1

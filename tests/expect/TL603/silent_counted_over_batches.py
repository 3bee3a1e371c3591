"""Loops over batches that do not go on where a checkpoint says: the optimizer is in it, or the number is only a limit."""

import os

import torch


def with_all(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    iteration = 0
    if args.resume > 0:
        checkpoint = torch.load(os.path.join(args.folder, f"{args.resume}.pth"), map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        iteration = checkpoint["iteration"]
    for batch in loader:
        if iteration % 1000 == 0:
            checkpoint = {"iteration": iteration, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(checkpoint, os.path.join(args.folder, f"{iteration}.pth"))
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        if iteration == args.last:
            break
        iteration += 1


def told_when_to_end(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.teacher, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    last = checkpoint["iteration"]
    for number, batch in enumerate(loader):
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        if number > last:
            break
        if number % 1000 == 0:
            torch.save({"iteration": number, "model": model.state_dict()}, os.path.join(args.folder, f"{number}.pth"))

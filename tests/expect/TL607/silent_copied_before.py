"""A copy is made of the last checkpoint before it is written over."""

import shutil

import torch


def main(args, model, optimizer, loader):
    if args.resume:
        checkpoint = torch.load("checkpoint.pth", map_location="cpu")
        args.start_epoch = checkpoint["epoch"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(args.start_epoch, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        shutil.copyfile("checkpoint.pth", "checkpoint-before.pth")
        state = {"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(state, "checkpoint.pth")

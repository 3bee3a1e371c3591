"""The latest checkpoint is written over, and a copy is made of the best one only."""
# Modelled on pytorch/examples (imagenet).

import shutil

import torch


def main(args, model, optimizer, loader, validate):
    best = 0.0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        args.start_epoch = checkpoint["epoch"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(args.start_epoch, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        accuracy = validate(model)
        save_checkpoint(  # expect-likely: TL603
            {"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, accuracy > best
        )
        best = max(accuracy, best)


def save_checkpoint(state, is_best, filename="checkpoint.pth.tar"):
    torch.save(state, filename)  # expect-likely: TL607
    if is_best:
        shutil.copyfile(filename, "model_best.pth.tar")

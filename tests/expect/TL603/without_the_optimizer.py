"""Runs that go on with the weights only."""
# Modelled on KaiyangZhou/deep-person-reid, pytorch/examples.

import torch


def main(args, model, criterion, loader):
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["state_dict"])
        args.start_epoch = checkpoint["epoch"] + 1
    for epoch in range(args.start_epoch, args.max_epoch):
        train(model, criterion, optimizer, loader)
        if (epoch + 1) % args.every == 0:
            save_checkpoint(  # expect: TL603
                {"state_dict": model.state_dict(), "epoch": epoch}, f"checkpoint_ep{epoch + 1}.pth.tar"
            )


def save_checkpoint(state, path):
    torch.save(state, path)


def train(model, criterion, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()

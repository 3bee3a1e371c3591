"""The same with the key that is saved; and a key of which one arm alone asks whether it is there."""

import torch
from torch import nn


def fetch(path):
    return torch.load(path, map_location="cpu")


def of_two(args):
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.other is not None:
        checkpoint = fetch(args.other)
    elif args.resume is not None:
        checkpoint = fetch(args.resume)
        args.first = checkpoint["number"] + 1
        if "network" in checkpoint:
            checkpoint["weights"] = checkpoint["network"]
    else:
        checkpoint = None
    if checkpoint is not None:
        model.load_state_dict(checkpoint["weights"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for number in range(args.first, args.epochs):
        loss = model(torch.randn(4, 2)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.save({"weights": model.state_dict(), "optimizer": optimizer.state_dict(), "number": number}, args.out)

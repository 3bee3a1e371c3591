"""What is read is of one of several files, as the arms of a test load them, or of none."""

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
    else:
        checkpoint = None
    if checkpoint is not None:
        model.load_state_dict(checkpoint["network"])  # expect: TL604
        optimizer.load_state_dict(checkpoint["optimizer"])
    for number in range(args.first, args.epochs):
        loss = model(torch.randn(4, 2)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.save({"weights": model.state_dict(), "optimizer": optimizer.state_dict(), "number": number}, args.out)

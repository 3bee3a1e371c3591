"""A run that goes on with the epoch that it had finished."""

import os
from types import SimpleNamespace

import torch


def train(folder, epochs):
    args = SimpleNamespace(start=0, path=os.path.join(folder, "run"))
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.125, momentum=0.9)
    trained = []
    if os.path.exists(args.path + ".0"):
        newest = max(os.listdir(folder), key=lambda name: int(name.partition(".")[2]))
        checkpoint = torch.load(os.path.join(folder, newest), map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        args.start = checkpoint["epoch"]
    for epoch in range(args.start, epochs):  # expect: TL612
        for _ in range(2):
            optimizer.zero_grad()
            model(torch.ones(1, 1)).mean().backward()
            optimizer.step()
        trained.append(epoch)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, f"{args.path}.{epoch}")
    return trained

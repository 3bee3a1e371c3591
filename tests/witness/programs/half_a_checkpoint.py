"""A checkpoint that is written over the last one, on a disk that is full in the midst of it."""

import os

import torch


def train(folder, epochs):
    path = os.path.join(folder, "last.pt")
    model = torch.nn.Linear(64, 64)
    optimizer = torch.optim.Adam(model.parameters())
    start, trained = 0, []
    if os.path.exists(path):
        checkpoint = torch.load(path, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["next"]
    for epoch in range(start, epochs):
        for _ in range(2):
            optimizer.zero_grad()
            model(torch.ones(1, 64)).mean().backward()
            optimizer.step()
        trained.append(epoch)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "next": epoch + 1}
        torch.save(state, path)  # expect: TL607
    return trained

"""A checkpoint that is read under a name that nobody writes."""

import os

import torch


def train(folder, epochs):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.Adam(model.parameters())
    start, trained = 0, []
    names = sorted(os.listdir(folder), key=int)
    if names:
        checkpoint = torch.load(os.path.join(folder, names[-1]), map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optim"])  # expect: TL604
        start = checkpoint["next"]
    for epoch in range(start, epochs):
        for _ in range(2):
            optimizer.zero_grad()
            model(torch.ones(1, 1)).mean().backward()
            optimizer.step()
        trained.append(epoch)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "next": epoch + 1}
        torch.save(state, os.path.join(folder, str(epoch)))
    return trained

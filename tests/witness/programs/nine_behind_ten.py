"""A run that goes on from the checkpoint whose name is the last one as a text."""

import glob
import os

import torch


def train(folder, epochs):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.Adam(model.parameters())
    start, trained = 0, []
    found = glob.glob(os.path.join(folder, "checkpoint-*.pt"))
    if found:
        checkpoint = torch.load(max(found), map_location="cpu")  # expect: TL609
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["next"]
    for epoch in range(start, epochs):
        optimizer.zero_grad()
        model(torch.ones(1, 1)).mean().backward()
        optimizer.step()
        trained.append(epoch)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "next": epoch + 1}
        torch.save(state, os.path.join(folder, f"checkpoint-{epoch}.pt"))
    return trained

"""What is called like the removal of a file: of an item of a list, of a part of a text."""

import glob
import os

import torch


def train(model, optimizer, loader, epochs, name, pending):
    name = name.replace("/", "-")
    pending.remove(name)
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        path = os.path.join("runs", f"model-{epoch}.pt")
        torch.save(model.state_dict(), path)  # expect: TL608


def present():
    return glob.glob("runs/*.pt")

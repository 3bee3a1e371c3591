"""Files of a training loop, in a program that removes or moves some."""

import shutil

import torch


def train(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save(model.state_dict(), f"model-{epoch}.pt")
        if epoch > 2:
            shutil.rmtree(f"runs/{epoch - 3}")

"""A save that is overwritten stands before one that is not."""

import torch


def train(model, loader, optimizer):
    for epoch in range(100):
        for batch in loader:
            model(batch).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
        torch.save(model.state_dict(), "last.pt")
        torch.save(model.state_dict(), f"model_{epoch}.pt")  # expect: TL608

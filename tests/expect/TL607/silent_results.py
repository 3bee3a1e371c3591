"""Files under the name of a checkpoint that are results: what reads them takes the weights, and trains on from another file."""

import os

import torch


def result_beside(model, loader, epochs, measure):
    optimizer = torch.optim.Adam(model.parameters())
    first, highest = 0, 0.0
    if os.path.exists("state_0.pt"):
        kept = torch.load("state_0.pt", map_location="cpu")
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        first = kept["epoch"] + 1
    for epoch in range(first, epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, f"state_{epoch % 2}.pt")
        if measure(model) > highest:
            highest = measure(model)
            torch.save(state, "checkpoint.pt")


def answer(model, images):
    kept = torch.load("checkpoint.pt", map_location="cpu")
    model.load_state_dict(kept["model"])
    model.eval()
    with torch.no_grad():
        return model(images).argmax(1)

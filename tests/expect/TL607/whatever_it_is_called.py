"""The file is called best, final or weights, and training goes on from it all the same."""

import os

import torch


def kept_as_best(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    first = 0
    if os.path.exists("best_so_far.pt"):
        kept = torch.load("best_so_far.pt", map_location="cpu")
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        first = kept["epoch"] + 1
    for epoch in range(first, epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "best_so_far.pt")  # expect: TL607


def called_weights(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    done = 0
    if os.path.exists("weights_final.tar"):
        kept = torch.load("weights_final.tar", map_location="cpu")
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        done = kept["step"]
    for step in range(done, steps):
        optimizer.zero_grad()
        model(next(loader)).mean().backward()
        optimizer.step()
        if step % 500 == 0:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, "weights_final.tar")  # expect: TL607

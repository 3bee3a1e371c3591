"""The folder of the only checkpoint is an option of the command line, read at the top of a script."""
# Modelled on rtqichen/ffjord.

import argparse
import os

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--save", type=str, default="experiments")
parser.add_argument("--resume", type=str)
options = parser.parse_args()


def main(model, optimizer, loader, evaluate):
    best = float("inf")
    if options.resume:
        checkpoint = torch.load(options.resume, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for _ in range(100):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        loss = evaluate(model)
        if loss < best:
            best = loss
            state = {"state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state, os.path.join(str(options.save), "checkpoint.pth"))  # expect: TL607

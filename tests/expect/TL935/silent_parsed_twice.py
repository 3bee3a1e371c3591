"""One parser is asked twice: for what decides which options there are, and for all of them: aimagelab/mammoth."""

import argparse
import sys

import torch

from settings import cleaned


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="mlp")
    parser.add_argument("--best", action="store_true")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--patience", type=int, default=5)
    if "--best" in sys.argv:
        first = parser.parse_args()
        print(first.model, first.best)
        args = parser.parse_args(["--lr", "0.01"])
    else:
        args = parser.parse_args()
    return cleaned(args)


def main(model, loader, fit):
    args = options()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
    fit(model, args)

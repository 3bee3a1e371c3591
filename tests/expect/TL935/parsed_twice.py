"""One parser is asked twice, and neither time for one of its options."""

import argparse

import torch


def main(model, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="mlp")
    parser.add_argument("--preset", default="")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--patience", type=int, default=5)  # expect: TL935
    first = parser.parse_args()
    print(first.model, first.preset)
    args = parser.parse_args(["--lr", "0.01"])
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for _, x in zip(range(args.steps), loader):
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()

"""``gradients.py PROGRAM STEPS``: train the program's layer and print its largest gradient and how far it went, as JSON."""

from __future__ import annotations

import json
import runpy
import sys


def main(program: str, steps: int) -> None:
    """See the module."""
    train = runpy.run_path(program)["train"]
    begun, ended = train(0), train(steps)
    gradients = [weight.grad.abs().max().item() for weight in ended.parameters()]
    pairs = zip(begun.parameters(), ended.parameters(), strict=True)
    moved = [(after - before).abs().max().item() for before, after in pairs]
    print(json.dumps({"gradient": max(gradients), "moved": max(moved)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

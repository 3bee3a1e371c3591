"""``orders.py PROGRAM RANKS EPOCHS``: the samples of each rank and epoch, in their order, as JSON."""

from __future__ import annotations

import json
import runpy
import sys


def main(program: str, ranks: int, epochs: int) -> None:
    """See the module."""
    train = runpy.run_path(program)["train"]
    print(json.dumps([train(rank, ranks, epochs) for rank in range(ranks)]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

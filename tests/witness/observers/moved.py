"""``moved.py PROGRAM STEPS ...``: how far the program's layer went in so many steps, or the error it raised: a JSON list."""

from __future__ import annotations

import json
import runpy
import sys


def main(program: str, *counts: int) -> None:
    """See the module."""
    train = runpy.run_path(program)["train"]
    found: list[float | str] = []
    for steps in counts:
        try:
            pairs = zip(train(0).parameters(), train(steps).parameters(), strict=True)
            found.append(max((after - before).abs().max().item() for before, after in pairs))
        except (RuntimeError, AssertionError) as error:
            found.append(type(error).__name__)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))

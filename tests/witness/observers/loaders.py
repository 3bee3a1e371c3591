"""Reads what the loader of each function of a program hands out, in order, or the error that making or reading it ends in."""

from __future__ import annotations

import inspect
import json
import runpy
import sys


def observed(make) -> dict[str, object]:
    """The numbers that a loader hands out; or the error, and whether it came when the loader was made."""
    try:
        loader = make()
    except Exception as error:  # noqa: BLE001
        return {"error": type(error).__name__, "made": False}
    try:
        return {"read": [number for batch in loader for number in batch.tolist()]}
    except Exception as error:  # noqa: BLE001
        return {"error": type(error).__name__, "made": True}


if __name__ == "__main__":
    functions = {name: each for name, each in runpy.run_path(sys.argv[1]).items() if inspect.isfunction(each)}
    print(json.dumps({name: observed(make) for name, make in functions.items()}))

"""Prints the parameters of what each dotted name stands for, null where there are none, and which of the names are not there."""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from typing import Any


def found(dotted: str) -> Any:
    """What a dotted name stands for: modules as far as there are any, then attributes."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for name in parts[end:]:
            value = getattr(value, name, None)
        return value
    return None


def behind(value: Any) -> Any:
    """The function that another one was put around, which hands on whatever it is given and does not say so."""
    cells = getattr(value, "__closure__", None) or ()
    held = [cell.cell_contents for cell in cells if inspect.isfunction(cell.cell_contents)]
    hands_on = inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["args", "kwargs"]
    return held[0] if hands_on and len(held) == 1 else value


def parameters(dotted: str) -> list[str] | None:
    """The parameters of a function, or of a method without the object."""
    value = found(dotted)
    if not callable(value):
        return None
    owner = found(dotted.rpartition(".")[0])
    value = behind(value)
    try:
        names = list(inspect.signature(value).parameters)
    except ValueError:  # written in C++
        return None
    return names[1:] if inspect.isclass(owner) and inspect.isfunction(value) else names


def is_there(dotted: str, *, begins: bool) -> bool:
    """Whether there is something of this name, or (where it ends in a dot) that holds more; ``begins``: or begins so."""
    if found(dotted.rstrip(".")) is not None:
        return True
    owner, _, last = dotted.rpartition(".")
    return begins and bool(last) and any(name.startswith(last) for name in dir(found(owner)))


if __name__ == "__main__":
    asked: Any = json.loads(sys.argv[1])
    print("SEEN " + json.dumps({name: parameters(name) for name in asked}))
    begins = asked if isinstance(asked, dict) else {}
    print("GONE " + json.dumps([name for name in asked if not is_there(name, begins=begins.get(name, False))]))

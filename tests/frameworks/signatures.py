"""Prints the parameters of what each dotted name that it is given stands for; null where a package has no such thing."""

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


def parameters(dotted: str) -> list[str] | None:
    """The parameters of a function, or of a method without the object."""
    value = found(dotted)
    if not callable(value):
        return None
    owner = found(dotted.rpartition(".")[0])
    try:
        names = list(inspect.signature(value).parameters)
    except ValueError:  # written in C++
        return None
    return names[1:] if inspect.isclass(owner) and inspect.isfunction(value) else names


print("SEEN " + json.dumps({name: parameters(name) for name in json.loads(sys.argv[1])}))

"""Runs a generated program in this process, with things of ours for what it imports."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

REAL = frozenset(
    {
        "__future__",
        "collections",
        "contextlib",
        "dataclasses",
        "functools",
        "heapq",
        "itertools",
        "operator",
        "queue",
        "types",
        "typing",
    }
)
"""Modules that are themselves: programs use them for their form, and not for what they do."""


class World:
    """The modules of one program, which it imports from here. Its own ones are run when they are asked for.

    ``other`` gives what is imported from elsewhere, by the first part of its name; ``names`` are in the place of builtins.
    """

    def __init__(
        self, files: Mapping[str, str], other: Callable[[str], object], names: Mapping[str, object] | None = None
    ) -> None:
        self._texts = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): text for path, text in files.items()}
        self._modules: dict[str, ModuleType] = {}
        self._other = other
        self._names = {**vars(builtins), **(names or {}), "__import__": self._import}

    def module(self, name: str) -> ModuleType:
        """A module of the program, run. Raises what it raises."""
        if name not in self._modules:
            made = self._modules[name] = ModuleType(name)
            package = name if any(each.startswith(f"{name}.") for each in self._texts) else ""
            made.__dict__.update(__builtins__=self._names, __package__=package)
            exec(compile(self._texts[name], name, "exec", dont_inherit=True), made.__dict__)  # noqa: S102
        return self._modules[name]

    def _import(self, name: str, around: Any = None, _: Any = None, wanted: Any = (), level: int = 0) -> Any:
        if level:
            name = f"{around['__package__']}.{name}"
        if name in self._texts:
            return self.module(name)
        top, *rest = name.split(".")
        if top in REAL:
            return __import__(name, around, _, wanted, level)
        found = self._other(top)
        for part in rest if wanted else ():
            found = getattr(found, part)
        return found

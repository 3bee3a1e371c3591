"""Runs a generated program in this process, with modules that stand in for what it imports."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def imported(files: Mapping[str, str], folder: Path, stand_ins: Mapping[str, ModuleType], entry: str) -> Iterator[ModuleType]:
    """The module ``entry`` (a path of ``files``), imported from a folder; it and what it imports there is forgotten then."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    before, path_before, bytecode = dict(sys.modules), list(sys.path), sys.dont_write_bytecode
    sys.modules.update(stand_ins)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(entry.removesuffix(".py").replace("/", "."))
    finally:
        sys.dont_write_bytecode = bytecode
        sys.path[:] = path_before
        for name in set(sys.modules) - set(before):
            del sys.modules[name]
        sys.modules.update(before)


def module(name: str, **members: object) -> ModuleType:
    """A module that stands in for another."""
    made = ModuleType(name)
    made.__dict__.update(members)
    return made

"""Files that are the source of a framework: what its branches may do says nothing of a script that uses it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from trainlint.facts.program import Program
from trainlint.preflight.known import known


def frameworks(program: Program) -> frozenset[str]:
    """The packages of the frameworks that may run a loop, and of those that loops are made with, by name."""
    tables = program.knowledge.tables
    names = (*tables["preflight.trains"], *tables["preflight.engines"], *known(program, "packages"))
    return frozenset(name.partition(".")[0] for name in names)


def is_source(program: Program, path: str, script: str, names: Collection[str]) -> bool:
    """Whether a file is the source of a framework (one of some names) in whose repository a script lies, outside of its package.

    A package within another one is the project's own, whatever it is called: ``own/distributed/deepspeed``.
    """
    folder = next((part for part in _folders(path) if part.rpartition(os.sep)[2] in names), None)
    if folder is None or script.startswith(folder + os.sep) or not _is_package(program, folder):
        return False
    return not any(_is_package(program, part) for part in _folders(folder))


def _is_package(program: Program, folder: str) -> bool:
    return f"{folder}{os.sep}__init__.py" in program.finder.files


def _folders(path: str) -> Iterator[str]:
    """The folders around a file, from the inside."""
    while path := path.rpartition(os.sep)[0]:
        yield path

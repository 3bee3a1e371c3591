"""Libraries as projects: what a function or class is called by those who import it, when its library is what is checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath

from trainlint.facts.program import Program


def names_of_source(program: Program, path: str, qualname: str, roots: Collection[str]) -> Iterator[str]:
    """The canonical dotted names that something may have in a library, by the path of its file.

    ``roots`` are the names of the packages that are asked about, which are folders: ``horovod`` for ``horovod/torch/mpi_ops.py``.
    """
    place = PurePath(path).with_suffix("")
    for start, folder in enumerate(place.parts[:-1]):
        if folder in roots:
            parts = (*place.parts[start:], *qualname.split("."))
            yield program.knowledge.canonical(".".join(part for part in parts if part != "__init__"))

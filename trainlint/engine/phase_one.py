"""Phase one: from a file's bytes to its lowered module, or to the reason why it has none."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from trainlint.model.sketch import Module
from trainlint.source.deep import run_deep
from trainlint.source.errors import UnparsableSource, UnreadableSource
from trainlint.source.parse import parse
from trainlint.source.text import Source

#: Beyond this many bytes to parse, starting other processes pays.
_PARALLEL_BYTES = 3_000_000


class Trouble(NamedTuple):
    """A file that has no module: the code to report it under, the sentence, the place (1-based, characters)."""

    code: str
    message: str
    line: int
    column: int


_CODES = {"unreadable": "TL001", "too-complex": "TL004", "newer-syntax": "TL006"}


def unreadable(error: UnreadableSource) -> Trouble:
    """The trouble with a file whose text cannot be had."""
    return Trouble(_CODES[error.kind], error.message, error.line or 1, 1)


def lower_source(source: Source, exits: Collection[str]) -> Module | Trouble:
    """Parse and lower one file. Nothing in the file makes this raise."""
    from trainlint.model.lower import lower
    from trainlint.sites.newer import parses

    try:
        tree = parse(source, parses)
    except UnparsableSource as error:
        return Trouble(_CODES[error.kind], error.message, error.line, error.column)
    path = str(source.path)
    package = source.path.name == "__init__.py"
    try:
        return lower(path, tree, exits, package=package)
    except RecursionError:
        pass
    try:
        return run_deep(lambda: lower(path, tree, exits, package=package))
    except (RecursionError, MemoryError):
        return Trouble("TL004", "is nested too deeply to be analysed", 1, 1)


def lower_bytes(path: str, data: bytes, exits: Collection[str]) -> Module | Trouble:
    """Decode, parse and lower the bytes of one file."""
    try:
        source = Source.from_bytes(Path(path), data)
    except UnreadableSource as error:
        return unreadable(error)
    return lower_source(source, exits)


def lower_all(
    files: Iterable[tuple[str, bytes]], exits: Collection[str], jobs: int | None
) -> Iterator[tuple[str, Module | Trouble]]:
    """Lower many files, in several processes when that pays; the order is that of the files."""
    batch = list(files)
    workers = min(jobs or os.cpu_count() or 1, 32)
    if workers < 2 or sum(len(data) for _, data in batch) < _PARALLEL_BYTES:
        for path, data in batch:
            yield path, lower_bytes(path, data, exits)
        return
    yield from _in_processes(batch, exits, workers)


def _in_processes(
    batch: list[tuple[str, bytes]], exits: Collection[str], workers: int
) -> Iterator[tuple[str, Module | Trouble]]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = max(1, len(batch) // (workers * 8))
    parts = [batch[start : start + size] for start in range(0, len(batch), size)]
    done = 0
    try:
        with ProcessPoolExecutor(workers) as pool:
            for part in pool.map(_lower_part, ((part, frozenset(exits)) for part in parts)):
                yield from part
                done += len(part)
    except (BrokenProcessPool, OSError):
        # A process that dies takes its part with it; what is left is done here.
        for path, data in batch[done:]:
            yield path, lower_bytes(path, data, exits)


def _lower_part(work: tuple[list[tuple[str, bytes]], frozenset[str]]) -> list[tuple[str, Module | Trouble]]:
    import gc

    gc.disable()
    part, exits = work
    return [(path, lower_bytes(path, data, exits)) for path, data in part]

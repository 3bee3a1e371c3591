"""Phase one: from a file's bytes to its lowered module, or to the reason why it has none. Only imported when a file is woken."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.engine.trouble import SKIPPED, Trouble, unparsable, unreadable
from trainlint.model.sketch import Module
from trainlint.source.deep import run_deep
from trainlint.source.errors import UnparsableSource, UnreadableSource
from trainlint.source.parse import parse
from trainlint.source.text import Source

if TYPE_CHECKING:
    import ast

#: Beyond this many bytes to parse, other processes pay, if there are enough of them: what they send back costs half as
#: much as making it. Two processes are no faster than one, and take more CPU.
_PARALLEL_BYTES = 3_000_000
_FEWEST_WORKERS = 3


def lower_source(source: Source, exits: Collection[str]) -> Module | Trouble:
    """Parse and lower one file. Nothing in the file makes this raise."""
    from trainlint.sites.newer import parses

    try:
        tree = parse(source, parses)
    except UnparsableSource as error:
        return unparsable(error)
    try:
        return _lowered(source, tree, exits)
    except (RecursionError, MemoryError):
        return Trouble("TL004", f"the file is nested too deeply to be analysed{SKIPPED}", 1, 1)
    except Exception as error:
        if os.environ.get("TRAINLINT_RAISE"):
            raise
        from trainlint.engine.crash import write_report

        report = write_report("the model", error)
        failed = f"trainlint failed on this file with {type(error).__name__}"
        return Trouble("TL005", f"{failed}, it was not analysed; the report is in {report}", 1, 1)


def _lowered(source: Source, tree: ast.Module, exits: Collection[str]) -> Module:
    from trainlint.model.lower import lower

    path = str(source.path)
    package = source.path.name == "__init__.py"
    if b"trainlint:" in source.data:
        words = _words(source)
        if words:
            from trainlint.model.told import ToldLowering

            return run_deep(lambda: ToldLowering(path, exits, words, package=package).run(tree))
    try:
        return lower(path, tree, exits, package=package)
    except RecursionError:
        return run_deep(lambda: lower(path, tree, exits, package=package))


def _words(source: Source) -> dict[int, str]:
    """What comments tell the analysis, by line."""
    from trainlint.engine.suppression import Suppressions

    return Suppressions.parse(source).words


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
    if workers < _FEWEST_WORKERS or sum(len(data) for _, data in batch) < _PARALLEL_BYTES:
        for path, data in batch:
            yield path, lower_bytes(path, data, exits)
        return
    yield from _in_processes(batch, exits, workers)


def _in_processes(batch: list[tuple[str, bytes]], exits: Collection[str], workers: int) -> Iterator[tuple[str, Module | Trouble]]:
    import pickle
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = max(1, len(batch) // (workers * 8))
    parts = [batch[start : start + size] for start in range(0, len(batch), size)]
    done = 0
    try:
        with ProcessPoolExecutor(workers) as pool:
            for part in pool.map(_lower_part, ((part, frozenset(exits)) for part in parts)):
                for result in pickle.loads(part):  # noqa: S301 - our own process wrote it
                    path, data = batch[done]
                    done += 1
                    yield path, lower_bytes(path, data, exits) if result is None else result
    except (BrokenProcessPool, OSError):
        # A process that dies takes its part with it; what is left is done here.
        for path, data in batch[done:]:
            yield path, lower_bytes(path, data, exits)


def _lower_part(work: tuple[list[tuple[str, bytes]], frozenset[str]]) -> bytes:
    """The pickled results for a part of the files, in their order; None for a file whose result cannot travel."""
    import gc
    import pickle

    gc.disable()
    part, exits = work
    results = [lower_bytes(path, data, exits) for path, data in part]
    try:
        return pickle.dumps(results, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # pickle walks the terms recursively
        return pickle.dumps([result if _can_travel(result) else None for result in results], pickle.HIGHEST_PROTOCOL)


def _can_travel(result: Module | Trouble) -> bool:
    import pickle

    try:
        pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        return False
    return True

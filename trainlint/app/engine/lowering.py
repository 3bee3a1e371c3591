"""Phase one: from a file's bytes to its lowered module, or to the reason why it has none. Only imported when a file matters."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING

from trainlint.app.engine.garbage import uncollected
from trainlint.app.engine.timing import phase
from trainlint.app.engine.workers import Workers
from trainlint.app.engine.workspace import SKIPPED, Trouble, unparsable, unreadable
from trainlint.ir.expressions import NO_MEMBERS
from trainlint.ir.sketch import Module
from trainlint.source.deep import run_deep
from trainlint.source.parse import parse
from trainlint.source.text import Source, UnparsableSource, UnreadableSource

if TYPE_CHECKING:
    import ast


def lower_source(source: Source, exits: Collection[str], members: Mapping[str, str] = NO_MEMBERS) -> Module | Trouble:
    """Parse and lower one file. Nothing in the file makes this raise."""
    tree = _tree(source)
    if isinstance(tree, Trouble):
        return tree
    try:
        with phase("lowering"):
            return _lowered(source, tree, exits, members)
    except (RecursionError, MemoryError):
        return Trouble("TL004", f"the file is nested too deeply to be analysed{SKIPPED}", 1, 1)
    except Exception as error:
        if os.environ.get("TRAINLINT_RAISE"):
            raise
        from trainlint.app.engine.result import write_report

        report = write_report("the model", error)
        failed = f"trainlint failed on this file with {type(error).__name__}"
        return Trouble("TL005", f"{failed}, it was not analysed; the report is in {report}", 1, 1)


def cannot_be_parsed(source: Source) -> Trouble | None:
    """Why a text has no syntax tree; None if it has one."""
    tree = _tree(source)
    return tree if isinstance(tree, Trouble) else None


def _tree(source: Source) -> ast.Module | Trouble:
    from trainlint.edits.apply import parses

    try:
        with phase("parsing"):
            return parse(source, parses)
    except UnparsableSource as error:
        return unparsable(error)


def _lowered(source: Source, tree: ast.Module, exits: Collection[str], members: Mapping[str, str]) -> Module:
    from trainlint.ir.lower import lower

    path = str(source.path)
    package = source.path.name == "__init__.py"
    if b"trainlint:" in source.data:
        words = _words(source)
        if words:
            from trainlint.ir.pragmas import ToldLowering

            return run_deep(lambda: ToldLowering(path, exits, members, words, package=package).run(tree))
    try:
        return lower(path, tree, exits, members, package=package)
    except RecursionError:
        return run_deep(lambda: lower(path, tree, exits, members, package=package))


def _words(source: Source) -> dict[int, str]:
    """What comments tell the analysis, by line."""
    from trainlint.app.engine.suppression import Suppressions

    return Suppressions.parse(source).words


def lower_bytes(path: str, data: bytes, exits: Collection[str], members: Mapping[str, str]) -> Module | Trouble:
    """Decode, parse and lower the bytes of one file."""
    try:
        source = Source.from_bytes(Path(path), data)
    except UnreadableSource as error:
        return unreadable(error)
    return lower_source(source, exits, members)


def lower_all(
    files: Iterable[tuple[str, bytes]], exits: Collection[str], members: Mapping[str, str], workers: Workers
) -> Iterator[tuple[str, Module | Trouble]]:
    """Lower many files, on workers when that pays; the order is that of the files, which are not asked for before they are."""
    if not workers.parts(maxsize):
        for path, data in files:
            yield path, lower_bytes(path, data, exits, members)
        return
    batch = list(files)
    parts = min(workers.parts(sum(len(data) for _, data in batch)), len(batch))
    if not parts:
        for path, data in batch:
            yield path, lower_bytes(path, data, exits, members)
        return
    import pickle

    size = -(-len(batch) // parts)
    work = [(batch[start : start + size], frozenset(exits), dict(members)) for start in range(0, len(batch), size)]
    for (part, *_), answer in zip(work, workers.map(_lower_part, work), strict=True):
        for (path, data), result in zip(part, pickle.loads(answer), strict=True):  # noqa: S301 - our own worker wrote it
            yield path, lower_bytes(path, data, exits, members) if result is None else result


def _lower_part(work: tuple[list[tuple[str, bytes]], frozenset[str], dict[str, str]]) -> bytes:
    """The pickled results for a part of the files, in their order; None for a file whose result cannot travel."""
    import pickle

    part, exits, members = work
    with uncollected():
        results = [lower_bytes(path, data, exits, members) for path, data in part]
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

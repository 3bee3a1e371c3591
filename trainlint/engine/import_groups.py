"""Files that imports connect: which of them are worth parsing, and which are judged together.

The files that are judged together: those that imports connect, however far apart.

A repository often holds several projects side by side (examples, samples, tests). Nothing that is found in one of them depends
on another, so each is linked and judged by itself: that is faster, takes less memory, and after a change only the project
around it has to be judged again.

Which files are worth parsing: those that imports connect with a file in which a rule may find something.

A file is *telling* when it holds a word that a rule needs (see ``Rule.needs``). What is found in it may hang on any file that
imports connect with it, in either direction: on a helper without a word of a framework, on an ``__init__.py`` that re-exports a
name, on a caller that turns gradients off. So files are parsed by whole connected parts of the import graph or not at all: what
is found in a part does not depend on which of its files hold which words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.engine.workspace import Trouble
from trainlint.finding import Suspect
from trainlint.program.imports import Components, ModuleFinder
from trainlint.source.triage import Imports


class Group(NamedTuple):
    """Files that belong together, in order, and the rules that have something to ask about them.

    ``beside`` are the files beside the Python that some of these rules may compare them with, in order.
    """

    paths: tuple[str, ...]
    codes: tuple[str, ...]
    beside: tuple[str, ...] = ()


class Suspected(NamedTuple):
    """What the rules suspect in a group, by their codes; what is to be said of functions that were too much, by their files."""

    suspects: list[tuple[str, Suspect]]
    troubles: list[tuple[str, Trouble]]


def connected(imports: Mapping[str, Iterable[str]], finder: ModuleFinder) -> Iterator[tuple[str, ...]]:
    """The files of each group, sorted, so that nothing depends on the order of files; ``imports`` are dotted names by file."""
    components = Components(imports, finder)
    groups: dict[str, list[str]] = {}
    for path in sorted(imports):
        groups.setdefault(components.of(path), []).append(path)
    yield from map(tuple, groups.values())


def relevant(telling: Collection[str], imports: Mapping[str, Imports], finder: ModuleFinder) -> list[str]:
    """The files, sorted, that are connected with one that is ``telling``; ``imports`` are those of every file, by its text."""
    components = Components({path: _dotted(found) for path, found in imports.items()}, finder)
    wanted = {components.of(path) for path in telling}
    return sorted(path for path in imports if components.of(path) in wanted)


def _dotted(found: Imports) -> Iterable[str]:
    """The dotted names that a file imports; of a star import the module."""
    for module, names in found:
        for taken in names or ("",):
            yield module if taken in ("", "*") else module + taken if module[-1:] == "." else f"{module}.{taken}"

"""The files that are judged together: those that imports connect, however far apart.

A repository often holds several projects side by side (examples, samples, tests). Nothing that is found in one of them depends
on another, so each is linked and judged by itself: that is faster, takes less memory, and after a change only the project
around it has to be judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.components import Components
from trainlint.facts.modules import ModuleFinder
from trainlint.finding import Finding


class Group(NamedTuple):
    """Files that belong together, in order, and the rules that have something to ask about them.

    ``beside`` are the files beside the Python that some of these rules may compare them with, in order.
    """

    paths: tuple[str, ...]
    codes: tuple[str, ...]
    beside: tuple[str, ...] = ()


class Judged(NamedTuple):
    """What was found in a group, before comments are honoured; and in how many functions the ranks could not be compared."""

    findings: list[Finding]
    given_up: int


def connected(imports: Mapping[str, Iterable[str]], finder: ModuleFinder) -> Iterator[tuple[str, ...]]:
    """The files of each group, sorted, so that nothing depends on the order of files; ``imports`` are dotted names by file."""
    components = Components(imports, finder)
    groups: dict[str, list[str]] = {}
    for path in sorted(imports):
        groups.setdefault(components.of(path), []).append(path)
    yield from map(tuple, groups.values())

"""The private names that are used of things that have a public one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.api.renames import rename
from trainlint.facts.api.targets import targeted
from trainlint.facts.api.uses import IMPORT, Use, Uses
from trainlint.facts.framework import framework
from trainlint.facts.program import Program
from trainlint.finding import Applicability
from trainlint.sites.changes import Rename, Renamed


class Private(NamedTuple):
    """One use, the public name, since when there is one, and the repair."""

    use: Use
    public: str
    since: str
    change: Rename


def private(program: Program) -> Iterator[Private]:
    """Each use of a private name where the versions that the file must run with have a public one."""
    table = program.knowledge.private
    name = framework(program)
    found = [use for use in program.ask(Uses).by_path(table) if targeted(program, use.module, name).needs(table[use.name][1])]
    places = [_place(use, table[use.name][0]) for use in found]
    for use, place in zip(found, places, strict=True):
        public, since = table[use.name]
        others = [other for each, other in zip(found, places, strict=True) if each.module == use.module]
        change = rename(program, place, use.module, others, f"Use `{public}`", Applicability.SAFE)
        yield Private(use, public, since, change)


def _place(use: Use, public: str) -> Renamed:
    binds = use.imported.name if use.kind == IMPORT and use.imported is not None else None
    return Renamed(use.spot, use.written, public, "@", binds=binds, same=True)

"""What a program keeps under a key in dicts that are passed on: ``source["sampler"] = Buckets(…)``, then ``source["sampler"]``.

Such a dict is often a record: one kind of thing under each name. Where it goes through a registry, nobody can follow it from the
place that fills it to the place that asks. So an item of a container out of sight is taken to be of the one class, or made by the
one library call, that is put under this very key anywhere around; where two kinds of things are, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.values import Instance, Made, Value
from trainlint.ir.nodes import Const, Subscript, Term
from trainlint.ir.sketch import Function, Keep
from trainlint.ir.walk import of_kind

if TYPE_CHECKING:
    from trainlint.facts.program import Program


class Keyed:
    """The values under written-down keys of a program, by the key."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[str, list[tuple[str, Function, Term]]] = {}
        for path, function in program.functions():
            for node in of_kind(function, Keep):
                key = key_of(node.target)
                if key is not None:
                    self._stores.setdefault(key, []).append((path, function, node.value))

    def under(self, item: Term, asking: str) -> tuple[Value, ...]:
        """The objects that may be meant by an item of a container out of sight, asked for in the file ``asking``."""
        key = key_of(item)
        found: list[Value] = []
        for path, function, value in self._stores.get(key or "", ()):
            if not self.program.together(path, asking) or isinstance(value, Const):
                continue
            for each in self.program.values(value, self.program.frame(path, function)):
                if not isinstance(each, (Instance, Made)):
                    return ()
                found.append(each)
        return tuple(dict.fromkeys(found)) if len(set(_kinds(found))) == 1 else ()


def key_of(term: Term) -> str | None:
    """The key of an item, where it is written down and a text."""
    if isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
        return term.key.value
    return None


def _kinds(found: list[Value]) -> Iterator[object]:
    for each in found:
        yield id(each.cls) if isinstance(each, Instance) else each.name if isinstance(each, Made) else None

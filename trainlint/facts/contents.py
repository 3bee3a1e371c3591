"""What is put into a list, dict or tensor behind its back: items that are set, numbers that are filled in, things that are added.

``box = [False]``, under a test ``box[0] = True``, and later ``if box[0]``: the term of the last is an item of ``[False]``. Here
stands what became of it in between, in one function, each change with the tests around it and its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.model.sketch import Block, Call, Function, If, Keep, Loop, Try, With
from trainlint.model.terms import Term
from trainlint.model.walk import ends_early, statements_of


class Failed(NamedTuple):
    """In place of a test: the handler of a ``try`` runs, the one of this number."""

    attempt: Try
    handler: int


class Change(NamedTuple):
    """A change of a container or tensor.

    ``key`` is the item (None: all of it), ``value`` what it is set to; ``how``: ``set``, ``more`` (a further item), ``unknown``.
    ``tests`` lead to it: conditions, or a handler, each with the arm.
    """

    key: Term | None
    value: Term | None
    how: str
    tests: tuple[tuple[Term | Failed, bool], ...]
    line: int


class Changes(NamedTuple):
    """The changes in a function, by what is changed, first to last; and the loops of the function."""

    of: dict[Term, list[Change]]
    loops: tuple[Spot, ...]


class Contents:
    """The changes in the functions of a program, read on demand."""

    def __init__(self, program: Program) -> None:
        self.known = program.knowledge
        self._changes: dict[int, Changes | None] = {}

    def changes(self, function: Function) -> Changes | None:
        """What a function changes; None when it changes nothing."""
        key = id(function)
        if key not in self._changes:
            found: dict[Term, list[Change]] = {}
            if any(self._is_change(node) for node in statements_of(function)):
                for base, change in self._of(function.body, ()):
                    found.setdefault(base, []).append(change)
            loops = tuple(node.spot for node in statements_of(function) if isinstance(node, Loop)) if found else ()
            self._changes[key] = Changes(found, loops) if found else None
        return self._changes[key]

    def is_changed(self, term: Term, function: Function) -> bool:
        """Whether a function puts something into a list, dict or tensor."""
        if term[0] not in ("list", "dict", "call"):
            return False
        known = self.changes(function)
        return known is not None and self.storage(term) in known.of

    def storage(self, term: Term) -> Term:
        """What a view of something is a view of."""
        while True:
            viewed = term[1] if term[0] == "call" else term
            if viewed[0] != "a" or viewed[2] not in self.known.storage:
                return term
            term = viewed[1]

    def _is_change(self, node: object) -> bool:
        if isinstance(node, Keep):
            return bool(node.target[0] == "sub")
        return isinstance(node, Call) and self._changing(node.term) is not None

    def _changing(self, call: Term) -> str | None:
        """How a method changes its object; None for one that does not, as far as its name says."""
        callee = call[1]
        if callee[0] != "a":
            return None
        name = str(callee[2])
        if name in self.known.changes:
            return self.known.changes[name]
        return "unknown" if name.endswith("_") and not name.startswith("_") and name != "requires_grad_" else None

    def _of(self, block: Block, tests: tuple[tuple[Term | Failed, bool], ...]) -> Iterator[tuple[Term, Change]]:
        for node in block:
            if isinstance(node, Keep):
                if node.target[0] == "sub":
                    how = "set" if node.kind != "AugAssign" else "unknown"
                    yield self.storage(node.target[1]), Change(node.target[2], node.value, how, tests, node.spot.line)
            elif isinstance(node, Call):
                how_ = self._changing(node.term)
                if how_ is not None:
                    yield self.storage(node.term[1][1]), _method(node.term, how_, tests)
            elif isinstance(node, If):
                yield from self._of(node.body, (*tests, (node.condition, True)))
                yield from self._of(node.orelse, (*tests, (node.condition, False)))
                if ends_early(node.body) != ends_early(node.orelse):
                    tests = (*tests, (node.condition, ends_early(node.orelse)))
            elif isinstance(node, Loop):
                yield from self._of(node.body, tests)
                yield from self._of(node.orelse, tests)
            elif isinstance(node, With):
                yield from self._of(node.body, tests)
            elif isinstance(node, Try):
                yield from self._of(node.body, tests)
                for index, handler in enumerate(node.handlers):
                    yield from self._of(handler, (*tests, (Failed(node, index), True)))
                yield from self._of(node.orelse, tests)
                yield from self._of(node.final, tests)


def _method(call: Term, how: str, tests: tuple[tuple[Term | Failed, bool], ...]) -> Change:
    line = call[4].line
    if how == "first" and call[2]:
        return Change(None, call[2][0], "set", tests, line)
    if how in ("more", "unknown"):
        return Change(None, call[2][0] if call[2] else None, how, tests, line)
    value = Term(("c", "int", int(how))) if how.lstrip("-").isdigit() else None
    return Change(None, value, "set" if value is not None else "unknown", tests, line)


def contents(program: Program) -> Contents:
    """The contents of a program's containers (read once)."""
    known = program.analyses.get("contents")
    if known is None:
        known = program.analyses["contents"] = Contents(program)
    assert isinstance(known, Contents)
    return known

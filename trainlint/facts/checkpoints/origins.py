"""Where a number comes from: the constants, items and loop counters that a counter may have been, followed through attributes.

``args.start_epoch`` is set in one place and read in another. Which object ``args`` is nobody can say, but what is put under a
name like that anywhere around is what it may hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, Made, Other
from trainlint.finding import Spot
from trainlint.model.sketch import Function, Store
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind

_DEEPEST = 10
_MOST_STORES = 8
_GETS = frozenset(("get", "pop"))


class Origin(NamedTuple):
    """One thing a number may have been: ``shifted``: something was added to it; ``store``: where it was put into an attribute."""

    term: Term
    frame: Frame
    shifted: bool
    store: Spot | None


class Origins:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[str, list[tuple[str, Function, Store]]] = {}
        for path, function in program.functions():
            for node in of_kind(function, Store):
                if node.target[0] == "a":
                    self._stores.setdefault(str(node.target[2]), []).append((path, function, node))

    def of(self, term: Term, frame: Frame) -> list[Origin]:
        """What a term may have been."""
        return list(dict.fromkeys(self._of(Origin(term, frame, False, None), 0, set())))

    def _of(self, at: Origin, depth: int, seen: set[tuple[Spot, bool]]) -> Iterator[Origin]:
        term, frame, tag = at.term, at.frame, at.term[0]
        if depth > _DEEPEST:
            yield at
        elif tag in ("if", "or", "and"):
            for part in term[2:] if tag == "if" else term[1]:
                yield from self._of(at._replace(term=part), depth + 1, seen)
        elif tag == "bin" and term[1] in ("Add", "Sub") and "c" in (term[2][0], term[3][0]):
            part = term[2] if term[3][0] == "c" else term[3]
            yield from self._of(at._replace(term=part, shifted=True), depth + 1, seen)
        elif tag == "p" and isinstance(frame.given(term), Bound):
            bound = frame.given(term)
            assert isinstance(bound, Bound)
            yield from self._of(at._replace(term=bound.term, frame=bound.frame), depth + 1, seen)
        elif tag == "a" and str(term[2]) in self._stores:
            yield from self._stored(at, depth, seen)
        else:
            yield from self._valued(at, depth, seen)

    def _stored(self, at: Origin, depth: int, seen: set[tuple[Spot, bool]]) -> Iterator[Origin]:
        stores = [each for each in self._stores[str(at.term[2])] if self.program.together(each[0], at.frame.module)]
        if len(stores) > _MOST_STORES:
            yield at
            return
        for path, function, node in stores:
            adds = node.kind == "AugAssign"  # to what it was
            shifted = at.shifted or adds
            if (node.spot, shifted) in seen:
                continue
            seen.add((node.spot, shifted))
            inner = Origin(node.target if adds else node.value, self.program.frame(path, function), shifted, node.spot)
            yield from self._of(inner, depth + 1, seen)

    def _valued(self, at: Origin, depth: int, seen: set[tuple[Spot, bool]]) -> Iterator[Origin]:
        for value in self.program.values(at.term, at.frame):
            if isinstance(value, Other) and value.term is not at.term:
                yield from self._of(at._replace(term=value.term, frame=value.frame), depth + 1, seen)
            elif isinstance(value, Made) and value.call is not None and value.frame is not None:
                yield at._replace(term=value.call, frame=value.frame)
            else:
                yield at

    def read_key(self, term: Term) -> tuple[Term, str] | None:
        """Of an item of something under a text, or ``get`` of one: what it is an item of, and the key."""
        if term[0] == "sub" and term[2][0] == "c" and isinstance(term[2][2], str):
            return term[1], term[2][2]
        if term[0] == "call" and term[1][0] == "a" and term[1][2] in _GETS and term[2] and term[2][0][0] == "c":
            key = term[2][0][2]
            return (term[1][1], key) if isinstance(key, str) else None
        return None

    def loaded(self, term: Term, frame: Frame) -> Made | None:
        """The call that loads a checkpoint, where a term surely is what one hands back."""
        words = self.program.knowledge.tables["checkpoints"]
        found = [
            value
            for value in self.program.values(term, frame)
            if isinstance(value, Made) and words.get(value.name) == "load" and value.call is not None
        ]
        return found[0] if found else None

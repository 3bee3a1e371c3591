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
from trainlint.ir.nodes import Attr, BinOp, BoolOp, Call, Const, Param, Select, Subscript, Term
from trainlint.ir.sketch import Function, Store
from trainlint.ir.walk import of_kind

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
                if isinstance(node.target, Attr):
                    self._stores.setdefault(node.target.name, []).append((path, function, node))

    def of(self, term: Term, frame: Frame) -> list[Origin]:
        """What a term may have been."""
        return list(dict.fromkeys(self._of(Origin(term, frame, False, None), 0, set())))

    def _of(self, at: Origin, depth: int, seen: set[tuple[Spot, bool]]) -> Iterator[Origin]:
        term, frame = at.term, at.frame
        if depth > _DEEPEST:
            yield at
        elif isinstance(term, (Select, BoolOp)):
            for part in term.arms if isinstance(term, Select) else term.operands:
                yield from self._of(at._replace(term=part), depth + 1, seen)
        elif isinstance(term, BinOp) and term.op in ("Add", "Sub") and Const in (type(term.left), type(term.right)):
            part = term.left if isinstance(term.right, Const) else term.right
            yield from self._of(at._replace(term=part, shifted=True), depth + 1, seen)
        elif isinstance(term, Param) and isinstance(frame.given(term), Bound):
            bound = frame.given(term)
            assert isinstance(bound, Bound)
            yield from self._of(at._replace(term=bound.term, frame=bound.frame), depth + 1, seen)
        elif isinstance(term, Attr) and term.name in self._stores:
            yield from self._stored(at, term, depth, seen)
        else:
            yield from self._valued(at, depth, seen)

    def _stored(self, at: Origin, attribute: Attr, depth: int, seen: set[tuple[Spot, bool]]) -> Iterator[Origin]:
        stores = [each for each in self._stores[attribute.name] if self.program.together(each[0], at.frame.module)]
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
        if isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
            return term.base, term.key.value
        if (
            isinstance(term, Call)
            and isinstance(term.callee, Attr)
            and term.callee.name in _GETS
            and term.args
            and isinstance(term.args[0], Const)
        ):
            key = term.args[0].value
            return (term.callee.base, key) if isinstance(key, str) else None
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

"""Lists, sets and dicts whose items are all known on a rank: written down, counted, drawn from one another by comprehensions.

``{r: "chief" if r == 0 else "worker" for r in range(world)}``, ``set(range(4)) - writers``, ``enumerate(names)``: what is in them
is computed, as Python would. Nothing is said of what holds anything unknown, of parts that ranks take by their number (they are
counted in ``shards``), and of what somebody changes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from trainlint.facts.contents import Contents
from trainlint.facts.literals import at, position
from trainlint.facts.program import calls_of
from trainlint.facts.values import Bound, Frame, FunctionValue, Library, Made, Other
from trainlint.ir.control_dependence import Tests
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Global,
    List,
    Nested,
    Param,
    Ref,
    Select,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.spmd.questions import Questions
from trainlint.spmd.symbols import UNKNOWN, Choice, Something, Sym, World

#: Items of one container; containers in one another.
_MOST, _DEEPEST = 16, 6
_SETS: dict[str, Callable[[Any, Any], Any]] = {
    "BitOr": operator.or_,
    "BitAnd": operator.and_,
    "Sub": operator.sub,
    "BitXor": operator.xor,
}
_MUTABLE = (List, Set, Dict, Unknown, Call)


class Unsure(Exception):
    """Not all items are known."""


class Sequences(Questions):
    """The part of the evaluator that computes containers."""

    #: Whether what is unknown, and the same on all ranks, counts as known in tuples that are items.
    _open_items: bool
    #: Whether the parts that ranks take by their number are gone into.
    _shares: bool

    def container(self, term: Term, frame: Frame, *, open_items: bool = False, shares: bool = False) -> Any:
        """The list, tuple, set or dict that a term is on this rank, as Python's own; None where not all of it is known.

        ``open_items``: in a tuple that is an item, something unknown, but the same on all ranks, will do. ``shares``: so will
        the part of a list that the rank takes by its number.
        """
        before, self._open_items, self._shares = self.asked, open_items, shares
        try:
            found = self._contained(term, frame, 0)
        except (Unsure, TypeError, ValueError, KeyError):
            self.asked = before
            return None
        finally:
            self._open_items = self._shares = False
        return found if len(found) <= _MOST else None

    def first_items(self, term: Term, frame: Frame) -> int | None:
        """How many items a list has before its function takes any out; None where that is not known."""
        self._open_items, self._shares = True, True
        try:
            return len(self._made_of(term, frame, 0))
        except (Unsure, TypeError, ValueError, KeyError):
            return None
        finally:
            self._open_items = self._shares = False

    def _contained(self, term: Term, frame: Frame, depth: int) -> Any:
        if depth > _DEEPEST:
            raise Unsure
        found = self._made_of(term, frame, depth)
        if isinstance(term, _MUTABLE):
            self._untouched(term, frame)
        return found

    def _made_of(self, term: Term, frame: Frame, depth: int) -> Any:
        if isinstance(term, (List, Tuple, Set)) and type(term.items) is tuple:
            items = [self._certain(item, frame) for item in term.items]
            items = self._filled(term, items, frame)
            return set(items) if isinstance(term, Set) else tuple(items) if isinstance(term, Tuple) else items
        if isinstance(term, Dict):
            if self.program.ask(Contents).is_changed(term, frame.function) or not term.items:
                raise Unsure
            return {self._certain(key, frame): self._certain(value, frame) for key, value in term.items}
        if isinstance(term, Unknown):
            return self._drawn_from(term, frame, depth)
        if isinstance(term, Call):
            return self._called(term, frame, depth)
        if isinstance(term, BinOp):
            return self._joined(term, frame, depth)
        if isinstance(term, Select):
            return self._contained(term.then if self._certain(term.test, frame) else term.other, frame, depth + 1)
        if term in self.loops or (isinstance(term, Subscript) and term.base in self.loops):
            return self._item_drawn(term, frame)
        if isinstance(term, Subscript) and isinstance(term.key, Slice):
            bounds = [self._asked_within(bound, frame) for bound in term.key.bounds]
            types = (int, World, type(None)) if self._shares else (int, type(None))
            if any((asked and not self._shares) or type(bound) not in types for bound, asked in bounds):
                raise Unsure
            return self._contained(term.base, frame, depth + 1)[slice(*(bound for bound, _ in bounds))]
        if isinstance(term, Subscript):
            return self._item_contained(term, frame, depth)
        if isinstance(term, (Global, Param, Attr, Ref)):
            return self._elsewhere(term, frame, depth)
        raise Unsure

    def _item_drawn(self, term: Term, frame: Frame) -> Any:
        """What a comprehension goes over at this moment, or a part of it: ``any(rank in group for group in groups)``."""
        whole = self.value(term, frame)
        if not isinstance(whole, (tuple, list, dict, set)):
            raise Unsure
        return whole

    def _item_contained(self, term: Subscript, frame: Frame, depth: int) -> Any:
        """A list that is an item of a list or dict which is written down."""
        key, _ = self._asked_within(term.key, frame)
        for value in self.program.values(term.base, frame) if not isinstance(key, UNKNOWN) else ():
            if isinstance(value, Other) and isinstance(value.term, (List, Tuple, Dict)):
                found = position(value.term, key)
                if found is not None:
                    self._untouched(value.term, value.frame)
                    item = at(value.term, found)
                    if isinstance(item, (List, Tuple)) and not item.items:
                        return ()
                    return self._contained(item, value.frame, depth + 1)
        raise Unsure

    def _untouched(self, term: Term, frame: Frame) -> None:
        """Stop where a container is changed by anything but one more item at a time, or handed to somebody who may."""
        knowledge = self.program.knowledge
        for node in calls_of(frame.function):
            callee = node.term.callee
            if (
                not isinstance(callee, Attr)
                or callee.base is not term
                or callee.name in knowledge.views
                or callee.name in knowledge.only_asks
            ):
                continue
            if not isinstance(term, (List, Set)) or callee.name not in knowledge.changes:
                raise Unsure
        if self.settled_at(term, frame):
            raise Unsure

    def _certain(self, term: Term, frame: Frame, *, inside: bool = False) -> Any:
        if isinstance(term, (Tuple, List)) and type(term.items) is tuple and term.items:
            return tuple(self._certain(item, frame, inside=True) for item in term.items)
        if isinstance(term, (Global, Ref, Nested)):
            values = self.program.values(term, frame)
            if values and all(isinstance(value, (FunctionValue, Library)) for value in values):
                return Something((term, frame))  # a function: there it is, and which one the term says
        opened = self._open_items
        value, _ = self._asked_within(term, frame)
        if (
            isinstance(value, UNKNOWN)
            and not isinstance(value, Something)
            and not (inside and opened and type(value) in (Sym, Choice))
        ):
            raise Unsure
        return value

    def _asked_within(self, term: Term, frame: Frame) -> tuple[Any, bool]:
        """A value that a container is made of: what is asked to answer that is about containers of its own."""
        saved = self._open_items, self._shares
        try:
            return self.evaluate(term, frame)
        finally:
            self._open_items, self._shares = saved

    def _filled(self, display: List | Tuple | Set, items: list[Any], frame: Frame) -> list[Any]:
        """The items of a display, and what the function adds to it on this rank before it asks."""
        added = self.program.ask(Contents).added(display, frame.function)
        if added is None or not (display.items or added):  # changed otherwise, or made to be filled
            raise Unsure
        for value, tests in added:
            taken = self.takes(tests, frame)
            if taken is None:
                raise Unsure
            if taken:
                items.append(self._certain(value, frame))
        return items

    def takes(self, tests: Tests, frame: Frame, *, supposing: bool = False) -> bool | None:
        """Whether this rank takes these arms of tests; None where one that comes before the first that it does not is unknown.

        ``supposing``: what is unknown, but the same for all, is taken to be as the arms want it.
        """
        for condition, arm in tests:
            value = self.value(condition, frame)
            if supposing and type(value) is Sym:
                continue
            if isinstance(value, UNKNOWN) and not isinstance(value, Something):
                return None
            if bool(value) != arm:
                return False
        return True

    def _drawn_from(self, term: Term, frame: Frame, depth: int) -> Any:
        """A comprehension, or the ``*args`` of a function."""
        where: Frame | None = frame
        while where is not None:
            if where.function.variadic is term:
                if where.rest is None:
                    raise Unsure
                return tuple(self._certain(bound.term, bound.frame) for bound in where.rest)
            drawn = where.function.drawn.get(term)
            if drawn is not None:
                break
            where = where.closure
        if where is None or drawn is None or drawn.target in self.loops:
            raise Unsure
        source = self._contained(drawn.subject, where, depth + 1)
        if len(source) > _MOST:
            raise Unsure
        found: list[Any] = []
        try:
            for item in source:
                self.loops[drawn.target] = item
                if all(self._certain(test, where) for test in drawn.tests):
                    value = self._certain(drawn.item, where)
                    found.append(value if drawn.key is None else (self._certain(drawn.key, where), value))
        finally:
            self.loops.pop(drawn.target, None)
        return set(found) if drawn.is_set else found if drawn.key is None else dict(found)

    def _called(self, call: Call, frame: Frame, depth: int) -> Any:
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self.program.knowledge.views and not call.args:
            whole = self._contained(callee.base, frame, depth + 1)
            if isinstance(whole, dict):
                return list(getattr(whole, callee.name)())
        knowledge = self.program.knowledge
        for value in self.program.values(callee, frame):
            if isinstance(value, FunctionValue) and self._shares and self.is_told_rank(call, frame):
                return self._returned_container(value, call, frame, depth)
            if not isinstance(value, Library) or not call.args or call.kwargs:
                continue
            if value.name == "builtins.range":
                break
            shape = knowledge.iterates.get(value.name)
            parts = [self._contained(part, frame, depth + 1) for part in call.args[: None if shape == "zipped" else 1]]
            if shape == "zipped":
                return list(zip(*parts, strict=False))
            if shape == "indexed":
                return list(enumerate(parts[0], *[self._certain(start, frame) for start in call.args[1:]]))
            if value.name in _BUILT:
                return _BUILT[value.name](parts[0])
        numbers = self.range_of(call, frame)
        if numbers is None:
            raise Unsure
        return numbers

    def is_told_rank(self, call: Call, frame: Frame) -> bool:
        """Whether the rank is among what a call passes."""
        given = (*call.args, *(value for _, value in call.kwargs))
        return any(self._asked_within(each, frame)[1] for each in given if not isinstance(each, Const))

    def _returned_container(self, value: FunctionValue, call: Call, frame: Frame, depth: int) -> Any:
        """What a function of the project returns at one place only."""
        results = self.program.returns(value.function)
        if len(results) != 1 or value.function.generator or frame.runs(value.function):
            raise Unsure
        return self._contained(results[0], self.program.enter(value, call, frame), depth + 1)

    def _joined(self, term: BinOp, frame: Frame, depth: int) -> Any:
        if term.op == "Mult":
            times, _ = self._asked_within(term.right, frame)
            if type(times) is not int or not 0 <= times <= _MOST:
                raise Unsure
            return self._contained(term.left, frame, depth + 1) * times
        left, right = (self._contained(part, frame, depth + 1) for part in term.sides)
        if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)) and term.op in _SETS:
            return _SETS[term.op](left, right)
        if term.op == "Add" and type(left) is type(right):
            return left + right
        raise Unsure

    def _elsewhere(self, term: Term, frame: Frame, depth: int) -> Any:
        if isinstance(term, Param):
            self.consulted(term.name)
            if self.program.ask(Contents).is_changed(term, frame.function):
                raise Unsure
            bound = frame.given(term)
            if isinstance(bound, Bound):
                return self._contained(bound.term, bound.frame, depth + 1)
        values = self.program.values(term, frame)
        if len(values) != 1:
            raise Unsure
        value = values[0]
        if isinstance(value, Other) and value.term is not term:
            return self._contained(value.term, value.frame, depth + 1)
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            return self._contained(value.call, value.frame, depth + 1)
        raise Unsure


def _sorted(items: Iterable[Any]) -> list[Any]:
    return sorted(items)


def _reversed(items: Any) -> list[Any]:
    return list(items)[::-1]


_BUILT: dict[str, Callable[[Any], Any]] = {
    "builtins.set": set,
    "builtins.frozenset": frozenset,
    "builtins.tuple": tuple,
    "builtins.list": list,
    "builtins.sorted": _sorted,
    "builtins.reversed": _reversed,
}

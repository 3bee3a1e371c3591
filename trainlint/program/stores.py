"""What is stored in containers after they were constructed, and what may be under a key because of it.

``box = [False]``, under a test ``box[0] = True``, and later ``if box[0]``: the term of the last is an item of
``[False]``. What became of it in between is a change, in one function, with the tests around it and its line.

Dicts that are passed on are often records: one kind of object under each name (``source["sampler"] = Buckets(…)``,
then ``source["sampler"]``). Where such a dict goes through a registry, nobody can follow it from the place that fills
it to the place that reads it. So an item of a container out of sight is taken to be of the one class, or made by the
one library call, that is stored under this very key anywhere around; where two kinds of objects are, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, Tests, conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, List, Subscript, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Function, Keep, Statement
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.program import Program
from trainlint.program.values import Instance, LibraryObject, Value


class Change(NamedTuple):
    """A change of a container or tensor.

    ``key`` is the item (None: all of it), ``value`` what it is set to; ``how``: ``set``, ``more`` (a further item), ``unknown``.
    ``tests`` lead to it: conditions, or a handler, each with the arm; ``step`` is where it happens.
    """

    key: Term | None
    value: Term | None
    how: str
    tests: Led
    step: Spot


class Added(NamedTuple):
    """One item that is added, and the tests that lead there."""

    value: Term
    tests: Tests


#: The changes in a function, by what is changed, first to last.
Changes = Mapping[Term, Sequence[Change]]
_NOTHING: Changes = {}


class Contents:
    """The changes in the functions of a program, read on demand."""

    def __init__(self, program: Program) -> None:
        self.known = program.knowledge
        self._changes: dict[int, Changes] = {}

    def changes(self, function: Function) -> Changes:
        """What a function changes."""
        key = id(function)
        if key not in self._changes:
            found: dict[Term, list[Change]] = {}
            if any(self._is_change(node) for node in statements_of(function)):
                for node, led in walk_tested(function.body):
                    changed = self._change(node, led)
                    if changed is not None:
                        found.setdefault(changed[0], []).append(changed[1])
            self._changes[key] = found or _NOTHING
        return self._changes[key]

    def added(self, display: Term, function: Function) -> list[Added] | None:
        """What a function adds to a list or set that it writes down, an item at a time; None where it does anything else to it.

        What is added in a loop, or where something fails, may be any number of items: that is None too.
        """
        found: list[Added] = []
        for change in self.changes(function).get(display, ()):
            tests = conditions(change.tests)
            looped = loops_around(function, change.step)
            if change.how != "more" or change.value is None or looped or len(tests) < len(change.tests):
                return None
            found.append(Added(change.value, tests))
        return found

    def is_changed(self, term: Term, function: Function) -> bool:
        """Whether a function puts something into a list, dict or tensor."""
        if not isinstance(term, (List, Dict, Call)):
            return False
        return self.storage(term) in self.changes(function)

    def storage(self, term: Term) -> Term:
        """What a view of something is a view of."""
        while True:
            viewed = term.callee if isinstance(term, Call) else term
            if not isinstance(viewed, Attr) or viewed.name not in self.known.storage:
                return term
            term = viewed.base

    def _is_change(self, node: object) -> bool:
        if isinstance(node, Keep):
            return isinstance(node.target, Subscript)
        return isinstance(node, CallStep) and self._changing(node.term) is not None

    def _changing(self, call: Call) -> str | None:
        """How a method changes its object; None for one that does not, as far as its name says."""
        callee = call.callee
        if not isinstance(callee, Attr):
            return None
        name = callee.name
        if name in self.known.changes:
            return self.known.changes[name]
        return "unknown" if name.endswith("_") and not name.startswith("_") and name != "requires_grad_" else None

    def _change(self, node: Statement, led: Led) -> tuple[Term, Change] | None:
        """What a statement changes, and how."""
        if isinstance(node, Keep) and isinstance(node.target, Subscript):
            how = "set" if node.kind != "AugAssign" else "unknown"
            return self.storage(node.target.base), Change(node.target.key, node.value, how, led, node.spot)
        changing = self._changing(node.term) if isinstance(node, CallStep) else None
        if changing is None or not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr):
            return None
        return self.storage(node.term.callee.base), _method(node.term, changing, led)


def _method(call: Call, how: str, tests: Led) -> Change:
    step = call.site
    if how == "first" and call.args:
        return Change(None, call.args[0], "set", tests, step)
    if how in ("more", "unknown"):
        return Change(None, call.args[0] if call.args else None, how, tests, step)
    value = Const.new("int", int(how)) if how.lstrip("-").isdigit() else None
    return Change(None, value, "set" if value is not None else "unknown", tests, step)


class KeyedStores:
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
                if not isinstance(each, (Instance, LibraryObject)):
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
        yield id(each.cls) if isinstance(each, Instance) else each.name if isinstance(each, LibraryObject) else None

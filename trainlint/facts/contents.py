"""What is put into a list, dict or tensor behind its back: items that are set, numbers that are filled in, things that are added.

``box = [False]``, under a test ``box[0] = True``, and later ``if box[0]``: the term of the last is an item of ``[False]``. Here
stands what became of it in between, in one function, each change with the tests around it and its line.
"""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, Tests, conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, List, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Statement
from trainlint.ir.walk import statements_of


class Change(NamedTuple):
    """A change of a container or tensor.

    ``key`` is the item (None: all of it), ``value`` what it is set to; ``how``: ``set``, ``more`` (a further item), ``unknown``.
    ``tests`` lead to it: conditions, or a handler, each with the arm.
    """

    key: Term | None
    value: Term | None
    how: str
    tests: Led
    line: int


class Added(NamedTuple):
    """One item that is added, and the tests that lead there."""

    value: Term
    tests: Tests


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
                for node, led in walk_tested(function.body):
                    changed = self._change(node, led)
                    if changed is not None:
                        found.setdefault(changed[0], []).append(changed[1])
            loops = tuple(node.spot for node in statements_of(function) if isinstance(node, Loop)) if found else ()
            self._changes[key] = Changes(found, loops) if found else None
        return self._changes[key]

    def added(self, display: Term, function: Function) -> list[Added] | None:
        """What a function adds to a list or set that it writes down, an item at a time; None where it does anything else to it.

        What is added in a loop, or where something fails, may be any number of items: that is None too.
        """
        known = self.changes(function)
        found: list[Added] = []
        for change in known.of.get(display, ()) if known is not None else ():
            looped = known is not None and any(spot.line <= change.line <= spot.end_line for spot in known.loops)
            tests = conditions(change.tests)
            if change.how != "more" or change.value is None or looped or len(tests) < len(change.tests):
                return None
            found.append(Added(change.value, tests))
        return found

    def is_changed(self, term: Term, function: Function) -> bool:
        """Whether a function puts something into a list, dict or tensor."""
        if not isinstance(term, (List, Dict, Call)):
            return False
        known = self.changes(function)
        return known is not None and self.storage(term) in known.of

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
            return self.storage(node.target.base), Change(node.target.key, node.value, how, led, node.spot.line)
        changing = self._changing(node.term) if isinstance(node, CallStep) else None
        if changing is None or not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr):
            return None
        return self.storage(node.term.callee.base), _method(node.term, changing, led)


def _method(call: Call, how: str, tests: Led) -> Change:
    line = call.site.line
    if how == "first" and call.args:
        return Change(None, call.args[0], "set", tests, line)
    if how in ("more", "unknown"):
        return Change(None, call.args[0] if call.args else None, how, tests, line)
    value = Const.new("int", int(how)) if how.lstrip("-").isdigit() else None
    return Change(None, value, "set" if value is not None else "unknown", tests, line)

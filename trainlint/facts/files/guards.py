"""Which tests stand in the way of a call in its function: those around it, and those at which others have left before."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop, Try, With

_LEAVES_LOOP = ("break", "continue")


class Guard(NamedTuple):
    """One condition for a call to run.

    ``kind`` is ``test`` (all ``parts``, pairs of a condition and the truth it needs, must hold), ``left`` (a way out was
    passed: they must not all hold), ``with`` (an open context manager: ``parts`` hold its term), ``handler`` (an
    exception was caught), ``attempt`` (one would be). ``exit`` says of ``left`` how: ``return``, ``raise`` …
    """

    kind: str
    parts: tuple[tuple[Term, bool], ...]
    spot: Spot
    exit: str = ""


class _Leave(NamedTuple):
    """A way out of a block: how, and under which conditions."""

    kind: str
    parts: tuple[tuple[Term, bool], ...]
    spot: Spot


_Guards = tuple[Guard, ...]


class _Walk:
    """Notes the guards of every call of a function, and the ways out of it."""

    def __init__(self, _program: Program, function: Function) -> None:
        self.found: dict[Term, _Guards] = {}
        self.left = self.block(function.body, ())

    def block(self, block: Block, guards: _Guards) -> list[_Leave]:
        left: list[_Leave] = []
        for node in block:
            new: list[_Leave] = []
            if type(node) is CallStep:
                self.found[node.term] = guards
            elif type(node) is If:
                for arm, truth in ((node.body, True), (node.orelse, False)):
                    part = (node.condition, truth)
                    inner = self.block(arm, (*guards, Guard("test", (part,), node.test)))
                    new += [_Leave(leave.kind, (part, *leave.parts), leave.spot) for leave in inner]
            elif type(node) is Loop:
                own = (Guard("test", ((node.subject, True),), node.spot),) if node.kind == "while" else ()
                new += [leave for leave in self.block(node.body, guards + own) if leave.kind not in _LEAVES_LOOP]
                new += self.block(node.orelse, guards)
            elif type(node) is With:
                opened = Guard("with", tuple((item, True) for item in node.items), node.spot)
                new += self.block(node.body, (*guards, opened))
            elif type(node) is Try:
                new += self._attempt(node, guards)
            elif type(node) is Exit:
                left.append(_Leave(node.kind, (), node.spot))
                break
            guards += tuple(Guard("left", leave.parts, leave.spot, leave.kind) for leave in new if leave.parts)
            left += new
        return left

    def _attempt(self, node: Try, guards: _Guards) -> list[_Leave]:
        attempted = (*guards, Guard("attempt", (), node.spot)) if node.handlers else guards
        left = self.block(node.body, attempted)
        for handler in node.handlers:
            self.block(handler, (*guards, Guard("handler", (), node.spot)))
        left += self.block(node.orelse, guards)
        left += self.block(node.final, guards)
        return left


def guards(program: Program, function: Function) -> dict[Term, _Guards]:
    """The guards of every call of a function, outermost and earliest first; by the call's term."""
    return program.ask_of(_Walk, function).found


def tests(program: Program, function: Function, call: Call) -> set[tuple[Term, bool]]:
    """The conditions that hold where a call runs, as far as tests around it say."""
    return {part for guard in guards(program, function).get(call, ()) if guard.kind == "test" for part in guard.parts}


def ends(program: Program, function: Function, call: Call) -> bool:
    """Whether the process surely ends in the function once a call has run."""
    mine = tests(program, function, call)
    return any(
        leave.kind == "exit" and before(function, call, leave.spot) and mine.issuperset(leave.parts)
        for leave in program.ask_of(_Walk, function).left
    )

"""Which passes of a model are only measured: what comes of them is compared, counted, added up, or made a number to be told.

That is what an evaluation does, whatever it is called. Outputs that go anywhere else (stored, handed to somebody whose answer is
used, returned and used so) may be there for something else: labels to train with, actions, statistics of batch norm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trainlint.facts.def_use import Uses
from trainlint.facts.modes.rounds import Event
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import (
    And,
    Asserted,
    Attr,
    BinOp,
    Call,
    Compare,
    Dict,
    Element,
    Invert,
    List,
    LoopPhi,
    Not,
    Or,
    Ref,
    Select,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Statement, Store
from trainlint.ir.terms import parts_of

_MOST, _HIGHEST = 300, 3
#: What hands out the values of a tensor, and what leaves as many of them as there were.
_VALUES, _STILL_MANY = "values", frozenset(("cpu", "numpy", "tolist"))
#: What a value is a part of that is made of it, and no place where it goes.
_MADE_OF = frozenset((Attr, Subscript, BinOp, Invert, Not, Tuple, List, Select, And, Or, Asserted, Element, Slice, Dict))


class _Value(NamedTuple):
    """Something made of an output, in an activation; ``number``: what was compared or counted, or is no tensor any more."""

    term: Term
    frame: Frame
    number: bool


def measured(program: Program, event: Event) -> bool:
    """Whether the output of a pass is only measured, as far as its function and those that call it show."""
    term, carried = event.call.term, event.frame.function.carried
    given = parts_of(*term.args, *(value for _, value in term.kwargs))
    if any(isinstance(part, LoopPhi) and any(term in parts_of(end) for end in carried.get(part, ())) for part in given):
        return False  # the next round is given what came of it, as in a game
    return _Measuring(program).ends_well(_Value(event.call.term, event.frame, number=False))


class _Measuring:
    """One output on its way."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._pending: list[_Value] = []
        self._seen: set[_Value] = set()
        self._counts = False

    def ends_well(self, output: _Value) -> bool:
        """Whether it is counted somewhere, and goes nowhere else."""
        self._pending.append(output)
        while self._pending:
            value = self._pending.pop()
            if value in self._seen:
                continue
            self._seen.add(value)
            if len(self._seen) > _MOST or not self._goes_well(value):
                return False
        return self._counts

    def _goes_well(self, value: _Value) -> bool:
        for parent, function in self._parents(value.frame).get(value.term, ()):
            if function is not value.frame.function:
                continue
            well = self._made_of(value, parent) if isinstance(parent, Term) else self._stands(value, parent)
            if not well:
                return False
        return True

    def _parents(self, frame: Frame) -> Mapping[Term, Sequence[tuple[Term | Statement, Function]]]:
        return self.program.ask(Uses).parents(frame.module).of

    def _also(self, term: Term, frame: Frame, *, number: bool) -> bool:
        self._counts = self._counts or number
        self._pending.append(_Value(term, frame, number))
        return True

    def _stands(self, value: _Value, node: Statement) -> bool:
        """What a statement does with a value."""
        if isinstance(node, CallStep):
            return True
        if isinstance(node, If):
            self._counts = True
            return True
        if isinstance(node, Keep) and node.target in parts_of(node.value):
            self._counts = True  # a total
            return True
        if isinstance(node, (Keep, Store)):
            return value.number
        if isinstance(node, Exit) and node.kind == "return":
            frame = value.frame
            if frame.caller is None or frame.call is None or frame.depth > _HIGHEST:
                return value.number
            return self._also(frame.call, frame.caller, number=value.number)
        return False

    def _made_of(self, value: _Value, parent: Term) -> bool:
        """What a value is used for in a larger expression."""
        if isinstance(parent, Compare):
            return self._also(parent, value.frame, number=True)
        if type(parent) in _MADE_OF:
            return self._also(parent, value.frame, number=value.number)
        if not isinstance(parent, Call):
            return False
        if parent.callee is value.term:
            reads = (
                isinstance(value.term, Attr)
                and self.knowledge.reads.get(value.term.name) == _VALUES
                and value.term.name not in _STILL_MANY
            )
            return self._also(parent, value.frame, number=value.number or reads)
        return self._handed(value, parent)

    def _handed(self, value: _Value, call: Call) -> bool:
        """What a call makes of a value that it is given."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self.knowledge.gathers:
            return value.number or (isinstance(callee.base, List) and self._also(callee.base, value.frame, number=False))
        name = callee.name if isinstance(callee, Ref) else ""
        if name in self.knowledge.reads or name == "builtins.print":
            return self._also(call, value.frame, number=True)
        if isinstance(callee, Ref) or not any(
            not isinstance(each, CallStep) for each, _ in self._parents(value.frame).get(call, ())
        ):
            return (isinstance(callee, Ref) or value.number) and self._also(call, value.frame, number=value.number)
        # A loss or a metric is computed of tensors; who answers to a number is something else, as an environment is.
        return not value.number and self._also(call, value.frame, number=False)

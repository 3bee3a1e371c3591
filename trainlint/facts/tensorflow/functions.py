"""Calls of what ``tf.function`` traces, and all that runs in such a trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.traced.reached import Reached, reached
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import Frame, FunctionValue, Made
from trainlint.ir.nodes import Attr, Call, Ref
from trainlint.ir.sketch import Function, Statement, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk

#: What the tables say of ``tf.function``.
WORDS = frozenset(("function",))


class Traced(NamedTuple):
    """What a call runs: a function that is traced. ``options`` is the call that says so, None for a bare decorator."""

    target: FunctionValue
    options: Call | None

    def has(self, *names: str) -> bool:
        """Whether one of these options is given; a signature is so by position, too."""
        if self.options is None:
            return False
        return len(self.options.args) > 1 or any(name is None or name in names for name, _ in self.options.kwargs)


def called(program: Program, call: Call, frame: Frame) -> Traced | None:
    """The traced function that a call runs."""
    known = program.ask(Roots)
    for value in program.values(call.callee, frame):
        if isinstance(value, FunctionValue):
            for root in known.of(value.function):
                if root.word in WORDS and root.spot in value.function.decorator_spots:
                    decorator = value.function.decorators[value.function.decorator_spots.index(root.spot)]
                    return Traced(value, decorator if isinstance(decorator, Call) else None)
        elif isinstance(value, Made) and known.word(value) in WORDS:
            inner = next(known.inner(value), None)
            if inner is not None:
                return Traced(inner, value.call)
    return None


def in_traces(program: Program) -> Iterator[Reached]:
    """The functions that run in a trace, software tests left out."""
    for step in program.ask_of(reached, WORDS).values():
        root = step.root.target
        if not tests_software(program, step.module, step.function) and not tests_software(program, root.module, root.function):
            yield step


def runs_in_trace(program: Program, function: Function) -> bool:
    """Whether a function is known to run in some trace."""
    return id(function) in program.ask_of(reached, WORDS)


def is_lifted(program: Program, function: Function, node: Statement) -> bool:
    """Whether a statement stands under a context manager that leaves the trace: it is run at once, and once."""
    lifts = program.knowledge.tables["tensorflow"]["lifts"]
    for each in of_kind(function, With):
        names = {part.name.rpartition(".")[2] for item in each.items for part in parts_of(item) if isinstance(part, (Ref, Attr))}
        if not names.isdisjoint(lifts) and any(inner is node for inner in walk(each.body)):
            return True
    return False


__all__ = ["WORDS", "Traced", "called", "in_traces", "is_lifted", "runs_in_trace"]

"""Variables that a traced function makes whenever it is traced: TensorFlow allows that at the first call only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.tensorflow.functions import in_traces, is_lifted
from trainlint.facts.traced.reached import Reached
from trainlint.facts.values import Library
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Call
from trainlint.ir.sketch import CallStep, Function

_MAKING = frozenset(("__init__", "build", "__new__"))


class InTrace(NamedTuple):
    """A call that makes a variable in a trace."""

    step: Reached
    node: CallStep


def variables(program: Program) -> Iterator[InTrace]:
    """Each call that makes a variable at each call of a traced function: under no test, and not lifted out of the trace."""
    table = program.knowledge.tables["tensorflow"]
    for step in in_traces(program):
        if step.function.name in _MAKING or any(_may_be_once(step_before, call) for step_before, call in _way(step)):
            continue
        for node, led in walk_tested(step.function.body):
            if not isinstance(node, CallStep) or led or is_lifted(program, step.function, node):
                continue
            values = program.values(node.term.callee, step.frame)
            if any(isinstance(value, Library) and value.name in table["makes_variable"] for value in values):
                yield InTrace(step, node)


def _way(step: Reached) -> Iterator[tuple[Function, Call]]:
    """The calls that lead to a function in the trace, each with the function it stands in."""
    for site in step.way():
        yield site.function, site.call.term


def _may_be_once(function: Function, call: Call) -> bool:
    """Whether a call stands under a test, or makes an object: that may happen at the first call only."""
    if function.name in _MAKING:
        return True
    return any(isinstance(node, CallStep) and node.term is call and led for node, led in walk_tested(function.body))


__all__ = ["InTrace", "variables"]

"""State of Python that is frozen in a trace of TensorFlow and changed between calls, not before the first one.

``facts/traced/frozen.py`` finds what a trace looks at and somebody changes. An object is often set up that way before anything is
traced; that a loop both calls the function and changes the state shows that the change comes too late.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.facts.tensorflow.functions import WORDS
from trainlint.facts.tensorflow.leading import Leads
from trainlint.facts.traced.frozen import Frozen, frozen
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import FunctionValue, Made
from trainlint.ir.order import is_step, within
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.walk import of_kind, walk


def frozen_between_calls(program: Program) -> Iterator[Frozen]:
    """The uses of such state in what ``tf.function`` traces, where a loop changes it and calls the function."""
    for found in frozen(program, WORDS):
        module, change = found.change
        changing = next((each for each in program.modules[module].functions.values() if is_step(each, change)), None)
        if changing is not None and _alternate(program, found, changing):
            yield found


def _alternate(program: Program, found: Frozen, changing: Function) -> bool:
    """Whether some loop runs both a function that uses the state and one that changes it."""
    uses = program.ask(Leads).to(found.module, found.function)
    changes = program.ask(Leads).to(found.change[0], changing)
    for module, function in {**uses, **changes}.values():
        for loop in of_kind(function, Loop):
            if loop.kind not in ("for", "while"):
                continue
            here = module == found.change[0] and within(function, loop, found.change[1])
            run = set(_run(program, module, function, loop))
            if run & uses.keys() and (here or run & changes.keys()):
                return True
    return False


def _run(program: Program, module: str, function: Function, loop: Loop) -> Iterator[int]:
    """The functions (by id) that calls of a loop run, traced ones among them."""
    frame = program.frame(module, function)
    for node in walk(loop.body):
        if not isinstance(node, CallStep):
            continue
        for target in program.ask(CallGraph).targets(node.term, frame):
            if isinstance(target, FunctionValue):
                yield id(target.function)
        for value in program.values(node.term.callee, frame):
            if isinstance(value, Made):
                yield from (id(inner.function) for inner in program.ask(Roots).inner(value))


__all__ = ["frozen_between_calls"]

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
from trainlint.finding import Spot
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.walk import of_kind, walk


def frozen_between_calls(program: Program) -> Iterator[Frozen]:
    """The uses of such state in what ``tf.function`` traces, where a loop changes it and calls the function."""
    for found in frozen(program, WORDS):
        changing = _function_at(program, *found.change)
        traced = _function_at(program, found.module, found.spot)
        if changing is not None and traced is not None and _alternate(program, found, changing, traced):
            yield found


def _function_at(program: Program, module: str, spot: Spot) -> Function | None:
    """The innermost function around a place."""
    around = [each for each in program.modules[module].functions.values() if each.kind != "module" and each.spot.holds(spot)]
    top = program.modules[module].functions.get("<module>")
    return min(around, key=lambda each: each.spot.end_line - each.spot.line) if around else top


def _alternate(program: Program, found: Frozen, changing: Function, traced: Function) -> bool:
    """Whether some loop runs both a function that uses the state and one that changes it."""
    uses = program.ask(Leads).to(found.module, traced)
    changes = program.ask(Leads).to(found.change[0], changing)
    for module, function in {**uses, **changes}.values():
        for loop in of_kind(function, Loop):
            if loop.kind not in ("for", "while"):
                continue
            here = module == found.change[0] and loop.spot.holds(found.change[1])
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

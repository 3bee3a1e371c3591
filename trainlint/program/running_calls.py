"""What runs while a block runs: its calls, and those of the functions of the project that these run, each in its activation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trainlint.ir.nodes import Call
from trainlint.ir.sketch import Block, CallStep
from trainlint.ir.walk import walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, FunctionValue


def calls_in(
    program: Program, block: Block, frame: Context, enters: Callable[[Call, Context], bool]
) -> Iterator[tuple[CallStep, Context]]:
    """The calls of a block of an activation, and those of what they run; ``enters`` says of which calls that is asked.

    Whatever is called runs: a helper, a method that a derived class overrides, one of a list of callbacks, a partial.
    """
    index = program.ask(CallGraph)
    pending = [(node, frame) for node in walk(block) if isinstance(node, CallStep)]
    seen: set[Context] = set()
    while pending:
        node, here = pending.pop(0)
        yield node, here
        if not enters(node.term, here):
            continue
        for target in index.targets(node.term, here):
            if not isinstance(target, FunctionValue) or here.runs(target.function):
                continue
            inner = program.enter(target, node.term, here)
            if inner not in seen:
                seen.add(inner)
                pending += [(each, inner) for each in calls_of(target.function)]

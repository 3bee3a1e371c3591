"""What is executed: the statements that run while a block does, those of the functions that it calls where they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trainlint.ir.nodes import Call
from trainlint.ir.sketch import Block, CallStep, Statement
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program
from trainlint.program.values import Context, FunctionValue

#: The statements of a block that run in an activation.
Inside = Callable[[Block, Context], Iterable[Statement]]
#: The activations that are gone into where a call runs them.
Entered = Callable[[CallStep, Context], Iterable[Context]]


def executed(block: Block, frame: Context, inside: Inside, entered: Entered) -> Iterator[tuple[Statement, Context]]:
    """The statements that run while a block does, in order, each with its activation.

    ``inside`` says what of a block runs (:func:`~trainlint.ir.walk.walk` for all that is in it), ``entered`` which calls are gone
    into: nothing else ends a recursion. A statement comes before what it calls.
    """
    for node in inside(block, frame):
        yield node, frame
        if isinstance(node, CallStep):
            for inner in entered(node, frame):
                yield from executed(inner.function.body, inner, inside, entered)


def activations(program: Program, call: Call, frame: Context) -> Iterator[Context]:
    """The activations of the project's functions that a call runs, as far as calls are followed."""
    for target in program.ask(CallGraph).targets(call, frame):
        if isinstance(target, FunctionValue) and frame.follows(target.function):
            yield program.enter(target, call, frame)


def each_call(program: Program) -> Entered:
    """Each call is gone into."""
    return lambda node, here: activations(program, node.term, here)

"""Calls and what they run: all that runs while a block does, each call in its activation; and all that surely run some call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import NAMED, Call
from trainlint.ir.sketch import Block, CallStep, Function, Statement
from trainlint.ir.terms import closure, is_call_of
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.leading import Leading
from trainlint.program.program import Program, calls_of
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


def calls_in(
    program: Program, block: Block, frame: Context, enters: Callable[[Call], bool]
) -> Iterator[tuple[CallStep, Context]]:
    """The calls of a block of an activation, and those of what they run; ``enters`` says of which calls that is asked.

    Whatever is called runs: a helper, a method that a derived class overrides, one of a list of callbacks, a partial.
    """
    for node, _, here in statements_run(program, block, frame, lambda call, _: enters(call)):
        if isinstance(node, CallStep):
            yield node, here


def functions_run(program: Program, *starts: tuple[str, Function]) -> Iterator[tuple[str, Function]]:
    """Functions, each with its file, and all that they run as far as calls are followed, each once."""
    index = program.ask(CallGraph)

    def called(at: tuple[str, Function]) -> Iterator[tuple[str, Function]]:
        frame = program.frame(*at)
        for node in calls_of(at[1]):
            for target in index.targets(node.term, frame):
                if isinstance(target, FunctionValue):
                    yield target.module, target.function

    return closure(starts, called)


class Ran(NamedTuple):
    """A statement that runs in an activation, with what leads to it: in its function, and in those that led there."""

    node: Statement
    led: Led
    frame: Context


def statements_run(
    program: Program, block: Block, frame: Context, enters: Callable[[Call, Context], bool], led: Led = ()
) -> Iterator[Ran]:
    """The statements that a block of an activation runs, in order; behind each call that ``enters`` names, what that runs."""
    for node, way in walk_tested(block, led):
        yield Ran(node, way, frame)
        if isinstance(node, CallStep) and enters(node.term, frame):
            for inner in activations(program, node.term, frame):
                yield from statements_run(program, inner.function.body, inner, enters, way)


def calls_leading_to(frame: Context, outer: Context) -> frozenset[tuple[Call, Context]]:
    """The calls, each with its activation, by which an outer activation came to an inner one."""
    found = set[tuple[Call, Context]]()
    at = frame
    while at is not outer and at.caller is not None and at.call is not None:
        found.add((at.call, at.caller))
        at = at.caller
    return frozenset(found)


def may_call(program: Program, names: Iterable[str] = (), functions: Iterable[Function] = ()) -> Callable[[Call], bool]:
    """By names alone, whether a call may run one of these; what has no name may run anything."""
    leading = program.ask(Leading).by_name(names, functions).names
    return lambda call: not isinstance(call.callee, NAMED) or call.callee.name.rpartition(".")[2] in leading


def leading_step(frame: Context, call: CallStep, outer: Context) -> CallStep | None:
    """The call in the function of an outer activation that runs a call of an inner one: itself, or what leads there."""
    site, at = call.term.site, frame
    while at is not outer:
        if at.caller is None or at.call is None:
            return None
        site, at = at.call.site, at.caller
    return next((node for node in calls_of(outer.function) if node.term.site == site), None)


def surely_running(program: Program, sites: Iterable[CallSite], runs: Function | None = None) -> Iterator[CallSite]:
    """These calls (of this function), and the calls of functions that make one of them under no test."""
    pending = [(site, runs) for site in sites]
    seen = {id(site.call) for site, _ in pending}
    while pending:
        site, runs = pending.pop(0)
        yield site
        if any(node is site.call and not led for node, led in walk_tested(site.function.body, unfailed=True)):
            for caller in program.ask(CallGraph).callers(site.function):
                if id(caller.call) not in seen and (runs is None or _names(program, caller, site, runs)):
                    seen.add(id(caller.call))
                    pending.append((caller, site.function))


def _names(program: Program, caller: CallSite, site: CallSite, runs: Function) -> bool:
    """Whether a call leads on to a function: the name of the hook that ``getattr(callback, hook)()`` runs may be another one."""
    callee = site.call.term.callee
    if not is_call_of(callee, "builtins.getattr") or len(callee.args) == 1:
        return True
    entered = activations(program, caller.call.term, program.frame(caller.module, caller.function))
    return any(program.propagation.key_of(callee.args[1], inner, 0) == runs.name for inner in entered)

"""Activation checkpointing by the reentrant way, in which no input requires gradients: the parameters get none.

Blocks whose activations are computed again in the backward pass, by a way that takes gradients through their inputs
only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.gradient_free import Frozen, GradientFree, Why, depends_on_round, is_constant
from trainlint.domains.grad_mode import ON, GradMode
from trainlint.domains.nn.registration import Unregistered
from trainlint.ir.nodes import (
    Attr,
    Comprehension,
    Const,
    Element,
    LoopPhi,
    Param,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import forward_contexts
from trainlint.program.enclosing import surroundings
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

_SWITCH = "use_reentrant"
_BEGINS = "requires_grad"


class Cut(NamedTuple):
    """A checkpoint whose block gets no gradients; ``word`` is that of the table ``recomputes``.

    ``why`` says of one of its inputs why it needs none, in the activation ``frame``.
    """

    site: CallSite
    word: str
    why: Why
    frame: Context


def cut_off(program: Program) -> Iterator[Cut]:
    """The checkpoints that are reentrant, whose inputs need no gradient, and whose blocks have parameters that want one."""
    table = program.knowledge.tables["recomputes"]
    sites = program.ask(CallGraph).sites
    granted: set[str] | None = None
    for name in sorted({dotted.rpartition(".")[2] for dotted in table}):
        for site in sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            words = {
                table.get(v.name, "") if isinstance(v, Library) else "" for v in program.values(site.call.term.callee, frame)
            }
            if len(words) != 1 or "" in words or not _is_reentrant(program, site, frame):
                continue
            if granted is None:
                granted = _granted(program)
            if program.component(site.module) in granted or tests_software(program, site.module, site.function):
                continue
            found = _cut(program, site, words.pop())
            if found is not None:
                yield found


def _is_reentrant(program: Program, site: CallSite, frame: Context) -> bool:
    """Whether the call is told to be, or is told nothing (torch 2.13: then it is)."""
    if any(name is None for name, _ in site.call.term.kwargs):
        return False
    given = next((value for name, value in site.call.term.kwargs if name == _SWITCH), None)
    values = program.values(given, frame) if given is not None else ()
    return all(isinstance(value, Unresolved) and isinstance(value.term, Const) and value.term.value is True for value in values)


def _granted(program: Program) -> set[str]:
    """The components in which somebody makes inputs need gradients, for this very reason."""
    names = program.knowledge.tables["grants_gradients"]["names"]
    sites = program.ask(CallGraph).sites
    return {program.component(site.module) for name in names for site in sites.get(name, ())}


def _cut(program: Program, site: CallSite, word: str) -> Cut | None:
    call = site.call.term
    first = 2 if word == "sequence" else 1  # a sequence is told how many segments it has
    inputs = call.args[first:] or tuple(value for name, value in call.kwargs if name == "input")
    tests = dict(program.ask_of(surroundings, site.function).of(call).tests)
    carried = any(isinstance(part, LoopPhi) for term in inputs for part in parts_of(term))
    if not inputs or (carried and any(depends_on_round(test) for test in tests)) or _asks(tests):
        return None
    asked = GradientFree(program, site, tests)
    for frame in forward_contexts(program, site.module, site.function):
        if program.ask(GradMode).at(frame, call.site) != ON or _begins(program, frame, inputs):
            continue
        why = asked.together(inputs, frame)
        if why is None or is_constant(why) or why.begins or not call.args:
            continue
        if _learns(program, call.args[0], frame, {}) and not _may_be_frozen(program, call.args[0], frame):
            return Cut(site, word, why, frame)
    return None


def _asks(tests: dict[Term, bool]) -> bool:
    """Whether somebody looks if there are gradients before he takes this way."""
    return any(isinstance(part, Attr) and part.name == _BEGINS for test in tests for part in parts_of(test))


def _begins(program: Program, frame: Context, inputs: tuple[Term, ...]) -> bool:
    """Whether an input is made to need a gradient (``x.requires_grad_()``, ``x.requires_grad = True``), here or by a caller."""
    at: Context | None = frame
    own = {part for term in inputs for part in parts_of(term)}
    while at is not None:
        nodes: list[Store | CallStep] = [*of_kind(at.function, Store), *calls_of(at.function)]
        for node in nodes:
            target = node.target if isinstance(node, Store) else node.term.callee
            if not isinstance(target, Attr) or target.name.rstrip("_") not in program.knowledge.freezes:
                continue
            value = node.value if isinstance(node, Store) else next(iter(node.term.args), None)
            off = value is not None and isinstance(value, Const) and value.value is False
            if not off and (at is not frame or any(part in own for part in parts_of(target.base) if not isinstance(part, Self))):
                return True
        at = at.caller
    return False


def _learns(program: Program, block: Term, frame: Context, seen: dict[int, bool]) -> bool:
    """Whether a block is seen to have parameters: a layer, a module of the project, a function that calls one."""
    bound = frame.given(block) if isinstance(block, Param) else None
    if isinstance(bound, Argument):
        return _learns(program, bound.term, bound.frame, seen)
    if isinstance(block, (Element, Subscript)) and _learns(program, block.stem, frame, seen):
        return True
    return _found(program, block, frame, seen)


def _found(program: Program, block: Term, frame: Context, seen: dict[int, bool]) -> bool:
    values = program.values(block, frame)
    return bool(values) and all(_has(program, value, seen) for value in values)


def _has(program: Program, value: object, seen: dict[int, bool]) -> bool:
    if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
        items = [term.item for term in value.call.args if isinstance(term, Comprehension)]
        items += [
            item
            for term in value.call.args
            if isinstance(term, SequenceDisplay) and type(term.items) is tuple
            for item in term.items
        ]
        if any(_found(program, item, value.frame, seen) for item in items):
            return True
    if isinstance(value, (LibraryObject, Instance)):
        return program.ask(Unregistered).has_weights(value)
    if not isinstance(value, FunctionValue):
        return False
    if id(value.function) not in seen:
        seen[id(value.function)] = False  # ends recursion
        inner = program.frame(value.module, value.function)
        closed = inner if value.closure is None else _within(value, value.closure)
        seen[id(value.function)] = any(_learns(program, node.term.callee, closed, seen) for node in calls_of(value.function))
    return seen[id(value.function)]


def _within(target: FunctionValue, closure: Context) -> Context:
    """A nested function in the activation that made it."""
    return Context(target.module, target.function, receiver=target.receiver, closure=closure, depth=closure.depth + 1)


def _may_be_frozen(program: Program, block: Term, frame: Context) -> bool:
    """Whether nobody wants gradients of the block: it, or something whose name is not in sight, is frozen."""
    if program.ask(Frozen).perhaps(block, frame):
        return True
    for value in program.values(block, frame):
        if isinstance(value, FunctionValue) and value.closure is not None:
            closed = _within(value, value.closure)
            if any(program.ask(Frozen).perhaps(node.term.callee, closed) for node in calls_of(value.function)):
                return True
    return False

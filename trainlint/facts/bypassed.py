"""Models run past the wrapper that averages their gradients: ``wrapped.module(x)``, or the model that was wrapped.

The wrapper (DDP) makes ready for the averaging in its own forward pass. A backward pass of another one averages nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.backward import Backward
from trainlint.facts.layers import model_of
from trainlint.facts.modes.identity import Identities, Keys
from trainlint.facts.parallel import Parallel
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library
from trainlint.finding import Spot
from trainlint.ir.names import root_of
from trainlint.ir.nodes import Attr, Call, Global, Nested, NestedClass, Param, Ref, Self, Term
from trainlint.ir.order import before, loops_around, within
from trainlint.ir.printer import lasting
from trainlint.ir.sketch import CallStep, Store
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import of_kind

_DDP = "ddp"
#: What has a name of its own.
_NAMED = (Attr, Ref, Global, Param, Nested, NestedClass)
#: Functions with which ranks average gradients themselves.
_BY_HAND = frozenset(
    ("all_reduce", "allreduce", "all_reduce_coalesced", "average_gradients", "sync_gradients", "reduce_gradients")
)
_MOST, _MOST_FRAMES = 60, 4


class Bypass(NamedTuple):
    """A forward pass past the wrapper; ``wrap`` is where the model is wrapped, ``name`` what the wrapper is called here.

    ``inner``: the call is one of the wrapper's ``.module``.
    """

    frame: Frame
    call: CallStep
    backward: Spot
    wrap: tuple[str, Spot] | None
    inner: bool
    name: str | None


class Wraps(NamedTuple):
    """The models that are wrapped: the call, in one activation, and what it is given."""

    site: CallSite
    keys: Keys


def bypassed(program: Program) -> Iterator[Bypass]:
    """The forward passes past a wrapper, of losses that a backward pass is run on."""
    if not program.ask(Parallel).active:
        return
    wraps = list(_wraps(program))
    if not wraps:
        return
    seen: set[tuple[str, Term]] = set()
    for name in sorted(program.knowledge.backward):
        for site in program.ask(CallGraph).sites.get(name, ()):
            if tests_software(program, site.module, site.function):
                continue
            for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
                for found in _in(program, site, frame, wraps):
                    key = (found.frame.module, found.call.term)
                    if key not in seen:
                        seen.add(key)
                        yield found


def _wraps(program: Program) -> Iterator[Wraps]:
    words = {name.rpartition(".")[2] for name, word in program.knowledge.parallel.items() if word == _DDP}
    for word in sorted(words):
        for site in program.ask(CallGraph).sites_named(word):
            given = dict(site.call.term.kwargs)
            model = site.call.term.args[0] if site.call.term.args else given.get("module")
            alone = program.frame(site.module, site.function)
            made = (value for value in program.values(site.call.term.callee, alone) if isinstance(value, Library))
            if model is None or not any(program.knowledge.parallel.get(value.name) == _DDP for value in made):
                continue
            if _takes_its_place(site, model):
                continue
            for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
                yield Wraps(site, program.ask(Identities).of(model, frame))


def _takes_its_place(site: CallSite, model: Term) -> bool:
    """Whether the wrapper is stored where the model was: ``self.model = DDP(self.model)``."""
    names = [
        node.target.name
        for node in of_kind(site.function, Store)
        if isinstance(node.target, Attr) and mentions(node.value, site.call.term)
    ]
    return any(isinstance(part, Attr) and part.name == name for name in names for part in parts_of(model))


def _in(program: Program, site: CallSite, frame: Frame, wraps: list[Wraps]) -> Iterator[Bypass]:
    roots = [root for root in program.ask(Backward).roots(frame) if root.spot == site.call.term.site]
    for root in roots:
        passes = list(forwards(program, root.term, frame))
        if any(program.ask(Parallel).kinds(model_of(program, call), where) for call, where in passes):
            continue  # a critic past its wrapper, in the step of a generator: its gradients are not meant
        for call, where, inner in _judged(program, passes, wraps):
            place = next((each for each in calls_of(where.function) if each.term is call), None)
            if inner is None or place is None or _averages(program, where) or not program.ask(Parallel).records(call, where):
                continue
            wrap = inner if isinstance(inner, Wraps) else None
            spot = (wrap.site.module, wrap.site.call.term.site) if wrap is not None else None
            local = wrap is not None and wrap.site.function is where.function
            name = lasting(wrap.site.call.term, where.function) if wrap is not None and local else None
            yield Bypass(where, place, root.spot, spot, wrap is None, name)


def _judged(
    program: Program, passes: list[tuple[Call, Frame]], wraps: list[Wraps]
) -> list[tuple[Call, Frame, Wraps | bool | None]]:
    """Each forward pass with how it goes past a wrapper: by its ``.module`` (True), as a wrapped model; None: it does not."""
    return [(call, frame, _past(program, call, frame, wraps)) for call, frame in passes]


def _past(program: Program, call: Call, frame: Frame, wraps: list[Wraps]) -> Wraps | bool | None:
    asked, callee = program.ask(Parallel), model_of(program, call)
    if asked.kinds(callee, frame):
        return None
    if isinstance(callee, Attr) and callee.name in program.knowledge.unwraps:
        return True if asked.kinds(callee.base, frame) == {_DDP} else None
    if any(asked.kinds(each, frame) for each in (*call.args, *(value for _, value in call.kwargs))):
        return None  # it is given the wrapper, and runs that: a loss, made by the same function as the model
    keys = program.ask(Identities).of(callee, frame)
    if len(keys) != 1:
        return None
    meant = (each for each in wraps if each.keys == keys and each.site.module in _modules(frame))
    wrap = next((each for each in meant if not _is_behind(each.site, call, frame)), None)
    if wrap is None or any(
        asked.kinds(model_of(program, other.term), frame)
        and program.ask(Identities).of(model_of(program, other.term), frame) == keys
        for other in calls_of(frame.function)
    ):
        return None
    return wrap


def _is_behind(wrap: CallSite, call: Call, frame: Frame) -> bool:
    """Whether a model is wrapped behind a call of it, in one function: it is called alone first."""
    if wrap.function is not frame.function or not before(frame.function, call, wrap.call.term):
        return False
    return not any(within(frame.function, loop, wrap.call.term) for loop in loops_around(frame.function, call))


def _modules(frame: Frame) -> set[str]:
    """The files of an activation and its callers: two scripts may have a model from one helper."""
    found: set[str] = set()
    at: Frame | None = frame
    while at is not None:
        found.add(at.module)
        at = at.caller
    return found


def forwards(program: Program, loss: Term, frame: Frame) -> Iterator[tuple[Call, Frame]]:
    """The calls of models that a loss was computed from, as far as gradients flow."""
    asked = program.ask(Parallel)
    queue, number = [(loss, frame)], 0
    seen = set(queue)
    while number < len(queue) and number < _MOST:
        term, where = queue[number]
        number += 1
        if isinstance(term, Call) and _is_pass(program, term, where):
            yield term, where
        for part in asked.parts_of(term, where):
            if part not in seen:
                seen.add(part)
                queue.append(part)


def _is_pass(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call runs a model that is wrapped, taken out of its wrapper, or known."""
    model = model_of(program, call)
    if isinstance(model, (Ref, Nested, NestedClass)):
        return False
    if program.ask(Parallel).kinds(model, frame) or (isinstance(model, Attr) and model.name in program.knowledge.unwraps):
        return True
    if isinstance(call.callee, Attr) and call.callee is model and not _is_own(model):
        return False
    return bool(program.ask(Identities).of(model, frame))


def _is_own(term: Term) -> bool:
    """Whether a term is an attribute of the object itself, or of one of its attributes."""
    return isinstance(root_of(term), Self)


def _averages(program: Program, frame: Frame) -> bool:
    """Whether gradients are averaged by hand around here."""
    names = program.knowledge.tables["parallel.averages"]["names"]
    at: Frame | None = frame
    while at is not None:
        callees = (call.term.callee for call in calls_of(at.function))
        if any(isinstance(each, _NAMED) and each.name.rpartition(".")[2] in names for each in callees):
            return True
        at = at.caller
    return False

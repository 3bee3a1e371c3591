"""Windows of several batches in which DDP averages the gradients of every batch, though only their sum is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.bypassed import forwards
from trainlint.facts.call_graph import last_name
from trainlint.facts.layers import model_of
from trainlint.facts.parallel import Parallel
from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.steps.windows import counted_window, window_of
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, BoolOp, Call, Select, Term
from trainlint.ir.printer import code_in, name_in
from trainlint.ir.sketch import CallStep, Store
from trainlint.ir.walk import of_kind

_DDP = frozenset(("ddp",))
_OWN = ("plain", "scaled")


class Reduced(NamedTuple):
    """A backward pass of each batch of a window; ``step`` is made once for the window.

    ``forward`` is the statement of the forward pass before which ``code`` would turn the averaging off, where it can be written.
    """

    backward: Event
    step: Event
    forward: Spot | None
    code: str | None


def every_batch(program: Program) -> Iterator[Reduced]:
    """The backward passes that communicate for every batch of a window."""
    if not program.ask(Parallel).active:
        return
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("step", "backward", "clear", "step"):
        for backward in found.of_kind("backward"):
            key = (backward.frame.module, backward.term)
            if backward.way not in _OWN or key in seen or _mentions(program, backward.frame):
                continue
            reduced = _reduced(program, found, backward)
            if reduced is not None:
                seen.add(key)
                yield reduced


def _reduced(program: Program, found: Round, backward: Event) -> Reduced | None:
    step = next((step for step in found.own_steps() if window_of(program, found, backward, step) is not None), None)
    call = backward.call
    if step is None or not isinstance(call.callee, Attr) or program.ask(Parallel).step(call, backward.frame) != "backward":
        return None
    passes = list(forwards(program, call.callee.base, backward.frame))
    kinds = [program.ask(Parallel).kinds(model_of(program, each), frame) for each, frame in passes]
    if _DDP not in kinds or any(kind and kind != _DDP for kind in kinds):
        return None
    forward, frame = passes[kinds.index(_DDP)]
    place = next((each for each in calls_of(frame.function) if each.term is forward), None)
    code = _switch(program, step, forward, place, frame) if frame is backward.frame is step.frame else None
    return Reduced(backward, step, place.statement if place is not None else None, code)


def _mentions(program: Program, frame: Frame) -> bool:
    """Whether somebody around here turns the averaging off, in whatever way."""
    names = program.knowledge.unsynced
    attribute = program.knowledge.written["averages"]
    at: Frame | None = frame
    while at is not None:
        function = at.function
        if any(isinstance(node.target, Attr) and node.target.name == attribute for node in of_kind(function, Store)):
            return True
        if any(_names(call.term, names) for call in calls_of(function)) or any(
            _names(term, names) for term in held_at_end(function).values()
        ):
            return True
        at = at.caller
    return False


def _names(term: Term, names: frozenset[str]) -> bool:
    """Whether one of these names is called, or chosen, in a term."""
    if isinstance(term, (Call, Attr)) and last_name(term) in names:
        return True
    return isinstance(term, (Select, BoolOp)) and any(_names(part, names) for part in term.subterms())


def _switch(program: Program, step: Event, forward: Call, place: CallStep | None, frame: Frame) -> str | None:
    """What would turn the averaging on for the last batch of the window only, as this function can write it."""
    test = next((test for test, arm, _ in step.tests if arm and counted_window(test) is not None), None)
    model = name_in(model_of(program, forward), frame.function)
    said = code_in(test, frame.function) if test is not None else None
    if place is None or model is None or said is None:
        return None
    return f"{model}.{program.knowledge.written['averages']} = {said}"

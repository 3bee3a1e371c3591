"""Loss scaling where every forward pass computes in bfloat16, which has the range of float32 and needs none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.precision.forwards import Forward, Tracing
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.objects import Thing, Things
from trainlint.facts.steps.rounds import Rounds
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, Call, Term


class Needless(NamedTuple):
    """A scaled backward pass of a loss that was computed in bfloat16; ``maker`` is the call that makes the scaler."""

    backward: Event
    forward: Forward
    maker: tuple[str, Call] | None


def needless(program: Program) -> Iterator[Needless]:
    """The backward passes that a scaler scales though all their forward passes ran in bfloat16."""
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("scale", "backward"):
        for backward in found.of_kind("backward"):
            key = (backward.frame.module, backward.term)
            if backward.way != "scaled" or key in seen or program.ask(Things).is_on(backward.scaler) is not True:
                continue
            if tests_software(program, backward.frame.module, backward.frame.function):
                continue
            forwards = _wide(program, backward)
            if forwards:
                seen.add(key)
                yield Needless(backward, forwards[0], _maker(backward.scaler))


def _wide(program: Program, backward: Event) -> tuple[Forward, ...]:
    """The forward passes in bfloat16 behind a scaled loss, if there are no others."""
    call, frame = backward.call, backward.frame
    scaled = call.callee.base if isinstance(call.callee, Attr) else None
    if not isinstance(scaled, Call) or not scaled.args:
        return ()
    chain: dict[Frame, Call] = {frame: call}
    at = frame
    while at.call is not None and at.caller is not None:
        chain[at.caller] = at.call
        at = at.caller
    around = program.ask_of(surroundings, frame.function).of(call)
    tests = dict(around.tests)
    if Tracing(program, program.knowledge.narrow, chain, tests).flow(scaled.args[0], frame).forwards:
        return ()  # a part of the model computes in float16
    flow = Tracing(program, program.knowledge.tables["narrow.wide"]["names"], chain, tests).flow(scaled.args[0], frame)
    return flow.forwards if flow.certain and not flow.other else ()


def _maker(scaler: Thing | None) -> tuple[str, Call] | None:
    made = scaler.made if scaler is not None else None
    if made is None or len(made) != 1 or made[0].call is None or made[0].frame is None:
        return None
    return made[0].frame.module, made[0].call

"""Outputs of a model that an evaluation collects on the device, batch after batch, until its loop is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.grad_mode import OFF, GradMode
from trainlint.facts.numerics.expressions import terms_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.timing.device import Device, is_counted
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, List, Ref, Subscript, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of

_APPEND, _STACKS = "append", "stack"
_MOST_FRAMES = 4


class Collected(NamedTuple):
    """A call that puts an output into a list; ``loop`` is where its loop begins, ``fetched``: the whole list goes to the host."""

    site: CallSite
    loop: Spot
    fetched: bool


def collected(program: Program) -> Iterator[Collected]:
    """The outputs that are collected over a loop over batches, with gradients off."""
    asked = program.ask(Device)
    for site in program.ask(CallGraph).sites.get(_APPEND, ()):
        call, function = site.call.term, site.function
        if not isinstance(call.callee, Attr) or len(call.args) != 1 or call.kwargs or not _is_new(call.callee.base):
            continue
        around = loops_around(function, site.call)
        if not around or is_counted(around[-1]) or around[-1].kind not in ("for", "while"):
            continue
        if any(_made_in(call.callee.base, loop.spot) for loop in around):
            continue
        if (
            not asked.used(site.module)
            or asked.elsewhere(site.module, function)
            or tests_software(program, site.module, function)
        ):
            continue
        frames = activations(program, site.module, function)[:_MOST_FRAMES]
        mode = program.ask(GradMode)
        if not all(mode.at(frame, call.site) == OFF and _is_output(asked, call.args[0], frame) for frame in frames):
            continue
        uses = list(_uses(program, function, call.callee.base))
        if any(isinstance(use, Call) and last_name(use.callee) == _STACKS for use in uses):
            continue  # batches of one size: most likely a number of each
        if not any(_gathers(each.term) for each in calls_of(function)):
            yield Collected(site, around[-1].spot, bool(uses) and all(_is_fetched(asked, use, function) for use in uses))


def _is_new(term: Term) -> bool:
    """Whether a term is a list that is made empty in this function."""
    return isinstance(term, List) and not term.items


def _made_in(term: Term, spot: Spot) -> bool:
    """Whether a list is made in a stretch of the file."""
    places = [part for part in term.parts[1:] if isinstance(part, int)]
    return len(places) >= 1 and spot.line <= places[0] <= spot.end_line


def _is_output(asked: Device, term: Term, frame: Frame) -> bool:
    """Whether a value is what a model returned, or as large: an item of it, its softmax."""
    knowledge = asked.knowledge
    same = knowledge.tables["accelerators.as_large"]["names"]
    while True:
        if isinstance(term, Call) and asked.computes(term, frame):
            return True
        if (isinstance(term, Attr) and term.name not in knowledge.on_host) or (
            isinstance(term, Subscript) and isinstance(term.key, Const)
        ):
            term = term.base
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in same:
            term = term.callee.base
        elif isinstance(term, Call) and isinstance(term.callee, Ref) and last_name(term.callee) in same and term.args:
            term = term.args[0]
        else:
            return False


def _gathers(call: Call) -> bool:
    """Whether a call gathers the values of all ranks, which have to be on the device for that."""
    return "gather" in (last_name(call.callee) or "")


def _uses(program: Program, function: Function, holder: Term) -> Iterator[Term]:
    """The terms in which the list is used, apart from what is put into it."""
    seen: set[Term] = set()
    for each in terms_of(function):
        for part in parts_of(each):
            if isinstance(part, Call) and part not in seen and any(argument is holder for argument in part.args):
                seen.add(part)
                yield part
    for value in program.returns(function):
        if value is holder:
            yield value


def _is_fetched(asked: Device, use: Term, function: Function) -> bool:
    """Whether what a use makes of the list is only taken to the host: ``torch.cat(outputs).cpu()``."""
    if not isinstance(use, Call) or not isinstance(use.callee, Ref):
        return False
    around = [
        (part, part.callee)
        for each in terms_of(function)
        for part in parts_of(each)
        if isinstance(part, Call) and isinstance(part.callee, Attr)
    ]
    taken = [method for _, method in around if method.base is use]
    others = [part for part, _ in around if any(argument is use for argument in part.args)]
    return bool(taken) and not others and all(method.name in asked.knowledge.reads for method in taken)

"""Backward passes of what has no graph: a number, a detached value, a tensor that was made anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.graphless import Graphless, Why
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Things
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, Call, Ref, Term
from trainlint.ir.order import in_block, within
from trainlint.ir.sketch import If, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_MOST_FRAMES = 4
#: What a test asks that makes sure that there is a graph.
_ASKED = frozenset(("requires_grad", "grad_fn", "is_leaf"))
#: Wrappers of a backward pass, by the kind of thing: they are given the loss.
_TAKES_LOSS = frozenset(("accelerator", "fabric", "engine"))


class Dead(NamedTuple):
    """A backward pass of what has no graph."""

    site: CallSite
    why: Why


def dead(program: Program) -> Iterator[Dead]:
    """The backward passes that start from what has no graph."""
    asked = Graphless(program)
    index = program.ask(CallGraph)
    for name in program.knowledge.backward:
        for site in index.sites.get(name, ()):
            if tests_software(program, site.module, site.function) or _is_guarded(site):
                continue
            found = [asked.of(root, frame) for frame, root in _roots(program, site)]
            if found and found[0] is not None and None not in found:
                yield Dead(site, found[0])


def _roots(program: Program, site: CallSite) -> Iterator[tuple[Frame, Term]]:
    """What a backward pass starts from, in each activation of its function."""
    call = site.call.term
    callee = call.callee
    for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
        if (
            not isinstance(callee, Attr)
            or isinstance(callee.base, Ref)
            or program.knowledge.backward[last_name(callee) or ""] == "first"
        ):
            if call.args:
                yield frame, call.args[0]
        elif not call.args:
            yield frame, _unscaled(program, callee.base)
        elif program.ask(Things).of(callee.base, frame).kind in _TAKES_LOSS:
            yield frame, call.args[0]


def _unscaled(program: Program, loss: Term) -> Term:
    """A loss without the scaler around it: ``scaler.scale(loss)``."""
    if isinstance(loss, Call) and isinstance(loss.callee, Attr) and loss.callee.name in program.knowledge.scales and loss.args:
        scaled: Term = loss.args[0]
        return scaled
    return loss


def _is_guarded(site: CallSite) -> bool:
    """Whether a test makes sure that there is a graph, or an error is expected."""
    function, call = site.function, site.call.term
    for node in of_kind(function, If):
        if within(function, node, call) and any(
            isinstance(part, Attr) and part.name in _ASKED for part in parts_of(node.condition)
        ):
            return True
    if any(node.handlers and in_block(function, node.body, call) for node in of_kind(function, Try)):
        return True
    managers = [item for node in of_kind(function, With) if within(function, node, call) for item in node.items]
    return any("raises" in (last_name(item) or "").lower() for item in managers)

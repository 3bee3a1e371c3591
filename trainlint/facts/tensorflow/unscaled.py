"""Losses of models in float16 that somebody differentiates by hand and nobody scales: small gradients become 0.

``compile`` and ``fit`` of Keras scale by themselves (their own ``train_step`` does). A loop with a tape has to ask the optimizer
for the scaled loss, and a ``LossScaleOptimizer`` of Keras 3 divides by the scale whether somebody did or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.precision.scaling import Scaling
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.leading import Leading, Leads, run_by
from trainlint.facts.tensorflow.policies import Half, halves
from trainlint.facts.tensorflow.tapes import Gradient, applied, gradients
from trainlint.facts.values import Made
from trainlint.finding import Applicability
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Global, Nested, Param, Ref, Term
from trainlint.ir.order import is_step
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.walk import statements_of
from trainlint.sites.changes import Change, InsertAfter, Rewrite, Together

#: Calls that a step makes are looked into so far.
_DEEP = 3
_DISPLAY = Applicability.DISPLAY


class Unscaled(NamedTuple):
    """A plain loss of a model in float16. ``scaler`` is what would scale, where the program makes it: file and call."""

    module: str
    function: Function
    node: CallStep
    loss: Term
    half: Half
    scaler: tuple[str, CallStep] | None
    gradient: Gradient | None
    applied: CallStep | None


def unscaled(program: Program) -> Iterator[Unscaled]:
    """Each such gradient of a tape, and each optimizer that computes gradients by itself of such a loss."""
    asked = program.ask(halves)
    if not asked:
        return
    for gradient in program.ask(gradients):
        module, function = gradient.module, gradient.function
        if tests_software(program, module, function):
            continue
        uses = applied(program, gradient)
        half = _half_of(program, module, function, asked) if uses else None
        if half is None or _is_scaled(program, module, function, gradient.loss):
            continue
        scaler = _scaler(program, {**program.ask(Leads).to(module, function), **half.leading})
        yield Unscaled(module, function, gradient.node, gradient.loss, half, scaler, gradient, uses[0])
    yield from _minimized(program, asked)


def _half_of(program: Program, module: str, function: Function, asked: list[Half]) -> Half | None:
    """The request for float16 that holds where a function runs."""
    leading = program.ask(Leads).to(module, function)
    return next((half for half in asked if half.holds(leading)), None)


def _is_scaled(program: Program, module: str, function: Function, loss: Term) -> bool:
    """Whether somebody may take care of the scale of a loss; doubt counts as yes."""
    by_hand = program.ask(Scaling).by_hand
    if any(by_hand(loss, frame) for frame in activations(program, module, function)):
        return True
    near = run_by(program, module, function, _DEEP)
    around = program.modules[module].functions.get(function.outer or "")
    if around is not None:
        near[id(around)] = (module, around)
    cls = program.modules[module].classes.get(function.cls or "")
    for qualname in cls.methods.values() if cls is not None else ():
        method = program.modules[module].functions[qualname]
        near[id(method)] = (module, method)
    for site in program.ask(CallGraph).callers(function):
        near[id(site.function)] = (site.module, site.function)
    table = program.knowledge.tables["tensorflow"]
    if any(not _names(each).isdisjoint(table["scales"]) for _, each in near.values()):
        return True
    return any(word in name.lower().replace("_", "") for name in _names(function) for word in table["scale_words"])


def _names(function: Function) -> set[str]:
    """What is mentioned in a function: callees, attributes, keywords, parameters; not in what was made around it."""
    found: set[str] = set(held_at_end(function))
    seen: set[Term] = set()
    for node in statements_of(function):
        pending = list(node.items) if isinstance(node, With) else [part for part in node if isinstance(part, Term)]
        while pending:
            part = pending.pop()
            if part in seen or (isinstance(part, Call) and function.kind != "module" and not is_step(function, part)):
                continue
            seen.add(part)
            pending += part.subterms()
            if isinstance(part, Call):
                found.update(name for name, _ in part.kwargs if name is not None)
            elif isinstance(part, (Attr, Param)):
                found.add(part.name)
            elif isinstance(part, (Ref, Global, Nested)):
                found.add(part.name.rpartition(".")[2])
    return found


def _scaler(program: Program, leading: Leading) -> tuple[str, CallStep] | None:
    """A call among those of these functions that makes an optimizer which scales."""
    for name in program.knowledge.tables["tensorflow"]["scalers"]:
        for site in program.ask(CallGraph).sites.get(name.rpartition(".")[2], ()):
            if id(site.function) in leading:
                return site.module, site.call
    return None


def _minimized(program: Program, asked: list[Half]) -> Iterator[Unscaled]:
    """``optimizer.minimize(loss)`` and the like, of an optimizer that surely scales nothing."""
    table = program.knowledge.tables["tensorflow"]
    index = program.ask(CallGraph)
    seen: set[int] = set()
    for name in table["minimizes"]:
        for site in index.sites.get(name, ()):
            call, function = site.call.term, site.function
            if (
                not isinstance(call.callee, Attr)
                or not call.args
                or id(function) in seen
                or tests_software(program, site.module, function)
            ):
                continue
            made = program.values(call.callee.base, program.frame(site.module, function))
            known = [value for value in made if isinstance(value, Made) and value.name.startswith(tuple(table["optimizers"]))]
            if not known or len(known) < len(made) or any(value.name in table["scalers"] for value in known):
                continue
            half = _half_of(program, site.module, function, asked)
            leading = program.ask(Leads).to(site.module, function)
            if half is None or half.rewrites or _scaler(program, leading) is not None or _is_rewritten(program, leading):
                continue
            if not _is_scaled(program, site.module, function, call.args[0]):
                seen.add(id(function))
                yield Unscaled(site.module, function, site.call, call.args[0], half, None, None, None)


def scaled(found: Unscaled) -> Change | None:
    """The optimizer asked for the scaled loss, at the end of what the tape watches, where all of that is written there."""
    if found.gradient is None or found.applied is None or found.gradient.watched is None:
        return None
    callee = found.applied.term.callee
    optimizer = name_in(callee.base, found.function) if isinstance(callee, Attr) else None
    loss = name_in(found.loss, found.function)
    made = next((node for node in calls_of(found.function) if node.term is found.loss), None)
    top = [node.statement for node in found.gradient.watched.body if isinstance(node, CallStep)]
    if optimizer is None or loss is None or made is None or made.statement not in top:
        return None
    message = "Differentiate the scaled loss"
    insert = InsertAfter(_DISPLAY, message, statement=made.statement, code=f"scaled = {optimizer}.scale_loss({loss})")
    paths = ((("receiver", 0),), (("arguments", 1),))
    use = Rewrite(_DISPLAY, message, spot=found.node.term.site, code="{0}.gradient(scaled{,1})", paths=paths)
    return Together(_DISPLAY, message, changes=(insert, use))


def _is_rewritten(program: Program, leading: Leading) -> bool:
    """Whether some of these functions let a library wrap the optimizer."""
    names = program.knowledge.tables["tensorflow"]["wraps_optimizer"]
    return any(not _names(function).isdisjoint(names) for _, function in leading.values())


__all__ = ["Unscaled", "scaled", "unscaled"]

"""Backward passes by precision: of a float16 loss that nobody scales, and such as run while an autocast is on.

Plain backward passes: a loss that is differentiated as it is, in each activation in which that happens. Those for gradients of
inputs (penalties, adversarial steps) have no optimizer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.precision.autocast import Autocast, Autocasts, Regimes, origin
from trainlint.domains.precision.forward import NOTHING, Flow, Forward, Tracing, chain_of
from trainlint.domains.precision.loss_scaling import Scaling
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Global, Ref, Self, Term
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.def_use import Uses
from trainlint.program.enclosing import surroundings
from trainlint.program.loops import Loops
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject


class Backward(NamedTuple):
    """A backward pass of the term ``loss`` in one activation."""

    site: CallSite
    frame: Context
    loss: Term

    @property
    def chain(self) -> dict[Context, Call]:
        """The activation and its callers, each with the call in it that leads here; nearest first."""
        return chain_of(self.site.call.term, self.frame)


class Step(NamedTuple):
    """A call that applies gradients (``applies``), or that leads to one."""

    module: str
    function: Function
    call: CallStep
    applies: bool


class Unscaled(NamedTuple):
    """A backward pass in plain FP16 autocast; ``step`` is where the optimizer applies the gradients.

    ``place`` is the call that asks for the autocast; where another loss around it is scaled (by ``scales``: ``scaler.scale``) it
    is the backward pass itself. ``own`` says that the place is the call that makes the autocast.
    """

    backward: Backward
    forward: Forward
    step: Step
    place: tuple[Call, Context]
    own: bool
    scales: Term | None = None

    @property
    def scaler(self) -> Term | None:
        """The scaler of the other loss."""
        return self.scales.base if isinstance(self.scales, Attr) else None


def backwards(program: Program, near: list[str]) -> Iterator[Backward]:
    """The plain backward passes in the projects to which some files belong."""
    index = program.ask(CallGraph)
    for word in {name.rpartition(".")[2] for name in program.knowledge.backwards}:
        for site in index.sites.get(word, ()):
            loss = _differentiated(program, site) if any(program.together(site.module, path) for path in near) else None
            if loss is not None:
                for frame in contexts_at(program, site):
                    yield Backward(site, frame, loss)


def _differentiated(program: Program, site: CallSite) -> Term | None:
    """What a call differentiates; None when it is no plain backward pass.

    A method with positional arguments, or with keywords that a tensor's does not have, is another object's.
    """
    call, known = site.call.term, program.knowledge.backwards
    if isinstance(call.callee, Attr):
        methods = [name for name, kind in known.items() if kind == "method" and name.rpartition(".")[2] == call.callee.name]
        keywords = {keyword for name in methods for keyword in program.knowledge.signatures[name]}
        plain = methods and not call.args and all(keyword in keywords for keyword, _ in call.kwargs)
        return call.callee.base if plain and not isinstance(call.callee.base, (Self, Ref, Global)) else None
    named = program.values(call.callee, program.frame(site.module, site.function))
    function = any(isinstance(value, Library) and known.get(value.name) == "function" for value in named)
    return call.args[0] if function and call.args else None


def unscaled(program: Program) -> Iterator[Unscaled]:
    """The backward passes whose forward ran in FP16 autocast while nobody scales the loss; one for each place to change."""
    contexts = program.ask(Autocasts).modules(program.knowledge.narrow)
    seen: set[tuple[str, Term]] = set()
    for backward in backwards(program, contexts):
        frame = backward.frame
        scaled = tests_software(program, frame.module, frame.function) or program.ask(Scaling).by_hand(backward.loss, frame)
        for forward in () if scaled else _narrow(program, backward).forwards:
            found = _unscaled(program, backward, forward)
            if found is not None and (found.place[1].module, found.place[0]) not in seen:
                seen.add((found.place[1].module, found.place[0]))
                yield found


def lacking(program: Program, backward: Backward) -> str | None:
    """What is missing for a backward pass to need loss scaling; None when nothing is.

    "narrow": no FP16 autocast is seen for certain around its forward pass; "by hand": the loss is scaled without a scaler;
    "step": nothing is seen to apply its gradients; "scaled": a scaler is at work.
    """
    forwards = _narrow(program, backward).forwards
    if not forwards:
        return "narrow"
    if program.ask(Scaling).by_hand(backward.loss, backward.frame):
        return "by hand"
    if _step(program, backward) is None:
        return "step"
    return None if any(_unscaled(program, backward, forward) for forward in forwards) else "scaled"


def _narrow(program: Program, backward: Backward) -> Flow:
    """What a backward pass differentiates of forward passes in FP16 autocast."""
    at = backward.site.call.term, backward.frame
    if not program.ask(Regimes).of(*at).grad:
        return NOTHING
    flow = Tracing(program, program.knowledge.narrow, *at).flow(backward.loss, backward.frame)
    return flow if flow.certain else NOTHING


def _unscaled(program: Program, backward: Backward, forward: Forward) -> Unscaled | None:
    asked, step = program.ask(Scaling), _step(program, backward)
    if step is None:
        return None
    frames = [*backward.chain, *_between(forward.frame, backward), *_between(forward.autocast.frame, backward)]
    if not asked.around(iter(frames)):
        place = origin(program, forward.autocast)
        return Unscaled(backward, forward, step, place, own=place[0] is forward.autocast.call)
    left_out = asked.left_out(backward.site.call.term, backward.loss, backward.frame)
    if left_out is None:
        return None
    step = Step(backward.site.module, backward.site.function, left_out.step, applies=True)
    place = (backward.site.call.term, backward.frame)
    return Unscaled(backward, forward, step, place, own=False, scales=left_out.scales)


def _between(frame: Context, backward: Backward) -> Iterator[Context]:
    """The activations from one in which the loss was computed to the chain of the backward pass."""
    while frame not in backward.chain:
        yield frame
        if frame.caller is None:
            return
        frame = frame.caller


def _step(program: Program, backward: Backward) -> Step | None:
    """A call that applies these gradients: in the function of the backward pass or what it calls, or beside a call around it.

    What a caller runs in other loops is about other gradients: a rehearsal that looks for the largest batch steps nothing.
    """
    names = program.knowledge.steps
    asked = program.ask(Loops)
    for frame, leading in backward.chain.items():
        places = program.ask_of(surroundings, frame.function)
        rounds = places.of(leading).loops
        near = [
            node
            for node, around in places.places
            if node.term is not leading and (frame is backward.frame or around.loops == rounds)
        ]
        for node in near:
            if (
                isinstance(node.term.callee, Attr)
                and node.term.callee.name in names
                and not _schedules(program, node.term.callee.base, frame)
            ):
                return Step(frame.module, frame.function, node, applies=True)
        for node in near:
            if last_name(node.term.callee) not in names and asked.says(frame.module, frame.function, (node,), names):
                return Step(frame.module, frame.function, node, applies=False)
    return None


def _schedules(program: Program, receiver: Term, frame: Context) -> bool:
    """Whether what steps is a learning rate scheduler, by what it is or, out of sight, by its name."""
    if any(part in (last_name(receiver) or "").lower() for part in program.knowledge.steps_of_others):
        return True
    values = program.values(receiver, frame)
    return any(
        isinstance(v, LibraryObject) and any(part in v.name.lower() for part in program.knowledge.steps_of_others) for v in values
    )


class Covered(NamedTuple):
    """A backward pass under an autocast; ``block`` is the ``with`` around it, where that stands in the same function."""

    call: Call
    frame: Context
    statement: Spot
    autocast: Autocast
    block: Spot | None


def covered(program: Program) -> Iterator[Covered]:
    """The backward passes that run under an autocast."""
    asked = program.ask(Regimes)
    sites = program.ask(CallGraph).sites
    names = {name.rpartition(".")[2] for name in program.knowledge.autocasts}
    paths = list(dict.fromkeys(site.module for name in names for site in sites.get(name, ())))
    seen: set[Term] = set()
    for backward in backwards(program, paths):
        site, frame = backward.site, backward.frame
        regime = asked.of(site.call.term, frame)
        if site.call.term in seen or not regime.grad or not regime.autocasts:
            continue
        if any(autocast.enabled is False for autocast in regime.autocasts):
            continue
        seen.add(site.call.term)
        yield Covered(site.call.term, frame, site.call.statement, regime.autocasts[0], _block(program, site.call.term, frame))


def _block(program: Program, call: Call, frame: Context) -> Spot | None:
    """The innermost ``with`` around a call, if that is the one that opens the autocast, and opens nothing else."""
    managers = program.ask_of(surroundings, frame.function).of(call).managers
    opening = [manager for manager in managers if program.ask(Autocasts).opened(manager, frame)]
    if len(opening) != 1 or managers[-1] is not opening[0]:
        return None
    return next((node.spot for node in of_kind(frame.function, With) if node.items == (opening[0],)), None)


class OfInput(NamedTuple):
    """A backward pass for the gradients of something else than trained weights; ``read`` is what has them as its attribute.

    ``sure`` says that the autocast is on, and that nothing unknown is applied behind it, which might scale.
    """

    backward: Backward
    forward: Forward
    read: Term | None
    sure: bool


def of_inputs(program: Program) -> Iterator[OfInput]:
    """The gradients of inputs that are computed through FP16 autocast of a loss that nobody scales, once for each call.

    What tests software is left out: there gradients are compared, and nothing is made of them.
    """
    contexts = program.ask(Autocasts).modules(program.knowledge.narrow)
    found: dict[Term, OfInput] = {}
    for backward, read in (*_handed_out(program, contexts), *_kept_by_inputs(program, contexts)):
        (path, function, step), flow = backward.site, _narrow(program, backward)
        scaled = program.ask(Scaling).by_hand(backward.loss, backward.frame)
        if flow.forwards and not scaled and not tests_software(program, path, function):
            sure = flow.forwards[0].autocast.enabled is True and not flow.heads
            found.setdefault(step.term, OfInput(backward, flow.forwards[0], read, sure))
    yield from found.values()


def _handed_out(program: Program, near: list[str]) -> Iterator[tuple[Backward, None]]:
    """Gradients that a function returns: ``torch.autograd.grad(loss, x)``."""
    table = program.knowledge.tables["backwards.returning"]
    for site, name in program.ask(CallGraph).runs_of(table["functions"]):
        positional = zip(program.knowledge.signatures[name], site.call.term.args, strict=False)
        given: dict[str | None, Term] = {**dict(positional), **dict(site.call.term.kwargs)}
        weights = given.get("grad_outputs")
        if "outputs" not in given or not any(program.together(site.module, path) for path in near):
            continue
        for frame in contexts_at(program, site):
            made = program.values(weights, frame) if weights is not None and not is_none(weights) else ()
            if all(isinstance(value, LibraryObject) and f"{value.name}.".startswith(tuple(table["ones"])) for value in made):
                yield Backward(site, frame, given["outputs"]), None


def _kept_by_inputs(program: Program, near: list[str]) -> Iterator[tuple[Backward, Term]]:
    """Gradients that a tensor has which went into the forward pass: ``loss.backward()``, then ``x.grad``."""
    names = program.knowledge.gradient_attributes
    for backward in backwards(program, near):
        read = program.ask(Uses).parents(backward.site.module).of
        for part in parts_of(backward.loss):
            if any(isinstance(whole, Attr) and whole.name in names for whole, _ in read.get(part, ())):
                yield backward, part
                break

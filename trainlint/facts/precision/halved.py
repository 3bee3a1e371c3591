"""Models whose parameters are turned into float16 and then trained by an optimizer that keeps no float32 copies of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import Identities, Keys
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.rounds import Rounds
from trainlint.facts.values import Frame, Library, Made
from trainlint.ir.nodes import Attr, Call, Const, Global, Ref, Subscript, Term
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.walk import of_kind

_MOST_FRAMES = 4
_HALF, _TO, _FLOAT = "half", "to", "float"
#: The key of a group's parameters.
_PARAMETERS = "params"


class Halved(NamedTuple):
    """A call that turns parameters into float16; ``step`` is that of the optimizer that trains them, made by ``optimizer``."""

    site: CallSite
    step: Event
    optimizer: Made


def trained(program: Program) -> Iterator[Halved]:
    """The models that are trained in float16, one for each call that makes them so."""
    halves = list(_halves(program))
    if not halves:
        return
    back = {key for _, frame, model in _conversions(program, _FLOAT) for key in program.ask(Identities).of(model, frame)}
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("step", "backward", "step"):
        if any(event.way != "plain" for event in found.of_kind("backward")):
            continue
        for step in found.own_steps():
            made = step.thing.made if step.thing is not None and step.way == "plain" else None
            if made is None or len(made) != 1 or not isinstance(made[0], Made) or not _is_plain(program, made[0]):
                continue
            if any(event.may_change(program, step.thing) for event in found.of_kind("unknown")) or _is_exchanged(program, step):
                continue
            keys = _trained_by(program, made[0])
            for site, known in halves:
                if known and known == keys and not known & back and site.call.term not in seen:
                    seen.add(site.call.term)
                    yield Halved(site, step, made[0])


def _is_plain(program: Program, made: Made) -> bool:
    """Whether an optimizer is one of the library's own, which works on the parameters themselves."""
    return any(made.name.startswith(prefix) for prefix in program.knowledge.tables["optimizers.in_place"]["names"])


def _is_exchanged(program: Program, step: Event) -> bool:
    """Whether an object of the project that steps its optimizer puts other parameters into its groups: copies in float32."""
    cls = step.frame.function.cls
    functions = program.modules[step.frame.module].functions.values()
    for function in functions if cls is not None else ():
        puts: tuple[Store | Keep, ...] = (*of_kind(function, Store), *of_kind(function, Keep)) if function.cls == cls else ()
        if any(_is_of_group(put.target) for put in puts):
            return True
    return False


def _is_of_group(target: Term) -> bool:
    while isinstance(target, Subscript):
        if isinstance(target.key, Const) and target.key.value == _PARAMETERS:
            return True
        target = target.base
    return False


def _trained_by(program: Program, optimizer: Made) -> Keys:
    """The model all of whose parameters an optimizer is given."""
    assert optimizer.call is not None
    assert optimizer.frame is not None
    first = optimizer.call.args[0] if optimizer.call.args else None
    if (
        first is None
        or not isinstance(first, Call)
        or not isinstance(first.callee, Attr)
        or first.callee.name not in program.knowledge.hands_parameters
    ):
        return frozenset()
    return program.ask(Identities).of(first.callee.base, optimizer.frame)


def _halves(program: Program) -> Iterator[tuple[CallSite, Keys]]:
    for site, frame, model in (*_conversions(program, _HALF), *_conversions(program, _TO)):
        keys = program.ask(Identities).of(model, frame)
        if len(keys) == 1:
            yield site, keys


def _conversions(program: Program, name: str) -> Iterator[tuple[CallSite, Frame, Term]]:
    """The calls of a method that changes the type of a whole model, whatever happens, with what they are called on."""
    for site in program.ask(CallGraph).sites.get(name, ()):
        call = site.call.term
        if not isinstance(call.callee, Attr) or tests_software(program, site.module, site.function):
            continue
        if name != _FLOAT and program.ask_of(surroundings, site.function).of(call).tests:
            continue
        if name == _TO and not any(
            _is_narrow(program, each, site) for each in (*call.args, *(value for _, value in call.kwargs))
        ):
            continue
        for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
            yield site, frame, call.callee.base


def _is_narrow(program: Program, term: Term, site: CallSite) -> bool:
    """Whether an argument is float16 for certain."""
    values = program.values(term, program.frame(site.module, site.function)) if isinstance(term, (Ref, Attr, Global)) else ()
    names = [value.name if isinstance(value, Library) else "" for value in values]
    return bool(names) and all(name in program.knowledge.narrow for name in names)

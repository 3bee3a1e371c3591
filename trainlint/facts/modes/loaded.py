"""Models that only evaluate, in the mode in which modules are made: weights are loaded into them, and nobody calls ``eval()``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.def_use import Uses
from trainlint.facts.framework import uses_framework
from trainlint.facts.gradients.grad_mode import GradMode
from trainlint.facts.layers import of_module
from trainlint.facts.modes.evidence import put_to_evaluation, put_to_training, sources, trained
from trainlint.facts.modes.identity import Allocation, Identities, Key, Keys, Parameter, root_of
from trainlint.facts.modes.moded import Moded
from trainlint.facts.modes.sampled import sampled
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, FunctionValue
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Global, LoopPhi, Param, Select, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of

#: What a call of a model is written as.
_CALLED = frozenset((Param, Attr, Global, LoopPhi, Call, Select))


class AsMade(NamedTuple):
    """A pass without gradients of a model that is in the mode in which it was made, and the call that loads its weights.

    ``doubt``: "recorded", it may be no evaluation, since gradients are recorded; "others", something else is trained or put into
    some mode in the files around.
    """

    call: CallStep
    frame: Frame
    loads: CallSite
    doubt: str | None = None


def evaluated_as_made(program: Program) -> Iterator[AsMade]:
    """The first such pass of each model, one without doubts if there is one."""
    candidates = _candidates(program)
    if not candidates:
        return
    asked, seen = program.ask(Identities), set[Key]()
    doubted: list[tuple[set[Key], AsMade]] = []
    for path, function in list(program.functions()):
        if not uses_framework(program, path) or tests_software(program, path, function):
            continue
        frame = program.frame(path, function)
        for node in calls_of(function):
            if (
                type(node.term.callee) not in _CALLED
                or not _is_pass(program, node.term, frame)
                or _is_meant(program, node, frame)
            ):
                continue
            keys = asked.of(node.term.callee, frame)
            made = frozenset[Key]().union(*(sources(program, key) for key in keys))
            models: set[Key] = {key for key in made if not isinstance(key, Parameter)}
            if not models or not models <= candidates.keys() or models <= seen:
                continue
            first = min((model for model in candidates if model in models), key=str)
            off = program.ask(GradMode).always_off(frame, Spot(*node.term.site))
            loads = candidates[first]
            others = any(_sets_modes(program, key, site) for key, site in candidates.items() if key in models)
            if off and not others:
                seen |= models
                yield AsMade(node, frame, loads)
            elif off or not (others or of_module(program, path, function)):  # the pass of a part is that of its whole
                doubted.append((models, AsMade(node, frame, loads, "others" if off else "recorded")))
    for models, found in doubted:
        if not models <= seen:
            seen |= models
            yield found


def _candidates(program: Program) -> dict[Allocation, CallSite]:
    """The models with weights from a file that nobody trains and nobody puts into any mode, with what loads the weights."""
    asked, found = program.ask(Identities), dict[Allocation, CallSite]()
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr) or _is_copied(program, site.call.term):
                continue
            for key in asked.of(callee.base, program.frame(site.module, site.function)):
                found.update((each, site) for each in sources(program, key) if isinstance(each, Allocation))
    if not found:
        return found
    set_somewhere = _everywhere(program, program.ask(put_to_evaluation) | program.ask(put_to_training) | program.ask(trained))
    return {key: site for key, site in found.items() if key not in set_somewhere and program.ask(Moded).has(key) is True}


def _everywhere(program: Program, keys: Keys) -> set[Key]:
    """Models, what callers call them, and the wholes that parts are parts of."""
    found: set[Key] = set()
    for key in keys:
        found |= sources(program, root_of(key))
    return found


def _is_copied(program: Program, call: Call) -> bool:
    """Whether the weights are those of a model that lives: then it may be a copy that follows that one."""
    names = program.knowledge.copies_weights
    return any(
        isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in names
        for given in call.args
        for part in parts_of(given)
    )


def _sets_modes(program: Program, key: Allocation, site: CallSite) -> bool:
    """Whether anything is trained or put into some mode in the files that make the model and load it, whatever it is."""
    knowledge = program.knowledge
    names = (*knowledge.evaluates, *knowledge.ends_evaluation, *knowledge.backward)
    places = {site.module, key.module}
    maker = program.ask(Identities).makers.get(key)
    cls = getattr(maker, "module", None)
    if cls is not None:
        places.add(cls)
    return any(each.module in places for name in names for each in program.ask(CallGraph).sites.get(name, ()))


def _is_meant(program: Program, call: CallStep, frame: Frame) -> bool:
    """Whether a pass is to be random, or there for what it does to the model: new averages. Nobody uses its output then."""
    used = program.ask(Uses).parents(frame.module).of.get(call.term, ())
    return sampled(program, call, frame) or all(isinstance(each, CallStep) for each, _ in used)


def _is_pass(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call runs a model: the object itself, or its pass."""
    callee = call.callee
    if isinstance(callee, Attr) and callee.name in program.knowledge.passes:
        return True
    targets = [each for each in program.ask(CallGraph).targets(call, frame) if isinstance(each, FunctionValue)]
    return all(target.function.name in ("forward", "__call__") for target in targets) and _mentions_object(program, callee, frame)


def _mentions_object(program: Program, callee: Term, frame: Frame) -> bool:
    """Whether what is called is an object that was made, not a method of one."""
    return any(isinstance(key, (Allocation, Parameter)) for key in program.ask(Identities).of(callee, frame))

"""Schedulers and loss scalers that a checkpoint leaves out, though it brings their optimizer back.

Who saves the state of an optimizer and restores it wants to go on where the training stopped. A scheduler that then begins anew
gives the restored optimizer the learning rates of the first epochs. It is said of things only of which all is seen that is done:
what goes to a framework or into a list may be saved there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.checkpoints.states import StateCall, states
from trainlint.facts.loops import loops_around
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.things import name_of, named, things
from trainlint.facts.uses import Use, dotted_name, made_by, uses
from trainlint.facts.values import ClassValue
from trainlint.model.sketch import Call, Function, Loop
from trainlint.model.terms import Term
from trainlint.model.walk import walk

_SCHEDULERS = ("scheduler", "plateau")
_STEP = "step"


class Forgotten(NamedTuple):
    """A thing (``kind``: ``scheduler`` or ``scaler``) that steps and is not saved, beside an optimizer that is saved and restored."""

    module: str
    node: Call
    kind: str
    saved: StateCall
    restored: StateCall


def forgotten(program: Program) -> Iterator[Forgotten]:
    """Each such thing, once for each optimizer state that is saved without it."""
    known = states(program)
    if not known.saved or not known.restored:
        return
    seen: set[tuple[Term, str]] = set()
    for path, function, node, kind in _made(program):
        restored = [each for each in known.restored if program.together(each.site.module, path)]
        saved = [each for each in known.saved if program.together(each.site.module, path)]
        if not saved or not restored or tests_software(program, path, function):
            continue
        use = uses(program).of(path, function, node, named=True)
        if not _is_lost(program, use) or (kind in _SCHEDULERS and _is_told(program, use, kind)):
            continue
        word = "scaler" if kind == "scaler" else "scheduler"
        place = next((each for each in saved if _is_beside(program, use, path, each) and (each.site.call.term, word) not in seen), None)
        if place is not None:
            seen.add((place.site.call.term, word))
            yield Forgotten(path, node, word, place, restored[0])


def _made(program: Program) -> Iterator[tuple[str, Function, Call, str]]:
    """The calls that make a scheduler or a scaler with a state that matters."""
    knowledge = program.knowledge
    memoryless = frozenset(knowledge.tables["checkpoints.memoryless"]["names"])
    places = frozenset(knowledge.tables["checkpoints.places"]["names"])
    for path, function, node, kind in made_by(program):
        if kind not in _SCHEDULERS or knowledge.canonical(dotted_name(node.term[1]) or "") in memoryless:
            continue
        if not any(name is None or (name in places and value[0] != "c") for name, value in node.term[3]):
            yield path, function, node, kind
    for path, function in program.functions():
        for node in calls_of(function):
            dotted = dotted_name(node.term[1])
            if dotted is None or knowledge.kinds.get(knowledge.canonical(dotted)) != "scaler":
                continue
            if not any(name == "enabled" and value[0] == "c" and not value[2] for name, value in node.term[3]):
                yield path, function, node, "scaler"


def _is_lost(program: Program, use: Use) -> bool:
    """Whether a thing steps, and nobody can have saved it."""
    taken = states(program).taking | program.knowledge.takes_weights | {"__dict__", "last_epoch"}
    harmless = program.knowledge.step_calls
    return (
        not use.escapes
        and _STEP in use.methods
        and taken.isdisjoint(use.methods)
        and all(_is_harmless(program, name, harmless) for name in use.given)
    )


def _is_harmless(program: Program, name: str, calls_of_steps: dict[str, str]) -> bool:
    """Whether a library that is handed the thing saves nothing of it: another scheduler, say, that it is a part of, does."""
    return name.removesuffix("()").rpartition(".")[2] in calls_of_steps


def _is_told(program: Program, use: Use, kind: str) -> bool:
    """Whether a scheduler is told the epoch, or is stepped again and again until it is where it was."""
    asked = things(program)
    for path, function in use.functions:
        frame = program.frame(path, function)
        for node in calls_of(function):
            callee = node.term[1]
            if callee[0] != "a" or callee[2] != _STEP:
                continue
            if asked.of(callee[1], frame).kind not in (*_SCHEDULERS, "unknown") and named(program.knowledge, callee[1]) != "scheduler":
                continue
            if kind == "scheduler" and (node.term[2] or node.term[3]):
                return True
            around = loops_around(function, node)
            if around and _only_steps(around[-1]):
                return True
    return False


def _only_steps(loop: Loop) -> bool:
    """Whether a loop does nothing but call one thing."""
    return loop.kind == "for" and all(isinstance(node, Call) and node.term[1][2:] == (_STEP,) for node in walk(loop.body))


def _is_beside(program: Program, use: Use, path: str, saved: StateCall) -> bool:
    """Whether a thing is used where an optimizer's state is saved: in that file, or in an object that the saver is a method of."""
    site = saved.site
    if not name_of(saved.thing.term):
        return False
    users = [(path, None), *use.functions]
    if any(module == site.module for module, _ in users):
        return True
    saver = _class_of(program, site.module, site.function)
    using = [_class_of(program, module, function) for module, function in use.functions]
    return saver is not None and any(saver in program.lineage(each) for each in (*using, *use.classes) if each is not None)


def _class_of(program: Program, module: str, function: Function) -> ClassValue | None:
    cls = program.modules[module].classes.get(function.cls or "")
    return ClassValue(module, cls) if cls is not None else None

"""Optimizers and schedulers that never step.

Something is never done only if all is seen that is done: a thing that goes out of sight (to a framework, into a list, back to a
caller that nobody knows) may be stepped there, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.training_step.scheduler_steps import handed_over
from trainlint.flow.events import Event
from trainlint.flow.objects import Thing, Things
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.bindings import values_of
from trainlint.ir.nodes import Attr, Call, Const, Ref, Select, Self, Term
from trainlint.ir.sketch import CallStep, Exit, Function
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, last_name, methods_of
from trainlint.program.def_use import Use, Uses, made_by
from trainlint.program.library_uses import Hooks, overriding
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import functions_run
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, LibraryObject

_SCHEDULERS = ("scheduler", "plateau", "other")
#: What is done with the gradients of an optimizer besides its step.
_PREPARES = ("unscale", "clip", "clear")
#: Functions that reach an attribute by a name that is made up on the way.
_BY_NAME = ("getattr", "setattr")


class Unstepped(NamedTuple):
    """Something that never steps: where it is made; of an optimizer also the backward pass whose gradients nobody applies.

    ``doubt``, of a scheduler: "shared", other files may use it by its name; "unused", its optimizer is not seen to step either;
    "returned", a framework gets it that steps no scheduler of a module which optimizes by itself.
    """

    module: str
    node: CallStep
    backward: Event | None = None
    doubt: str | None = None


def schedulers(program: Program) -> Iterator[Unstepped]:
    """The schedulers that never step, though their optimizer may."""
    for path, function, node, kind in program.ask(made_by):
        if kind not in ("scheduler", "plateau") or tests_software(program, path, function):
            continue
        use = program.ask(Uses).of(path, function, node)
        if node.term in program.ask(_returned) and "step" not in use.methods and not use.given:
            if node.term not in program.ask(Uses).receivers("step"):
                yield Unstepped(path, node, doubt="returned")
            continue
        if not _is_idle(program, use, node.term) or use.given:
            continue
        trains = _trains(program, path, function, node.term)
        if trains or not use.shared:
            yield Unstepped(path, node, doubt="shared" if use.shared else None if trains else "unused")


def _returned(program: Program) -> frozenset[Call]:
    """The schedulers that modules return to a framework (table ``hooks.schedulers``), and optimize by themselves."""
    found: set[Call] = set()
    index, table = program.ask(CallGraph), program.knowledge.tables["hooks.schedulers"]
    names = program.knowledge.tables["hooks.handed"]["names"]
    stepping = {id(each.frame.function) for each in program.ask(Rounds).around("step", "backward")}
    for cls, function, _ in overriding(program, table):
        classes = (each for each in (cls, *program.lineage(cls)) if isinstance(each, ClassValue))
        own = {id(method) for each in classes for _, method in methods_of(program, each)}
        asking = [site for name in names for site in index.sites.get(name, ())]
        if program.ask(Hooks).runs(cls) or own.isdisjoint(stepping):
            continue
        if any(id(site.function) in own or site.function.cls is None or not _is_on_itself(site.call.term) for site in asking):
            continue
        frame = program.frame(cls.module, function)
        for node in of_kind(function, Exit):
            for term, where in handed_over(program, node.value, frame, "") if node.value is not None else ():
                made = (value for value in program.values(term, where) if isinstance(value, LibraryObject))
                found |= {value.call for value in made if value.call is not None}
    return frozenset(found)


def _is_on_itself(call: Call) -> bool:
    return isinstance(call.callee, Attr) and isinstance(call.callee.base, Self)


def optimizers(program: Program) -> Iterator[Unstepped]:
    """The optimizers that never step, though gradients are computed in a loop beside them."""
    seen: set[Term] = set()
    for path, function, node, kind in program.ask(made_by):
        if kind != "optimizer" or tests_software(program, path, function):
            continue
        use = program.ask(Uses).of(path, function, node)
        if not _is_idle(program, use, node.term) or not all(_is_harmless(program, name) for name in use.given):
            continue
        around = {id(each) for _, each in (*use.functions, (path, function))}
        around |= {id(method) for cls in use.classes for _, method in methods_of(program, cls)}
        for found in program.ask(Rounds).around("backward"):
            backward = _unapplied(program, found, around, program.ask(Things).of(node.term, program.frame(path, function)))
            if backward is not None and backward.place.call not in seen:
                seen.add(backward.place.call)
                yield Unstepped(path, node, backward)
                break


def _is_idle(program: Program, use: Use, made: Call) -> bool:
    """Whether all that is done is in sight, and none of it is a step."""
    if use.escapes or not use.methods <= program.knowledge.looks_at_optimizers:
        return False
    if made in program.ask(Uses).receivers("step"):
        return False
    return all(_works(program, cls) or _is_constructed(program, cls) for cls in use.classes)


def _is_constructed(program: Program, cls: ClassValue) -> bool:
    """Whether an object of the class that holds the thing, or of a derived one, is constructed in sight."""
    index = program.ask(CallGraph)
    sites = [site for name in sorted(index.derived_names(cls.cls.name)) for site in index.sites_named(name)]
    places = [(program.frame(site.module, site.function), site.call.term) for site in sites]
    makers = (each for _, each in methods_of(program, cls) if each.kind == "classmethod")
    places += [(program.frame(index.module_of(maker), maker), node.term) for maker in makers for node in calls_of(maker)]
    made = (value for frame, call in places for value in program.values(call.callee, frame))
    handed = cls.cls.name in index.handed  # it is a factory
    return handed or any(isinstance(value, ClassValue) and cls in program.lineage(value) for value in made)


def _works(program: Program, cls: ClassValue) -> bool:
    """Whether the object that holds the thing trains something itself: then files that use it are among those that are read."""
    names = program.knowledge.backward
    return any(
        isinstance(node.term.callee, Attr) and (node.term.callee.name in names or node.term.callee.name == "step")
        for _, method in methods_of(program, cls)
        for node in calls_of(method)
    )


def _is_harmless(program: Program, name: str) -> bool:
    """Whether a library does not step an optimizer that it is given: a scheduler changes its rate, a scaler may unscale."""
    last = name.removesuffix("()").rpartition(".")[2]
    return program.knowledge.optimizer_kind(name) in _SCHEDULERS or program.knowledge.step_calls.get(last) in _PREPARES


def _trains(program: Program, path: str, function: Function, scheduler: Call) -> bool:
    """Whether a scheduler's optimizer is stepped in sight, or may be somewhere else."""
    frame, asked = program.frame(path, function), program.ask(Things)
    given = (*scheduler.args, *(value for _, value in scheduler.kwargs))
    optimizer = next((each for each in given if asked.of(each, frame).kind == "optimizer"), None)
    if optimizer is None:
        return False
    chosen = optimizer.arms if isinstance(optimizer, Select) else (optimizer,)
    for each in chosen:
        making = next((node for node in calls_of(function) if node.term is each), None)
        if making is None:
            return True  # it comes from somewhere else
        use = program.ask(Uses).of(path, function, making)
        if use.escapes or "step" in use.methods or any(not _is_harmless(program, name) for name in use.given):
            return True
    return False


def _unapplied(program: Program, found: Round, around: set[int], optimizer: Thing) -> Event | None:
    """The backward pass of a loop in which nobody applies or reads gradients, if it stands in one of these functions."""
    if found.loop is None or found.of_kind("step") or found.may_be_changed(program, optimizer):
        return None
    passes = found.of_kind("backward")
    if not passes or any(event.way not in ("plain", "scaled") for event in passes):
        return None
    if not any(id(event.frame.function) in around or id(found.frame.function) in around for event in passes):
        return None
    for path in {found.frame.module, *(event.frame.module for event in passes)}:
        if _hooks_gradients(program, path):
            return None
    if any(_reads_gradients(program, function) for function in _running(program, found, passes, around)):
        return None
    return passes[0]


def _running(program: Program, found: Round, passes: list[Event], around: set[int]) -> Iterator[Function]:
    """The functions that run in a round, those around it, and those in which the optimizer is in sight."""
    frames = (found.frame, *(event.frame for event in passes))
    near = [(path, function) for path, function in program.functions() if id(function) in around]
    starts = (*((frame.module, frame.function) for frame in frames), *near)
    return (function for _, function in functions_run(program, *starts))


def _hooks_gradients(program: Program, path: str) -> bool:
    """Whether a file registers what is called with gradients: it may apply them."""
    names = program.knowledge.tables["explodes.hooks"]["names"]
    return any(site.module == path for name in names for site in program.ask(CallGraph).sites.get(name, ()))


def _reads_gradients(program: Program, function: Function) -> bool:
    """Whether a function mentions the gradient of anything, or attributes by names that nobody sees."""
    names = program.knowledge.gradient_attributes
    terms = [part for node in statements_of(function) for part in node if isinstance(part, Term)]
    # ``weight -= rate * weight.grad`` is no statement, but what a name holds
    terms += values_of(function)
    for part in parts_of(*terms):
        if isinstance(part, Attr) and part.name in names:
            return True
        if isinstance(part, Call) and last_name(part.callee) in _BY_NAME and not _is_of_module(part):
            name = part.args[1] if len(part.args) > 1 else None
            if not isinstance(name, Const) or name.value in names:
                return True
    return False


def _is_of_module(call: Call) -> bool:
    """Whether what is asked for by its name is a member of something imported: no gradient."""
    return bool(call.args) and isinstance(call.args[0], Ref)

"""Checkpoints of models on XLA that are written as they lie there: their tensors belong to that device.

Where a model lies is read from what moves it: ``Net().to(device)``, ``model.to(device)``, in the activation of the save or
before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.checkpoints.written import Save, Written
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.facts.xla.hosts import to_host
from trainlint.facts.xla.running import Xla
from trainlint.facts.xla.tensors import Tensors
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr, Call, Param, Self, Term
from trainlint.ir.sketch import CallStep

_DEEPEST = 6
_DEEPEST_HELPER = 2


class SavedOnDevice(NamedTuple):
    """A save of a model's state on XLA; ``state`` is the call that hands it out, ``moved`` where the model was put there."""

    module: str
    call: CallStep
    state: Call
    home: str
    moved: tuple[str, Spot]


class _Models:
    """Where models lie."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.xla = program.ask(Xla)
        self.fluent = program.knowledge.fluent

    def moved(self, model: Term, frame: Frame, depth: int = 0) -> tuple[str, Spot] | None:
        """Where a model was put on an XLA device; None where that is not seen, or it was taken off again."""
        if depth > _DEEPEST:
            return None
        around: Frame | None = frame
        while around is not None:
            found = self._in_place(model, around)
            if found is False:
                return None
            if found is not None:
                return found
            around = around.closure
        return self._by_its_making(model, frame, depth)

    def _by_its_making(self, model: Term, frame: Frame, depth: int) -> tuple[str, Spot] | None:
        if isinstance(model, Call):
            return self._by_call(model, frame, depth)
        if isinstance(model, Param):
            bound = frame.given(model)
            return self.moved(bound.term, bound.frame, depth + 1) if isinstance(bound, Bound) else None
        if isinstance(model, Attr):
            owner = frame.owner() if isinstance(model.base, Self) else None
            if not isinstance(owner, Instance):
                return (
                    self.moved(model.base, frame, depth + 1)
                    if model.name in self.program.knowledge.tables["xla.inside"]["names"]
                    else None
                )
            kept = self.program.stores(ClassValue(owner.module, owner.cls), model.name)
            found = [
                self._stored(model, value, self.program.instance_frame(owner, path, function), depth)
                for path, function, value in kept
            ]
            return found[0] if found and None not in found else None
        return None

    def _stored(self, attribute: Term, value: Term, frame: Frame, depth: int) -> tuple[str, Spot] | None:
        found = self._in_place(attribute, frame)
        return found or (None if found is False else self.moved(value, frame, depth + 1))

    def _by_call(self, call: Call, frame: Frame, depth: int) -> tuple[str, Spot] | None:
        """``Net().to(device)``, ``DDP(model)``, ``model.to(device).train()``."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self.fluent:
            if to_host(self.program, call):
                return None
            if any(self.xla.is_device(argument, frame) for argument in call.args):
                return frame.module, call.site
            return self.moved(callee.base, frame, depth + 1)
        wraps = any(
            isinstance(value, Library)
            and value.name in self.program.knowledge.kinds
            and value.name.partition(".")[0] in self.xla.roots
            for value in self.program.values(callee, frame)
        )
        return self.moved(call.args[0], frame, depth + 1) if wraps and call.args else None

    def _in_place(self, model: Term, frame: Frame, depth: int = 0) -> tuple[str, Spot] | Literal[False] | None:
        """Where a function, or one that it hands the model to, moves it to XLA; False where one moves it to the host."""
        found: tuple[str, Spot] | None = None
        for node in calls_of(frame.function):
            callee = node.term.callee
            if any(_is_same(each, model) for each in node.term.args) and depth < _DEEPEST_HELPER:
                moved = self._in_helper(model, node.term, frame, depth)
                if moved is False:
                    return False
                found = moved or found
            if not isinstance(callee, Attr) or callee.name not in self.fluent or not _is_same(callee.base, model):
                continue
            if to_host(self.program, node.term):
                return False
            if any(self.xla.is_device(argument, frame) for argument in node.term.args):
                found = (frame.module, node.term.site)
        return found

    def _in_helper(self, model: Term, call: Call, frame: Frame, depth: int) -> tuple[str, Spot] | Literal[False] | None:
        """Where a function that is handed a model moves it; nothing that a wrapper returns, which may be a copy."""
        for target in self.program.ask(CallGraph).targets(call, frame):
            if (
                isinstance(target, FunctionValue)
                and not frame.runs(target.function)
                and not self.program.returns(target.function)
            ):
                inner = self.program.enter(target, call, frame)
                for name, bound in inner.arguments.items():
                    if isinstance(bound, Bound) and _is_same(bound.term, model):
                        return self._in_place(Param.new(target.function.qualname, name), inner, depth + 1)
        return None


def _is_same(one: Term, other: Term) -> bool:
    """Whether two terms are of one kind and made of the same parts: one of them may be in no table."""
    return type(one) is type(other) and one.parts == other.parts


def saved_on_device(program: Program) -> Iterator[SavedOnDevice]:
    """Each save that writes the state of a model as it lies on XLA."""
    on = program.ask(Xla)
    projects = on.projects()
    if not projects:
        return
    models, libraries = _Models(program), Tensors(program).libraries
    taken = frozenset(program.knowledge.tables["checkpoints.taken"]["names"])
    seen: set[tuple[str, Spot]] = set()
    for save in program.ask(Written).saves:
        site = save.site
        key = (site.module, site.call.term.site)
        if key in seen or program.component(site.module) not in projects or not _writes(program, save, libraries):
            continue
        if _is_chosen(program, save) or tests_software(program, site.module, site.function):
            continue
        for state, frame in _states(program, save, taken):
            moved = models.moved(state.callee.base, frame) if isinstance(state.callee, Attr) else None
            if moved is not None:
                seen.add(key)
                yield SavedOnDevice(site.module, site.call, state, frame.module, moved)
                break


def _writes(program: Program, save: Save, libraries: frozenset[str]) -> bool:
    """Whether a save is one of the tensor library itself."""
    values = program.values(save.site.call.term.callee, save.frame)
    return any(isinstance(value, Library) and value.name.partition(".")[0] in libraries for value in values)


def _is_chosen(program: Program, save: Save) -> bool:
    """Whether a test for XLA leads to the save, or to one of the calls that lead to it."""
    for frame, call in save.leading():
        for node, led in walk_tested(frame.function.body):
            if isinstance(node, CallStep) and node.term is call:
                if any(isinstance(test, Term) and program.ask(Xla).asks(test, frame) for test, _ in led):
                    return True
                break
    return False


def _states(program: Program, save: Save, taken: frozenset[str]) -> Iterator[tuple[Call, Frame]]:
    """The calls that hand out what is saved: by itself, or in a dict."""
    given, frame = save.given, save.frame
    while isinstance(given, Param):
        bound = frame.given(given)
        if not isinstance(bound, Bound):
            return
        given, frame = bound.term, bound.frame
    parts = [(given, frame)]
    parts += [(each.term, each.frame) for found in program.ask(Written).contents(save) for each in chain(*found.items.values())]
    for term, home in parts:
        if (
            isinstance(term, Call)
            and isinstance(term.callee, Attr)
            and last_name(term.callee) in taken
            and not term.args
            and not term.kwargs
        ):
            yield term, home

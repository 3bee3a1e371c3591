"""Gradients that each device computes of its own batch, and that are applied without a mean over the devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.traced.functions import Reached, Root, Roots, reached
from trainlint.edits.changes import Change, InsertBefore
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import Attr, Call, Const, Global, Nested, Ref, Subscript, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import parts_of
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, FunctionValue, Library, LibraryObject

_PMAP, _SHARDS, _GRAD, _BOTH = "pmap", "shard_map", "grad", "value_and_grad"
_AXIS, _AUX = "axis_name", "has_aux"


class Unreduced(NamedTuple):
    """A call that applies such gradients; ``gradient`` is where they come from, ``mapped`` what maps over devices."""

    module: str
    node: CallStep
    name: str | None
    gradient: tuple[str, Spot]
    mapped: tuple[str, Spot]
    change: Change | None


class _Gradient(NamedTuple):
    """A gradient, as the term that was given, with the call that computes it."""

    term: Term
    call: Call
    frame: Context


class _Reductions:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._names = frozenset(tables["reduces"]["names"])
        self._words: list[str] = tables["reduces.words"]["names"]
        self.applies = frozenset(tables["reduces.applies"]["names"])
        self.shards: dict[str, str] = dict(tables["reduces.shards"])
        self.replicates = frozenset(tables["reduces.replicas"]["names"])

    def mentioned(self, term: Term, frame: Context) -> bool:
        """Whether a term, or a function that stands in it, talks to other devices, or may do so out of sight."""
        functions = self.program.modules[frame.module].functions
        for part in parts_of(term):
            if isinstance(part, Ref) and self._is_one(part.name):
                return True
            if isinstance(part, Attr) and self._says(part.name):
                return True
            inner = functions.get(part.name) if isinstance(part, (Nested, Global)) else None
            if inner is not None and self.inside(frame.module, inner):
                return True
            if isinstance(part, Ref):
                for value in self.program.values(part, frame):
                    if isinstance(value, FunctionValue) and self.inside(value.module, value.function):
                        return True
        return False

    @remembered(False)
    def inside(self, module: str, function: Function) -> bool:
        """Whether a function, or one that it runs, does so."""
        return self._is_inside(self.program.frame(module, function), function)

    def _is_inside(self, frame: Context, function: Function) -> bool:
        return any(self.mentioned(node.term.callee, frame) or _tells_axis(node.term) for node in calls_of(function)) or any(
            self.mentioned(each, frame)
            for node in calls_of(function)
            for each in node.term.args
            if isinstance(each, (Ref, Nested))
        )

    def _is_one(self, dotted: str) -> bool:
        return self.program.knowledge.canonical(dotted) in self._names or self._says(dotted.rpartition(".")[2])

    def _says(self, name: str) -> bool:
        return any(word in name.lower() for word in self._words)


def unreduced(program: Program) -> Iterator[Unreduced]:
    """Each call that applies gradients of one device's batch alone."""
    asked = _Reductions(program)
    for step in program.ask_of(reached, frozenset((_PMAP, _SHARDS))).values():
        if not _are_replicas(program, asked, step.root) or tests_software(program, step.module, step.function):
            continue
        for node in calls_of(step.function):
            callee = node.term.callee
            if not isinstance(callee, Attr) or callee.name not in asked.applies:
                continue
            for given in (*node.term.args, *(value for _, value in node.term.kwargs)):
                found = _gradient(program, given, step.frame)
                if found is not None and not _is_reduced(program, asked, step, node, found):
                    yield _finding(program, step, node, given, found)
                    break


def _gradient(program: Program, term: Term, frame: Context) -> _Gradient | None:
    """The gradient that a term surely is, as it was computed."""
    found = [_computed(program, made, home) for made, home in origins(program, term, frame)]
    return found[0] if None not in found else None


def _computed(program: Program, term: Term, frame: Context) -> _Gradient | None:
    call = term.base if isinstance(term, Subscript) else term
    if not isinstance(call, Call):
        return None
    values = program.values(call.callee, frame)
    if any(isinstance(value, FunctionValue) for value in values):
        return None  # which may take the mean
    for value in values:
        if not isinstance(value, LibraryObject) or program.ask(Roots).word(value) != _GRAD or value.call is None:
            continue
        both = value.name.endswith(_BOTH)
        if both != (isinstance(term, Subscript)) and not (not both and _has_aux(value.call)):
            continue
        if isinstance(term, Subscript) and (not isinstance(term.key, Const) or term.key.value != (1 if both else 0)):
            continue
        return _Gradient(term, call, frame)
    return None


def _has_aux(call: Call) -> bool:
    return any(name == _AUX for name, _ in call.kwargs)


def _is_reduced(program: Program, asked: _Reductions, step: Reached, node: CallStep, found: _Gradient) -> bool:
    """Whether anything may take the mean: of the gradient, of what is made of it, in the loss, or in the optimizer."""
    if _tells_axis(node.term) or _tells_axis(found.call):
        return True
    for frame in (step.frame, found.frame):
        for other in calls_of(frame.function):
            holds = any(part is found.term for part in parts_of(other.term)) or (
                frame is step.frame and any(part is node.term for part in parts_of(other.term))
            )
            if holds and (asked.mentioned(other.term, frame) or (other is not node and _is_unknown(program, other.term, frame))):
                return True
    made = found.call.callee
    return asked.mentioned(made, found.frame) or any(
        asked.inside(value.module, value.function)
        for each in ([made.args[0]] if isinstance(made, Call) and made.args else [])
        for value in program.values(each, found.frame)
        if isinstance(value, FunctionValue)
    )


def _is_unknown(program: Program, call: Call, frame: Context) -> bool:
    """Whether nobody knows what a call runs, which is no method of something that was handed in."""
    if isinstance(call.callee, Attr):
        return False
    known = (FunctionValue, ClassValue, Library, LibraryObject)
    return not any(isinstance(value, known) for value in program.values(call.callee, frame))


def _tells_axis(call: Call) -> bool:
    """Whether something is told the axis by which devices talk to each other."""
    return any(name == _AXIS for name, _ in call.kwargs)


def _are_replicas(program: Program, asked: _Reductions, root: Root) -> bool:
    """Whether the devices train one model: they have an axis to talk over, or are handed copies of one state."""
    if root.call is None:
        return False
    told = dict(root.call.kwargs)
    if root.word == _SHARDS:
        switch = told.get(asked.shards.get(root.name, ""))
        return switch is not None and isinstance(switch, Const) and switch.value is False
    if _AXIS in told or len(root.call.args) > 1:
        return True
    names = {each.rpartition(".")[2] for each in asked.replicates}
    return any(
        isinstance(each, Ref) and each.name.rpartition(".")[2] in names
        for function in program.modules[root.frame.module].functions.values()
        for node in calls_of(function)
        for each in (node.term.callee, *node.term.callee.subterms())
    )


def _finding(program: Program, step: Reached, node: CallStep, given: Term, found: _Gradient) -> Unreduced:
    name = name_in(given, step.function)
    told = dict(step.root.call.kwargs) if step.root.call is not None else {}
    axis = told.get(_AXIS)
    if axis is None and step.root.call is not None and step.root.word == _PMAP and len(step.root.call.args) > 1:
        axis = step.root.call.args[1]
    mean = reference(program.knowledge.written["means"], program.modules[step.module])
    change: Change | None = None
    if name is not None and name.isidentifier() and axis is not None and isinstance(axis, Const) and mean is not None:
        code = f'{name} = {mean}({name}, axis_name="{axis.value}")'
        change = InsertBefore(Applicability.DISPLAY, "Average over the devices", statement=node.statement, code=code)
    mapped = (step.root.frame.module, step.root.spot)
    return Unreduced(step.module, node, name, (found.frame.module, found.call.site), mapped, change)


__all__ = ["Unreduced", "unreduced"]

"""Keys that a mapped function uses up and that are not mapped with the rest: every example, or device, draws the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.jax.keys import Keys, uses_in
from trainlint.facts.jax.traced import MAPS, PMAP
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import Bound, FunctionValue, Made
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    Access,
    Call,
    Const,
    Element,
    Entered,
    Global,
    Kwargs,
    LoopPhi,
    Param,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import is_step
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import parts_of
from trainlint.sites.changes import Change, Rewrite


class Shared(NamedTuple):
    """A call of a mapped function that hands each example the same key; ``place`` is where the key is used up, if in sight.

    ``devices``: it is mapped over devices, not over examples.
    """

    module: str
    node: CallStep
    name: str | None
    devices: bool
    place: tuple[str, Spot] | None
    change: Change | None = None


def shared(program: Program) -> Iterator[Shared]:
    """Each such call."""
    asked = program.ask(Roots)
    for module, function in program.functions():
        frame = program.frame(module, function)
        for node in calls_of(function):
            if not isinstance(node.term.callee, (Call, Global, Param, Access, LoopPhi)):
                continue
            for value in program.values(node.term.callee, frame):
                if isinstance(value, Made) and asked.word(value) in MAPS and value.call is not None and value.frame is not None:
                    found = _handed(program, module, function, node, value)
                    if found is not None and not tests_software(program, module, function):
                        yield found
                    break


def _handed(program: Program, module: str, function: Function, node: CallStep, mapped: Made) -> Shared | None:
    assert mapped.call is not None
    assert mapped.frame is not None
    if not mapped.call.args:
        return None
    targets = [each for each in program.values(mapped.call.args[0], mapped.frame) if isinstance(each, FunctionValue)]
    if len(targets) != 1:
        return None
    (target,) = targets
    devices = program.ask(Roots).word(mapped) == PMAP
    frame = program.frame(module, function)
    axes = _axes(mapped.call)
    if axes is not None and _are_examples(program, target.function, axes):
        entered = program.enter(target, node.term, frame)
        for taken in sorted(program.ask(Keys).parameters(target.module, target.function)):
            given = entered.given(Param.new(target.function.qualname, taken.name))
            if not isinstance(given, Bound) or given.frame is not frame or taken.item is not None:
                continue
            position = next((index for index, each in enumerate(node.term.args) if each is given.term), None)
            if position is not None and position < len(axes) and axes[position] is None:
                place = _use(program, target, taken.name)
                name = name_in(given.term, function)
                return Shared(
                    module, node, name, devices, place, _mapped(program, module, node.term, mapped, axes, position, name)
                )
    if target.function.outer is not None:
        for use in uses_in(program, target.module, target.function):
            if not use.led and _is_outside(use.used.key, target.function):
                return Shared(module, node, name_in(use.used.key, function), devices, (target.module, use.node.term.site))
    return None


def _are_examples(program: Program, function: Function, axes: list[object]) -> bool:
    """Whether anything is mapped besides the parameters of models, which are compared under the same noise."""
    words = program.knowledge.tables["keys.states"]["names"]
    names = [name.lower() for name, axis in zip(function.parameters, axes, strict=False) if axis is not None]
    return any(all(word not in name for word in words) for name in names)


def _mapped(
    program: Program, module: str, call: Call, mapped: Made, axes: list[object], position: int, name: str | None
) -> Change | None:
    """One key for each example, where mapping and call are one expression that says nothing else."""
    inner = mapped.call
    if inner is None or call.callee is not inner or name is None or call.kwargs or len(call.args) != len(axes):
        return None
    if len(inner.args) + len(inner.kwargs) > len(("function", "in_axes")):
        return None
    whole = reference(mapped.name, program.modules[module])
    split = reference(program.knowledge.written["splits"], program.modules[module])
    first = next((index for index, axis in enumerate(axes) if isinstance(axis, Const) and axis.value == 0), None)
    if (
        whole is None
        or split is None
        or first is None
        or any(isinstance(axis, Term) and not isinstance(axis, Const) for axis in axes)
    ):
        return None
    new = ", ".join("0" if index == position or axis is not None else "None" for index, axis in enumerate(axes))
    given = ", ".join(
        f"{split}({name}, len({{{first + 1}}}))" if index == position else f"{{{index + 1}}}" for index in range(len(axes))
    )
    paths = ((("function", 0), ("argument", 0)), *((("argument", index),) for index in range(len(axes))))
    code = f"{whole}({{0}}, in_axes=({new}))({given})"
    return Rewrite(Applicability.DISPLAY, "Give each example a key of its own", spot=call.site, code=code, paths=paths)


def _axes(call: Call) -> list[object] | None:
    """What is mapped of each argument, where that is written down: None for what is not mapped; None where it is unknown."""
    given = dict(call.kwargs).get("in_axes", call.args[1] if len(call.args) > 1 else None)
    if given is None or not isinstance(given, SequenceDisplay) or type(given.items) is not tuple:
        return None
    return [None if isinstance(each, Const) and each.value is None else each for each in given.items]


def _use(program: Program, target: FunctionValue, name: str) -> tuple[str, Spot] | None:
    """Where a function uses up a key that it is given."""
    for use in uses_in(program, target.module, target.function):
        key = use.used.key
        if isinstance(key, Param) and key.function == target.function.qualname and key.name == name:
            return target.module, use.node.term.site
    return None


def _is_outside(key: Term, function: Function) -> bool:
    """Whether a key comes from around a function: it is made of nothing that the function is given, or makes."""
    for part in parts_of(key):
        if isinstance(part, (Unknown, Element, LoopPhi, Self, Kwargs, Entered)) or (
            isinstance(part, Param) and part.function == function.qualname
        ):
            return False
        if isinstance(part, Call) and is_step(function, part):
            return False
    return isinstance(key, (Param, Call, Subscript))


__all__ = ["Shared", "shared"]

"""What a value is called at a place of the program, so that a repair can name it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, Instance, Made, Other, Value
from trainlint.ir.bindings import bindings, held_at_end
from trainlint.ir.nodes import Attr, BinOp, Call, Compare, Const, Element, Global, Param, Ref, Select, Self, Term
from trainlint.ir.sketch import Function, Loop, Module, Store
from trainlint.ir.walk import of_kind

#: Operators that can be written, and those that need parentheses inside others.
_SIGNS = {"Add": "+", "Sub": "-", "Mod": "%", "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">="}
_OPPOSITES = {"Eq": "NotEq", "NotEq": "Eq", "Lt": "GtE", "LtE": "Gt", "Gt": "LtE", "GtE": "Lt"}
_LOOSE = ("Add", "Sub")


class Naming(NamedTuple):
    """An expression that holds a value here; ``always`` is False when it may hold something else, ``or_none`` says: only None."""

    text: str
    always: bool
    or_none: bool = True


def names_of(program: Program, frame: Frame, wanted: Made | Instance) -> Iterator[Naming]:
    """The local names, globals and attributes of ``self`` that hold a value in an activation, locals first."""
    function = frame.function
    held = held_at_end(function)
    for name, term in held.items():
        yield from _fits(program, name, term, frame, wanted)
    for parameter in function.parameters:
        if parameter not in held and parameter in frame.arguments:
            bound = frame.arguments[parameter]
            if isinstance(bound, Bound):
                yield from _fits(program, parameter, bound.term, bound.frame, wanted)
    if function.kind == "method" and function.parameters:
        yield from _attributes(program, frame, wanted)
    if function.kind != "module":
        module = program.modules[frame.module]
        top = program.frame(frame.module, module.functions["<module>"])
        for name, term in module.names.items():
            if isinstance(term, (Call, Select)):
                yield from _fits(program, name, term, top, wanted)


def _attributes(program: Program, frame: Frame, wanted: Made | Instance) -> Iterator[Naming]:
    owner = frame.owner()
    if not isinstance(owner, Instance):
        return
    own = frame.function.parameters[0]
    for qualname in owner.cls.methods.values():
        method = program.modules[owner.module].functions[qualname]
        inner = program.instance_frame(owner, owner.module, method)
        for node in of_kind(method, Store):
            if isinstance(node.target, Attr) and isinstance(node.target.base, Self):
                yield from _fits(program, f"{own}.{node.target.name}", node.value, inner, wanted)


def _fits(program: Program, name: str, term: Term, frame: Frame, wanted: Made | Instance) -> Iterator[Naming]:
    values = program.values(term, frame)
    if any(same(value, wanted) for value in values):
        others = [value for value in values if not same(value, wanted)]
        none = all(isinstance(value, Other) and isinstance(value.term, Const) and value.term.value is None for value in others)
        yield Naming(name, not others, none)


def same(value: Value, wanted: Made | Instance) -> bool:
    """Whether two values come from the same call."""
    return isinstance(value, (Made, Instance)) and value.call is not None and value.call is wanted.call


def receiver(call: Call) -> Term | None:
    """What a method is called on; None where what is called is no attribute of anything."""
    return call.callee.base if isinstance(call.callee, Attr) else None


def spelled(term: Term, function: Function) -> str | None:
    """How a term can be written in a function where it was just computed: the local name that holds it, or its dotted name."""
    for name, held in bindings(function):
        if held is term and name.isidentifier():
            return name
    if isinstance(term, Param) and term.function == function.qualname:
        return term.name
    if isinstance(term, Global):
        return term.name
    if isinstance(term, Self) and function.kind == "method" and function.parameters:
        return function.parameters[0]
    if isinstance(term, Attr):
        base = spelled(term.base, function)
        return f"{base}.{term.name}" if base is not None else None
    return None


def written(term: Term, function: Function, *, opposite: bool = False) -> str | None:
    """How arithmetic and comparisons of such terms can be written: ``(i + 1) % window == 0``; or the ``opposite`` of that."""
    if opposite:
        if isinstance(term, Compare) and term.op in _OPPOSITES:
            term = Compare.new(_OPPOSITES[term.op], *term.sides)
        else:
            said = written(term, function)
            return f"not {said}" if said is not None else None
    if isinstance(term, Const):
        return repr(term.value)
    if isinstance(term, Element):  # what a loop around the place counts
        named = (each.names[0] for each in of_kind(function, Loop) if each.target is term and len(each.names) == 1)
        return next((name for name in named if name.isidentifier()), None)
    if isinstance(term, (BinOp, Compare)) and term.op in _SIGNS:
        left, right = written(term.left, function), written(term.right, function)
        if left is None or right is None:
            return None
        return f"({left} {_SIGNS[term.op]} {right})" if term.op in _LOOSE else f"{left} {_SIGNS[term.op]} {right}"
    return spelled(term, function)


def lasting(term: Term, function: Function) -> str | None:
    """The local name that holds a value to the end of its function, or of the round of its loop: nothing rebinds it."""
    names = bindings(function)
    return next((name for name, held in names if held is term and name.isidentifier()), None)


def reference(dotted: str, module: Module) -> str | None:
    """How a library's thing can be written at the top level of a file, by the imports that are there."""
    names = {term.name: name for name, term in module.names.items() if isinstance(term, Ref) and name not in module.rebound}
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        known = names.get(".".join(parts[:count]))
        if known is not None:
            return ".".join((known, *parts[count:]))
    return None

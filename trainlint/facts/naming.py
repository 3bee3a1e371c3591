"""What a value is called at a place of the program, so that a repair can name it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, Instance, Made, Other, Value
from trainlint.model.sketch import Function, Loop, Module, Store
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind

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
    for name, term in function.bound.items():
        yield from _fits(program, name, term, frame, wanted)
    for parameter in function.parameters:
        if parameter not in function.bound and parameter in frame.arguments:
            bound = frame.arguments[parameter]
            if isinstance(bound, Bound):
                yield from _fits(program, parameter, bound.term, bound.frame, wanted)
    if function.kind == "method" and function.parameters:
        yield from _attributes(program, frame, wanted)
    if function.kind != "module":
        module = program.modules[frame.module]
        top = program.frame(frame.module, module.functions["<module>"])
        for name, term in module.names.items():
            if term[0] in ("call", "if"):
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
            if node.target[0] == "a" and node.target[1][0] == "self":
                yield from _fits(program, f"{own}.{node.target[2]}", node.value, inner, wanted)


def _fits(program: Program, name: str, term: Term, frame: Frame, wanted: Made | Instance) -> Iterator[Naming]:
    values = program.values(term, frame)
    if any(same(value, wanted) for value in values):
        others = [value for value in values if not same(value, wanted)]
        none = all(isinstance(value, Other) and value.term[0] == "c" and value.term[2] is None for value in others)
        yield Naming(name, not others, none)


def same(value: Value, wanted: Made | Instance) -> bool:
    """Whether two values come from the same call."""
    return isinstance(value, (Made, Instance)) and value.call is not None and value.call is wanted.call


def spelled(term: Term, function: Function) -> str | None:
    """How a term can be written in a function where it was just computed: the local name that holds it, or its dotted name."""
    for name, held in (*function.bound.items(), *function.looped.items()):
        if held is term and name.isidentifier():
            return name
    if term[0] == "p" and term[1] == function.qualname:
        return str(term[2])
    if term[0] == "g":
        return str(term[1])
    if term[0] == "self" and function.kind == "method" and function.parameters:
        return function.parameters[0]
    if term[0] == "a":
        base = spelled(term[1], function)
        return f"{base}.{term[2]}" if base is not None else None
    return None


def written(term: Term, function: Function, *, opposite: bool = False) -> str | None:
    """How arithmetic and comparisons of such terms can be written: ``(i + 1) % window == 0``; or the ``opposite`` of that."""
    if opposite:
        if term[0] == "cmp" and term[1] in _OPPOSITES:
            term = Term(("cmp", _OPPOSITES[term[1]], *term[2:]))
        else:
            said = written(term, function)
            return f"not {said}" if said is not None else None
    if term[0] == "c":
        return repr(term[2])
    if term[0] == "elem":  # what a loop around the place counts
        named = (each.names[0] for each in of_kind(function, Loop) if each.target is term and len(each.names) == 1)
        return next((name for name in named if name.isidentifier()), None)
    if term[0] in ("bin", "cmp") and term[1] in _SIGNS:
        left, right = written(term[2], function), written(term[3], function)
        if left is None or right is None:
            return None
        return f"({left} {_SIGNS[term[1]]} {right})" if term[1] in _LOOSE else f"{left} {_SIGNS[term[1]]} {right}"
    return spelled(term, function)


def lasting(term: Term, function: Function) -> str | None:
    """The local name that holds a value to the end of its function, or of the round of its loop: nothing rebinds it."""
    names = (*function.bound.items(), *function.looped.items())
    return next((name for name, held in names if held is term and name.isidentifier()), None)


def reference(dotted: str, module: Module) -> str | None:
    """How a library's thing can be written at the top level of a file, by the imports that are there."""
    names = {term[1]: name for name, term in module.names.items() if term[0] == "r" and name not in module.rebound}
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        known = names.get(".".join(parts[:count]))
        if known is not None:
            return ".".join((known, *parts[count:]))
    return None

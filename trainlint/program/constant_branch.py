"""What a condition picks, where what it asks is written down in the call: ``build(data, world_size=1)``.

One of two values, one of several ``return``, or what a constructor keeps in an attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Display,
    Nested,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Term,
    Unknown,
)
from trainlint.ir.operators import compare, connected
from trainlint.ir.sketch import Exit, Function, If, Store
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.heap import MEMBER, is_enumeration
from trainlint.program.values import Argument, ClassValue, Context, Instance, Library

if TYPE_CHECKING:
    from trainlint.program.program import Program

#: Stands for what is not written down.
_UNKNOWN = object()
#: How something is asked whether it is None.
_IDENTITY = ("Is", "IsNot", "Eq", "NotEq")


def alternatives(term: Select | BoolOp, frame: Context, program: Program | None = None) -> tuple[Term, ...]:
    """The parts of an ``if``, ``and`` or ``or`` term that may be its value."""
    if not isinstance(term, Select):
        return tuple(_operands(term, frame, program))
    condition = picked(term.test, frame, program)
    return (term.then, term.other) if condition is None else (term.then if condition else term.other,)


def _operands(term: BoolOp, frame: Context, program: Program | None) -> Iterator[Term]:
    """The operands up to the one that is known to settle it, but for those that are known to leave it to the next."""
    for number, part in enumerate(term.operands):
        known = picked(part, frame, program)
        if known is None or known == isinstance(term, Or) or number == len(term.operands) - 1:
            yield part
        if known is not None and known == isinstance(term, Or):
            return


def picked(condition: Term, frame: Context, program: Program | None = None) -> bool | None:
    """Whether a condition holds in an activation; None unless constants that were passed, or are defaults, say so.

    With the program also where the constructor of the object keeps them.
    """
    if isinstance(condition, (Not, BoolOp)):
        return connected(condition, lambda part: picked(part, frame, program))
    if isinstance(condition, Compare):
        left, right = _written(condition.left, frame, program), _written(condition.right, frame, program)
        if right is None and left is _UNKNOWN and condition.op in _IDENTITY and _is_something(condition.left, frame):
            return condition.op in ("IsNot", "NotEq")
        return None if left is _UNKNOWN or right is _UNKNOWN else compare(condition.op, left, right)
    value = _written(condition, frame, program)
    return None if value is _UNKNOWN else bool(value)


def _is_something(term: Term, frame: Context) -> bool:
    """Whether a term is surely not None: it is written down there, or is what something imported makes."""
    given = frame.given(term) if isinstance(term, Param) else None
    if isinstance(given, Argument):
        return _is_something(given.term, given.frame)
    return isinstance(term, (Ref, Display, Nested)) or (isinstance(term, Call) and isinstance(term.callee, Ref))


def _written(term: Term, frame: Context, program: Program | None) -> Any:
    """The constant that a term is in an activation, followed through parameters, and what a constructor keeps of them."""
    if isinstance(term, Const):
        return term.value
    if isinstance(term, Attr) and isinstance(term.base, Self):
        kept = _kept(program, term, frame) if program is not None else None
        return _UNKNOWN if kept is None else _written(kept.term, kept.frame, program)
    if not isinstance(term, Param):
        return _UNKNOWN
    holder = frame.holder(term.function)
    if holder is None or holder.call is None:
        return _UNKNOWN
    bound = holder.arguments.get(term.name)
    if isinstance(bound, Argument):
        return _written(bound.term, bound.frame, program)
    default = holder.function.defaults.get(term.name)
    if bound is not None or default is None or not isinstance(default, Const) or not _says_all(holder.call):
        return _UNKNOWN
    return default.value


def _kept(program: Program, attribute: Attr, frame: Context) -> Argument | None:
    """What a constructor was passed for an attribute of the object of an activation, if nobody else sets one of that name."""
    owner = frame.owner()
    if not isinstance(owner, Instance) or owner.call is None:
        return None
    cls = ClassValue(owner.module, owner.cls)
    if attribute.name == MEMBER and owner.call.args and owner.frame is not None and is_enumeration(program, cls):
        return Argument(owner.call.args[0], owner.frame)
    stores = program.stores(cls, attribute.name)
    if len(stores) != 1 or stores[0][1].name != "__init__" or attribute.name in program.ask(set_from_outside):
        return None
    module, function, value = stores[0]
    return Argument(value, program.instance_frame(owner, module, function)) if isinstance(value, (Const, Param)) else None


def set_from_outside(program: Program) -> dict[str, list[tuple[str, Function]]]:
    """By name: the functions, with their files, that set an attribute of an object that is not theirs (``config.rank = 0``).

    A switch of a library (``cudnn.benchmark = True``) is no such attribute.
    """
    found: dict[str, list[tuple[str, Function]]] = {}
    for path, function in program.functions():
        for node in of_kind(function, Store):
            base = node.target.base if isinstance(node.target, Attr) else None
            switch = isinstance(base, Ref) and isinstance(program.lookup(path, base.name), Library)
            if isinstance(node.target, Attr) and not isinstance(base, Self) and not switch:
                found.setdefault(node.target.name, []).append((path, function))
    return found


def led_by_parameters(function: Function) -> dict[tuple[str, Term], list[Led]]:
    """What leads to what a function returns or keeps, where each way there asks about a parameter or its own object.

    By the attribute in which a value is kept, empty for what is returned, and the value.
    """
    if not of_kind(function, If):
        return {}
    found: dict[tuple[str, Term], list[Led]] = {}
    for node, led in walk_tested(function.body):
        if isinstance(node, Exit) and node.kind == "return" and node.value is not None:
            found.setdefault(("", node.value), []).append(led)
        elif isinstance(node, Store) and isinstance(node.target, Attr):
            found.setdefault((node.target.name, node.value), []).append(led)
    return {key: ways for key, ways in found.items() if all(map(_asks, ways))}


def _asks(led: Led) -> bool:
    return any(isinstance(part, (Param, Self)) for test, _ in led if isinstance(test, Term) for part in parts_of(test))


def returned(function: Function) -> list[Term]:
    """What a function may return; that it gives up after an error and returns None counts where it returns nothing else."""
    found = [(node.value, led) for node, led in walk_tested(function.body) if isinstance(node, Exit) and node.kind == "return"]
    values = [(value, led) for value, led in found if value is not None]
    meant = [value for value, led in values if not is_none(value) or not any(isinstance(test, Failed) for test, _ in led)]
    return meant or [value for value, _ in values]


def may_run(program: Program, led: Led, frame: Context) -> bool:
    """Whether an activation may come to what some tests lead to: no constant that it was passed says otherwise."""
    return all(picked(test, frame, program) in (None, holds) for test, holds in led if isinstance(test, Term))


def _says_all(call: Call) -> bool:
    """Whether a call names all that it passes: no ``*args``, no ``**kwargs``, so that a default is one."""
    return all(name is not None for name, _ in call.kwargs) and not any(isinstance(argument, Unknown) for argument in call.args)

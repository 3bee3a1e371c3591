"""What a condition picks, where what it asks is written down in the call: ``build(data, world_size=1)``.

One of two values, one of several ``return``, or what a constructor keeps in an attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, BoolOp, Call, Compare, Const, Not, Or, Param, Select, Term, Unknown
from trainlint.ir.operators import compare, connected
from trainlint.ir.sketch import Exit, Function, If, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.values import Argument, Context

#: Stands for what is not written down.
_UNKNOWN = object()


def alternatives(term: Select | BoolOp, frame: Context) -> tuple[Term, ...]:
    """The parts of an ``if``, ``and`` or ``or`` term that may be its value."""
    if not isinstance(term, Select):
        return tuple(_operands(term, frame))
    condition = picked(term.test, frame)
    return (term.then, term.other) if condition is None else (term.then if condition else term.other,)


def _operands(term: BoolOp, frame: Context) -> Iterator[Term]:
    """The operands up to the one that is known to settle it, but for those that are known to leave it to the next."""
    for number, part in enumerate(term.operands):
        known = picked(part, frame)
        if known is None or known == isinstance(term, Or) or number == len(term.operands) - 1:
            yield part
        if known is not None and known == isinstance(term, Or):
            return


def picked(condition: Term, frame: Context) -> bool | None:
    """Whether a condition holds in an activation; None unless constants that were passed, or are defaults, say so."""
    if isinstance(condition, (Not, BoolOp)):
        return connected(condition, lambda part: picked(part, frame))
    if isinstance(condition, Compare):
        return _compared(condition, frame)
    value = _written(condition, frame)
    return None if value is _UNKNOWN else bool(value)


def _compared(condition: Compare, frame: Context) -> bool | None:
    left, right = _written(condition.left, frame), _written(condition.right, frame)
    return None if left is _UNKNOWN or right is _UNKNOWN else compare(condition.op, left, right)


def _written(term: Term, frame: Context) -> Any:
    """The constant that a term is in an activation, followed through parameters only."""
    if isinstance(term, Const):
        return term.value
    if not isinstance(term, Param):
        return _UNKNOWN
    holder = frame.holder(term.function)
    if holder is None or holder.call is None:
        return _UNKNOWN
    bound = holder.arguments.get(term.name)
    if isinstance(bound, Argument):
        return _written(bound.term, bound.frame)
    default = holder.function.defaults.get(term.name)
    if bound is not None or default is None or not isinstance(default, Const) or not _says_all(holder.call):
        return _UNKNOWN
    return default.value


def led_by_parameters(function: Function) -> dict[tuple[str, Term], list[Led]]:
    """What leads to what a function returns, or keeps in its object, where each way there asks about a parameter.

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
    return any(isinstance(part, Param) for test, _ in led if isinstance(test, Term) for part in parts_of(test))


def may_run(led: Led, frame: Context) -> bool:
    """Whether an activation may come to what some tests lead to: no constant that it was passed, and no default, says otherwise."""
    return all(picked(test, frame) in (None, holds) for test, holds in led if isinstance(test, Term))


def _says_all(call: Call) -> bool:
    """Whether a call names all that it passes: no ``*args``, no ``**kwargs``, so that a default is one."""
    return all(name is not None for name, _ in call.kwargs) and not any(isinstance(argument, Unknown) for argument in call.args)

"""Operators, by the names of their classes in ``ast``: how they are written, their opposites, and what they compute."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sized
from typing import Any

from trainlint.ir.nodes import BoolOp, Not, Or, Term

#: The parser's class of an operator → the operator.
SIGNS = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in",
    "NotIn": "not in", "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "BitAnd": "&", "BitOr": "|",
}  # fmt: skip
#: A comparison and its negation have one name, so that they are never both true.
NEGATED = {"NotEq": "Eq", "IsNot": "Is", "NotIn": "In", "GtE": "Lt", "Gt": "LtE"}
#: Comparisons, each with the one that holds where it does not.
OPPOSITES = NEGATED | {other: name for name, other in NEGATED.items()}
#: Comparisons of numbers, each with the one that says the same with its sides in the other order.
TURNED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "LtE": "GtE", "Gt": "Lt", "GtE": "LtE"}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
}
COMPUTE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "Pow": operator.pow,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}
#: Larger numbers, and longer texts and lists, are not computed with: a source could ask for gigabytes.
_LARGEST, LONGEST = 1 << 64, 10_000


def compare(name: str, left: object, right: object) -> bool | None:
    """What a comparison says of two values, by the parser's name for it; None where it says nothing of them."""
    try:
        return bool(COMPARE[name](left, right))
    except (KeyError, TypeError):
        return None


def computed(name: str, left: Any, right: Any) -> Any:
    """The result of an operation on known values, None where it has none, or where it may be very large."""
    if not (is_small(left) and is_small(right)) or _grows(name, left, right):
        return None
    try:
        return COMPUTE[name](left, right)
    except (TypeError, KeyError, ZeroDivisionError, OverflowError, MemoryError, ValueError):
        return None


def is_small(value: Any) -> bool:
    """Whether a known value may be computed with."""
    if isinstance(value, int):
        return -_LARGEST <= value <= _LARGEST
    try:
        return not isinstance(value, Sized) or len(value) <= LONGEST
    except OverflowError:  # a range beyond what a length can be
        return False


def _grows(name: str, left: Any, right: Any) -> bool:
    """Whether the result would be far larger than what it is made of."""
    if name == "LShift":
        return isinstance(right, int) and right > _LARGEST.bit_length()
    if name == "Pow":
        both = isinstance(left, int) and isinstance(right, int)
        return both and left.bit_length() * right > _LARGEST.bit_length()
    if name != "Mult":
        return False
    sizes = [len(side) if isinstance(side, Sized) else abs(side) for side in (left, right) if isinstance(side, (Sized, int))]
    return len(sizes) > 1 and (isinstance(left, Sized) or isinstance(right, Sized)) and sizes[0] * sizes[1] > LONGEST


def connected(term: Not | BoolOp, answer: Callable[[Term], bool | None]) -> bool | None:
    """What ``not``, ``and`` and ``or`` make of the answers to their operands; None is an answer that is not known."""
    if isinstance(term, Not):
        inner = answer(term.operand)
        return None if inner is None else not inner
    settles: bool = isinstance(term, Or)
    found: bool | None = not settles
    for part in term.operands:
        known = answer(part)
        if known is settles:
            return settles  # whatever the others are: they are not asked
        found = None if known is None else found
    return found


def length_of_range(*bounds: int | None) -> int | None:
    """How many numbers ``range`` gives, where all of its bounds are known. They may be more than ``len`` can say."""
    known = [each for each in bounds if each is not None]
    if len(known) != len(bounds) or len(known) not in (1, 2, 3) or 0 in known[2:]:
        return None
    numbers = range(*known)
    return (numbers[-1] - numbers[0]) // numbers.step + 1 if numbers else 0

"""What is constant, what the code leaves open, and what comes out when known values are worked with.

Values that the code leaves open: what a caller, an object or a configuration says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from trainlint.domains.constructor_arguments import led_to
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Global,
    Kwargs,
    NestedClass,
    Not,
    Param,
    Ref,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.operators import computed
from trainlint.ir.sketch import Function
from trainlint.ir.terms import is_none, parts_of, parts_through


def leaves_of(test: Term) -> Iterator[Term]:
    """What a test asks about: ``a`` and ``b`` of ``not a and b > 0``."""
    inner = (Not, Compare, BoolOp)
    parts = parts_through(test, lambda each: each.subterms() if isinstance(each, inner) else ())
    return (each for each in parts if not isinstance(each, inner))


#: What is asked of a device, and not of a configuration.
_OF_DEVICES = frozenset(("type", "device", "device_type", "is_cuda"))


def is_of_configuration(value: Term) -> bool:
    """Whether a value is taken from an object or dict that somebody else fills: ``config.train.fp16``, ``config["amp"]``."""
    if isinstance(value, Subscript):
        return bool(isinstance(value.key, Const) and isinstance(value.key.value, str))
    return bool(
        isinstance(value, Attr)
        and not isinstance(value.base, Self)
        and value.name not in _OF_DEVICES
        and not isinstance(value.base, (Ref, Global, NestedClass))
    )


def is_of_caller(value: Term) -> bool:
    """Whether somebody else says what a value is: a parameter, an attribute of the object."""
    return bool(isinstance(value, Param) or (isinstance(value, Attr) and isinstance(value.base, Self)))


def is_left_open(value: Term) -> bool:
    """Whether any of both is so."""
    return is_of_caller(value) or is_of_configuration(value)


def asks_for_keywords(function: Function, call: Term) -> bool:
    """Whether a call hands on the keywords of its function, behind a test of them: ``if kwargs.get("dtype"): make(**kwargs)``."""
    spread = dict(call.kwargs).get(None) if isinstance(call, Call) else None
    if spread is None or not isinstance(spread, Kwargs):
        return False
    return any(part is spread for part in parts_of(*(test for test, _ in conditions(led_to(function, call)))))


def asked_for(function: Function, tests: Iterable[tuple[Term, bool]]) -> bool:
    """Whether a caller has to give something before tests are passed: ``if norm is not None``, and None is its default."""
    asked = [test.left for test, arm in tests if arm and isinstance(test, Compare) and test.op == "IsNot" and is_none(test.right)]
    return any(isinstance(each, Param) and is_none(function.defaults.get(each.name)) for each in asked)


def worked_out(name: str, left: tuple[object] | None, right: tuple[object] | None) -> tuple[object] | None:
    """What two numbers make: ``2**32 - 1``."""
    numbers = [each[0] for each in (left, right) if each is not None and isinstance(each[0], (int, float))]
    found = computed(name, *numbers) if len(numbers) == 2 else None  # noqa: PLR2004
    return None if found is None else (found,)


_CASTS: Mapping[str, Callable[[Any], object]] = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.bool": bool,
    "builtins.str": str,
}
_OF_TEXTS = ("lower", "upper", "strip")


def made_from(call: Call) -> Term | None:
    """What a call only makes into another kind of value, or into other letters: ``int(args.workers)``, ``mode.lower()``."""
    if call.kwargs:
        return None
    callee = call.callee
    if isinstance(callee, Ref) and callee.name in _CASTS and len(call.args) == 1:
        given: Term = call.args[0]
        return given
    if isinstance(callee, Attr) and callee.name in _OF_TEXTS and not call.args:
        base: Term = callee.base
        return base
    return None


def made(call: Call, value: tuple[object] | None) -> tuple[object] | None:
    """What comes out of such a call."""
    if value is None:
        return None
    callee = call.callee
    if isinstance(callee, Attr):
        return (getattr(value[0], callee.name)(),) if isinstance(value[0], str) else None
    assert isinstance(callee, Ref)
    try:
        return (_CASTS[callee.name](value[0]),)
    except (TypeError, ValueError, OverflowError):
        return None

"""Functions of the language that are computed where all that they are given is known, and the rank is in it.

``sum(shard(sizes, rank, world)) > 5``, ``len(names[rank:])``, ``set([rank]) == {0}``, ``str(rank).zfill(2) == "00"``:
a list that is written down and a number of the rank make a value that Python would compute, so it is computed.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sized
from typing import Any

from trainlint.facts.contents import Contents
from trainlint.facts.values import Frame
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Compare,
    Dict,
    Element,
    Global,
    List,
    Param,
    Ref,
    Set,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.spmd.sequences import Sequences
from trainlint.spmd.symbols import UNKNOWN, World, compared, is_small

#: Terms that may be containers.
_CONTAINERS = frozenset((List, Tuple, Set, Dict, Unknown, Subscript, BinOp, Global, Param, Attr, Element))
#: Displays, and what makes one: a comparison with one of these is a comparison of containers.
_WRITTEN = frozenset((List, Tuple, Set, Dict))
#: Types of values that are computed with.
_PLAIN = (int, float, str, bool, type(None), list, tuple, set, frozenset, dict, range)
#: The longest text or list that is computed with, or of interest as a result.
_LONGEST = 200


def _hash(value: Any) -> Any:
    """Of a text it is another one in each run: only that of a number says anything here."""
    if not isinstance(value, int):
        raise TypeError
    return hash(value)


def _length(items: Any) -> int:
    """A number stands for its text here (see ``builtins.str`` in the tables)."""
    return len(str(items) if isinstance(items, int) else items)


def _is_short(value: Any) -> bool:
    """Whether what is computed of a value stays small, too."""
    return is_small(value) and (not isinstance(value, Sized) or len(value) <= _LONGEST)


def _is_wide(method: str, template: Any) -> bool:
    """Whether a template to be filled in asks for a width or precision of four digits or more."""
    return method == "format" and isinstance(template, str) and re.search(r"\d{4}", template) is not None


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "builtins.len": _length,
    "builtins.sum": sum,
    "builtins.min": min,
    "builtins.max": max,
    "builtins.sorted": sorted,
    "builtins.round": round,
    "builtins.hash": _hash,
    "builtins.float": float,
    "builtins.hex": hex,
    "builtins.bin": bin,
    "builtins.chr": chr,
    "math.isclose": math.isclose,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "math.sqrt": math.sqrt,
    "math.log2": math.log2,
    "operator.eq": operator.eq,
    "operator.ne": operator.ne,
    "operator.lt": operator.lt,
    "operator.le": operator.le,
    "operator.gt": operator.gt,
    "operator.ge": operator.ge,
    "operator.not_": operator.not_,
    "operator.mod": operator.mod,
    "operator.contains": operator.contains,
}
#: Methods of texts, numbers and containers that change nothing.
_METHODS = frozenset(
    ("zfill", "rjust", "ljust", "upper", "title", "replace", "split", "join", "format", "count", "find", "isdigit", "index",
     "removeprefix", "removesuffix", "union", "intersection", "difference", "issubset", "issuperset", "isdisjoint")
)  # fmt: skip


class Concrete(Sequences):
    """The part of the evaluator that computes them."""

    def computed_from_rank(self, name: str, call: Call, frame: Frame) -> Any:
        """What a call of such a function gives; None where it is none, the rank has no part in it, or nothing can be said."""
        function = _FUNCTIONS.get(name)
        return None if function is None or call.kwargs else self._applied_to(function, call.args, frame)

    def method_of_rank(self, callee: Attr, call: Call, frame: Frame) -> Any:
        """What a method gives that asks only; None as above."""
        if callee.name not in _METHODS or call.kwargs:
            return None

        def ask(thing: Any, *given: Any) -> Any:
            if any(isinstance(each, int) and each > _LONGEST for each in given) or _is_wide(callee.name, thing):
                raise ValueError
            return getattr(str(thing) if isinstance(thing, int) else thing, callee.name)(*given)

        return self._applied_to(ask, (callee.base, *call.args), frame)

    def compared_as_wholes(self, term: Compare, frame: Frame) -> Any:
        """The answer to a comparison of two containers, one of them written down; None as above."""
        if type(term.left) not in _WRITTEN and type(term.right) not in _WRITTEN:
            return None
        return self._applied_to(lambda left, right: compared(term.op, left, right), term.sides, frame)

    def item_of_rank(self, base: Term, key: Term, frame: Frame) -> Any:
        """An item of a list that is computed with the rank: ``sorted([3, rank])[0]``; None as above."""
        if isinstance(base, Call) and not isinstance(base.callee, Ref):
            return None
        return self._applied_to(operator.getitem, (base, key), frame)

    def _applied_to(self, function: Callable[..., Any], terms: tuple[Term, ...], frame: Frame) -> Any:
        before, self.asked = self.asked, False
        given = []
        for term in terms:
            value = self._settled_value(term, frame)
            if isinstance(value, (*UNKNOWN, World)) or not isinstance(value, _PLAIN):
                self.asked = before
                return None
            given.append(value)
        if not self.asked or not all(map(_is_short, given)):
            self.asked = before
            return None
        try:
            result = function(*given)
            known = isinstance(result, _PLAIN) and (not isinstance(result, Sized) or len(result) <= _LONGEST)
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, StopIteration, MemoryError):
            known = False
        self.asked = before or known
        return result if known else None

    def _settled_value(self, term: Term, frame: Frame) -> Any:
        if isinstance(term, (List, Dict)) and not term.items and not self.program.ask(Contents).is_changed(term, frame.function):
            return [] if isinstance(term, List) else {}
        if isinstance(term, Call):
            # A call of a library says what it makes; one of the project's is gone into only if it is told the rank.
            may_be = isinstance(term.callee, Ref) if not isinstance(term.callee, Global) else self.is_told_rank(term, frame)
        else:
            may_be = type(term) in _CONTAINERS
        found = self.container(term, frame, shares=True) if may_be else None
        return self.value(term, frame) if found is None else found

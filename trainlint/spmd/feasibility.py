"""Which answers to tests of unknown things go together on one path, and which two ranks were given.

Which answers to several tests of one unknown thing go together: what is ``"a"`` is not ``"b"``, what is above 2 is
above 1.

A condition that compares something unknown with a constant has a key that says so (:mod:`~trainlint.spmd.operators`). A few
values are tried in its place: the constants it is compared with, their neighbours, and something else. If none of them gives
all the answers, no run of the program does.

What was answered to unknown conditions on the way to where two ranks are: by both, or by one to a test on data of its
own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from trainlint.ir.nodes import Compare, Not, Term
from trainlint.ir.operators import COMPARE, NEGATED
from trainlint.spmd.symbols import SIZE, Uniform
from trainlint.spmd.trace import Node

#: What is none of the constants that a program names: of each kind of value one that is true, one that is false.
_OTHERS: dict[type, tuple[Any, ...]] = {str: ("\0", ""), int: (0,), float: (0.0, 0.5), bool: (True, False)}


_FALSE = "not"
#: Comparisons of a number of items that say whether there are none, with a constant on the right and on the left.
_EMPTY = {("Eq", 0): _FALSE, ("LtE", 0): _FALSE, ("Lt", 1): _FALSE}
_FILLED = {("Eq", 0): _FALSE, ("Lt", 0): "", ("LtE", 1): ""}


class Question(NamedTuple):
    """A test of something unknown: ``name`` (empty: is it true?) with a constant, which stands on the ``left`` or not.

    ``name`` is ``not`` where it is asked whether it is false: whether nothing is in it.
    """

    subject: Uniform
    name: str
    constant: Any = None
    left: bool = False

    def answer(self, value: Any) -> bool:
        """What the test says if the unknown thing is this value."""
        if not self.name:
            return bool(value)
        if self.name == _FALSE:
            return not value
        pair = (self.constant, value) if self.left else (value, self.constant)
        return bool(COMPARE[self.name](*pair))


def question(symbol: Uniform) -> Question:
    """What a condition asks; one that is no comparison with a constant asks whether it is true itself."""
    key = symbol.key
    if type(key) is tuple and key[0] == SIZE:
        return Question(key[1], "")
    if type(key) is tuple and key[0] in COMPARE and len(key) == len(("test", "left", "right")):
        # As `operators` makes it: each side with the name of its type.
        (*_, one), (*_, other) = (side if type(side) is tuple and side else (None,) for side in key[1:])
        if isinstance(one, Uniform) and type(other) in _OTHERS:
            return _of_size(one, _EMPTY.get((key[0], other))) or Question(one, key[0], other)
        if isinstance(other, Uniform) and type(one) in _OTHERS:
            return _of_size(other, _FILLED.get((key[0], one))) or Question(other, key[0], one, left=True)
    return Question(symbol, "")


def _of_size(number: Uniform, name: str | None) -> Question | None:
    """A test whether there are any items in something: whether that is true, or false."""
    key = number.key
    return Question(key[1], name) if name is not None and type(key) is tuple and key[0] == SIZE else None


def denies(condition: Term, answer: bool, asserted: Term) -> bool:
    """Whether the answer to a test says that another one, about the very same, is false."""
    if isinstance(asserted, Not):
        return denies(condition, not answer, asserted.operand) if condition is not asserted.operand else answer
    if condition is asserted or (isinstance(condition, Not) and condition.operand is asserted):
        return answer is (condition is not asserted)
    if not isinstance(condition, Compare) or not isinstance(asserted, Compare) or condition.sides != asserted.sides:
        return False
    opposite = NEGATED.get(condition.op) == asserted.op or NEGATED.get(asserted.op) == condition.op
    return answer and opposite


#: The answers to a condition.
WAYS = (True, False)


def possible(symbol: Uniform, given: Iterable[tuple[Any, bool]]) -> tuple[bool, ...]:
    """The answers that a condition may have where others had theirs."""
    asked = question(symbol)
    subject = asked.subject
    told: list[tuple[Question, bool]] = []
    for other, value in given:
        if type(other) is Uniform and other is not symbol and (not _is_plain(other) or other == subject):
            known = question(other)
            if known.subject == subject:
                told.append((known, value))
    if not told:
        return WAYS
    tried = list(_candidates([asked, *(known for known, _ in told)]))
    return tuple([way for way in WAYS if any(_fits(value, [(asked, way), *told]) for value in tried)])


def _is_plain(symbol: Uniform) -> bool:
    """Whether a condition surely asks whether it is true itself, as most do."""
    key = symbol.key
    return type(key) is not tuple or (key[0] != SIZE and key[0] not in COMPARE)


def _candidates(questions: list[Question]) -> Iterable[Any]:
    constants = [each.constant for each in questions if each.name not in ("", _FALSE)]
    if not constants:
        yield from _OTHERS[bool]
    for constant in constants:
        yield constant
        if type(constant) in (int, float):
            yield constant - 1
            yield constant + 1
    for kind in {type(constant) for constant in constants}:
        yield from _OTHERS[kind]


def _fits(value: Any, told: list[tuple[Question, bool]]) -> bool:
    try:
        return all(asked.answer(value) is answer for asked, answer in told)
    except TypeError:
        return False


class Side(NamedTuple):
    """A test on data of its own, as one of the two ranks answers it."""

    symbol: Uniform
    left: bool


Assigned = frozenset[tuple[Uniform | Side, bool]]


def of_side(chosen: Assigned, left: bool) -> dict[Uniform | Side, bool]:
    """The conditions that were chosen, as one of two ranks knows them: of the tests on data of its own only its answers."""
    known: dict[Uniform | Side, bool] = {}
    for asked, answer in chosen:
        if not isinstance(asked, Side):
            known[asked] = answer
        elif asked.left is left:
            known[asked.symbol] = answer
    return known


class Ahead:
    """The conditions that are still ahead of two ranks.

    They are the same for many nodes: what they are about is worked out once.
    """

    def __init__(self) -> None:
        self._subjects: dict[frozenset[Uniform], frozenset[Uniform]] = {}
        self._known: dict[tuple[Assigned, frozenset[Uniform], frozenset[Uniform]], Assigned] = {}

    def of(self, assigned: Assigned, a: Node, b: Node) -> Assigned:
        """Of the conditions that were chosen, those that matter to what is ahead."""
        key = assigned, a.symbols, b.symbols
        known = self._known.get(key)
        if known is None:
            ahead = a.symbols | b.symbols
            known = self._known[key] = frozenset([pair for pair in assigned if self._has(pair[0], a, b, ahead)])
        return known

    def _has(self, symbol: Uniform | Side, a: Node, b: Node, ahead: frozenset[Uniform]) -> bool:
        """Whether a condition is asked again, by the rank whose answer it is; or another one about the same thing."""
        if isinstance(symbol, Side):
            return symbol.symbol in (a if symbol.left else b).symbols
        if symbol in ahead:
            return True
        if _is_plain(symbol):
            return False
        subject = question(symbol).subject
        if subject is symbol:
            return False
        subjects = self._subjects.get(ahead)
        if subjects is None:
            subjects = self._subjects[ahead] = frozenset(question(other).subject for other in ahead)
        return subject in subjects

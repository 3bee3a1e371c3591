"""Values as one rank sees them, and what can be computed with them without asking the program.

A few ranks of a small world are taken as examples: 0 to 3 of a world of 4 on two nodes, so that the local rank differs
from the rank. On one of them a rank test has a plain truth value; what is the same on all ranks but unknown is a
:class:`Uniform`, the same object for every rank; what depends on the rank in a way that cannot be computed is :class:`Varying`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from trainlint.domains.rank_local_data import Source
from trainlint.ir.operators import COMPARE, is_small
from trainlint.ir.sketch import Try
from trainlint.program.values import Context

WORLD = 4
LOCAL = 2
#: A value that hangs on more unknown conditions than this is unknown.
_MOST_CHOICES = 12
#: What the key of such a value begins with.
_MANY = "one of many"
#: What the key of a number of items begins with; then comes what they are in.
SIZE = "size of"


class World(int):
    """The number of ranks: an example value, so only comparisons with 0 and 1 mean anything."""


class Text(int):
    """A number as a variable of the environment holds it: a text, which is true for "0" also. It is compared as the number is."""

    def __bool__(self) -> bool:
        return True


class Uniform(NamedTuple):
    """An unknown value, the same on every rank."""

    key: Any


class AssertedUniform(Uniform):
    """A value of which somebody says that it is the same on every rank; its name says nothing against that."""


class Present(Uniform):
    """An unknown value that is certainly not None, though it may be false (an empty list)."""


class Truthy(Present):
    """An unknown value that is certainly true: what ``or`` lets through. It is compared as the :class:`Uniform` of its key is."""


class Data(NamedTuple):
    """The key of a :class:`Uniform` that is unknown and *not* the same everywhere: computed from what each rank has for itself.

    ``source`` says from what; ``size``: it counts something, so only whether there is any differs; ``raw``: no test yet, always
    true (the time).
    """

    key: Any
    source: Any
    size: bool = False
    raw: bool = False


class Varying(NamedTuple):
    """An unknown value that depends on the rank."""

    key: Any


class Something(NamedTuple):
    """An unknown object that is certainly not None (what a constructor returned)."""

    key: Any


class Choice(NamedTuple):
    """One of two values, by an unknown condition that is the same on every rank."""

    condition: Uniform
    then: Any
    other: Any


UNKNOWN = (Uniform, Varying, Something, Choice)
NOTHING = Uniform("this way out returns nothing")


def joined(condition: Uniform, then: Any, other: Any) -> Any:
    """One of two values by an unknown condition; simpler where they are equal or where one of them does not return."""
    then, other = given(then, condition, True), given(other, condition, False)
    if then is NOTHING:
        return other
    if other is NOTHING or (then == other and type(then) is type(other)):
        return then
    if (type(then) is Choice or type(other) is Choice) and _choices(then) + _choices(other) >= _MOST_CHOICES:
        return Uniform((_MANY, condition.key))
    return Choice(condition, then, other)


def given_up(value: Any) -> bool:
    """Whether a value is one of more than are told apart here, or part of such: whether another is the same one is not known."""
    if isinstance(value, Choice):
        return given_up(value.then) or given_up(value.other)
    key = value.key if isinstance(value, Uniform) else None
    return type(key) is tuple and (key[:1] == (_MANY,) or any(isinstance(part, Uniform) and given_up(part) for part in key))


def chosen(condition: Any, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """``then`` or ``other``, by a condition that may be unknown; each is asked at most once."""
    if isinstance(condition, Choice):
        then, other = _once(then), _once(other)
        return joined(condition.condition, chosen(condition.then, then, other), chosen(condition.other, then, other))
    if isinstance(condition, Varying):
        return Varying(("if", condition.key))
    if isinstance(condition, Truthy):
        return then()
    if isinstance(condition, Uniform):
        return joined(condition, then(), other())
    return then() if condition else other()


class _Once:
    """A question that is asked when its answer is first wanted, and not again."""

    __slots__ = ("_answer", "_question")

    def __init__(self, question: Callable[[], Any]) -> None:
        self._question: Callable[[], Any] | None = question
        self._answer: Any = None

    def __call__(self) -> Any:
        if self._question is not None:
            self._answer, self._question = self._question(), None
        return self._answer


def _once(question: Callable[[], Any]) -> Callable[[], Any]:
    return question if type(question) is _Once else _Once(question)


def given(value: Any, condition: Uniform, truth: bool) -> Any:
    """A value where the truth of a condition is known."""
    kind = type(value)
    if kind is Choice:
        own, then, other = value
        if own == condition:
            return given(then if truth else other, condition, truth)
        left, right = given(then, condition, truth), given(other, condition, truth)
        if left is then and right is other:
            return value
        return left if left == right and type(left) is type(right) else Choice(own, left, right)
    if isinstance(value, Uniform) and kind is not Truthy and value == condition:
        return truth
    return value


def failure(attempt: Try, handler: int, frame: Context) -> Uniform:
    """The condition that a handler of a ``try`` runs, on one rank."""
    return Uniform(Data(("fails", attempt.spot, frame), Source("failure", frame.module, attempt.caught[handler].spot)))


def swallowed(attempt: Try, handler: int, frame: Context) -> Uniform:
    """The condition that a handler of a ``try`` ends an error of one rank alone, wherever in its body that was."""
    spot = attempt.caught[handler].spot
    return Uniform(Data((frame.module, attempt.spot, spot, frame), Source("error", frame.module, spot)))


def data_in(value: Any) -> Data | None:
    """The data of its own that a rank computed a value from, if any."""
    if isinstance(value, Uniform):
        return value.key if isinstance(value.key, Data) else None
    if isinstance(value, Choice):
        return data_in(value.condition) or data_in(value.then) or data_in(value.other)
    return None


def is_per_rank(value: Any) -> bool:
    """Whether a value is unknown and depends on the rank, or may come to such a one."""
    if isinstance(value, Choice):
        return is_per_rank(value.then) or is_per_rank(value.other)
    return isinstance(value, Varying)


def _choices(value: Any) -> int:
    """How many conditions a value hangs on."""
    return 1 + _choices(value[1]) + _choices(value[2]) if type(value) is Choice else 0


def negated(value: Any) -> Any:
    """``not value``."""
    if isinstance(value, Choice):
        return joined(value.condition, negated(value.then), negated(value.other))
    if isinstance(value, (Something, Truthy)):
        return False
    if isinstance(value, Uniform):
        return Choice(value, False, True)
    if isinstance(value, Varying):
        key = value.key
        return Varying(key[1]) if type(key) is tuple and key[0] == "not" else Varying(("not", key))
    return not value


def until(value: Any, stop: bool, rest: Callable[[], Any], key: Any) -> Any:
    """``value and rest`` (``stop`` False) or ``value or rest`` (``stop`` True)."""
    if isinstance(value, Choice):
        rest = _once(rest)
        return joined(value.condition, until(value.then, stop, rest, key), until(value.other, stop, rest, key))
    if isinstance(value, Uniform) and not isinstance(value, Truthy):
        return joined(value, Truthy(value.key), rest()) if stop else joined(value, rest(), False)
    if isinstance(value, Varying):
        following = rest()
        settled = not isinstance(following, UNKNOWN) and bool(following) is stop
        return stop if settled else value if type(following) is bool else Varying(key)
    taken = isinstance(value, Something) or bool(value)
    return value if taken is stop else rest()


def compared(name: str, left: Any, right: Any) -> Any:
    """The result of a comparison of known values, None where it has none."""
    if isinstance(left, str) != isinstance(right, str):
        left, right = number(left), number(right)
    if isinstance(left, bool) and name in ("Is", "IsNot"):
        return (left == right) == (name == "Is")
    try:
        return COMPARE[name](left, right)
    except (TypeError, KeyError):
        return None


def number(value: Any) -> Any:
    """``"0"`` from the environment compares like 0."""
    if isinstance(value, str) and value.removeprefix("-").isdecimal() and is_small(value):
        try:
            return int(value)
        except ValueError:  # more digits than Python converts
            return value
    return value

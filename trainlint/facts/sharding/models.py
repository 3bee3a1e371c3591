"""Which model is meant, and in which activation it was made: two models of one factory are two.

Keys are those of :mod:`~trainlint.facts.modes.identity`; the one of a model that a call makes also says by which calls the
function around it was reached, innermost first. Where that is not known, it may be any of them.
"""

from __future__ import annotations

from trainlint.facts.modes.identity import Identities, Key, Keys
from trainlint.facts.values import Frame, FunctionValue
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import Function

_MADE, _PART, _OBJECT = "made", "part", "object"


class Models(Identities):
    """Answers for one program."""

    def key(self, call: Call, frame: Frame) -> Key:
        """The key of what a call makes."""
        return (_MADE, frame.module, call.site, _way(frame))

    def _made(self, call: Call, frame: Frame, depth: int) -> Keys:
        """What a function makes that needs nothing of its caller is made once for each call all the same."""
        found = super()._made(call, frame, depth)
        inside = {value.function for value in self.program.values(call.callee, frame) if isinstance(value, FunctionValue)}
        return frozenset(self._by_call(key, call, frame) if self._is_of(key, inside) else key for key in found)

    def _is_of(self, key: Key, functions: set[Function]) -> bool:
        """Whether a key is of what one of these functions makes, and does not say for which caller."""
        maker = self.makers.get(key)
        return maker is not None and key[0] == _MADE and not key[3] and getattr(maker.frame, "function", None) in functions

    def _by_call(self, key: Key, call: Call, frame: Frame) -> Key:
        found = (*key[:3], ((frame.module, call.site), *_way(frame)))
        self.makers.setdefault(found, self.makers[key])
        return found

    def meant(self, term: Term, frame: Frame) -> Keys:
        """The models that a term may stand for. An object of which only its class is known is what its method is called on."""
        keys = self.of(term, frame)
        caller, call = frame.caller, frame.call
        if caller is None or call is None or not isinstance(call.callee, Attr) or all(root(key)[0] != _OBJECT for key in keys):
            return keys
        whole = self.of(call.callee.base, caller)
        return frozenset(other for key in keys for other in ({key} if root(key)[0] != _OBJECT else _put(key, whole)))


def _way(frame: Frame) -> tuple[tuple[str, Spot], ...]:
    """The calls that lead to an activation, innermost first."""
    found = []
    at: Frame | None = frame
    while at is not None and at.call is not None and at.caller is not None:
        found.append((at.caller.module, at.call.site))
        at = at.caller
    return tuple(found)


def _put(key: Key, whole: Keys) -> Keys:
    """A part of an object as the same part of other models."""
    if key[0] != _PART:
        return whole or frozenset({key})
    return frozenset((_PART, other, key[2]) for other in _put(key[1], whole))


def root(key: Key) -> Key:
    """The model that something is, or is a part of."""
    while key[0] == _PART:
        key = key[1]
    return key


def same(key: Key, other: Key) -> bool:
    """Whether two keys may be of one model."""
    if key[0] == other[0] == _PART:
        return bool(key[2] == other[2]) and same(key[1], other[1])
    if key[0] == other[0] == _MADE:
        return key[:3] == other[:3] and all(one == two for one, two in zip(key[3], other[3], strict=False))
    return key == other


def covers(one: Keys, other: Keys) -> bool:
    """Whether one model is the other, or one of them is a part of the other."""
    return any(_within(key, each) or _within(each, key) for key in one for each in other)


def related(one: Keys, other: Keys) -> bool:
    """Whether two are one model, or parts of one."""
    return any(same(root(key), root(each)) for key in one for each in other)


def _within(key: Key, whole: Key) -> bool:
    while not same(key, whole):
        if key[0] != _PART:
            return False
        key = key[1]
    return True

"""Which model is meant, and in which activation it was made: two models of one factory are two.

Keys are those of :mod:`~trainlint.facts.modes.identity`; the one of a model that a call makes also says by which calls the
function around it was reached, innermost first. Where that is not known, it may be any of them.
"""

from __future__ import annotations

from trainlint.facts.modes.identity import Allocation, Identities, Key, Keys, ObjectOf, Part, root_of
from trainlint.facts.values import Frame, FunctionValue
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import Function


class Models(Identities):
    """Answers for one program."""

    def key(self, call: Call, frame: Frame) -> Allocation:
        """The key of what a call makes."""
        return Allocation(frame.module, call.site, _way(frame))

    def _made(self, call: Call, frame: Frame, depth: int) -> Keys:
        """What a function makes that needs nothing of its caller is made once for each call all the same."""
        found = super()._made(call, frame, depth)
        inside = {value.function for value in self.program.values(call.callee, frame) if isinstance(value, FunctionValue)}
        return frozenset(self._by_call(key, call, frame, inside) for key in found)

    def _by_call(self, key: Key, call: Call, frame: Frame, functions: set[Function]) -> Key:
        """The key with the way to this call, if it is of what one of these functions makes and does not say for which caller."""
        maker = self.makers.get(key)
        if maker is None or not isinstance(key, Allocation) or key.way or getattr(maker.frame, "function", None) not in functions:
            return key
        found = Allocation(key.module, key.site, ((frame.module, call.site), *_way(frame)))
        self.makers.setdefault(found, maker)
        return found

    def meant(self, term: Term, frame: Frame) -> Keys:
        """The models that a term may stand for. An object of which only its class is known is what its method is called on."""
        keys = self.of(term, frame)
        caller, call = frame.caller, frame.call
        known = frozenset(key for key in keys if not isinstance(root_of(key), ObjectOf))
        if caller is None or call is None or not isinstance(call.callee, Attr) or known == keys:
            return keys
        whole = self.of(call.callee.base, caller)
        return known.union(*(_put(key, whole) for key in keys - known))


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
    if not isinstance(key, Part):
        return whole or frozenset({key})
    return frozenset(Part(other, key.name) for other in _put(key.whole, whole))


def same(key: Key, other: Key) -> bool:
    """Whether two keys may be of one model."""
    if isinstance(key, Part) and isinstance(other, Part):
        return key.name == other.name and same(key.whole, other.whole)
    if isinstance(key, Allocation) and isinstance(other, Allocation):
        ways = zip(key.way, other.way, strict=False)
        return (key.module, key.site) == (other.module, other.site) and all(one == two for one, two in ways)
    return key == other


def covers(one: Keys, other: Keys) -> bool:
    """Whether one model is the other, or one of them is a part of the other."""
    return any(_within(key, each) or _within(each, key) for key in one for each in other)


def related(one: Keys, other: Keys) -> bool:
    """Whether two are one model, or parts of one."""
    return any(same(root_of(key), root_of(each)) for key in one for each in other)


def _within(key: Key, whole: Key) -> bool:
    while not same(key, whole):
        if not isinstance(key, Part):
            return False
        key = key.whole
    return True

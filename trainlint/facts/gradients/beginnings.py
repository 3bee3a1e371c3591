"""Beginnings: the statements that give a holder its first value, and run only while it holds nothing yet.

``if mean is None: mean = loss`` does not take away what ``mean`` holds: the test says that there is nothing. So does one for a
value that no loss has (``if mean < 0``, ``if not mean``), for a key that is not there, and for the first round of the loop. So
does ``if self.last is None`` where the same statements always set that other attribute.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.finding import Spot
from trainlint.model.sketch import Block, If, Keep, Loop, Store
from trainlint.model.terms import Term, parts_of
from trainlint.model.walk import walk

#: Terms that may be None.
_PERHAPS = ("c", "if", "or", "and")
#: Comparisons that hold, and that do not, of a value that stands for "nothing yet" (None, a number that is not above zero).
_NOTHING, _SOMETHING = ("Is", "Eq", "Lt", "LtE"), ("IsNot", "NotEq", "Gt", "GtE")


def beginnings(block: Block, holder: Term, loop: Loop | None) -> frozenset[Spot]:
    """Where the statements of a block stand that bind or set what holds nothing yet."""
    found: set[Spot] = set()
    beside = {
        node.target for node in block if isinstance(node, Store) and node.target[0] == "a" and node.value[0] not in _PERHAPS
    }
    for node in walk(block):
        if isinstance(node, If):
            empty = _says_empty(node.condition, holder, loop)
            if empty is None and holder[0] == "a" and node.condition[0] == "cmp":
                _, operator, left, right = node.condition
                if operator in ("Is", "IsNot") and right[0] == "c" and right[2] is None and left in beside:
                    empty = operator == "Is"
            if empty is not None:
                arm = node.body if empty else node.orelse
                found.update(inner.spot for inner in walk(arm) if isinstance(inner, (Keep, Store)))
    return frozenset(found)


def _says_empty(test: Term, holder: Term, loop: Loop | None) -> bool | None:
    """Whether the holder holds nothing yet where a test is true (True) or false (False); None when the test says neither."""
    if test[0] == "not":
        inner = _says_empty(test[1], holder, loop)
        return None if inner is None else not inner
    if test[0] in ("and", "or"):
        # Several holders begin together; a test of anything else may come out either way in any round.
        wanted = test[0] == "or"
        own = [_says_empty(part, holder, loop) for part in test[1]]
        others = [any(_says_empty(part, other, loop) is wanted for other in _named(part)) for part in test[1]]
        return wanted if wanted in own and all(others) else None
    if _is(test, holder):
        return False
    if test[0] != "cmp":
        return None
    _, operator, left, right = test
    if operator in ("In", "NotIn"):
        container = holder
        while container[0] == "sub":
            container = container[1]
        return operator == "NotIn" if right is container else None
    if right[0] != "c":
        return None
    if _is(left, holder) and _stands_for_nothing(right[2]):
        return True if operator in _NOTHING else False if operator in _SOMETHING else None
    return True if operator == "Eq" and loop is not None and _counts(left, loop) else None


def _is(term: Term, holder: Term) -> bool:
    """Whether a term is the holder; a name that a loop changes is the same in the loop and behind it."""
    return term is holder or (term[0] == holder[0] == "lv" and term[:4] == holder[:4])


def _counts(term: Term, loop: Loop) -> bool:
    """Whether a term is what the loop binds, or the first part of it: the number of the round, if it is compared with one."""
    bound = term[1] if term[0] == "sub" and term[2][0] == "c" and term[2][2] == 0 else term
    return loop.target is not None and bound is loop.target


def _named(test: Term) -> Iterator[Term]:
    """What a test may ask about: a name that a loop changes, an attribute, an item."""
    return (part for part in parts_of(test) if part[0] in ("lv", "a", "sub"))


def _stands_for_nothing(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and value <= 0)

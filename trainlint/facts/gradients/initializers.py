"""Beginnings: the statements that give a holder its first value, and run only while it holds nothing yet.

``if mean is None: mean = loss`` does not take away what ``mean`` holds: the test says that there is nothing. So does one for a
value that no loss has (``if mean < 0``, ``if not mean``), for a key that is not there, and for the first round of the loop. So
does ``if self.last is None`` where the same statements always set that other attribute.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Attr, BoolOp, Compare, Const, LoopPhi, Not, Or, Select, Subscript, Term
from trainlint.ir.sketch import Block, If, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk

#: Terms that may be None.
_PERHAPS = (Const, Select, BoolOp)
#: Comparisons that hold, and that do not, of a value that stands for "nothing yet" (None, a number that is not above zero).
_NOTHING, _SOMETHING = ("Is", "Eq", "Lt", "LtE"), ("IsNot", "NotEq", "Gt", "GtE")


def beginnings(block: Block, holder: Term, loop: Loop | None) -> frozenset[Spot]:
    """Where the statements of a block stand that bind or set what holds nothing yet."""
    found: set[Spot] = set()
    beside = {
        node.target
        for node in block
        if isinstance(node, Store) and isinstance(node.target, Attr) and not isinstance(node.value, _PERHAPS)
    }
    for node in walk(block):
        if isinstance(node, If):
            empty = _says_empty(node.condition, holder, loop)
            if empty is None and isinstance(holder, Attr) and isinstance(node.condition, Compare):
                operator, left, right = node.condition.op, node.condition.left, node.condition.right
                if operator in ("Is", "IsNot") and isinstance(right, Const) and right.value is None and left in beside:
                    empty = operator == "Is"
            if empty is not None:
                arm = node.body if empty else node.orelse
                found.update(inner.spot for inner in walk(arm) if isinstance(inner, (Keep, Store)))
    return frozenset(found)


def _says_empty(test: Term, holder: Term, loop: Loop | None) -> bool | None:
    """Whether the holder holds nothing yet where a test is true (True) or false (False); None when the test says neither."""
    if isinstance(test, Not):
        inner = _says_empty(test.operand, holder, loop)
        return None if inner is None else not inner
    if isinstance(test, BoolOp):
        # Several holders begin together; a test of anything else may come out either way in any round.
        wanted = isinstance(test, Or)
        own = [_says_empty(part, holder, loop) for part in test.operands]
        others = [any(_says_empty(part, other, loop) is wanted for other in _named(part)) for part in test.operands]
        return wanted if wanted in own and all(others) else None
    if _is(test, holder):
        return False
    if not isinstance(test, Compare):
        return None
    operator, left, right = test.op, test.left, test.right
    if operator in ("In", "NotIn"):
        container = holder
        while isinstance(container, Subscript):
            container = container.base
        return operator == "NotIn" if right is container else None
    if not isinstance(right, Const):
        return None
    if _is(left, holder) and _stands_for_nothing(right.value):
        return True if operator in _NOTHING else False if operator in _SOMETHING else None
    return True if operator == "Eq" and loop is not None and _counts(left, loop) else None


def _is(term: Term, holder: Term) -> bool:
    """Whether a term is the holder; a name that a loop changes is the same in the loop and behind it."""
    return term is holder or (isinstance(term, LoopPhi) and isinstance(holder, LoopPhi) and term.place == holder.place)


def _counts(term: Term, loop: Loop) -> bool:
    """Whether a term is what the loop binds, or the first part of it: the number of the round, if it is compared with one."""
    bound = term.base if isinstance(term, Subscript) and isinstance(term.key, Const) and term.key.value == 0 else term
    return loop.target is not None and bound is loop.target


def _named(test: Term) -> Iterator[Term]:
    """What a test may ask about: a name that a loop changes, an attribute, an item."""
    return (part for part in parts_of(test) if isinstance(part, (LoopPhi, Access)))


def _stands_for_nothing(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and value <= 0)

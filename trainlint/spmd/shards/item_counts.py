"""How many items a block of statements makes when it runs: puts into a list, hands out by ``yield``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from trainlint.ir.abstract_interpretation import Interpreter
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Element, LoopPhi, Slice, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop, Statement, Try
from trainlint.ir.terms import is_own, mentions, parts_of
from trainlint.ir.walk import effects, of_kind, walk
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program
from trainlint.program.values import Context
from trainlint.spmd.shards.amounts import ENDLESS, Amount
from trainlint.spmd.symbols import WORLD

if TYPE_CHECKING:
    from trainlint.spmd.shards.measure import Measure

#: How many items a statement makes when it runs; a word when that cannot be said, None when it makes nothing.
Making = Callable[[Statement], "Amount | str"]


class Count(NamedTuple):
    """Items made in one round: always, and in those rounds only that a test on the rank picks out.

    ``choosing``: what follows runs in the latter only.
    """

    always: float = 0
    picked: float = 0
    choosing: bool = False

    def plus(self, more: Count | None) -> Count | None:
        """With what else is made; None when that cannot be said."""
        if more is None:
            return None
        chosen = more.always if self.choosing else 0
        return self._replace(always=self.always + more.always - chosen, picked=self.picked + more.picked + chosen)


class ItemsMade(Interpreter[Count]):
    """Counts for one activation what some statements make, each as ``made`` says. No state: that cannot be said."""

    def __init__(self, measure: Measure, frame: Context, made: Making) -> None:
        super().__init__()
        self.measure = measure
        self.frame = frame
        self.made = made

    def count(self, block: Block) -> Count | None:
        """What a block makes when it runs once; None when that cannot be said."""
        end = self.block(block, Count())
        return end._replace(choosing=False) if end is not None else None

    def step(self, node: Statement, state: Count) -> Count | None:
        """What a statement makes by itself."""
        found = self.made(node)
        return None if isinstance(found, str) else state.plus(Count(found or 0))

    def leave(self, node: Exit, state: Count) -> Count | None:
        """What was made before a way out is made."""
        return self.step(node, state)

    def attempt(self, node: Try, state: Count) -> Count | None:
        """As if nothing failed."""
        return self.block((*node.body, *node.orelse, *node.final), state)

    def branch(self, node: If, state: Count) -> Count | None:
        """What the arm makes that runs; an arm may go on with the next round."""
        found = state.plus(self._branched(node))
        skips = found is not None and _skips(node) and self.measure.picks(node.condition, self.frame)
        return found._replace(choosing=True) if found is not None and skips else found

    def loop(self, node: Loop, state: Count) -> Count | None:
        """What all rounds make."""
        return state.plus(self._looped(node))

    def _branched(self, node: If) -> Count | None:
        then, other = self.count(node.body), self.count(node.orelse)
        if then is None or other is None:
            return None
        if not any((*then, *other)):
            return then
        if self.measure.picks(node.condition, self.frame):
            self.measure.ranked = True
            chosen = then if any(then) else other
            return Count(0, chosen.always + chosen.picked) if not (any(then) and any(other)) else None
        if self.measure.differs(node.condition, self.frame):
            truth = self.measure.truth(node.condition, self.frame)
            return None if truth is None else then if truth else other
        if has(node.condition, Element) or has(node.condition, LoopPhi):
            return then if any(then) else other  # some of the items: each rank has its own
        truth = self.measure.truth(node.condition, self.frame)
        return None if truth is None else then if truth else other

    def _looped(self, node: Loop) -> Count | None:
        inner = self.count(node.body)
        if inner is None or not any(inner):
            return inner
        if _leaves(node.body):
            return None
        if node.kind != "for":
            if isinstance(node.subject, Const) and node.subject.value:
                return Count(ENDLESS)
            return inner if has(node.subject, LoopPhi) else None  # as much as there is: of a rank's items as of all others
        length = self.measure.length(node.subject, self.frame)
        if length is None:
            return None
        if length == ENDLESS:
            return Count(ENDLESS)
        total = inner.always * length
        if inner.picked:
            self.measure.ranked = True
            self.measure.origins.setdefault((node.subject, self.frame))
            total += inner.picked * len(range(self.measure.peer.rank, int(length), WORLD))
        return Count(total)


def _skips(node: If) -> bool:
    """Whether a branch goes on with the next round."""
    return bool(node.body) and isinstance(node.body[-1], Exit) and node.body[-1].kind == "continue" and not effects(node.orelse)


def _leaves(block: Block) -> bool:
    """Whether a loop with this body may be left early. Leaving an inner loop counts as well: what is left over is unknown."""
    return any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(block))


def has(term: Term, kind: type[Term]) -> bool:
    """Whether a term of a kind is in another one."""
    return any(isinstance(part, kind) for part in parts_of(term))


# -- what else becomes of items in a function: handed to collectives, changed, put into others -------------------------


def exchanged(program: Program, function: Function) -> frozenset[Term]:
    """What a function hands to collectives."""
    names = program.knowledge.collective_names
    calls = [node.term for node in of_kind(function, CallStep)]
    return frozenset(call.args[0] for call in calls if call.args and last_name(call.callee) in names)


def changed_in(program: Program, function: Function) -> frozenset[Term]:
    """Into what a function puts items, or out of what it takes some."""
    names = frozenset(program.knowledge.gathers) | program.knowledge.empties | {"remove"}
    calls = [node.term for node in of_kind(function, CallStep)]
    return frozenset(t.callee.base for t in calls if isinstance(t.callee, Attr) and t.callee.name in names)


def padded_to(items: Term, more: Term) -> Term | None:
    """The ``total`` of ``items + items[: total - len(items)]``: what the author takes to be the length then."""
    if not isinstance(more, Subscript) or more.base is not items or not isinstance(more.key, Slice):
        return None
    upper = more.key.upper
    if not isinstance(upper, BinOp) or upper.op != "Sub" or not isinstance(upper.right, Call) or upper.right.args != (items,):
        return None
    return upper.left


def reads(term: Term, attribute: Attr) -> bool:
    """Whether a value is made of an attribute of the object."""
    return any(is_own(part, attribute.name) for part in parts_of(term))


def goes_into(part: Term, whole: Term) -> bool:
    """Whether a value goes into another one: that is then kept in its place."""
    return part is not whole and mentions(whole, part)

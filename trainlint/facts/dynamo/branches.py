"""Branches on the values of tensors in compiled functions, and where to point at: tests, loops, conditional expressions."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.dynamo.must_execute import Surely
from trainlint.facts.dynamo.tensors import TracedTensors
from trainlint.facts.use_index import roots
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.ir.nodes import And, Attr, BoolOp, Call, Compare, LoopPhi, Not, Or, Param, Select, Term
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Statement, Store
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import is_assertion, of_kind

_KINDS: dict[type[Term], str] = {
    Compare: "Compare",
    Not: "UnaryOp",
    And: "BoolOp",
    Or: "BoolOp",
    Param: "Name",
    LoopPhi: "Name",
    Attr: "Attribute",
}


#: Conditions that are no assertion of one tensor any more (run in torch 2.13: these break the graph).
_SPLIT = (Not, BoolOp)


class Place(NamedTuple):
    """Where something is that no graph can hold: a word for it, its spot and the parser's class there, the statement around."""

    what: str
    spot: Spot
    node: str
    statement: Spot


class Branches:
    """The branches of one function in one activation."""

    def __init__(self, surely: Surely, tensors: TracedTensors, function: Function, frame: Frame) -> None:
        self.tensors = tensors
        self.function = function
        self.frame = frame
        self._tested = {node.condition for node in of_kind(function, If)}
        self._tested |= {node.subject for node in of_kind(function, Loop) if node.kind == "while"}
        #: The conditions that are no test of a statement, by the call that each is about.
        self._about: dict[Term, list[Term]] = {}
        for condition in surely.conditions(function):
            largest = _largest(condition) if condition not in self._tested else None
            if largest is not None:
                self._about.setdefault(largest, []).append(condition)
        self._seen: set[Term] = set()

    def at(self, node: Statement) -> Place | None:
        """The branch that a statement is, or in which what it uses was chosen."""
        if isinstance(node, If):
            return self._test(node)
        if isinstance(node, Loop):
            return self._loop(node)
        return (self._call(node) if isinstance(node, CallStep) else None) or self._chosen(node)

    def _is_new(self, condition: Term) -> bool:
        """Whether a condition is about the values of a tensor, and was not found before."""
        if condition in self._seen or not self._is_branch(condition):
            return False
        self._seen.add(condition)
        return True

    def _is_branch(self, condition: Term) -> bool:
        return self.tensors.is_tensor(_first(condition), self.frame)

    def _test(self, node: If) -> Place | None:
        if is_assertion(node) and not isinstance(node.condition, _SPLIT):
            return None  # the compiler takes it in
        if not self._is_new(node.condition):
            return None
        inside = self._call_in(node.condition, node.test)
        if inside is not None:
            return Place("branch", inside, "Call", node.spot)
        kind = _KINDS.get(type(node.condition))
        return Place("branch", node.test, kind, node.spot) if kind is not None else None

    def _loop(self, node: Loop) -> Place | None:
        if node.kind != "while" or not self._is_new(node.subject):
            return None
        inside = self._call_in(node.subject, node.spot)
        if inside is not None:
            return Place("branch", inside, "Call", node.spot)
        return Place("branch", node.spot, "While", node.spot)

    def _call_in(self, condition: Term, within: Spot) -> Spot | None:
        """The call in a condition, the largest of those that stand there."""
        spots = [part.site for part in parts_of(condition) if isinstance(part, Call) and within.holds(part.site)]
        return max(spots, key=lambda spot: (spot.end_line - spot.line, spot.end_column - spot.column), default=None)

    def _call(self, node: CallStep) -> Place | None:
        """A call that computes what a branch or conditional expression is about of which nothing else is left."""
        found = any(self._is_new(condition) for condition in self._about.get(node.term, ()))
        return Place("branch", node.term.site, "Call", node.statement) if found else None

    def _chosen(self, node: Statement) -> Place | None:
        """A statement that uses what a conditional expression chose by a tensor that was given."""
        for root in roots(node):
            for part in parts_of(root):
                if (
                    not isinstance(part, Select)
                    or part.test in self._tested
                    or _largest(part.test) is not None
                    or not self._is_new(part.test)
                ):
                    continue
                if isinstance(node, CallStep):
                    return Place("branch", node.term.site, "Call", node.statement)
                if isinstance(node, Exit) and node.kind == "return":
                    return Place("branch", node.spot, "Return", node.spot)
                if isinstance(node, (Store, Keep)):
                    return Place("branch", node.spot, node.kind, node.spot)
        return None


def _largest(condition: Term) -> Term | None:
    """The call in a condition that stands in none of the others."""
    found = [part for part in parts_of(condition) if isinstance(part, Call)]
    return next((one for one in found if not any(one is not other and mentions(other, one) for other in found)), None)


def _first(condition: Term) -> Term:
    """What a condition is about, without ``not`` and further operands."""
    while isinstance(condition, (Not, BoolOp)):
        condition = condition.operand if isinstance(condition, Not) else condition.operands[0]
    return condition


__all__ = ["Branches", "Place"]

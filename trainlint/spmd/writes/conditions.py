"""Tests that surely do not ask which rank it is: what cannot be computed may still be known to be answered alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.communication import Communication
from trainlint.facts.values import Frame, FunctionValue, Made, Other, Value
from trainlint.ir.nodes import And, Attr, Call, Compare, Const, Global, Not, Or, Param, Ref, Self, Subscript, Term, Unknown
from trainlint.ir.sketch import CallStep, Exit, If, Statement, Store
from trainlint.ir.walk import statements_of
from trainlint.spmd.writes.hints import Hints
from trainlint.spmd.writes.spelled import speaks

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_ORDER = ("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "In", "NotIn")


class Conditions(Hints):
    """The part of the answer about sameness that is about tests."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._answers: dict[int, bool] = {}

    def same(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term surely has one value on all ranks."""
        raise NotImplementedError

    def set_alike(self, name: str, depth: int) -> bool:
        """Whether everything that is stored under an attribute of this name is the same everywhere."""
        raise NotImplementedError

    def harmless(self, condition: Term, frame: Frame) -> bool:
        """Whether a test that cannot be computed surely does not ask which rank it is.

        Comparisons of numbers and questions about files are about something else, unless a name in them says otherwise; what
        is only asked whether it is there, or is a flag, must be known to be the same everywhere.
        """
        if isinstance(condition, Not):
            return self.harmless(condition.operand, frame)
        if isinstance(condition, (And, Or)):
            return all(self.harmless(part, frame) for part in condition.operands)
        if isinstance(condition, Const):
            return True
        if isinstance(condition, Compare) and condition.op in _ORDER and not self.hinting(condition, frame.module, clock=False):
            return all(self._measured(side, frame) for side in condition.sides)
        if isinstance(condition, Unknown) and condition not in self.program.modules[frame.module].texts:
            return False
        if self._owned(condition, frame):
            return False
        return (
            self.same(condition, frame)
            or self._configured(condition, frame)
            or self._setting(condition, frame)
            or self._answered(condition, frame)
        )

    def _owned(self, term: Term, frame: Frame) -> bool:
        """Whether a test asks for a thing that is handed in out of sight, perhaps on one rank only (``if writer:``)."""
        if isinstance(term, Compare) and term.op in ("Is", "IsNot"):
            term = term.left
        if not isinstance(term, (Attr, Param)) or not speaks(term.name, self.program.knowledge.owned):
            return False
        values = self.program.values(term, frame)
        return any(
            isinstance(value, Other) and isinstance(value.term, Param) and self.handed(value.term, value.frame)
            for value in values
        )

    def _setting(self, term: Term, frame: Frame) -> bool:
        """A flag that an object or the caller was given out of sight: a setting, by its name, and not one of the rank's own.

        What stands for a thing (``if self.writer``) is none: only one rank may have it.
        """
        first = term
        while isinstance(first, Attr):
            first = first.base
        if not isinstance(first, (Param, Self, Global, Ref)) or not isinstance(term, (Attr, Param)):
            return False
        words = self.program.knowledge.owned
        if speaks(term.name, words) or self.hinting(term, frame.module, clock=False) or self.marked(term, frame):
            return False
        return all(self._plain(value) for value in self.program.values(term, frame))

    def _plain(self, value: Value) -> bool:
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            return self.same(value.call, value.frame)  # the field of a class of settings
        return isinstance(value, Other) and (isinstance(value.term, (Attr, Param, Const)) or self.same(value.term, value.frame))

    def _answered(self, term: Term, frame: Frame) -> bool:
        """What functions of the project answer, or whether they do, that have nothing in them that may be about the rank."""
        if isinstance(term, Compare) and term.op in ("Is", "IsNot") and isinstance(term.right, Const):
            return self._answered(term.left, frame)
        if not isinstance(term, Call) or self.hinting(term, frame.module, clock=False):
            return False
        targets = self.program.ask(CallGraph).targets(term, frame)
        return bool(targets) and all(isinstance(each, FunctionValue) and self._unmarked(each) for each in targets)

    def _unmarked(self, target: FunctionValue) -> bool:
        key = id(target.function)
        if key not in self._answers:
            terms = (term for node in statements_of(target.function) for term in _asked(node))
            self._answers[key] = not self.program.ask(Communication).runs(target.function) and not any(
                self.hinting(term, target.module, clock=False) for term in terms
            )
        return self._answers[key]

    def marked(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a value may have the rank in it, by some name on the way to where it comes from."""
        raise NotImplementedError

    def handed(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a value is, or is made of, a parameter that nobody in sight passes."""
        raise NotImplementedError

    def _configured(self, term: Term, frame: Frame) -> bool:
        """An entry of something that a library made: a configuration that was read, not the state of this process."""
        while isinstance(term, (Attr, Subscript)):
            name = term.name if isinstance(term, Attr) else term.key.value if isinstance(term.key, Const) else None
            if not isinstance(name, str) or self.hints(name) or not self.set_alike(name, 0):
                return False
            term = term.base
            if isinstance(term, Call):
                values = self.program.values(term, frame)
                return bool(values) and all(isinstance(value, Made) and not self.hints(value.name) for value in values)
        return False

    def _measured(self, term: Term, frame: Frame) -> bool:
        """Whether one side of a comparison is what its name says: no parameter or result that may hide a rank."""
        values = self.program.values(term, frame) if isinstance(term, (Param, Attr, Call, Global)) else ()
        return not any(isinstance(value, Other) and value.term is not term and self.hinting(value.term) for value in values)


def _asked(node: Statement) -> tuple[Term, ...]:
    """What a statement calls, tests, stores or returns."""
    if type(node) is CallStep:
        return (node.term,)
    if type(node) is If:
        return (node.condition,)
    if type(node) is Store:
        return (node.value,)
    return (node.value,) if type(node) is Exit and node.value is not None else ()

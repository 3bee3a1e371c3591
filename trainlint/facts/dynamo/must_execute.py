"""What surely runs whenever a traced function is called: nothing but usual tests leads there."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.traced.consteval import truth
from trainlint.facts.traced.reached import Reached
from trainlint.facts.use_index import roots
from trainlint.facts.values import Frame, Library
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import Attr, BoolOp, Call, Compare, Const, Not, Select, Term
from trainlint.ir.sketch import Exit, Function, If, Loop, Statement
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import is_assertion, statements_of


class Surely:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._phases = frozenset(program.knowledge.tables["phases"]["names"])
        self._plain = frozenset(program.knowledge.tables["dynamo.decorators"]["names"])
        self._statements: dict[int, list[tuple[Statement, Led]]] = {}
        self._conditions: dict[int, list[Term]] = {}
        self._reaches: dict[int, bool] = {}
        self._errors: dict[int, set[tuple[Term, bool]]] = {}

    def statements(self, function: Function) -> list[tuple[Statement, Led]]:
        """The statements of a function with what leads to each."""
        known = self._statements.get(id(function))
        if known is None:
            known = self._statements[id(function)] = list(walk_tested(function.body))
        return known

    def runs(self, led: Led, frame: Frame, *, given: bool = True) -> bool:
        """Whether nothing but usual tests leads to a place: whether it trains, no error; with ``given``, what it was given."""
        checked = self._checked(frame.function)
        return all(
            not isinstance(test, Failed)
            and ((test, arm) in checked or (self._passes(test, arm, frame) and (given or not _asks_for_none(test))))
            for test, arm in led
        )

    def _checked(self, function: Function) -> set[tuple[Term, bool]]:
        """The tests that end in an error, each with the answer with which it goes on."""
        known = self._errors.get(id(function))
        if known is None:
            known = self._errors[id(function)] = set()
            for node, _ in self.statements(function):
                if isinstance(node, If):
                    arms = ((node.body, False), (node.orelse, True))
                    known.update((node.condition, other) for block, other in arms if block and _raises(block[-1]))
        return known

    def _passes(self, test: Term, arm: bool, frame: Frame) -> bool:
        known = truth(self.program, test, frame)
        return known is arm if known is not None else self._is_usual(test)

    def _is_usual(self, test: Term) -> bool:
        if isinstance(test, Not):
            return self._is_usual(test.operand)
        if isinstance(test, BoolOp):
            return all(self._is_usual(part) for part in test.operands)
        if isinstance(test, Attr):
            return test.name in self._phases
        return bool(
            isinstance(test, Compare)
            and test.op in ("Is", "IsNot")
            and isinstance(test.right, Const)
            and test.right.value is None
        )

    def reaches(self, step: Reached) -> bool:
        """Whether the call of what is traced surely comes to a function, through none that is left to somebody else."""
        known = self._reaches.get(id(step))
        if known is None:
            known = self._reaches[id(step)] = self._comes(step)
        return known

    def _comes(self, step: Reached) -> bool:
        if not self._is_plain(step):
            return False
        if step.by is None or step.before is None:
            return True
        led = next((led for node, led in self.statements(step.before.function) if node is step.by.call), None)
        return led is not None and self.runs(led, step.before.frame) and self.reaches(step.before)

    def _is_plain(self, step: Reached) -> bool:
        """Whether a function runs as it is written: nothing is put around it but what traces it."""
        function = step.function
        if not function.decorators:
            return True
        frame = self.program.frame(step.module, self.program.modules[step.module].functions["<module>"])
        for decorator in function.decorators:
            made_of = decorator.callee if isinstance(decorator, Call) else decorator
            values = self.program.values(made_of, frame)
            if not all(isinstance(value, Library) and value.name in self._plain for value in values):
                return False
        return True

    def conditions(self, function: Function) -> list[Term]:
        """What a function tests: in branches, loops and conditional expressions (an assertion is none)."""
        known = self._conditions.get(id(function))
        if known is None:
            nodes = statements_of(function)
            found = [node.condition for node in nodes if isinstance(node, If) and not is_assertion(node)]
            found += [node.subject for node in nodes if isinstance(node, Loop) and node.kind == "while"]
            found += [part.test for node in nodes for root in roots(node) for part in parts_of(root) if isinstance(part, Select)]
            known = self._conditions[id(function)] = list(dict.fromkeys(found))
        return known


def _asks_for_none(test: Term) -> bool:
    return any(isinstance(part, Compare) for part in parts_of(test))


def _raises(node: Statement) -> bool:
    return isinstance(node, Exit) and node.kind == "raise"


__all__ = ["Surely"]

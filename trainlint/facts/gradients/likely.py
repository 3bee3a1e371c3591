"""Whether a value is likely a loss or what a model made: by what was called, where nothing shows it for sure."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.grad_mode import OFF, GradMode
from trainlint.facts.literals import item_of
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.names import root_of
from trainlint.ir.nodes import Attr, Call, Const, Global, Param, Select, Self, Subscript, Term


class Likely:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._losses = frozenset(program.knowledge.losses)

    def is_likely(self, term: Term, frame: Frame) -> bool:
        """Whether one operand among others is a loss: the result of a model, a criterion or a helper, not of a library."""
        if isinstance(term, Subscript) and isinstance(term.base, Call):
            if self._numbers(term.base, term.key, frame):
                return False
            term = term.base
        if not isinstance(term, Call):
            return False
        callee = term.callee
        while (
            isinstance(callee, Call) and isinstance(callee.callee, Attr) and callee.callee.name in self.program.knowledge.fluent
        ):
            callee = callee.callee.base  # ``Net().to(device)``
        return any(self._makes_graphs(value, callee) for value in self.program.values(callee, frame))

    def is_loss(self, callee: Term, frame: Frame) -> bool:
        """Whether what is called is a loss: of the tables, or by its name where nobody in sight says what it is."""
        values = self.program.values(callee, frame)
        if any(isinstance(value, (Library, Made)) for value in values):
            return any(isinstance(value, (Library, Made)) and value.name in self._losses for value in values)
        if not isinstance(callee, (Param, Attr)) or not all(isinstance(value, Other) for value in values):
            return False
        name = (last_name(callee) or "").lower()
        if not any(word in name for word in self.program.knowledge.loss_words):
            return False
        if isinstance(callee, Attr) and not isinstance(callee.base, Self):
            return False  # a method of something: it may be told what the model is given, and return numbers
        frames = (
            activations(self.program, frame.module, frame.function) if frame.caller is None and isinstance(callee, Param) else []
        )
        return all(self._is_unknown_loss(value) for each in frames for value in self.program.values(callee, each))

    def _is_unknown_loss(self, value: Value) -> bool:
        return isinstance(value, Other) or (isinstance(value, (Library, Made)) and value.name in self._losses)

    def _numbers(self, call: Call, key: Term, frame: Frame) -> bool:
        """Whether an item of what a helper returns is a number, or what a library made that is no model and no loss."""
        found = False
        for target in self.index.targets(call, frame):
            if not isinstance(target, FunctionValue):
                return False
            inner = self.program.enter(target, call, frame)
            for returned in self.program.returns(target.function):
                part = item_of(returned, key)
                if part is None or not self._is_number(part, inner):
                    return False
                found = True
        return found

    def _is_number(self, term: Term, frame: Frame) -> bool:
        if isinstance(term, Select):
            return self._is_number(term.then, frame) and self._is_number(term.other, frame)
        if isinstance(term, Const):
            return True
        if not isinstance(term, Call):
            return False
        values = self.program.values(term.callee, frame)
        return bool(values) and all(isinstance(value, Library) and not self._makes_graphs(value, term.callee) for value in values)

    def _makes_graphs(self, value: Value, callee: Term) -> bool:
        if isinstance(value, (Library, Made)):
            return value.name in self.program.knowledge.losses or value.name in self.program.knowledge.module_bases
        if isinstance(value, FunctionValue):
            return self.program.ask(GradMode).of_function(value.module, value.function) != OFF
        if isinstance(value, Instance):
            return True
        return isinstance(root_of(callee), Self) or isinstance(callee, (Param, Global))

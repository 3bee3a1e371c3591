"""Which model is a compiled one: what ``torch.compile`` puts around a module, wherever that goes."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, FunctionValue, Library, Made, Other
from trainlint.ir.nodes import Access, Asserted, Attr, BoolOp, Call, Entered, Global, Param, Select, Self, Term

_DEEPEST = 10
_COMPILES = "compiles"
#: What a wrapper's call makes of the model that it is given first, by the tables ``parallel`` and ``kinds``.
_WRAPPERS = frozenset(("ddp", "fsdp", "fsdp2", "wrapper"))


class CompiledModels:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self.words = knowledge.tables["dynamo"]
        self.names = frozenset(name for name, word in self.words.items() if word == _COMPILES)
        self._same = knowledge.fluent | knowledge.evaluates | knowledge.ends_evaluation
        self._keeps = frozenset(knowledge.tables["dynamo.inside"]["names"])
        self._leaves_on = frozenset(knowledge.tables["dynamo.leaves_on"]["names"])

    def of(self, term: Term, frame: Frame) -> list[Made]:
        """The calls that may have made what a term stands for, a module around a model; not what a wrapper of it holds."""
        return list(dict.fromkeys(self._of(term, frame, _DEEPEST)))

    def _of(self, term: Term, frame: Frame, depth: int) -> Iterator[Made]:
        if depth == 0:
            return
        if isinstance(term, Select):
            yield from (made for part in term.arms for made in self._of(part, frame, depth - 1))
        elif isinstance(term, BoolOp):
            yield from (made for part in term.operands for made in self._of(part, frame, depth - 1))
        elif isinstance(term, Attr) and term.name in self.program.knowledge.unwraps and not isinstance(term.base, Self):
            yield from self._inside(term.base, frame, depth - 1)
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self._same:
            yield from self._of(term.callee.base, frame, depth - 1)
        elif isinstance(term, Param) and isinstance(bound := frame.given(term), Bound):
            yield from self._of(bound.term, bound.frame, depth - 1)
        elif isinstance(term, (Param, Access, Global, Call, Asserted, Entered)):
            yield from self._followed(term, frame, depth - 1)

    def _followed(self, term: Term, frame: Frame, depth: int) -> Iterator[Made]:
        if isinstance(term, Call) and term.args and last_name(term.callee) in self.program.knowledge.unwrapping:
            values = self.program.values(term.callee, frame)
            keeps = any(isinstance(value, Library) and value.name in self._leaves_on for value in values)
            if keeps and not self._takes_off(term):
                yield from self._of(term.args[0], frame, depth)
                yield from self._inside(term.args[0], frame, depth)
        if isinstance(term, Call):
            for callee in self.program.values(term.callee, frame):
                if isinstance(callee, FunctionValue) and not callee.function.generator and not frame.runs(callee.function):
                    inner = self.program.enter(callee, term, frame)
                    for returned in self.program.returns(callee.function):
                        yield from self._of(returned, inner, depth - 1) if depth else ()
        for value in self.program.values(term, frame):
            if isinstance(value, Made) and value.name in self.names and value.call is not None and value.call.args:
                yield value
            elif isinstance(value, Made) and self._prepares(value) and value.call is not None and value.frame is not None:
                yield from self._of(value.call.args[0], value.frame, depth)
            elif isinstance(value, Other) and (value.term is not term or value.frame is not frame):
                yield from self._of(value.term, value.frame, depth)

    def _inside(self, term: Term, frame: Frame, depth: int) -> Iterator[Made]:
        """The compiled model in a wrapper."""
        knowledge = self.program.knowledge
        for value in self.program.values(term, frame):
            if isinstance(value, Made) and value.call is not None and value.frame is not None and value.call.args:
                words = {knowledge.parallel.get(value.name), knowledge.kinds.get(value.name)}
                if words & _WRAPPERS and value.name not in self.names:
                    yield from self._of(value.call.args[0], value.frame, depth)

    def _prepares(self, value: Made) -> bool:
        """Whether a library hands back the model that it was given, in a wrapper or not."""
        call = value.call
        return self.program.knowledge.kinds.get(value.name) == "prepared" and call is not None and len(call.args) == 1

    def _takes_off(self, call: Call) -> bool:
        """Whether somebody who takes wrappers off is told to take this one off, too."""
        return any(name in self._keeps for name, _ in call.kwargs)


__all__ = ["CompiledModels"]

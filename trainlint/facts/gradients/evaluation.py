"""Evaluation passes that record gradients: a model that was put into evaluation mode runs, and nothing turns them off.

The model is known by what is done with it: ``eval()`` is called on the very thing that is called. Its output holds a
graph, and so does a loss of the tables that is computed from it; nobody will ask for their gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.contexts import activations
from trainlint.facts.framework import imports_framework
from trainlint.facts.gradients.grad_mode import OFF, ON, GradMode
from trainlint.facts.gradients.graphs import Graphs
from trainlint.facts.gradients.suspended import Suspended
from trainlint.facts.gradients.within import Within
from trainlint.facts.modes.identity import NOTHING, Identities
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.order import before, loops_around, within
from trainlint.ir.sketch import Function


class Evaluation:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.graphs: Graphs = program.ask(Graphs)
        self.mode = program.ask(GradMode)
        knowledge = program.knowledge
        self._evaluates = knowledge.evaluates
        self._gradients = frozenset((*knowledge.backward, *knowledge.asks_gradients))
        self._models: dict[int, frozenset[Term]] = {}

    def models(self, module: str, function: Function) -> frozenset[Term]:
        """What a function puts into evaluation mode; empty where gradients may be off, or are not PyTorch's."""
        known = self._models.get(id(function))
        if known is None:
            known = self._models[id(function)] = frozenset(self._found(module, function))
        return known

    def output(self, term: Term, frame: Frame) -> Call | None:
        """The call of a model whose graph a value holds, directly or through a loss; None when it holds none for sure."""
        models = self.models(frame.module, frame.function)
        if not models:
            return None
        for (part, where), way in self.graphs.held(term, frame).items():
            if where is not frame or not way.whole:
                continue
            call = self._output(part, frame, models)
            if call is not None and not self._wants_gradients(call, frame.function) and self._records(call, frame):
                return call
        return None

    def _found(self, module: str, function: Function) -> Iterator[Term]:
        if not self.program.ask_of(imports_framework, self.program.modules[module]):
            return
        for node in calls_of(function):
            if last_name(node.term.callee) in self._evaluates and isinstance(node.term.callee, Attr):
                model = node.term.callee.base
                frames = activations(self.program, module, function)
                keys = NOTHING.union(*(self.program.ask(Identities).of(model, frame) for frame in frames))
                if not self.program.ask(Suspended).may_be(module, keys):
                    yield model

    def _wants_gradients(self, call: Call, function: Function) -> bool:
        """Whether gradients are computed, or prepared for, where a model runs: in the loops around it, behind its ``eval()``.

        Where none comes before it, or something that ends what it says does, its gradients may be wanted as well.
        """
        model = self._called(call.callee)
        modes = self._evaluates | self.program.knowledge.ends_evaluation
        terms = [node.term for node in calls_of(function)]
        said = [(term, term.callee) for term in terms if isinstance(term.callee, Attr) and term.callee.name in modes]
        if isinstance(model, Call) and isinstance(model.callee, Attr) and model.callee.name in self._evaluates:
            said = [(model, model.callee)]  # ``model.eval()(x)``
        own = [each for each in said if each[0] is model or each[1].base is model]
        earlier = [each for each in own if before(function, each[0], call)]
        if not earlier or earlier[-1][1].name not in self._evaluates:
            return True
        loops = loops_around(function, call)
        behind = [loop for loop in loops if not within(function, loop, earlier[-1][0])] or list(loops[-1:])
        asked = [node.term for node in calls_of(function) if last_name(node.term.callee) in self._gradients]
        return any(not behind or within(function, behind[0], each) for each in asked)

    def _output(self, part: Term, frame: Frame, models: frozenset[Term]) -> Call | None:
        """A model's call that a value is, or that a loss is computed from."""
        if isinstance(part, Attr) and part.name in self.program.knowledge.loss_attributes:
            part = part.base
        if not isinstance(part, Call):
            return None
        if self._is_model(part.callee, models):
            return part
        if part.args and self.graphs.likely.is_loss(part.callee, frame):
            for inner, where in self.graphs.held(part.args[0], frame):
                if where is frame and isinstance(inner, Call) and self._is_model(inner.callee, models):
                    return inner
        return None

    def _is_model(self, callee: Term, models: frozenset[Term]) -> bool:
        model = self._called(callee)
        return model in models or (
            isinstance(model, Call) and isinstance(model.callee, Attr) and model.callee.name in self._evaluates
        )

    def _called(self, callee: Term) -> Term:
        """The model that is called, without a wrapper around it."""
        unwrapped: Term = callee.base if isinstance(callee, Attr) and callee.name in self.program.knowledge.unwraps else callee
        return unwrapped

    def _records(self, call: Call, frame: Frame) -> bool:
        """Whether the call records a graph in every activation of the function, as far as its callers can be seen."""
        if self.program.ask(Within).computes(call, frame):
            return False  # the graph is wanted, and what is left of it has been used
        for target in self.graphs.index.targets(call, frame):
            if isinstance(target, FunctionValue):
                if self.mode.of_function(target.module, target.function) == OFF:
                    return False
                if self.mode.blocks(self.program.frame(target.module, target.function), target.function.body):
                    return False
        function = frame.function
        if function.kind != "module" and not self.graphs.index.callers(function):
            return False
        frames = activations(self.program, frame.module, function)
        return all(self.mode.at(each, call.site) == ON for each in frames)

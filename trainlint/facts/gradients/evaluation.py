"""Evaluation passes that record gradients: a model that was put into evaluation mode runs, and nothing turns them off.

The model is known by what is done with it: ``eval()`` is called on the very thing that is called. Its output holds a
graph, and so does a loss of the tables that is computed from it; nobody will ask for their gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.calls import last_name
from trainlint.facts.contexts import activations
from trainlint.facts.framework import imports_framework
from trainlint.facts.gradients.grad_mode import OFF, ON, grad_mode
from trainlint.facts.gradients.graphs import Graphs, graphs
from trainlint.facts.gradients.within import within
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue
from trainlint.model.sketch import Function, Store
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind


class Evaluation:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.graphs: Graphs = graphs(program)
        self.mode = grad_mode(program)
        knowledge = program.knowledge
        self._evaluates = knowledge.evaluates
        self._gradients = frozenset((*knowledge.backward, *knowledge.asks_gradients))
        self._models: dict[int, frozenset[Term]] = {}
        self._suspended: dict[str, bool] = {}

    def models(self, module: str, function: Function) -> frozenset[Term]:
        """What a function puts into evaluation mode; empty where gradients may be wanted, or are not PyTorch's."""
        known = self._models.get(id(function))
        if known is None:
            known = self._models[id(function)] = frozenset(self._found(module, function))
        return known

    def output(self, term: Term, frame: Frame) -> Term | None:
        """The call of a model whose graph a value holds, directly or through a loss; None when it holds none for sure."""
        models = self.models(frame.module, frame.function)
        if not models:
            return None
        for (part, where), way in self.graphs.held(term, frame).items():
            if where is not frame or not way.whole:
                continue
            call = self._output(part, frame, models)
            if call is not None and self._records(call, frame):
                return call
        return None

    def _found(self, module: str, function: Function) -> Iterator[Term]:
        if not imports_framework(self.program, self.program.modules[module]) or self.is_suspended(module):
            return
        found = []
        for node in calls_of(function):
            name = last_name(node.term[1])
            if name in self._gradients:
                return
            if name in self._evaluates and node.term[1][0] == "a":
                found.append(node.term[1][1])
        yield from found

    def is_suspended(self, module: str) -> bool:
        """Whether the file switches gradients by a call somewhere, or freezes weights: then nothing is said about it."""
        known = self._suspended.get(module)
        if known is None:
            known = any(self._freezes(function) for function in self.program.modules[module].functions.values())
            index = self.graphs.index
            switches = [n.rpartition(".")[2] for n, word in self.program.knowledge.grad_modes.items() if word == "flag"]
            for name in (*switches, *(f"{name}_" for name in self.program.knowledge.freezes)):
                known = known or any(site.module == module for site in index.sites.get(name, ()))
            self._suspended[module] = known
        return known

    def _freezes(self, function: Function) -> bool:
        """Whether a function turns the gradients of some parameter off, or may."""
        for node in of_kind(function, Store):
            if node.target[0] == "a" and node.target[2] in self.program.knowledge.freezes:
                return not (node.value[0] == "c" and node.value[2] is True)
        return False

    def _output(self, part: Term, frame: Frame, models: frozenset[Term]) -> Term | None:
        """A model's call that a value is, or that a loss is computed from."""
        if part[0] == "a" and part[2] in self.program.knowledge.loss_attributes:
            part = part[1]
        if part[0] != "call":
            return None
        if self._is_model(part[1], models):
            return part
        if part[2] and self.graphs.likely.is_loss(part[1], frame):
            for inner, where in self.graphs.held(part[2][0], frame):
                if where is frame and inner[0] == "call" and self._is_model(inner[1], models):
                    return inner
        return None

    def _is_model(self, callee: Term, models: frozenset[Term]) -> bool:
        if callee[0] == "a" and callee[2] in self.program.knowledge.unwraps:
            callee = callee[1]
        if callee[0] == "call" and callee[1][0] == "a" and callee[1][2] in self._evaluates:
            return True
        return callee in models

    def _records(self, call: Term, frame: Frame) -> bool:
        """Whether the call records a graph in every activation of the function, as far as its callers can be seen."""
        if within(self.program).computes(call, frame):
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
        return all(self.mode.at(each, call[4]) == ON for each in frames)


def evaluation(program: Program) -> Evaluation:
    """The evaluation passes of a program (made once)."""
    known = program.analyses.get("evaluation")
    if known is None:
        known = program.analyses["evaluation"] = Evaluation(program)
    assert isinstance(known, Evaluation)
    return known

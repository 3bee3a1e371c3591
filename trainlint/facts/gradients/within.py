"""Models that compute gradients in their own pass: learners that adapt first, potentials whose forces are derivatives."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.layers import of_module
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Call

#: What calling a model runs.
_PASSES = frozenset(("forward", "__call__"))

#: How many calls lie between a pass and what computes the gradients, at most.
_DEEPEST = 4


class Within:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._computing: frozenset[int] | None = None
        self._passes: list[str] = []

    def computes(self, call: Call, frame: Frame) -> bool:
        """Whether a pass computes gradients itself; of a model out of sight, whether one of the models around it does."""
        computing = self._functions()
        if not computing:
            return False
        targets = [target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue)]
        if targets:
            return any(id(target.function) in computing for target in targets)
        return any(self.program.together(path, frame.module) for path in self._passes)

    def is_seen(self, call: Call, frame: Frame) -> bool:
        """Whether it is seen what a pass runs."""
        return any(isinstance(target, FunctionValue) for target in self.index.targets(call, frame))

    def _functions(self) -> frozenset[int]:
        """What computes gradients, itself or in what it calls; the passes of models among it are kept by their files."""
        if self._computing is None:
            knowledge = self.program.knowledge
            names = (knowledge.asks_gradients - knowledge.steps - knowledge.training) | frozenset(knowledge.backward)
            found: set[int] = set()
            fresh = [(site.module, site.function) for name in sorted(names) for site in self.index.sites_named(name)]
            for _ in range(_DEEPEST):
                fresh = [(path, function) for path, function in fresh if id(function) not in found and function.kind != "module"]
                found.update(id(function) for _, function in fresh)
                self._passes += [
                    path
                    for path, function in fresh
                    if function.name in _PASSES
                    and of_module(self.program, path, function)
                    and not tests_software(self.program, path, function)
                ]
                fresh = [(site.module, site.function) for _, function in fresh for site in self.index.callers(function)]
            self._computing = frozenset(found)
        return self._computing

"""Backward passes: what gradients are computed of, directly or in a helper that is handed the loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import last_name
from trainlint.facts.graphs import Graphs, graphs
from trainlint.facts.loops import loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Bound, Frame, FunctionValue
from trainlint.finding import Spot
from trainlint.model.sketch import Function
from trainlint.model.terms import Term

#: How many calls deep a loss is handed on before something computes its gradients.
_DEEPEST = 4


class Root(NamedTuple):
    """What a backward pass starts from, and the call that runs it or leads to it, in the function of the frame."""

    term: Term
    frame: Frame
    spot: Spot


class Backward:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.graphs: Graphs = graphs(program)
        self.loops = loops(program)
        self.names = frozenset(program.knowledge.backward)
        self._roots: dict[Frame, list[Root]] = {}
        self._fed: dict[int, frozenset[str]] = {}

    def happens(self) -> bool:
        """Whether anything in the program computes gradients at all."""
        return any(True for name in self.names for _ in self.loops.index.sites_named(name))

    def roots(self, frame: Frame, depth: int = 0) -> list[Root]:
        """What backward passes in the function of a frame start from."""
        known = self._roots.get(frame)
        if known is None:
            self._roots[frame] = []  # ends recursion
            known = [Root(term, frame, call[4]) for call, term in self._found(frame, depth)]
            self._roots[frame] = known
        return known

    def _found(self, frame: Frame, depth: int) -> Iterator[tuple[Term, Term]]:
        leading = self.loops.leading_to(self.names)
        for node in calls_of(frame.function):
            call = node.term
            name = last_name(call[1])
            if name in self.names:
                yield from ((call, term) for term in self._of(call, str(name)))
            elif depth < _DEEPEST and (call[2] or call[3]) and (name in leading or call[1][0] in ("p", "call", "g", "a")):
                if call[1][0] == "a" and name not in leading and call[1][1][0] != "self":
                    continue
                yield from ((call, term) for term in self._handed_on(call, frame, depth))

    def _of(self, call: Term, name: str) -> Iterator[Term]:
        """``loss.backward()``, ``engine.backward(loss)``, ``torch.autograd.backward(loss)``."""
        if call[1][0] == "a" and self.program.knowledge.backward[name] == "receiver":
            yield call[1][1]
        if call[2]:
            yield call[2][0]

    def _handed_on(self, call: Term, frame: Frame, depth: int) -> Iterator[Term]:
        """The arguments that a function of the project computes gradients of."""
        for target in self.graphs.index.targets(call, frame):
            if not isinstance(target, FunctionValue) or frame.runs(target.function):
                continue
            fed = self.fed(target.module, target.function, depth + 1)
            if fed:
                inner = self.program.enter(target, call, frame)
                for parameter in fed:
                    bound = inner.arguments.get(parameter)
                    if isinstance(bound, Bound) and bound.frame is frame:
                        yield bound.term

    def fed(self, module: str, function: Function, depth: int = 0) -> frozenset[str]:
        """The parameters of a function that it computes gradients of."""
        key = id(function)
        if key not in self._fed:
            self._fed[key] = frozenset()
            if function.name not in self.loops.leading_to(self.names):
                return self._fed[key]
            frame = self.program.frame(module, function)
            found = set()
            for root in self.roots(frame, depth):
                for (term, _), way in self.graphs.held(root.term, frame).items():
                    if way.sure and term[0] == "p" and term[1] == function.qualname:
                        found.add(str(term[2]))
            self._fed[key] = frozenset(found)
        return self._fed[key]


def backward(program: Program) -> Backward:
    """The backward passes of a program (made once)."""
    known = program.analyses.get("backward")
    if known is None:
        known = program.analyses["backward"] = Backward(program)
    assert isinstance(known, Backward)
    return known

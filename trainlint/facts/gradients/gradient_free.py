"""Values of which nobody computes gradients, and that lead to no parameter: data, what was detached, outputs of frozen parts.

Beside what has no graph (:mod:`trainlint.facts.gradients.graphless`) these are batches of a loader, tensors that are made of
nothing, what names say are masks and indices, and what a frozen part computes of such. Whatever is not known may need a gradient.
"""

from __future__ import annotations

from collections.abc import Mapping

from trainlint.facts.call_graph import CallSite, last_name
from trainlint.facts.gradients.frozen import Frozen
from trainlint.facts.gradients.graphless import Graphless, Why, begins
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, Instance, Library, Made
from trainlint.ir.nodes import Access, Attr, Call, Compare, Const, Element, LoopPhi, Not, Param, Select, Subscript, Term, Unknown
from trainlint.ir.terms import parts_of

_CONSTANT = "constant"
_BATCH, _NAMED, _FROZEN, _AGAIN = "batch", "named", "frozen", "again"


class GradientFree(Graphless):
    """Answers for one place: ``arms`` are the tests that lead there, and how they come out."""

    def __init__(self, program: Program, place: CallSite, arms: Mapping[Term, bool]) -> None:
        super().__init__(program)
        self._place = place
        self._arms = arms
        self._assumed: set[tuple[str, int, int]] = set()
        self._data = program.knowledge.tables["data_words"]["names"]

    def why(self, term: Term, frame: Frame) -> Why | None:
        """Why a value needs no gradient; None where it may need one."""
        found = self.of(term, frame)
        return None if found is None or found.begins else found

    def of(self, term: Term, frame: Frame, depth: int = 8) -> Why | None:
        """As :meth:`Graphless.of`, with what needs no gradient for other reasons."""
        return self._data_of(term, frame, depth) or super().of(term, frame, depth)

    def _data_of(self, term: Term, frame: Frame, depth: int) -> Why | None:
        if depth == 0:
            return None
        if isinstance(term, (Const, Compare, Not)):
            return self._said(_CONSTANT)
        if isinstance(term, Select):
            arm = self._arms.get(term.test)
            return self.of(term.then if arm else term.other, frame, depth - 1) if arm is not None else None
        if isinstance(term, Access) and isinstance(term.base, (Element, Subscript, Param, Call)):
            return self.of(term.base, frame, depth - 1)
        if isinstance(term, Element):
            return self._said(_BATCH) if any(True for _ in self.program.ask(Loops).iterated(term.of, frame)) else None
        if isinstance(term, Param):
            return self._parameter(term, frame)
        if isinstance(term, LoopPhi):
            return self._carried(term, frame, depth)
        return self._computed(term, frame, depth) if isinstance(term, Call) else None

    def _said(self, word: str) -> Why:
        return Why(word, self._place.module, self._place.call.term.site)

    def _parameter(self, term: Param, frame: Frame) -> Why | None:
        """A parameter whose name says that it is data, where nobody is seen to pass it."""
        if isinstance(frame.given(term), Bound):
            return None
        words = term.name.lower().split("_")
        return self._said(_NAMED) if not set(words).isdisjoint(self._data) else None

    def _carried(self, term: LoopPhi, frame: Frame, depth: int) -> Why | None:
        """A name that a loop binds again: what it holds before the loop, and after each round if it needed none before."""
        function = frame.function
        inside = next((name for name in function.carried if isinstance(name, LoopPhi) and name.place == term.place), None)
        if inside is None:
            return None
        if inside.place in self._assumed:
            return self._said(_AGAIN)
        before, end = function.carried[inside]
        first = self.of(before, frame, depth - 1)
        if first is None or first.begins:
            return None
        self._assumed.add(inside.place)
        again = self.of(end, frame, depth - 1)
        self._assumed.discard(inside.place)
        return first if again is not None else None

    def _computed(self, call: Call, frame: Frame, depth: int) -> Why | None:
        values = self.program.values(call.callee, frame)
        libraries = {value.name for value in values if isinstance(value, Library)}
        tables = self.program.knowledge.tables
        if len(libraries) == len(values) == 1:
            library = libraries.pop()
            if library in tables["makes_data"]["names"]:
                return None if begins(call) else Why(library.rpartition(".")[2], frame.module, call.site)
            if library in tables["recomputes"]:
                return self.together(call.args[1:], frame, depth - 1)
        name = last_name(call.callee) or ""
        if isinstance(call.callee, Attr) and name in self.knowledge.keeps:
            return None  # a method of a tensor: the tensor is asked
        parts = [value for value in values if isinstance(value, (Made, Instance))]
        if not parts or len(parts) != len(values) or not self.program.ask(Frozen).surely(call.callee, frame):
            return None
        looks_up = all(isinstance(part, Made) and part.name in tables["looks_up"]["names"] for part in parts)
        if looks_up or self.together(call.args, frame, depth - 1) is not None:
            return Why(_FROZEN, frame.module, call.site)
        return None

    def together(self, terms: tuple[Term, ...], frame: Frame, depth: int = 8) -> Why | None:
        """Why none of several values needs a gradient: what is said of the first that is no constant."""
        found = [self.of(term, frame, depth) for term in terms]
        if not found or any(why is None or why.begins for why in found):
            return None
        said = [why for why in found if why is not None]
        return next((why for why in said if why.word != _CONSTANT), said[0])


def is_constant(why: Why) -> bool:
    """Whether a value needs no gradient because it is no tensor."""
    return why.word == _CONSTANT


def depends_on_round(test: Term) -> bool:
    """Whether a test may come out differently in each round of a loop."""
    return any(isinstance(part, (Element, LoopPhi, Unknown)) for part in parts_of(test))

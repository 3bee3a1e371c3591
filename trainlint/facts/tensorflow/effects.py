"""What a function that TensorFlow traces does in Python beside computing: it happens while tracing, and never again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.tensorflow.functions import in_traces, is_lifted
from trainlint.facts.tensorflow.moded import Moded
from trainlint.facts.traced.reached import Reached
from trainlint.facts.values import Bound, ClassValue, Frame, Instance, Library, Made, Other
from trainlint.finding import Applicability, Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Element, Global, List, Param, Ref, Self, Subscript, Term
from trainlint.ir.order import made_in
from trainlint.ir.sketch import CallStep, Keep, Statement
from trainlint.ir.terms import parts_of
from trainlint.sites.changes import Change, Rewrite

Kind = Literal["print", "append", "count"]
_DEEPEST = 6
_ARITHMETIC = (BinOp, Subscript, Element)


class Effect(NamedTuple):
    """A place that runs while tracing only; ``node`` is the parser's class of what stands there."""

    step: Reached
    kind: Kind
    spot: Spot
    node: str
    statement: Spot
    change: Change | None


def effects(program: Program) -> Iterator[Effect]:
    """Each such place, once."""
    asked = _Effects(program)
    seen: set[tuple[str, Spot]] = set()
    for step in in_traces(program):
        for node, led in walk_tested(step.function.body):
            found = asked.of(step, node) if not asked.asks_for_trace(led) else None
            if found is not None and (step.module, found.spot) not in seen and not is_lifted(program, step.function, node):
                seen.add((step.module, found.spot))
                yield found


class _Effects:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = program.knowledge.tables["tensorflow"]

    def asks_for_trace(self, led: Led) -> bool:
        """Whether a test around something asks whether it is traced, or has somebody else's word for it."""
        parts = [part for test, _ in led if isinstance(test, Term) for part in parts_of(test)]
        names = {part.name.rpartition(".")[2] for part in parts if isinstance(part, (Ref, Attr))}
        return not names.isdisjoint(self.table["asks_for_trace"])

    def of(self, step: Reached, node: Statement) -> Effect | None:
        """What a statement does beside computing."""
        if isinstance(node, CallStep):
            callee, given = node.term.callee, node.term.args
            if isinstance(callee, Attr) and callee.name in self.table["puts"] and given and self._outlives(callee.base, step):
                if self.is_tensor(given[0], step.frame, 0):
                    return Effect(step, "append", node.term.site, "Call", node.statement, None)
            elif (
                isinstance(callee, Ref) and callee.name in self.table["prints"] and any(self._shows(each, step) for each in given)
            ):
                return Effect(step, "print", node.term.site, "Call", node.statement, self._printed(step, node))
        elif isinstance(node, Keep) and node.kind == "AugAssign" and self._counts(node, step):
            return Effect(step, "count", node.spot, "AugAssign", node.spot, None)
        return None

    def _shows(self, given: Term, step: Reached) -> bool:
        """Whether what is printed is a tensor, or a text with one in it."""
        texts = self.program.modules[step.module].texts
        if given in texts:
            return any(self._shows(part, step) for part in texts[given])
        return self.is_tensor(given, step.frame, 0)

    def is_tensor(self, term: Term, frame: Frame, depth: int) -> bool:
        """Whether a term surely is a tensor of the trace: what TensorFlow, a layer or a model computes, or is computed of it."""
        if depth > _DEEPEST:
            return False
        if isinstance(term, _ARITHMETIC):
            parts = term.sides if isinstance(term, BinOp) else (term.stem,)
            return any(self.is_tensor(part, frame, depth + 1) for part in parts)
        if isinstance(term, Param):
            bound = frame.given(term)
            return isinstance(bound, Bound) and self.is_tensor(bound.term, bound.frame, depth + 1)
        if not isinstance(term, Call):
            return False
        for value in self.program.values(term.callee, frame):
            if isinstance(value, Library):
                named = value.name.startswith(tuple(self.table["computes"])) and value.name not in self.table["computes_not"]
                return named and not value.name.rpartition(".")[2][0].isupper()
            if isinstance(value, Made):
                return value.name.startswith((*self.table["layers"], *self.table["makes_model"], "keras.losses."))
            if isinstance(value, Instance):
                return self.program.ask(Moded).is_of_keras(ClassValue(value.module, value.cls))
        return False

    def _outlives(self, container: Term, step: Reached) -> bool:
        """Whether a list is there before the trace and after it: an attribute of an object, or a name from outside."""
        if isinstance(container, Attr) and isinstance(container.base, Self):
            owner = step.frame.owner()
            if not isinstance(owner, Instance):
                return False
            stored = self.program.stores(ClassValue(owner.module, owner.cls), container.name)
            return bool(stored) and all(isinstance(term, List) and function.name == "__init__" for _, function, term in stored)
        values = self.program.values(container, step.frame) if isinstance(container, Global) else ()
        if any(isinstance(value, Other) and isinstance(value.term, List) for value in values):
            return True
        if isinstance(container, List) and len(container.parts) == len(List.fields):
            return not any(each.module == step.module and made_in(each.function, container) for each in _steps(step))
        return False

    def _counts(self, node: Keep, step: Reached) -> bool:
        """Whether ``+=`` counts with a Python number that an object keeps."""
        target, value, owner = node.target, node.value, step.frame.owner()
        if not isinstance(target, Attr) or not isinstance(target.base, Self) or not isinstance(owner, Instance):
            return False
        if not isinstance(value, BinOp) or not any(
            isinstance(part, Const) and type(part.value) in (int, float) for part in value.sides
        ):
            return False
        if any(word in target.name.lower() for word in self.table["counts_traces"]):
            return False
        stored = self.program.stores(ClassValue(owner.module, owner.cls), target.name)
        starts = [term for _, function, term in stored if function.name == "__init__"]
        return bool(starts) and all(isinstance(term, Const) and type(term.value) in (int, float) for term in starts)

    def _printed(self, step: Reached, node: CallStep) -> Change | None:
        """``print`` as TensorFlow prints at each call."""
        new = reference(self.table["prints_values"][0], self.program.modules[step.module])
        if new is None or node.term.kwargs:
            return None
        paths = ((("arguments", 0),),)
        return Rewrite(Applicability.DISPLAY, "Print at each call", spot=node.term.site, code=f"{new}({{0}})", paths=paths)


def _steps(step: Reached) -> Iterator[Reached]:
    before: Reached | None = step
    while before is not None:
        yield before
        before = before.before


__all__ = ["Effect", "Kind", "effects"]

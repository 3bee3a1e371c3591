"""Values that have no graph: a number, a detached value, a tensor that was made anew.

A value has none only if nothing that it is made of can have one. So both sides of arithmetic must be known to have none, all that
a helper returns, both arms of a choice; and whatever is not known ends the question.
"""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.gradients.grad_mode import OFF, GradMode
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, FunctionValue, Library, Made
from trainlint.finding import Spot
from trainlint.ir.names import root_of
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Const,
    LoopPhi,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Term,
    Unknown,
)
from trainlint.ir.order import within
from trainlint.ir.sketch import With
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.ir.walk import of_kind

_DEEPEST = 8
#: How a graph is begun, by an argument or by a method; and what is done with all of a tensor to make a loss of it.
_REQUIRES, _BEGINS, _WHOLE = "requires_grad", "requires_grad_", ("mean", "sum")


class Why(NamedTuple):
    """What ended the graph: a word (the call's name, or "no_grad"), and where.

    ``begins``: another graph begins there, which leads no further back (``requires_grad=True``).
    """

    word: str
    module: str
    spot: Spot
    begins: bool = False


class Graphless:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.mode = program.ask(GradMode)
        self._keeps_first = program.knowledge.keeps_first

    def of(self, term: Term, frame: Frame, depth: int = _DEEPEST) -> Why | None:
        """Why a value has no graph; None where it may have one."""
        if depth == 0:
            return None
        if isinstance(term, Call):
            return self._call(term, frame, depth - 1)
        if isinstance(term, BinOp):
            return self._together(term.sides, frame, depth - 1)
        if isinstance(term, (Select, BoolOp)):
            parts = term.arms if isinstance(term, Select) else term.operands
            found = [self.of(part, frame, depth - 1) for part in parts]
            return found[0] if None not in found else None
        if isinstance(term, Attr) and term.name == "data" and isinstance(term.base, (Call, BinOp)):
            spot = self._spot(term.base)
            return Why(".data", frame.module, spot) if spot is not None else None
        if isinstance(term, Param):
            bound = frame.given(term)
            return self.of(bound.term, bound.frame, depth - 1) if isinstance(bound, Bound) else None
        if isinstance(term, LoopPhi):
            return self._total(term, frame, depth - 1)
        return None

    def _spot(self, term: Term) -> Spot | None:
        return next((part.site for part in parts_of(term) if isinstance(part, Call)), None)

    def _together(self, parts: tuple[Term, ...], frame: Frame, depth: int) -> Why | None:
        """Of arithmetic: at least one side has no graph, and the others have none or are numbers."""
        found = [self.of(part, frame, depth) for part in parts]
        if any(why is not None and why.begins for why in found):
            return None  # somebody may want the gradient of that
        if any(why is None and not _is_number(part) for why, part in zip(found, parts, strict=True)):
            return None
        return next((why for why in found if why is not None), None)

    def _total(self, held: LoopPhi, frame: Frame, depth: int) -> Why | None:
        """A sum of such values that begins as a number."""
        function = frame.function
        inside = next((name for name in function.carried if isinstance(name, LoopPhi) and name.place == held.place), None)
        if inside is None:
            return None
        before, end = function.carried[inside]
        if not _is_number(before) or not isinstance(end, BinOp) or end.op not in ("Add", "Sub"):
            return None
        others = [part for part in end.sides if part is not inside]
        return self.of(others[0], frame, depth) if len(others) == 1 else None

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, call: Call, frame: Frame, depth: int) -> Why | None:
        callee, name = call.callee, last_name(call.callee) or ""
        values = self.program.values(callee, frame)
        functions = [value for value in values if isinstance(value, FunctionValue)]
        if functions:
            return self._returned(functions, call, frame, depth) if len(functions) == len(values) else None
        libraries = {value.name for value in values if isinstance(value, Library)}
        if isinstance(callee, Attr) and not is_imported(callee):
            if name in self.knowledge.ends_graph and not (call.args and name == "item"):
                return Why(name, frame.module, call.site)
            if name in self.knowledge.keeps and all(_is_number(part) for part in call.args):
                return self._method(call, callee, frame, depth)
            return self._unrecorded(call, frame)
        if len(libraries) == 1:
            library = libraries.pop()
            if library in self.knowledge.makes_anew and call.args and not _is_written(call.args[0]):
                return Why(library.rpartition(".")[2], frame.module, call.site, begins(call))
            if library in self._keeps_first and call.args and not isinstance(call.args[0], (SequenceDisplay, Unknown)):
                found = self.of(call.args[0], frame, depth)
                return None if found is None or found.begins else found._replace(begins=begins(call))
        return self._unrecorded(call, frame)

    def _method(self, call: Call, method: Attr, frame: Frame, depth: int) -> Why | None:
        """A method of a tensor whose result has the tensor's graph."""
        name = method.name
        found = self.of(method.base, frame, depth)
        if found is None:
            return self._unrecorded(call, frame)
        if name == _BEGINS:
            return found._replace(begins=True)
        return None if found.begins and name not in _WHOLE else found

    def _unrecorded(self, call: Call, frame: Frame) -> Why | None:
        """A call in a block, or in a decorated function, in which nothing is recorded."""
        if (
            not self._is_off(frame, call.site)
            or isinstance(call.callee, Ref)
            or (last_name(call.callee) or "") in self.knowledge.keeps
        ):
            return None
        return Why("no_grad", frame.module, call.site)

    def _is_off(self, frame: Frame, spot: Spot) -> bool:
        """Whether recording is certainly off: what says so is no choice, and is told nothing."""
        if self.mode.own(frame, spot) != OFF:
            return False
        function = frame.function
        said = [item for node in of_kind(function, With) if within(function, node, spot) for item in node.items]
        return any(self._turns_off(term, frame) for term in (*said, *function.decorators))

    def _turns_off(self, term: Term, frame: Frame) -> bool:
        if not isinstance(term, (Call, Ref, Attr)) or (isinstance(term, Call) and (term.args or term.kwargs)):
            return False
        names = {value.name for value in self.program.values(term, frame) if isinstance(value, (Library, Made))}
        return bool(names) and all(self.knowledge.grad_modes.get(name) == "off" for name in names)

    def _returned(self, functions: list[FunctionValue], call: Call, frame: Frame, depth: int) -> Why | None:
        """What the project's functions return: of all of them, wherever they return."""
        found: list[Why | None] = []
        for target in functions:
            results = self.program.returns(target.function)
            if frame.runs(target.function) or target.function.generator or not results:
                return None
            inner = self.program.enter(target, call, frame)
            found += [self.of(result, inner, depth) for result in results]
        return found[0] if None not in found else None


def is_imported(callee: Term) -> bool:
    """Whether what is called is a function of a module, not a method."""
    return isinstance(root_of(callee), Ref)


def begins(call: Call) -> bool:
    """Whether a call makes a tensor of which gradients are computed."""
    return any(name == _REQUIRES and not (isinstance(value, Const) and value.value is False) for name, value in call.kwargs)


def _is_written(term: Term) -> bool:
    """Whether a value is written down: a number, or a list of such."""
    if isinstance(term, SequenceDisplay) and type(term.items) is tuple:
        return all(_is_written(item) for item in term.items)
    return _is_number(term)


def _is_number(term: Term) -> bool:
    """Whether a term is a number that is written down, or the length of something."""
    if isinstance(term, Const):
        return isinstance(term.value, (int, float))
    return is_call_of(term, "builtins.len")

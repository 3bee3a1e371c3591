"""Which terms are tensors in a function that is compiled: parameters used as such, what layers and functions compute of them."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Compare,
    Invert,
    LoopPhi,
    MatMul,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import CallGraph
from trainlint.program.heap import item_of
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import returned
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject, Value

_IDENTITY = ("Is", "IsNot", "In", "NotIn")
_ASKS = "is_"


class TracedTensors:
    """Questions about tensors, each in an activation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        tables = knowledge.tables
        self._functions: list[str] = tables["dynamo.functions"]["names"]
        self._layers: list[str] = tables["dynamo.layers"]["names"]
        self._several = frozenset(tables["dynamo.several"]["names"])
        self._tensors = frozenset(tables["dynamo.tensors"]["names"])
        self._none = (frozenset(knowledge.on_host) | frozenset(tables["dynamo.numbers"]["names"])) - {"cpu"}
        self._methods = knowledge.tensor_methods
        self._makes = frozenset(tables["makes_data"]["names"])
        self._shows = frozenset(tables["dynamo.shows"]["names"])

    @remembered(False)
    def is_tensor(self, term: Term, frame: Context) -> bool:
        """Whether a term certainly is a tensor."""
        return self._is_tensor(term, frame) or self._is_shown(term, frame)

    def _is_shown(self, term: Term, frame: Context) -> bool:
        """Whether a call, or an item of one, is treated as a tensor: what the function does with it only tensors can do."""
        return isinstance(term, (Call, Subscript)) and term in self._computed_with(frame.function, frame)

    def _is_tensor(self, term: Term, frame: Context) -> bool:
        if isinstance(term, Param):
            return self._is_given(term, frame)
        if isinstance(term, Attr):
            if isinstance(term.base, Self):
                return any(
                    isinstance(value, LibraryObject) and value.name in self._tensors for value in self.program.values(term, frame)
                )
            return term.name not in self._none and not term.name.startswith(_ASKS) and self.is_tensor(term.base, frame)
        if isinstance(term, Subscript):
            return self._item(term, frame)
        if isinstance(term, Compare):
            return term.op not in _IDENTITY and any(self.is_tensor(part, frame) for part in term.sides)
        if isinstance(term, (BinOp, Invert)):
            return any(self.is_tensor(part, frame) for part in term.subterms())
        if isinstance(term, Select):
            return all(self.is_tensor(part, frame) for part in term.arms)
        if isinstance(term, LoopPhi):
            phi = frame.function.phis.get(term)
            return phi is not None and any(self.is_tensor(begins, frame) for begins in phi.looped[:1])
        if isinstance(term, MatMul):
            return any(self.is_tensor(part, frame) for part in term.factors)
        return isinstance(term, Call) and self._result(term, frame)

    # -- parameters ------------------------------------------------------------------------------------------------

    def _is_given(self, parameter: Param, frame: Context) -> bool:
        holder = frame.holder(parameter.function)
        bound = frame.given(parameter)
        if isinstance(bound, Argument) and self.is_tensor(bound.term, bound.frame):
            return True
        if holder is None:
            return False
        annotation = holder.function.annotations.get(parameter.name)
        if annotation is not None and any(
            isinstance(value, Library) and value.name in self._tensors
            for value in self.program.values(annotation, self.program.frame(holder.module, holder.function))
        ):
            return True
        return parameter in self._computed_with(holder.function, holder)

    @remembered(frozenset())
    def _computed_with(self, function: Function, frame: Context) -> frozenset[Term]:
        """What has tensor methods in a function, and which of its parameters functions of the tensor library are given."""
        return frozenset(self._given(function, frame))

    def _given(self, function: Function, frame: Context) -> Iterator[Term]:
        for node in calls_of(function):
            callee, given = node.term.callee, node.term.args
            methods = (
                (*self._methods, *self._shows) if isinstance(callee, Attr) and isinstance(callee.base, Param) else self._shows
            )
            if isinstance(callee, Attr) and callee.name in methods:
                yield callee.base
            if (
                given
                and isinstance(given[0], Param)
                and any(self.computes(value) for value in self.program.values(callee, frame))
            ):
                yield given[0]

    # -- what is computed ------------------------------------------------------------------------------------------

    def _item(self, term: Subscript, frame: Context) -> bool:
        container, key = term.base, term.key
        if isinstance(container, SequenceDisplay):
            item = item_of(container, key)
            return item is not None and self.is_tensor(item, frame)
        if self.is_tensor(container, frame):
            return True
        return isinstance(container, Call) and self._all(container, key, frame)

    def _result(self, call: Call, frame: Context) -> bool:
        callee = call.callee
        if isinstance(callee, Attr) and not isinstance(callee.base, (Self, Ref)):
            if callee.name in self._none or callee.name.startswith(_ASKS):
                return False
            if self.is_tensor(callee.base, frame):
                return True
        given = (*call.args, *(value for _, value in call.kwargs))
        for value in self.program.values(callee, frame):
            if isinstance(value, LibraryObject) and self.computes(value):
                return value.name.rpartition(".")[2] not in self._several
            if isinstance(value, Library) and value.name in self._makes:
                return True
            if self.computes(value):
                assert isinstance(value, (Library, LibraryObject))
                return value.name.startswith(self._functions[0]) or any(self.is_tensor(part, frame) for part in given)
        return self._all(call, None, frame)

    def computes(self, value: Value) -> bool:
        """Whether something is a function of the tensor library that computes, or a layer of it."""
        if isinstance(value, LibraryObject):
            begins = next((each for each in self._layers if value.name.startswith(each)), None)
            return begins is not None and value.name[len(begins) :][:1].isupper()
        if not isinstance(value, Library):
            return False
        for begins in self._functions:
            rest = value.name.removeprefix(begins)
            if rest != value.name and rest[:1].islower() and "." not in rest:
                return rest not in self._none and not rest.startswith(_ASKS)
        return False

    def _all(self, call: Call, key: Term | None, frame: Context) -> bool:
        """Whether all that functions of the project return is a tensor; of a tuple the item under ``key``."""
        targets = [each for each in self.program.ask(CallGraph).targets(call, frame) if isinstance(each, FunctionValue)]
        found = list(returned(self.program, targets, call, frame, key))
        return bool(found) and all(each is not None and self.is_tensor(*each) for each in found)

    # -- masks -----------------------------------------------------------------------------------------------------

    def is_mask(self, term: Term, frame: Context) -> bool:
        """Whether a term is a tensor of truth values: an index of this kind picks as many items as are true."""
        if isinstance(term, Compare):
            return self.is_tensor(term, frame)
        if isinstance(term, Invert) or (isinstance(term, BinOp) and term.op in ("BitAnd", "BitOr")):
            return all(self.is_mask(part, frame) for part in term.subterms())
        if isinstance(term, Call):
            names = {value.name for value in self.program.values(term.callee, frame) if isinstance(value, Library)}
            shapes = self.program.knowledge.shapes
            return any(shapes.get(name) == "mask" for name in names) and self.is_tensor(term, frame)
        return False


__all__ = ["TracedTensors"]

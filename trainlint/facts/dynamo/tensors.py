"""Which terms are tensors in a function that is compiled: parameters used as such, what layers and functions compute of them."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.calls import Calls
from trainlint.facts.displays import item_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Bound, Frame, FunctionValue, Library, Made, Value
from trainlint.model.sketch import Function
from trainlint.model.terms import Term, subterms

_DEEPEST = 16
_DEEPEST_CALL = 8
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
        self._known: dict[tuple[Term, Frame], bool] = {}
        self._used: dict[int, frozenset[Term]] = {}

    def is_tensor(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term certainly is a tensor."""
        key = (term, frame)
        known = self._known.get(key)
        if known is None:
            if depth > _DEEPEST:
                return False
            self._known[key] = False  # ends recursion
            known = self._known[key] = self._is_tensor(term, frame, depth + 1)
        return known

    def _is_tensor(self, term: Term, frame: Frame, depth: int) -> bool:
        tag = term[0]
        if tag == "p":
            return self._is_given(term, frame, depth)
        if tag == "a":
            if term[1][0] == "self":
                return any(isinstance(value, Made) and value.name in self._tensors for value in self.program.values(term, frame))
            return term[2] not in self._none and not term[2].startswith(_ASKS) and self.is_tensor(term[1], frame, depth)
        if tag == "sub":
            return self._item(term, frame, depth)
        if tag == "cmp":
            return term[1] not in _IDENTITY and any(self.is_tensor(part, frame, depth) for part in term[2:])
        if tag in ("bin", "inv"):
            return any(self.is_tensor(part, frame, depth) for part in subterms(term))
        if tag == "if":
            return all(self.is_tensor(part, frame, depth) for part in term[2:])
        if tag == "lv":
            carried, ended = frame.function.carried.get(term), frame.function.ended.get(term)
            begins = carried[0] if carried is not None else ended
            return begins is not None and self.is_tensor(begins, frame, depth)
        if tag == "v":
            product = frame.function.products.get(term)
            return product is not None and any(self.is_tensor(part, frame, depth) for part in product.factors)
        return tag == "call" and self._result(term, frame, depth)

    # -- parameters ------------------------------------------------------------------------------------------------

    def _is_given(self, parameter: Term, frame: Frame, depth: int) -> bool:
        holder = frame.holder(parameter[1])
        bound = frame.given(parameter)
        if isinstance(bound, Bound) and self.is_tensor(bound.term, bound.frame, depth):
            return True
        if holder is None:
            return False
        annotation = holder.function.annotations.get(parameter[2])
        if annotation is not None and any(
            isinstance(value, Library) and value.name in self._tensors
            for value in self.program.values(annotation, self.program.frame(holder.module, holder.function))
        ):
            return True
        return parameter in self._computed_with(holder.function, holder)

    def _computed_with(self, function: Function, frame: Frame) -> frozenset[Term]:
        """The parameters of a function that layers or functions of the tensor library are given, or that have tensor methods."""
        known = self._used.get(id(function))
        if known is None:
            self._used[id(function)] = frozenset()
            known = self._used[id(function)] = frozenset(self._given(function, frame))
        return known

    def _given(self, function: Function, frame: Frame) -> Iterator[Term]:
        for node in calls_of(function):
            callee, given = node.term[1], node.term[2]
            if callee[0] == "a" and callee[1][0] == "p" and callee[2] in self._methods:
                yield callee[1]
            if given and given[0][0] == "p" and any(self.computes(value) for value in self.program.values(callee, frame)):
                yield given[0]

    # -- what is computed ------------------------------------------------------------------------------------------

    def _item(self, term: Term, frame: Frame, depth: int) -> bool:
        container, key = term[1], term[2]
        if container[0] in ("tuple", "list"):
            item = item_of(container, key)
            return item is not None and self.is_tensor(item, frame, depth)
        if self.is_tensor(container, frame, depth):
            return True
        return container[0] == "call" and self._all(self._returned(container, frame, key), depth)

    def _result(self, call: Term, frame: Frame, depth: int) -> bool:
        callee = call[1]
        if callee[0] == "a" and callee[1][0] not in ("self", "r"):
            if callee[2] in self._none or callee[2].startswith(_ASKS):
                return False
            if self.is_tensor(callee[1], frame, depth):
                return True
        given = (*call[2], *(value for _, value in call[3]))
        for value in self.program.values(callee, frame):
            if isinstance(value, Made) and self.computes(value):
                return value.name.rpartition(".")[2] not in self._several
            if isinstance(value, Library) and value.name in self._makes:
                return True
            if self.computes(value):
                assert isinstance(value, (Library, Made))
                return value.name.startswith(self._functions[0]) or any(self.is_tensor(part, frame, depth) for part in given)
        return self._all(self._returned(call, frame, None), depth)

    def computes(self, value: Value) -> bool:
        """Whether something is a function of the tensor library that computes, or a layer of it."""
        if isinstance(value, Made):
            begins = next((each for each in self._layers if value.name.startswith(each)), None)
            return begins is not None and value.name[len(begins) :][:1].isupper()
        if not isinstance(value, Library):
            return False
        for begins in self._functions:
            rest = value.name.removeprefix(begins)
            if rest != value.name and rest[:1].islower() and "." not in rest:
                return rest not in self._none and not rest.startswith(_ASKS)
        return False

    def _all(self, returned: Iterator[tuple[Term, Frame]], depth: int) -> bool:
        found = list(returned)
        return bool(found) and all(self.is_tensor(term, inner, depth) for term, inner in found)

    def _returned(self, call: Term, frame: Frame, key: Term | None) -> Iterator[tuple[Term, Frame]]:
        """What a function of the project returns in this very call; of a tuple, the item under ``key``."""
        if frame.depth >= _DEEPEST_CALL:
            return
        for target in self.program.ask(Calls).targets(call, frame):
            if not isinstance(target, FunctionValue) or target.function.generator or frame.runs(target.function):
                continue
            inner = self.program.enter(target, call, frame)
            for term in self.program.returns(target.function):
                if key is None:
                    yield term, inner
                elif term[0] == "tuple" and key[0] == "c" and type(key[2]) is int and 0 <= key[2] < len(term[1]):
                    yield term[1][key[2]], inner
                else:
                    yield Term(("c", "NoneType", None)), inner

    # -- masks -----------------------------------------------------------------------------------------------------

    def is_mask(self, term: Term, frame: Frame) -> bool:
        """Whether a term is a tensor of truth values: an index of this kind picks as many items as are true."""
        if term[0] == "cmp":
            return self.is_tensor(term, frame)
        if term[0] == "inv" or (term[0] == "bin" and term[1] in ("BitAnd", "BitOr")):
            return all(self.is_mask(part, frame) for part in subterms(term))
        if term[0] == "call":
            names = {value.name for value in self.program.values(term[1], frame) if isinstance(value, Library)}
            shapes = self.program.knowledge.shapes
            return any(shapes.get(name) == "mask" for name in names) and self.is_tensor(term, frame)
        return False


__all__ = ["TracedTensors"]

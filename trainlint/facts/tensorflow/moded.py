"""Models of Keras that do something else in training: they drop, or normalise by the batch.

A model is asked for by a value: one that is made of inputs and outputs, a sequence of layers, or an object of a class of the
project. What is not in sight (a loaded model, one of a library) is none, and so is a layer that is told its mode where it is
applied.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.command_line import defaults_of
from trainlint.facts.contexts import activations
from trainlint.facts.partials import partial_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import Attr, Call, Const, Global, List, LoopPhi, Param, Ref, Self, Term
from trainlint.ir.sketch import Function, Store
from trainlint.ir.walk import of_kind

_TRAINING, _CALL, _ADD = "training", "call", "add"
_DEEPEST = 5


class Moded:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        table = program.knowledge.tables["tensorflow"]
        self._layers = frozenset(table["moded_layers"])
        self._dropping = frozenset(table["drops_by"])
        self._bases = frozenset(table["model_bases"])
        self._models = frozenset(table["makes_model"])
        self._classes: dict[int, bool] = {}

    def is_model(self, value: Value) -> bool:
        """Whether a value is a model or layer of Keras whose inside is in sight."""
        if isinstance(value, Made):
            return value.name in self._models and value.call is not None
        return isinstance(value, Instance) and self.is_of_keras(ClassValue(value.module, value.cls))

    def is_of_keras(self, cls: ClassValue) -> bool:
        """Whether a class of the project is derived from a model or layer of Keras."""
        return any(isinstance(each, Library) and each.name in self._bases for each in self.program.lineage(cls))

    def has_modes(self, value: Value, depth: int = 0) -> bool:
        """Whether a model does something else in training."""
        if depth > _DEEPEST:
            return False
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            return value.name in self._models and self._made_with_modes(value.call, value.frame, depth)
        return isinstance(value, Instance) and self._class_has_modes(ClassValue(value.module, value.cls), depth)

    def _made_with_modes(self, call: Call, frame: Frame, depth: int) -> bool:
        given = [*call.args, *(value for _, value in call.kwargs)]
        for node in calls_of(frame.function):  # model.add(Dropout(0.5))
            if isinstance(node.term.callee, Attr) and node.term.callee.name == _ADD and node.term.callee.base is call:
                given += node.term.args
        seen: set[Term] = set()
        return any(self._term_has(term, frame, depth, seen) for term in given)

    def _term_has(self, term: Term, frame: Frame, depth: int, seen: set[Term]) -> bool:
        """Whether something with modes was applied on the way to a value, or stands in a list."""
        pending = [term]
        while pending:
            part = pending.pop()
            if part in seen:
                continue
            seen.add(part)
            if isinstance(part, Call):
                if any(name in (_TRAINING, None) for name, _ in part.kwargs) and not isinstance(part.callee, Ref):
                    pending += part.args  # the layer itself is told its mode
                    continue
                if self._call_has(part, frame, depth):
                    return True
            elif isinstance(part, LoopPhi):
                pending += (*frame.function.carried.get(part, ()), *self._ended(part, frame.function))
            elif isinstance(part, (Param, Global)):
                values = self.program.values(part, frame)
                if any(self._value_has(value, depth) for value in values):
                    return True
            pending += part.subterms()
        return False

    def _ended(self, part: Term, function: Function) -> Iterator[Term]:
        held = function.ended.get(part)
        if held is not None:
            yield held

    def _value_has(self, value: Value, depth: int) -> bool:
        if isinstance(value, Other) and isinstance(value.term, (Call, List)):
            return depth < _DEEPEST and self._term_has(value.term, value.frame, depth + 1, set())
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            return self._call_has(value.call, value.frame, depth)
        return False

    def _call_has(self, call: Call, frame: Frame, depth: int) -> bool:
        """Whether a call makes a layer with modes, applies one, or is of a function that returns what went through one."""
        for callee in self.program.values(call.callee, frame):
            if isinstance(callee, Library):
                if callee.name in self._layers or callee.name in self._dropping:
                    if self._drops(callee.name, call, frame):
                        return True
                elif callee.name in self._models and depth < _DEEPEST and self._made_with_modes(call, frame, depth + 1):
                    return True
            elif isinstance(callee, FunctionValue) and depth < _DEEPEST and not frame.runs(callee.function):
                inner = self.program.enter(callee, call, frame)
                if any(self._term_has(value, inner, depth + 1, set()) for value in self.program.returns(callee.function)):
                    return True
            elif isinstance(callee, ClassValue) and self.is_of_keras(callee):
                if self._class_has_modes(callee, depth + 1):
                    return True
            elif (partial := partial_of(callee)) is not None:  # partial(BatchNormalization, momentum=0.9)
                if depth < _DEEPEST and self._call_has(partial.applied, partial.frame, depth + 1):
                    return True
            elif isinstance(callee, (Instance, Made)) and self.is_model(callee) and self.has_modes(callee, depth + 1):
                return True
        return False

    def _drops(self, name: str, call: Call, frame: Frame) -> bool:
        """Whether a layer that is made here does something in training: one that drops nothing does not."""
        if name not in self._dropping:
            named = dict(call.kwargs)
            rate = call.args[0] if call.args else next((named[each] for each in ("rate", "stddev") if each in named), None)
            return rate is None or not self._is_zero(rate, frame)
        given = next((value for keyword, value in call.kwargs if keyword == "dropout"), None)
        return given is not None and not self._is_zero(given, frame)

    def _is_zero(self, rate: Term, frame: Frame) -> bool:
        """Whether a rate may be 0: written so, or by default, where somebody leads here."""
        if isinstance(rate, Param) and frame.caller is None:
            frames = activations(self.program, frame.module, frame.function)
            return any(each.caller is not None and self._is_zero(rate, each) for each in frames)
        for value in self.program.values(rate, frame):
            if isinstance(value, Other) and isinstance(value.term, Const):
                if value.term.value:
                    return False
                continue
            name = value.name.rpartition(".")[2] if isinstance(value, Library) else None
            if isinstance(value, Other) and isinstance(value.term, Attr):
                name = value.term.name
            if name is None or all(defaults_of(self.program, name, frame.module)):  # an option of the command line
                return False
        return True

    def _class_has_modes(self, cls: ClassValue, depth: int) -> bool:
        known = self._classes.get(id(cls.cls))
        if known is None:
            self._classes[id(cls.cls)] = False  # ends recursion
            known = self._classes[id(cls.cls)] = self._class_has_now(cls, depth)
        return known

    def _class_has_now(self, cls: ClassValue, depth: int) -> bool:
        if depth > _DEEPEST or not self.is_of_keras(cls) or self.program.method(cls, "__call__") is not None:
            return False
        call = self.program.method(cls, _CALL)
        if call is None or self.trains_by_default(call[1]):
            return False
        for above in self.program.lineage(cls):
            if isinstance(above, ClassValue):
                functions = self.program.modules[above.module].functions
                for qualname in above.cls.methods.values():
                    if self._keeps(above.module, functions[qualname], call[1], depth):
                        return True
        return False

    def _keeps(self, module: str, function: Function, call: Function, depth: int) -> bool:
        """Whether a method puts a layer with modes into its object that ``call`` does not tell its mode."""
        frame = self.program.frame(module, function)
        told = {
            node.term.callee.name
            for node in calls_of(call)
            if isinstance(node.term.callee, Attr)
            and any(name == _TRAINING and isinstance(value, Const) for name, value in node.term.kwargs)
        }
        stores = [
            (node.target.name, node.value)
            for node in of_kind(function, Store)
            if isinstance(node.target, Attr) and isinstance(node.target.base, Self)
        ]
        if any(name not in told and self._term_has(value, frame, depth + 1, set()) for name, value in stores):
            return True
        added = [
            node.term
            for node in calls_of(function)
            if isinstance(node.term.callee, Attr) and node.term.callee.name in (_ADD, "append")
        ]
        return any(self._term_has(each, frame, depth + 1, set()) for term in added for each in term.args)

    def trains_by_default(self, call: Function) -> bool:
        """Whether ``call`` is in training mode unless it is told otherwise."""
        default = call.defaults.get(_TRAINING)
        return default is not None and not (isinstance(default, Const) and not default.value)


__all__ = ["Moded"]

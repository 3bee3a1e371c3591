"""What a model of Keras computes last of each of its outputs: which layer, or which function of TensorFlow.

Where somebody cannot be followed (a layer of another library, a loop over layers), there is no answer, and who asks is silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainlint.facts.program import Program, calls_of
from trainlint.facts.tensorflow.moded import Moded
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import Attr, Call, Dict, Select, SequenceDisplay, Term

_DEEPEST = 6
_OUTPUTS, _CALL, _ADD = "outputs", "call", "add"


class Head(NamedTuple):
    """What computes an output: a layer of Keras (``layer``: the call that made it), or else a function.

    ``given`` is what the layer is applied to, in the activation ``where``, if that is in sight.
    """

    name: str
    call: Call
    frame: Frame
    layer: bool
    given: Term | None = None
    where: Frame | None = None

    def argument(self, keyword: str, position: int | None = None) -> Term | None:
        """What the call is given for a parameter."""
        named = next((value for name, value in self.call.kwargs if name == keyword), None)
        if named is None and position is not None and len(self.call.args) > position:
            given: Term = self.call.args[position]
            return given
        return named


class Outputs:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        table = program.knowledge.tables["tensorflow"]
        self._layers = tuple(table["layers"])
        self._same = frozenset(table["rearranges"])
        self._functions = tuple(table["functions"])

    def of_model(self, value: Value) -> list[Head | None]:
        """The heads of a model's outputs; None for one that nobody can follow."""
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            if value.name == self.program.knowledge.tables["tensorflow"]["sequences"][0]:
                return self._last_of_sequence(value.call, value.frame)
            named = dict(value.call.kwargs)
            given = named.get(_OUTPUTS, value.call.args[1] if len(value.call.args) > 1 else None)
            return list(self._of(given, value.frame, 0)) if given is not None else [None]
        if isinstance(value, Instance):
            return list(self._of_object(value, 0))
        return [None]

    def of_term(self, term: Term, frame: Frame) -> list[Head | None]:
        """The heads of what a term stands for: a result of a model, or what was computed of one."""
        return list(self._of(term, frame, 0))

    def _last_of_sequence(self, call: Call, frame: Frame) -> list[Head | None]:
        added = [
            node.term
            for node in calls_of(frame.function)
            if isinstance(node.term.callee, Attr)
            and node.term.callee.base is call
            and node.term.callee.name == _ADD
            and node.term.args
        ]
        if added:
            return [self._last([each.args[0] for each in added], frame)]
        given = call.args[0] if call.args else None
        for value in self.program.values(given, frame) if given is not None else ():
            if isinstance(value, Other) and isinstance(value.term, SequenceDisplay) and value.term.items:
                return [self._last(value.term.items, value.frame)]
        return [None]

    def _last(self, layers: Sequence[Term], frame: Frame) -> Head | None:
        """The last layer of several that computes something."""
        for layer in reversed(layers):
            made = self._made(layer, frame)
            if made is None or made.name not in self._same:
                return made
        return None

    def _made(self, layer: Term, frame: Frame) -> Head | None:
        """The layer that an item of a sequence is."""
        values = self.program.values(layer, frame)
        if len(values) == 1 and isinstance(values[0], Made) and values[0].name.startswith(self._layers):
            made = values[0]
            return (
                Head(made.name, made.call, made.frame, layer=True) if made.call is not None and made.frame is not None else None
            )
        return None

    def _of(self, term: Term, frame: Frame, depth: int) -> Iterator[Head | None]:
        if depth > _DEEPEST:
            yield None
        elif isinstance(term, SequenceDisplay):
            for part in term.items:
                yield from self._of(part, frame, depth + 1)
        elif isinstance(term, Dict):
            for _, part in term.items:
                yield from self._of(part, frame, depth + 1) if part is not None else (None,)
        elif isinstance(term, Select):
            for part in term.arms:
                yield from self._of(part, frame, depth + 1)
        elif isinstance(term, Call):
            yield from self._of_call(term, frame, depth)
        else:
            for value in self.program.values(term, frame):
                if isinstance(value, Made) and value.call is not None and value.frame is not None and value.call is not term:
                    yield from self._of_call(value.call, value.frame, depth + 1)
                elif isinstance(value, Other) and value.term is not term and isinstance(value.term, (Call, SequenceDisplay)):
                    yield from self._of(value.term, value.frame, depth + 1)
                else:
                    yield None

    def _of_call(self, call: Call, frame: Frame, depth: int) -> Iterator[Head | None]:
        callees = self.program.values(call.callee, frame)
        for callee in callees:
            if isinstance(callee, Made) and callee.call is not None and callee.frame is not None:
                if callee.name in self._same and call.args:
                    yield from self._of(call.args[0], frame, depth + 1)
                elif callee.name.startswith(self._layers):
                    given = call.args[0] if call.args else None
                    yield Head(callee.name, callee.call, callee.frame, layer=True, given=given, where=frame)
                elif self.program.ask(Moded).is_model(callee):
                    yield from self.of_model(callee)
                else:
                    yield None
            elif isinstance(callee, Library):
                known = callee.name.startswith(self._functions)
                yield Head(callee.name, call, frame, layer=False) if known else None
            elif isinstance(callee, FunctionValue) and not callee.function.generator and not frame.runs(callee.function):
                inner = self.program.enter(callee, call, frame)
                returned = self.program.returns(callee.function)
                for value in returned:
                    yield from self._of(value, inner, depth + 1)
                if not returned:
                    yield None
            elif isinstance(callee, Instance):
                yield from self._of_object(callee, depth + 1)
            else:
                yield None

    def _of_object(self, value: Instance, depth: int) -> Iterator[Head | None]:
        """What the ``call`` of an object of the project returns."""
        cls = ClassValue(value.module, value.cls)
        method = self.program.method(cls, _CALL) if self.program.ask(Moded).is_of_keras(cls) else None
        if method is None or depth > _DEEPEST:
            yield None
            return
        frame = self.program.instance_frame(value, *method)
        for term in self.program.returns(method[1]):
            yield from self._of(term, frame, depth + 1)


__all__ = ["Head", "Outputs"]

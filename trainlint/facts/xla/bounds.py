"""Where a slice's length is up to a tensor: bounds that are read from its values (``x[:, : lengths.max()]``)."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.values import Bound, Frame, Library, Made
from trainlint.facts.xla.tensors import Tensors
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Element, Param, Select, Slice, Subscript, Term, Tuple

_DEEPEST = 12


class Bounds:
    """Questions about the bounds of slices, each in an activation."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.program = tensors.program
        self.knowledge = tensors.program.knowledge

    def of_slice(self, key: Term, frame: Frame) -> Term | None:
        """The bound of a slice (or of one among several, ``x[:, :n]``) that a tensor's values say; None when there is none."""
        for part in key.items if isinstance(key, Tuple) else (key,):
            if isinstance(part, Slice):
                for bound in part.subterms():
                    if self.read(bound, frame):
                        return bound
        return None

    def source(self, bound: Term, frame: Frame) -> tuple[Term, Frame]:
        """Where a bound is computed: what a parameter was given, in the activation that gave it."""
        while isinstance(bound, Param):
            given = frame.given(bound)
            if not isinstance(given, Bound):
                break
            bound, frame = given.term, given.frame
        return bound, frame

    def read(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term is certainly made of the values of a tensor on the device: the tensor computed, or numbers read from it.

        An item of a batch by itself is not: the number may have been one all along.
        """
        if depth > _DEEPEST:
            return False
        if isinstance(term, Param):
            bound = frame.given(term)
            return isinstance(bound, Bound) and self.read(bound.term, bound.frame, depth + 1)
        if isinstance(term, Select):
            return self.read(term.then, frame, depth + 1) and self.read(term.other, frame, depth + 1)
        if isinstance(term, BinOp):
            return any(self.read(part, frame, depth + 1) for part in term.sides)
        if isinstance(term, Element):
            return self._each(term.of, None, frame, depth)
        if isinstance(term, Subscript):
            container, key = term.base, term.key
            if isinstance(container, Element):
                return self._each(container.of, key, frame, depth)
            return self.read(container, frame, depth + 1)
        return isinstance(term, Call) and self._call(term, frame, depth)

    def _call(self, call: Call, frame: Frame, depth: int) -> bool:
        callee = call.callee
        for value in self.program.values(callee, frame):
            word = self.knowledge.reads.get(value.name) if isinstance(value, Library) else None
            if word is not None:
                reads = word == "values" and any(self.tensors.on_device(argument, frame) for argument in call.args)
                return reads or any(self.read(argument, frame, depth + 1) for argument in call.args)
        if isinstance(callee, Attr):
            receiver, name = callee.base, callee.name
            if name in self.knowledge.reads:
                return self.tensors.on_device(receiver, frame) or self.read(receiver, frame, depth + 1)
            if name in self.knowledge.on_host:
                return False
            if self.read(receiver, frame, depth + 1):
                return True
        if self.tensors.on_device(call, frame):
            return True
        returned = list(self.tensors.returned(call, frame, None))
        return bool(returned) and all(self.read(term, inner, depth + 1) for term, inner in returned)

    def _each(self, iterated: Term, key: Term | None, frame: Frame, depth: int) -> bool:
        """Whether what a loop hands out (of several things, the one under ``key``) was read from a tensor."""
        return any(self.read(term, inner, depth + 1) for term, inner in self._handed_out(iterated, key, frame))

    def _handed_out(self, iterated: Term, key: Term | None, frame: Frame) -> Iterator[tuple[Term, Frame]]:
        position = key.value if key is not None and isinstance(key, Const) else None
        for value in self.program.values(iterated, frame):
            shape = self.knowledge.iterates.get(value.name) if isinstance(value, Made) else None
            if isinstance(value, Made) and shape is not None and value.call is not None and value.frame is not None:
                arguments = value.call.args
                if shape == "zipped" and type(position) is int and 0 <= position < len(arguments):
                    yield arguments[position], value.frame
                elif (shape == "same" or (shape == "indexed" and position == 1)) and arguments:
                    yield arguments[0], value.frame
            elif key is None:
                yield iterated, frame

"""When two paths are surely the same place on the disk, or one lies in the other."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from trainlint.facts.files.operations import PATH
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Other
from trainlint.ir.nodes import Attr, BinOp, Call, Composite, Const, Global, Param, Ref, Select, Subscript, Term

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_DEEPEST = 12


class Places:
    """Names places by where their paths come from: equal names, one place."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def parts(self, term: Term, frame: Frame) -> tuple[Hashable, ...]:
        """The name of a place, folder by folder, as far as the path is put together in sight."""
        return self._parts(term, frame, 0)

    def alternatives(self, term: Term, frame: Frame) -> list[tuple[Hashable, ...]]:
        """The names of the places that a path may be, where a condition chooses one of two."""
        if isinstance(term, Select):
            return [*self.alternatives(term.then, frame), *self.alternatives(term.other, frame)]
        return [self.parts(term, frame)]

    def _parts(self, term: Term, frame: Frame, depth: int) -> tuple[Hashable, ...]:
        if depth > _DEEPEST:
            return (("deep", id(term), id(frame)),)
        if isinstance(term, BinOp) and term.op == "Div":
            return (*self._parts(term.left, frame, depth + 1), *self._parts(term.right, frame, depth + 1))
        if isinstance(term, Call):
            return self._of_call(term, frame, depth + 1)
        if isinstance(term, Param):
            holder = frame.holder(term.function)
            bound = holder.arguments.get(term.name) if holder is not None else None
            if isinstance(bound, Bound):
                return self._parts(bound.term, bound.frame, depth + 1)
            return (("p", term.function, term.name, holder.module if holder is not None else ""),)
        if isinstance(term, Attr):
            return self._of_attribute(term, frame, depth + 1)
        if isinstance(term, (Global, Ref)):
            values = self.program.values(term, frame)
            if len(values) == 1 and isinstance(values[0], Other) and values[0].term is not term:
                return self._parts(values[0].term, values[0].frame, depth + 1)
        return (self._one(term, frame, depth),)

    def _one(self, term: Term, frame: Frame, depth: int) -> Hashable:
        if isinstance(term, Const):
            return ("c", term.value)
        if isinstance(term, Composite):
            return ("text", *(self._parts(part, frame, depth + 1) for part in term.pieces))
        if isinstance(term, BinOp):
            return ("bin", term.op, self._parts(term.left, frame, depth + 1), self._parts(term.right, frame, depth + 1))
        if isinstance(term, Subscript):
            return ("sub", self._parts(term.base, frame, depth + 1), self._parts(term.key, frame, depth + 1))
        if isinstance(term, (Global, Ref)):
            return (term.tag, frame.module if isinstance(term, Global) else "", term.name)
        return ("term", id(term), id(frame))

    def _of_attribute(self, term: Attr, frame: Frame, depth: int) -> tuple[Hashable, ...]:
        for value in self.program.values(term.base, frame):
            if isinstance(value, Instance):
                stored = self.program.stores(ClassValue(value.module, value.cls), term.name)
                if len(stored) == 1:
                    module, function, held = stored[0]
                    return self._parts(held, self.program.instance_frame(value, module, function), depth)
                return (("of", value.module, value.cls.qualname, id(value.call), term.name),)
        return (("a", self._parts(term.base, frame, depth), term.name),)

    def _of_call(self, term: Call, frame: Frame, depth: int) -> tuple[Hashable, ...]:
        knowledge = self.program.knowledge
        arguments = [*term.args, *(value for _, value in term.kwargs)]
        for value in self.program.values(term.callee, frame):
            if isinstance(value, Library):
                if value.name in knowledge.joins_paths:
                    first = [term.callee.base] if value.name.startswith(PATH + ".") and isinstance(term.callee, Attr) else []
                    return tuple(part for given in (*first, *arguments) for part in self._parts(given, frame, depth))
                if (value.name in knowledge.transparent or value.name in knowledge.plain) and len(arguments) == 1:
                    return (("call", value.name), *self._parts(arguments[0], frame, depth))
            if isinstance(value, FunctionValue) and not frame.runs(value.function):
                inner = self.program.enter(value, term, frame)
                returned = self.program.returns(value.function)
                if len(returned) == 1 and not value.function.generator:
                    return self._parts(returned[0], inner, depth)
        return (("term", id(term), id(frame)),)

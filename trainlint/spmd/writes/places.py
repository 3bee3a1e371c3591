"""When two paths are surely the same place on the disk, or one lies in the other."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from trainlint.facts.files.operations import PATH
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Other
from trainlint.model.terms import Term

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
        if term[0] == "if":
            return [*self.alternatives(term[2], frame), *self.alternatives(term[3], frame)]
        return [self.parts(term, frame)]

    def _parts(self, term: Term, frame: Frame, depth: int) -> tuple[Hashable, ...]:
        if depth > _DEEPEST:
            return (("deep", id(term), id(frame)),)
        tag = term[0]
        if tag == "bin" and term[1] == "Div":
            return (*self._parts(term[2], frame, depth + 1), *self._parts(term[3], frame, depth + 1))
        if tag == "call":
            return self._of_call(term, frame, depth + 1)
        if tag == "p":
            holder = frame.holder(term[1])
            bound = holder.arguments.get(term[2]) if holder is not None else None
            if isinstance(bound, Bound):
                return self._parts(bound.term, bound.frame, depth + 1)
            return (("p", term[1], term[2], holder.module if holder is not None else ""),)
        if tag == "a":
            return self._of_attribute(term, frame, depth + 1)
        if tag in ("g", "r"):
            values = self.program.values(term, frame)
            if len(values) == 1 and isinstance(values[0], Other) and values[0].term is not term:
                return self._parts(values[0].term, values[0].frame, depth + 1)
        return (self._one(term, frame, depth),)

    def _one(self, term: Term, frame: Frame, depth: int) -> Hashable:
        tag = term[0]
        if tag == "c":
            return ("c", term[2])
        if tag == "v":
            parts = self.program.modules[frame.module].texts.get(term)
            if parts is not None:
                return ("text", *(self._parts(part, frame, depth + 1) for part in parts))
        if tag == "bin":
            return ("bin", term[1], self._parts(term[2], frame, depth + 1), self._parts(term[3], frame, depth + 1))
        if tag == "sub":
            return ("sub", self._parts(term[1], frame, depth + 1), self._parts(term[2], frame, depth + 1))
        if tag in ("g", "r"):
            return (tag, frame.module if tag == "g" else "", term[1])
        return ("term", id(term), id(frame))

    def _of_attribute(self, term: Term, frame: Frame, depth: int) -> tuple[Hashable, ...]:
        for value in self.program.values(term[1], frame):
            if isinstance(value, Instance):
                stored = self.program.stores(ClassValue(value.module, value.cls), term[2])
                if len(stored) == 1:
                    module, function, held = stored[0]
                    return self._parts(held, self.program.instance_frame(value, module, function), depth)
                return (("of", value.module, value.cls.qualname, id(value.call), term[2]),)
        return (("a", self._parts(term[1], frame, depth), term[2]),)

    def _of_call(self, term: Term, frame: Frame, depth: int) -> tuple[Hashable, ...]:
        knowledge = self.program.knowledge
        arguments = [*term[2], *(value for _, value in term[3])]
        for value in self.program.values(term[1], frame):
            if isinstance(value, Library):
                if value.name in knowledge.joins_paths:
                    first = [term[1][1]] if value.name.startswith(PATH + ".") and term[1][0] == "a" else []
                    return tuple(part for given in (*first, *arguments) for part in self._parts(given, frame, depth))
                if (value.name in knowledge.transparent or value.name in knowledge.plain) and len(arguments) == 1:
                    return (("call", value.name), *self._parts(arguments[0], frame, depth))
            if isinstance(value, FunctionValue) and not frame.runs(value.function):
                inner = self.program.enter(value, term, frame)
                returned = self.program.returns(value.function)
                if len(returned) == 1 and not value.function.generator:
                    return self._parts(returned[0], inner, depth)
        return (("term", id(term), id(frame)),)

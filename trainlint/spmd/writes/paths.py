"""Paths on the disk: their words, when two are the same place, and what lists the same names on every rank.

Which words a value is made of: those of its texts, and of the names on the way to where it comes from.

What a folder holds: ranks that list the same folder draw the same names from it, sorted, filtered or cut as may be.

When two paths are surely the same place on the disk, or one lies in the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from trainlint.domains.files import PATH
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Composite,
    Comprehension,
    Const,
    Element,
    Entered,
    Global,
    LoopPhi,
    Param,
    Ref,
    Select,
    Slice,
    Subscript,
    Term,
    Unknown,
)
from trainlint.program.call_graph import last_name
from trainlint.program.callables import run_by
from trainlint.program.memo import remembered
from trainlint.program.naming import words_in
from trainlint.program.origins import reaching_definition
from trainlint.program.sources import reached
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

if TYPE_CHECKING:
    from trainlint.program.program import Program


def speaks(text: str, words: frozenset[str]) -> bool:
    """Whether one of these words is in a name or a text."""
    return not words.isdisjoint(words_in(text))


def spelled(program: Program, term: Term, frame: Context, words: frozenset[str]) -> bool:
    """Whether one of these words is in the texts and names that a value is made of."""

    def made_of(whole: Term, where: Context) -> list[Argument]:
        values = (value for value in program.values(whole, where) if isinstance(value, Unresolved) and value.term is not whole)
        parts = whole.pieces if isinstance(whole, Unknown) else whole.subterms()
        return [*(Argument(value.term, value.frame) for value in values), *(Argument(part, where) for part in parts)]

    for each in reached(program, term, frame, made_of):
        at = each.term
        name = at.value if isinstance(at, Const) else at.name if isinstance(at, (Attr, Param, Global, LoopPhi)) else ""
        if isinstance(name, str) and speaks(name, words):
            return True
    return False


class Listings:
    """Says of which terms the items are names in a folder. Whether the folder is the same one is asked elsewhere."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self._methods = {name.rpartition(".")[2] for name in knowledge.listings if name.startswith("pathlib.")}

    @remembered(False)
    def is_listing(self, term: Term, frame: Context) -> bool:
        """Whether a term is such a list, or what a function or comprehension makes of one without adding anything."""
        if isinstance(term, Call):
            return self._call(term, frame)
        if isinstance(term, Subscript) and isinstance(term.key, (Slice, Unknown)):
            return self.is_listing(term.base, frame)
        if isinstance(term, Subscript) and isinstance(term.base, Element):
            return self.is_listing(term.base.of, frame)  # the files of a folder that ``os.walk`` comes to
        if isinstance(term, Comprehension):
            return self.is_listing(term.of, frame)
        if isinstance(term, (Param, Global, Attr)):
            values = self.program.values(term, frame)
            return bool(values) and all(self._value(value, term) for value in values)
        return False

    def _value(self, value: object, term: Term) -> bool:
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            return self.is_listing(value.call, value.frame)
        return isinstance(value, Unresolved) and value.term is not term and self.is_listing(value.term, value.frame)

    def _call(self, term: Call, frame: Context) -> bool:
        known = self.program.knowledge
        for value in self.program.values(term.callee, frame):
            if isinstance(value, Library) and value.name in known.listings:
                return True
            if isinstance(value, Library) and value.name in known.relists:
                return any(self.is_listing(argument, frame) for argument in term.args)
            if isinstance(value, FunctionValue) and not value.function.generator and frame.follows(value.function):
                inner = self.program.enter(value, term, frame)
                returned = self.program.returns(value.function)
                return bool(returned) and all(self.is_listing(each, inner) for each in returned)
        return self.by_method(term)

    def by_method(self, term: Call) -> bool:
        """Whether a call lists a folder by its method's name (``path.iterdir()``), the path's own origin being out of sight."""
        return isinstance(term.callee, Attr) and last_name(term.callee) in self._methods


_PLACES_DEEPEST = 12


class Places:
    """Names places by where their paths come from: equal names, one place."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def parts(self, term: Term, frame: Context) -> tuple[Hashable, ...]:
        """The name of a place, folder by folder, as far as the path is put together in sight."""
        return self._parts(term, frame, 0)

    def alternatives(self, term: Term, frame: Context) -> list[tuple[Hashable, ...]]:
        """The names of the places that a path may be, where a condition chooses one of two."""
        if isinstance(term, Select):
            return [*self.alternatives(term.then, frame), *self.alternatives(term.other, frame)]
        return [self.parts(term, frame)]

    def _parts(self, term: Term, frame: Context, depth: int) -> tuple[Hashable, ...]:
        if depth > _PLACES_DEEPEST:
            return (("deep", id(term), frame),)
        if isinstance(term, BinOp) and term.op == "Div":
            return (*self._parts(term.left, frame, depth + 1), *self._parts(term.right, frame, depth + 1))
        if isinstance(term, Call):
            return self._of_call(term, frame, depth + 1)
        if isinstance(term, Param):
            holder = frame.holder(term.function)
            bound = holder.arguments.get(term.name) if holder is not None else None
            if isinstance(bound, Argument):
                return self._parts(bound.term, bound.frame, depth + 1)
            return (("p", term.function, term.name, holder.module if holder is not None else ""),)
        if isinstance(term, Attr):
            return self._of_attribute(term, frame, depth + 1)
        if isinstance(term, (Entered, Global, Ref, Subscript, LoopPhi)):
            made = reaching_definition(self.program, term, frame)
            if made.term is not term:
                return self._parts(*made, depth + 1)
        return (self._one(term, frame, depth),)

    def _one(self, term: Term, frame: Context, depth: int) -> Hashable:
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
        return ("term", id(term), frame)

    def _of_attribute(self, term: Attr, frame: Context, depth: int) -> tuple[Hashable, ...]:
        for value in self.program.values(term.base, frame):
            if isinstance(value, Instance):
                stored = self.program.stores(ClassValue(value.module, value.cls), term.name)
                if len(stored) == 1:
                    module, function, held = stored[0]
                    return self._parts(held, self.program.instance_frame(value, module, function), depth)
                made = reaching_definition(self.program, term, frame)
                if made.term is not term:
                    return self._parts(*made, depth)
                return (("of", value.module, value.cls.qualname, id(value.call), term.name),)
        made = reaching_definition(self.program, term, frame)
        return (("a", self._parts(term.base, frame, depth), term.name),) if made.term is term else self._parts(*made, depth)

    def _of_call(self, term: Call, frame: Context, depth: int) -> tuple[Hashable, ...]:
        knowledge = self.program.knowledge
        arguments = [*term.args, *(value for _, value in term.kwargs)]
        for value in self.program.values(term.callee, frame):
            if isinstance(value, Library):
                if value.name in knowledge.joins_paths:
                    first = [term.callee.base] if value.name.startswith(PATH + ".") and isinstance(term.callee, Attr) else []
                    return tuple(part for given in (*first, *arguments) for part in self._parts(given, frame, depth))
                if (value.name in knowledge.transparent or value.name in knowledge.plain) and len(arguments) == 1:
                    return (("call", value.name), *self._parts(arguments[0], frame, depth))
            for target, _ in run_by(self.program, value, ("__call__",)):
                if not isinstance(target, FunctionValue) or frame.runs(target.function) or target.function.generator:
                    continue
                returned = self.program.returns(target.function)
                if len(returned) == 1:
                    return self._parts(returned[0], self.program.enter(target, term, frame), depth)
        return (("term", id(term), frame),)

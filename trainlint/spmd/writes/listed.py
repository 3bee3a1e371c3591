"""What a folder holds: ranks that list the same folder draw the same names from it, sorted, filtered or cut as may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.call_graph import last_name
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other
from trainlint.ir.nodes import Attr, Call, Comprehension, Element, Global, Param, Slice, Subscript, Term, Unknown

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_DEEPEST = 8


class Listings:
    """Says of which terms the items are names in a folder. Whether the folder is the same one is asked elsewhere."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self._methods = {name.rpartition(".")[2] for name in knowledge.listings if name.startswith("pathlib.")}

    def is_listing(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term is such a list, or what a function or comprehension makes of one without adding anything."""
        if depth > _DEEPEST:
            return False
        if isinstance(term, Call):
            return self._call(term, frame, depth)
        if isinstance(term, Subscript) and isinstance(term.key, (Slice, Unknown)):
            return self.is_listing(term.base, frame, depth + 1)
        if isinstance(term, Subscript) and isinstance(term.base, Element):
            return self.is_listing(term.base.of, frame, depth + 1)  # the files of a folder that ``os.walk`` comes to
        if isinstance(term, Comprehension):
            return self.is_listing(term.of, frame, depth + 1)
        if isinstance(term, (Param, Global, Attr)):
            values = self.program.values(term, frame)
            return bool(values) and all(self._value(value, term, depth) for value in values)
        return False

    def _value(self, value: object, term: Term, depth: int) -> bool:
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            return self.is_listing(value.call, value.frame, depth + 1)
        return isinstance(value, Other) and value.term is not term and self.is_listing(value.term, value.frame, depth + 1)

    def _call(self, term: Call, frame: Frame, depth: int) -> bool:
        known = self.program.knowledge
        for value in self.program.values(term.callee, frame):
            if isinstance(value, Library) and value.name in known.listings:
                return True
            if isinstance(value, Library) and value.name in known.relists:
                return any(self.is_listing(argument, frame, depth + 1) for argument in term.args)
            if isinstance(value, FunctionValue) and not value.function.generator and not frame.runs(value.function):
                inner = self.program.enter(value, term, frame)
                returned = self.program.returns(value.function)
                return bool(returned) and all(self.is_listing(each, inner, depth + 1) for each in returned)
        return self.by_method(term)

    def by_method(self, term: Call) -> bool:
        """Whether a call lists a folder by its method's name (``path.iterdir()``), the path's own origin being out of sight."""
        return isinstance(term.callee, Attr) and last_name(term.callee) in self._methods

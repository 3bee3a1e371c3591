"""Tests that surely do not ask which rank it is: what cannot be computed may still be known to be answered alike."""

from __future__ import annotations

from trainlint.facts.values import Frame, Made, Other
from trainlint.model.terms import Term
from trainlint.spmd.writes.hints import Hints

_ORDER = ("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "In", "NotIn")


class Conditions(Hints):
    """The part of the answer about sameness that is about tests."""

    def same(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term surely has one value on all ranks."""
        raise NotImplementedError

    def set_alike(self, name: str, depth: int) -> bool:
        """Whether everything that is stored under an attribute of this name is the same everywhere."""
        raise NotImplementedError

    def harmless(self, condition: Term, frame: Frame) -> bool:
        """Whether a test that cannot be computed surely does not ask which rank it is.

        Comparisons of numbers and questions about files are about something else, unless a name in them says otherwise; what
        is only asked whether it is there, or is a flag, must be known to be the same everywhere.
        """
        tag = condition[0]
        if tag == "not":
            return self.harmless(condition[1], frame)
        if tag in ("and", "or"):
            return all(self.harmless(part, frame) for part in condition[1])
        if tag == "c":
            return True
        if tag == "cmp" and condition[1] in _ORDER and not self.hinting(condition, frame.module):
            return all(self._measured(side, frame) for side in condition[2:4])
        if tag == "v" and condition not in self.program.modules[frame.module].texts:
            return False
        return self.same(condition, frame) or self._configured(condition, frame)

    def _configured(self, term: Term, frame: Frame) -> bool:
        """An entry of something that a library made: a configuration that was read, not the state of this process."""
        while term[0] in ("a", "sub"):
            name = term[2] if term[0] == "a" else term[2][2] if term[2][0] == "c" else None
            if not isinstance(name, str) or self.hints(name) or not self.set_alike(name, 0):
                return False
            term = term[1]
            if term[0] == "call":
                values = self.program.values(term, frame)
                return bool(values) and all(isinstance(value, Made) and not self.hints(value.name) for value in values)
        return False

    def _measured(self, term: Term, frame: Frame) -> bool:
        """Whether one side of a comparison is what its name says: no parameter or result that may hide a rank."""
        values = self.program.values(term, frame) if term[0] in ("p", "a", "call", "g") else ()
        return not any(isinstance(value, Other) and value.term is not term and self.hinting(value.term) for value in values)

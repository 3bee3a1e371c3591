"""What is done to an object's attributes from outside: somebody else may empty them, or use what they hold."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.model.sketch import Call, Store
from trainlint.model.terms import Term, subterms
from trainlint.model.walk import of_kind


class Outside:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._touched: frozenset[str] | None = None

    def touched(self, holder: Term) -> bool:
        """Whether a holder is an attribute of the object that is mentioned elsewhere as that of something else: ``model.losses``.

        It is taken by its name: who reads it may need the graphs, who calls a method of it may empty it.
        """
        while holder[0] in ("sub", "call"):
            holder = holder[1]
        while holder[0] == "a" and holder[1][0] == "a":
            holder = holder[1]
        return bool(holder[0] == "a") and holder[2] in self._names()

    def _names(self) -> frozenset[str]:
        if self._touched is None:
            found: set[str] = set()
            for _, function in self.program.functions():
                for store in of_kind(function, Store):
                    if store.target[0] == "a":
                        _note(store.target, found)
                for call in of_kind(function, Call):
                    for part in subterms(call.term):
                        _note(part, found)
            self._touched = frozenset(found)
        return self._touched


def _note(term: Term, found: set[str]) -> None:
    """The attributes in a term that are not those of the object itself."""
    while term[0] in ("a", "sub"):
        if term[0] == "a" and term[1][0] not in ("self", "r", "a"):
            found.add(str(term[2]))
        term = term[1]

"""What is done to an object's attributes from outside: somebody else may empty them, or use what they hold."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.ir.nodes import Access, Attr, Call, Ref, Self, Subscript, Term
from trainlint.ir.sketch import CallStep, Store
from trainlint.ir.walk import of_kind


class Outside:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._touched: frozenset[str] | None = None

    def touched(self, holder: Term) -> bool:
        """Whether a holder is an attribute of the object that is mentioned elsewhere as that of something else: ``model.losses``.

        It is taken by its name: who reads it may need the graphs, who calls a method of it may empty it.
        """
        while isinstance(holder, (Subscript, Call)):
            holder = holder.stem
        while isinstance(holder, Attr) and isinstance(holder.base, Attr):
            holder = holder.base
        return isinstance(holder, Attr) and holder.name in self._names()

    def _names(self) -> frozenset[str]:
        if self._touched is None:
            found: set[str] = set()
            for _, function in self.program.functions():
                for store in of_kind(function, Store):
                    if isinstance(store.target, Attr):
                        _note(store.target, found)
                for call in of_kind(function, CallStep):
                    for part in call.term.subterms():
                        _note(part, found)
            self._touched = frozenset(found)
        return self._touched


def _note(term: Term, found: set[str]) -> None:
    """The attributes in a term that are not those of the object itself."""
    while isinstance(term, Access):
        if isinstance(term, Attr) and not isinstance(term.base, (Self, Ref, Attr)):
            found.add(term.name)
        term = term.base

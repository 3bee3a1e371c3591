"""What the terms of a file are parts of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainlint.ir.nodes import Access, Term
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Module, Statement, Store, With, Yield
from trainlint.ir.walk import statements_of

#: A term or statement of which something is a part, and the function in which that is.
_Place = tuple[Term | Statement, Function]


class Parents:
    """Of one file: what each term is a part of, with the function and the statement in which that is."""

    def __init__(self, module: Module) -> None:
        # There are as many places as parts: one object is the place of all parts of a term, and a list is for several only.
        self.of: dict[Term, Sequence[_Place]] = {}
        for function in module.functions.values():
            seen: set[Term] = set()
            for node in statements_of(function):
                here = ((node, function),)
                for root in roots(node):
                    self._note(root, here)
                    self._below(root, function, seen)

    def _below(self, root: Term, function: Function, seen: set[Term]) -> None:
        pending = [root]
        while pending:
            term = pending.pop()
            if term in seen:
                continue
            seen.add(term)
            parts, here = term.subterms(), ((term, function),)
            for part in parts:
                self._note(part, here)
            pending += parts

    def _note(self, part: Term, here: tuple[_Place]) -> None:
        known = self.of.get(part)
        if known is None:
            self.of[part] = here
        elif type(known) is list:
            known.append(here[0])
        else:
            self.of[part] = [*known, *here]


def roots(node: Statement) -> Iterator[Term]:
    """The terms of a statement that are worked out where it begins."""
    if isinstance(node, CallStep):
        yield node.term
    elif isinstance(node, If):
        yield node.condition
    elif isinstance(node, Loop):
        yield node.subject
    elif isinstance(node, With):
        yield from node.items
    elif isinstance(node, (Store, Keep)):
        yield node.value
        if isinstance(node.target, Access):
            yield from node.target.subterms()
    elif isinstance(node, (Exit, Yield)) and node.value is not None:
        yield node.value

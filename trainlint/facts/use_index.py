"""What the terms of a file are parts of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from trainlint.ir.bindings import values_of
from trainlint.ir.nodes import Access, Term, Unknown
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Module, Statement, Store, With, Yield
from trainlint.ir.walk import statements_of

#: A term or statement of which something is a part, and the function in which that is.
_Place = tuple[Term | Statement, Function]

Kind = TypeVar("Kind", bound=Unknown)


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


def made_in(function: Function, kind: type[Kind]) -> Iterator[Kind]:
    """The values of one kind that are made in a function, also for others of them, and for what its names hold."""
    if function.unknowns is None:
        function.unknowns = tuple(_unknowns(function))
    return (each for each in function.unknowns if isinstance(each, kind))


def _unknowns(function: Function) -> Iterator[Unknown]:
    pending = [term for node in statements_of(function) for term in roots(node)]
    pending += [*values_of(function), *function.defaults.values(), *function.decorators]
    pending += [value for pair in function.carried.values() for value in pair]
    seen: set[Term] = set()
    while pending:
        term = pending.pop()
        if term not in seen:
            seen.add(term)
            pending += term.made_of()
            if isinstance(term, Unknown):
                yield term


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

"""Functions within functions: which of them are ever used, and which tests stand around their definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.facts.use_index import roots
from trainlint.ir import nodes
from trainlint.ir.bindings import values_of
from trainlint.ir.control_dependence import Tests
from trainlint.ir.nodes import Call, Term
from trainlint.ir.order import made_within
from trainlint.ir.sketch import CallStep, Function, If, Module
from trainlint.ir.walk import of_kind, statements_of, walk


class Nested:
    """Those of one file."""

    def __init__(self, module: Module) -> None:
        self._called: set[str] = set()
        self._kept: set[str] = set()
        seen: set[Term] = set()
        for function in module.functions.values():
            terms = [term for node in statements_of(function) for term in roots(node)]
            terms += [*values_of(function), *function.defaults.values(), *function.decorators]
            terms += [value for pair in function.carried.values() for value in pair]
            self._look(terms, seen)
        self._look([value for cls in module.classes.values() for value in cls.attributes.values()], seen)

    def _look(self, terms: Iterable[Term], seen: set[Term]) -> None:
        waiting = list(terms)
        while waiting:
            term = waiting.pop()
            if term in seen:
                continue
            seen.add(term)
            if isinstance(term, nodes.Nested):
                self._kept.add(term.name)
            elif isinstance(term, Call):
                for each in (term.callee, *term.args, *(value for _, value in term.kwargs)):
                    if isinstance(each, nodes.Nested):
                        self._called.add(each.name)
                    else:
                        waiting.append(each)
            else:
                waiting += term.subterms()

    def is_used(self, inner: Function) -> bool:
        """Whether anything in the file calls it, hands it on or keeps it (a method: always)."""
        return self.is_kept(inner) or inner.qualname in self._called

    def is_kept(self, inner: Function) -> bool:
        """Whether it may run from elsewhere than where it is called or handed on by its own name."""
        plain = inner.cls is None and inner.kind == "function" and not inner.decorators
        return not plain or inner.qualname in self._kept


def arms_around(outer: Function, inner: Function, module: Module) -> Tests:
    """The tests around the definition of a function within another, each with the arm it stands in."""
    return tuple(_arms(outer, inner, module))


def _arms(outer: Function, inner: Function, module: Module) -> Iterator[tuple[Term, bool]]:
    again = [each for each in module.functions.values() if each.outer == inner.outer and each.name == inner.name]
    for test in inner.tests:
        if isinstance(test, str):
            continue
        for node in of_kind(outer, If):
            if node.condition is test and made_within(outer, node, inner.spot):
                other = [(each.term.site if isinstance(each, CallStep) else each.spot)[0] for each in walk(node.orelse)]
                behind = bool(other) and inner.spot[0] >= min(other)
                second = any(test in each.tests and each.spot[0] < inner.spot[0] for each in again if each is not inner)
                yield test, not (behind or second)

"""What an object keeps under a name, where some ranks store other things there than others.

``self.logger = None``, and under a test on the rank a real one; ``self.should_stop = True`` on rank 0 only. A later test on the
attribute is then a test on the rank, without a word that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import calls
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue
from trainlint.model.sketch import Block, Function, If, Loop, Store, Try, With
from trainlint.model.terms import Term, subterms
from trainlint.model.walk import ends_early, of_kind
from trainlint.spmd.settings import Setting


class Guarded(NamedTuple):
    """A value that a method stores, and the tests under which it does: condition, and the arm that leads there."""

    module: str
    function: Function
    value: Term
    tests: tuple[tuple[Term, bool], ...]


class Attributes:
    """The stores of a program's classes, with the tests around them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[tuple[str, str, str], tuple[Guarded, ...]] = {}
        self._of_function: dict[int, dict[str, list[Guarded]]] = {}
        self._shared: frozenset[str] | None = None

    def under_tests(self, cls: ClassValue, name: str) -> tuple[Guarded, ...]:
        """The stores to ``self.name``, first to last within a method; none where no test stands around any of them."""
        key = (cls.module, cls.cls.qualname, name)
        if key not in self._stores:
            found: list[Guarded] = []
            seen: set[int] = set()
            for module, function, _ in self.program.stores(cls, name):
                if id(function) not in seen:
                    seen.add(id(function))
                    found += self._in(module, function).get(name, ())
            tested = any(store.tests for store in found) and name not in self._changed_elsewhere()
            self._stores[key] = tuple(found) if tested else ()
        return self._stores[key]

    def settings(self, cls: ClassValue, name: str) -> tuple[Setting, ...]:
        """All stores to ``self.name``, ``__init__`` first."""
        found: list[Guarded] = []
        seen: set[int] = set()
        for module, function, _ in self.program.stores(cls, name):
            if id(function) not in seen:
                seen.add(id(function))
                found += self._in(module, function).get(name, ())
        found.sort(key=lambda store: store.function.name != "__init__")
        return tuple(Setting(*store) for store in found)

    def _in(self, module: str, function: Function) -> dict[str, list[Guarded]]:
        known = self._of_function.get(id(function))
        if known is None:
            known = self._of_function[id(function)] = {}
            for name, value, tests in _stores(function.body, ()):
                known.setdefault(name, []).append(Guarded(module, function, value, tests))
        return known

    def _changed_elsewhere(self) -> frozenset[str]:
        """Attributes that collectives are given, and those that are set from outside of their object."""
        if self._shared is None:
            found: set[str] = set()
            names = {name.rpartition(".")[2] for name in self.program.knowledge.collectives}
            for name in names:
                for site in calls(self.program).sites_named(name):
                    for argument in (*site.call.term[2], *(value for _, value in site.call.term[3])):
                        found |= _attributes_in(argument)
            for _, function in self.program.functions():
                for node in of_kind(function, Store):
                    if node.target[0] == "a" and node.target[1][0] != "self":
                        found.add(str(node.target[2]))
            self._shared = frozenset(found)
        return self._shared


def _attributes_in(term: Term) -> set[str]:
    """The attributes of ``self`` among a value and the items of displays."""
    if term[0] == "a":
        return {str(term[2])}
    return {name for part in subterms(term) for name in _attributes_in(part)} if term[0] in ("list", "tuple", "dict") else set()


def _stores(block: Block, tests: tuple[tuple[Term, bool], ...]) -> Iterator[tuple[str, Term, tuple[tuple[Term, bool], ...]]]:
    """The stores to attributes of ``self`` in a block, each with the tests before it that decide whether it runs."""
    for node in block:
        if isinstance(node, Store):
            if node.target[0] == "a" and node.target[1][0] == "self":
                yield str(node.target[2]), node.value, tests
        elif isinstance(node, If):
            yield from _stores(node.body, (*tests, (node.condition, True)))
            yield from _stores(node.orelse, (*tests, (node.condition, False)))
            if ends_early(node.body) != ends_early(node.orelse):
                tests = (*tests, (node.condition, ends_early(node.orelse)))
        elif isinstance(node, Loop):
            yield from _stores(node.body, tests)
            yield from _stores(node.orelse, tests)
        elif isinstance(node, With):
            yield from _stores(node.body, tests)
        elif isinstance(node, Try):
            for part in (node.body, *node.handlers, node.orelse, node.final):
                yield from _stores(part, tests)


def attributes(program: Program) -> Attributes:
    """The attributes of a program (read once)."""
    known = program.analyses.get("attributes")
    if known is None:
        known = program.analyses["attributes"] = Attributes(program)
    assert isinstance(known, Attributes)
    return known

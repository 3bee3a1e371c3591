"""What an object keeps under a name, where some ranks store other things there than others.

``self.logger = None``, and under a test on the rank a real one; ``self.should_stop = True`` on rank 0 only. A later test on the
attribute is then a test on the rank, without a word that says so.
"""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Dict, List, Self, Term, Tuple
from trainlint.ir.sketch import Function, Store
from trainlint.ir.walk import of_kind
from trainlint.spmd.settings import Setting


class Attributes:
    """The stores of a program's classes, with the tests around them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[tuple[str, str, str], tuple[Setting, ...]] = {}
        self._of_function: dict[int, dict[str, list[Setting]]] = {}
        self._shared: frozenset[str] | None = None

    def under_tests(self, cls: ClassValue, name: str) -> tuple[Setting, ...]:
        """The stores to ``self.name``, first to last within a method; none where what is stored last is plain.

        That is so where no test stands around any of them, and no two of them are in one method.
        """
        key = (cls.module, cls.cls.qualname, name)
        if key not in self._stores:
            found = self._all(cls, name)
            is_tested = any(store.tests for store in found) or len({id(store.function) for store in found}) < len(found)
            self._stores[key] = tuple(found) if is_tested and name not in self._changed_elsewhere() else ()
        return self._stores[key]

    def settings(self, cls: ClassValue, name: str) -> tuple[Setting, ...]:
        """All stores to ``self.name``, ``__init__`` first."""
        return tuple(sorted(self._all(cls, name), key=lambda store: store.function.name != "__init__"))

    def _all(self, cls: ClassValue, name: str) -> list[Setting]:
        found: list[Setting] = []
        seen: set[int] = set()
        for module, function, _ in self.program.stores(cls, name):
            if id(function) not in seen:
                seen.add(id(function))
                found += self._in(module, function).get(name, ())
        return found

    def _in(self, module: str, function: Function) -> dict[str, list[Setting]]:
        known = self._of_function.get(id(function))
        if known is None:
            known = self._of_function[id(function)] = {}
            for node, led in walk_tested(function.body):
                if isinstance(node, Store) and isinstance(node.target, Attr) and isinstance(node.target.base, Self):
                    kept = Setting(module, function, node.value, conditions(led))
                    known.setdefault(node.target.name, []).append(kept)
        return known

    def _changed_elsewhere(self) -> frozenset[str]:
        """Attributes that collectives are given, and those that are set from outside of their object."""
        if self._shared is None:
            found: set[str] = set()
            names = {name.rpartition(".")[2] for name in self.program.knowledge.collectives}
            for name in names:
                for site in self.program.ask(CallGraph).sites_named(name):
                    for argument in (*site.call.term.args, *(value for _, value in site.call.term.kwargs)):
                        found |= _attributes_in(argument)
            for _, function in self.program.functions():
                for node in of_kind(function, Store):
                    if isinstance(node.target, Attr) and not isinstance(node.target.base, Self):
                        found.add(node.target.name)
            self._shared = frozenset(found)
        return self._shared


def _attributes_in(term: Term) -> set[str]:
    """The attributes of ``self`` among a value and the items of displays."""
    if isinstance(term, Attr):
        return {term.name}
    return {name for part in term.subterms() for name in _attributes_in(part)} if isinstance(term, (List, Tuple, Dict)) else set()

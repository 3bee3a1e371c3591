"""Readings of a clock: calls of a library's, and of functions of the project that do nothing but read one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import BinOp, Call, Const, Ref, Term
from trainlint.ir.sketch import Function


class Clocks:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._known = program.knowledge.clocks
        names = {dotted.rpartition(".")[2] for dotted in self._known}
        reading = [site for name in sorted(names) for site in self.index.sites.get(name, ()) if self.is_library(site.call.term)]
        self._reading = {id(site.function): (site.module, site.function) for site in reading}
        self._helpers = {key: function for key, (_, function) in self._reading.items() if self._only_reads(function)}
        self._names = {function.name for function in self._helpers.values()}

    def is_library(self, term: Term) -> TypeGuard[Call]:
        """Whether a term is a reading of a library's clock."""
        if not isinstance(term, Call) or not isinstance(term.callee, Ref):
            return False
        return self.program.knowledge.canonical(term.callee.name) in self._known

    def is_reading(self, term: Term, module: str, function: Function) -> TypeGuard[Call]:
        """Whether a term of a function is a reading of a clock."""
        if self.is_library(term):
            return True
        if not isinstance(term, Call) or term.args or term.kwargs or last_name(term.callee) not in self._names:
            return False
        targets = self.index.targets(term, self.program.frame(module, function))
        return bool(targets) and all(isinstance(each, FunctionValue) and id(each.function) in self._helpers for each in targets)

    def readers(self) -> Iterator[tuple[str, Function]]:
        """The functions that read one."""
        found = dict(self._reading)
        for name in sorted(self._names):
            found.update((id(site.function), (site.module, site.function)) for site in self.index.sites.get(name, ()))
        yield from found.values()

    def only_reads(self, function: Function) -> bool:
        """Whether a function does nothing but read a clock."""
        return id(function) in self._helpers

    def _only_reads(self, function: Function) -> bool:
        results = self.program.returns(function)
        only = all(self.is_library(node.term) for node in calls_of(function))
        return only and function.kind != "module" and bool(results) and all(self._is_time(result) for result in results)

    def _is_time(self, term: Term) -> bool:
        """Whether a value is what a clock says, in whatever unit."""
        if isinstance(term, BinOp) and term.op in ("Mult", "Div"):
            return self._is_time(term.left) and isinstance(term.right, Const)
        return self.is_library(term)

"""Steps of frameworks: methods whose result a framework computes gradients of, so that no backward pass is in sight.

Which ones is in the table ``returned_losses``: ``training_step`` of a Lightning module, ``compute_loss`` of a transformers
trainer. What such a method returns is the loss, a tuple that begins with it, or a dict with the loss under a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.own_source import names_of_source
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Library, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Const, Dict, Select, SequenceDisplay, Term, Tuple
from trainlint.ir.sketch import Exit, Function
from trainlint.ir.walk import of_kind


class Returned(NamedTuple):
    """A value that a framework computes gradients of, and the ``return`` that hands it over."""

    term: Term
    spot: Spot


class Steps:
    """The steps that frameworks run, in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names = program.knowledge.returned_losses
        self._roots = frozenset(name.partition(".")[0] for name in self._names)
        self._classes = frozenset(name.split(".")[-2] for name in self._names)
        wanted = {name.rpartition(".")[2] for name in self._names}
        self.found: dict[int, tuple[str, Function]] = {}
        for path, module in program.modules.items():
            for cls in module.classes.values():
                for name in wanted.intersection(cls.methods):
                    if self._is_step(ClassValue(path, cls), name):
                        function = module.functions[cls.methods[name]]
                        self.found[id(function)] = (path, function)

    def losses(self, function: Function) -> Iterator[Returned]:
        """What a framework computes gradients of when it has run a function; nothing for other functions."""
        if id(function) in self.found:
            yield from returned(self.program, function)

    def of_class(self, module: str, qualname: str | None) -> bool:
        """Whether a class has such a step."""
        cls = self.program.modules[module].classes.get(qualname or "")
        return cls is not None and any(
            method is not None and id(method[1]) in self.found
            for name in {function.name for _, function in self.found.values()}
            for method in (self.program.method(ClassValue(module, cls), name),)
        )

    def _is_step(self, cls: ClassValue, name: str) -> bool:
        above = self.program.lineage(cls)
        if not any(self._names_one(base, name) for base in above if base != cls):
            return False
        return not any(self._refuses(base) for base in above if isinstance(base, ClassValue))

    def _names_one(self, base: Value, method: str) -> bool:
        """Whether the table knows a method of a base class, which may be in the source of its library."""
        if isinstance(base, Library):
            return f"{base.name}.{method}" in self._names
        if not isinstance(base, ClassValue) or base.cls.name not in self._classes:
            return False
        found = names_of_source(self.program, base.module, base.cls.qualname, self._roots)
        return any(f"{name}.{method}" in self._names for name in found)

    def _refuses(self, cls: ClassValue) -> bool:
        """Whether a class computes its gradients itself: an attribute that says so (``returned_losses.unless``) is false."""
        unless = self.program.knowledge.returned_losses_unless
        stored = [term for name in unless for _, _, term in self.program.stores(cls, name)]
        stored += [term for name, term in cls.cls.attributes.items() if name in unless]
        return any(not (isinstance(term, Const) and term.value) for term in stored)


def returned(program: Program, function: Function) -> Iterator[Returned]:
    """The losses among the results of a function: the first of a tuple, of a dict what is called a loss."""
    for node in of_kind(function, Exit):
        if node.kind == "return" and node.value is not None:
            yield from (Returned(term, node.spot) for term in _losses(program, node.value))


def everything_returned(function: Function) -> Iterator[Returned]:
    """What a function returns, and each part of it that is written there: one of them may be a loss."""
    for node in of_kind(function, Exit):
        if node.kind == "return" and node.value is not None:
            value = node.value
            parts: tuple[Term, ...] = (value,)
            if isinstance(value, SequenceDisplay):
                parts = value.items
            elif isinstance(value, Dict):
                parts = tuple([item for _, item in value.items])
            yield from (Returned(part, node.spot) for part in parts if not isinstance(part, Const))


def _losses(program: Program, value: Term) -> Iterator[Term]:
    if isinstance(value, Select):
        yield from _losses(program, value.then)
        yield from _losses(program, value.other)
    elif isinstance(value, Tuple) and value.items:
        yield from _losses(program, value.items[0])
    elif isinstance(value, Dict):
        yield from (
            item for key, item in value.items if isinstance(key, Const) and key.value in program.knowledge.loss_attributes
        )
    elif not isinstance(value, Const):
        yield value

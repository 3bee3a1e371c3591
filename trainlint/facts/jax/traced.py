"""Which functions JAX traces: decorated with ``jit`` and its like, handed to it, or the methods of a model."""

from __future__ import annotations

from typing import Literal

from trainlint.facts.program import Program
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.sketch import Function

Traced = Literal["function", "method"]
PMAP = "pmap"
#: Words of the table ``tracing``: what keeps what it compiled by the function, what maps one over examples or devices, and all.
COMPILES = frozenset(("jit", PMAP))
MAPS = frozenset(("vmap", PMAP))
TRACES = frozenset((*COMPILES, *MAPS, "shard_map", "grad", "remat", "custom", "loop", "branch"))


class TracedFunctions:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._bases = frozenset(program.knowledge.tables["traced.bases"]["names"])

    def how(self, module: str, function: Function) -> Traced | None:
        """Whether a function is traced itself, and as what."""
        if any(root.word in TRACES for root in self.program.ask(Roots).of(function)):
            return "function"
        cls = self.program.modules[module].classes.get(function.cls or "")
        if cls is not None and function.kind == "method" and not function.name.startswith("setup"):
            above = self.program.lineage(ClassValue(module, cls))
            if any(isinstance(each, Library) and each.name in self._bases for each in above):
                return "method"
        return None


__all__ = ["COMPILES", "MAPS", "PMAP", "TRACES", "Traced", "TracedFunctions"]

"""What functions bind to names of their file's top level (``global RANK``)."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.ir.nodes import Global, Term
from trainlint.ir.sketch import Function, Store
from trainlint.ir.walk import of_kind

Stores = dict[str, list[tuple[Function, Term]]]


def global_stores(program: Program, path: str) -> Stores:
    """For each name that functions of a file declare ``global`` and bind: which function, and to what."""
    found: Stores = {}
    module = program.modules[path]
    for function in module.functions.values() if module.rebound else ():
        for node in of_kind(function, Store) if function.kind != "module" else ():
            if isinstance(node.target, Global) and node.target.name in module.rebound:
                found.setdefault(node.target.name, []).append((function, node.value))
    return found

"""What Hydra makes of a part of a configuration: the class that YAML files name there (``_target_``)."""

# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH119, PTH120

from __future__ import annotations

import os

from trainlint.documents.tree import Mapping, mappings
from trainlint.facts.program import Program
from trainlint.facts.values import Made
from trainlint.ir.nodes import Attr, Const, Subscript, Term

#: The key of a class; a file that has it is one of these configurations.
TARGET = "_target_"
_MAKES = "hydra.utils.instantiate"


def target_of(program: Program, made: Made) -> str | None:
    """The class of ``instantiate(cfg.trainer)``, by its canonical name; None where no file says it, or several differ."""
    if made.name != _MAKES or made.call is None or made.frame is None or not made.call.args:
        return None
    key = _last_key(made.call.args[0])
    named = program.ask(_targets).get(key, set()) if key is not None else set()
    folder = made.frame.module
    while named and len(folder) > len(program.finder.top) and (folder := os.path.dirname(folder)):  # the nearest ones count
        found = {target for path, target in named if path.startswith(folder.rstrip(os.sep) + os.sep)}
        if found or folder == os.path.dirname(folder):
            return next(iter(found)) if len(found) == 1 else None
    return None


def _last_key(term: Term) -> str | None:
    """``trainer`` of ``cfg.trainer`` and of ``cfg["trainer"]``."""
    if isinstance(term, Attr):
        return term.name
    if isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
        return term.key.value
    return None


def _targets(program: Program) -> dict[str, set[tuple[str, str]]]:
    """The classes that the YAML files of the project name, by the key that they stand under, or the folder of the file.

    Files of such a folder that name none (``trainer/gpu.yaml``) change another one.
    """
    found: dict[str, set[tuple[str, str]]] = {}
    for document in program.documents.of((TARGET.encode(),), "yaml"):
        for root in document.roots:
            own = root.value(TARGET) if isinstance(root, Mapping) else None
            if isinstance(own, str):
                found.setdefault(os.path.basename(os.path.dirname(document.path)), set()).add(
                    (document.path, program.knowledge.canonical(own))
                )
            for mapping in mappings(root):
                for item in mapping.items:
                    inner = item.value.value(TARGET) if isinstance(item.value, Mapping) else None
                    if isinstance(inner, str):
                        found.setdefault(str(item.key.value), set()).add((document.path, program.knowledge.canonical(inner)))
    return found

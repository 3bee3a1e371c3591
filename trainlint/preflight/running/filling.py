"""The files that fill a registry because they are imported with it: those of the package that it lies in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.components import imported, module_of
from trainlint.facts.program import Program
from trainlint.ir.nodes import Attr, Call, Global, Ref
from trainlint.ir.sketch import Module


def fillers(program: Program, files: Iterable[str | None]) -> Iterator[str]:
    """The files of the packages of some files, if these make a registry, that put something in by decorators.

    ``from models.registry import BUILDERS`` runs ``models/__init__.py`` first, and what that imports puts itself in.
    """
    for path in files:
        module = program.modules.get(path or "")
        if module is not None and (own := _registries(module)):
            yield from program.ask_of(_filling, (module.path, own))


def _registries(module: Module) -> frozenset[str]:
    """The names at the top of a file that are registries."""
    return frozenset(
        name
        for name, value in module.names.items()
        if isinstance(value, Call) and (last_name(value.callee) or "").lower().endswith("registry")
    )


def _filling(program: Program, about: tuple[str, frozenset[str]]) -> list[str]:
    """The files of the package of a file that put something into its registries, given by name."""
    path, own = about
    folder = os.path.dirname(path)  # noqa: PTH120
    begins = f"{folder}{os.sep}__init__.py"
    near = [each for each in sorted(program.modules) if each.startswith(folder + os.sep) and each != path]
    return [
        each
        for each in (near if begins in program.finder.files else ())
        if _decorates(program.modules[each], own)
        and any(module_of(program.finder, each, dotted) == path for dotted in imported(program.modules[each]))
    ]


def _decorates(module: Module, own: frozenset[str]) -> bool:
    """Whether a decorator of a function or a class is a method of one of some registries."""
    decorators = [term for function in module.functions.values() for term in function.decorators]
    decorators += [term for cls in module.classes.values() for term in cls.decorators]
    for term in decorators:
        callee = term.callee if isinstance(term, Call) else term
        holder = callee.base if isinstance(callee, Attr) else None
        if isinstance(callee, Ref) and callee.name.rpartition(".")[0].rpartition(".")[2] in own:
            return True
        if holder is not None and isinstance(holder, (Global, Ref)) and holder.name.rpartition(".")[2] in own:
            return True
    return False

"""Which files belong together: those that import each other, directly or through others, in either direction.

A repository often holds several projects side by side (examples, samples, tests). Where a value is not known and only a
method's name is left, names of another project say nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from trainlint.facts.modules import ModuleFinder
from trainlint.ir.nodes import Ref
from trainlint.ir.sketch import Module


class Components:
    """The connected parts of the import graph; ``imports`` are the dotted names that each file imports (:func:`imported`)."""

    def __init__(self, imports: Mapping[str, Iterable[str]], finder: ModuleFinder) -> None:
        self._parent = {path: path for path in imports}
        for path, names in imports.items():
            for dotted in names:
                target = module_of(finder, path, dotted)
                if target in self._parent:
                    self._join(path, target)
        self._of = {path: self._top(path) for path in imports}

    def of(self, path: str) -> str:
        """A name for the part that a file belongs to, the same for all files of the part."""
        return self._of[path]

    def _top(self, path: str) -> str:
        parent = self._parent
        while parent[path] != path:
            parent[path] = parent[parent[path]]
            path = parent[path]
        return path

    def _join(self, left: str, right: str) -> None:
        first, second = self._top(left), self._top(right)
        if first != second:
            self._parent[max(first, second)] = min(first, second)


def imported(module: Module) -> list[str]:
    """The dotted names that a file imports at its top level (star imports among them)."""
    return [*(term.name for term in module.names.values() if isinstance(term, Ref)), *module.stars, *module.imports]


def module_of(finder: ModuleFinder, importer: str, dotted: str) -> str | None:
    """The file that the longest part of a dotted name leads to."""
    return split_import(finder, importer, dotted)[0]


def split_import(finder: ModuleFinder, importer: str, dotted: str) -> tuple[str | None, list[str]]:
    """The file that the longest part of a dotted name leads to, and the names behind that part."""
    if not finder.may_be_here(dotted):
        return None, dotted.split(".")
    key = (importer[: importer.rfind(os.sep)], dotted)
    known = finder.splits.get(key)
    if known is None:
        known = finder.splits[key] = _split(finder, importer, dotted)
    return known


def _split(finder: ModuleFinder, importer: str, dotted: str) -> tuple[str | None, list[str]]:
    name = dotted.lstrip(".")
    dots = dotted[: len(dotted) - len(name)]
    parts = name.split(".") if name else []
    for count in range(len(parts), -1 if dots else 0, -1):
        path = finder.find(importer, dots + ".".join(parts[:count]))
        if path is not None:
            return path, parts[count:]
    return None, parts


def hides(modules: Mapping[str, Module], finder: ModuleFinder, path: str) -> bool:
    """Whether the package of a file has something else under the file's name: ``from .train import train`` in ``__init__.py``.

    Who imports that name from the package gets what the package has, and not the file.
    """
    package, name = package_of(path)
    module = modules.get(package)
    bound = module.names.get(name) if module is not None and package != path else None
    return bound is not None and (not isinstance(bound, Ref) or bool(split_import(finder, package, bound.name)[1]))


def package_of(path: str) -> tuple[str, str]:
    """The ``__init__.py`` beside a file, and the name that the file has in the package."""
    folder, _, file = path.rpartition(os.sep)
    return f"{folder}{os.sep}__init__.py", file.removesuffix(".py")

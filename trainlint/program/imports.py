"""Imports: the file that an import means, without running anything, and which files belong together because of them.

Two files belong together when one imports the other, directly or through others, in either direction. A repository
often holds several projects side by side (examples, samples, tests). Where a value is not known and only a method's
name is left, names of another project say nothing.

Nothing that is found in one of the projects depends on another, so each is linked and judged by itself: that is faster, takes
less memory, and after a change only the project around it has to be judged again.

Of a library that is the project itself, its examples get what the tables know, as any code that uses it does.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from trainlint.ir.nodes import Ref
from trainlint.ir.sketch import Module
from trainlint.program.values import ClassValue, Library, Value
from trainlint.source.triage import Imports

if TYPE_CHECKING:
    from trainlint.program.program import Program

# Paths are plain strings here: they are keys of sets, and making a Path of each would cost more than the look-up.
# ruff: noqa: PTH120, PTH206


class ModuleFinder:
    """Resolves dotted names to files of the project.

    ``files`` are all Python files that may be imported (absolute paths); ``roots`` are folders that are searched after
    the folders around the importing file: the project root, its ``src``, and what the configuration names. ``added`` are the
    folders that scripts in a folder add to ``sys.path``: they are searched right after that folder. ``internal`` is what stands
    before the project's packages in imports where its authors keep it: ``lab.vision`` of ``lab.vision.project.tools.train``.
    ``links`` are other names of files: what is found by one of them is the file. ``libraries`` are names of which the project
    may have folders (``project/torch/``): within its packages, and within such a folder, the name means the library.
    """

    def __init__(
        self,
        files: Collection[str],
        roots: Sequence[str],
        added: Mapping[str, Sequence[str]] | None = None,
        internal: Sequence[str] = (),
        links: Mapping[str, str] | None = None,
        libraries: Collection[str] = (),
    ) -> None:
        self.files = files if isinstance(files, (set, frozenset, dict)) else frozenset(files)
        self.roots = tuple(roots)
        self.added = added or {}
        self.internal = tuple(f"{each}." for each in internal)
        self.links = {name: file for name, file in (links or {}).items() if file in self.files}
        self.libraries = frozenset(libraries)
        self.top = min(self.roots, key=len, default="")
        self._known: dict[tuple[str, str], str | None] = {}
        #: What :func:`trainlint.program.imports.split_import` found, by folder and dotted name.
        self.splits: dict[tuple[str, str], tuple[str | None, list[str]]] = {}
        self._first = {part.removesuffix(".py") for path in (*self.files, *self.links) for part in path.split(os.sep)}
        self._first.update(each.partition(".")[0] for each in self.internal)

    def may_be_here(self, dotted: str) -> bool:
        """Whether a dotted name can be one of the project: most imports are of libraries."""
        return dotted[:1] == "." or dotted.partition(".")[0] in self._first

    def find(self, importer: str, dotted: str) -> str | None:
        """The file of module ``dotted`` as imported by file ``importer``; None when it is not a file of the project.

        An absolute name is looked for in the importing file's folder and in each folder above it up to the project's
        root (scripts run from anywhere in there), then in the roots. A relative name counts its leading dots.
        """
        if not self.may_be_here(dotted):
            return None
        folder = importer[: importer.rfind(os.sep)]  # os.path.dirname and join take most of the time of this
        key = (folder, dotted)
        if key in self._known:
            return self._known[key]
        found = self._find(folder, dotted)
        self._known[key] = found
        return found

    def _find(self, folder: str, dotted: str) -> str | None:
        name = dotted.lstrip(".")
        level = len(dotted) - len(name)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._file(folder, name)
        first = name.partition(".")[0]
        for start in self._starts(folder):
            found = self._file(start, name)
            if found is not None and not (first in self.libraries and self._is_within(start, folder, first)):
                return found
        for before in self.internal:
            if name.startswith(before):  # the package's tools may lie beside it here
                within = name[len(before) :]
                return self._find(folder, within) or self._find(folder, within.partition(".")[2] or within)
        return None

    def _starts(self, folder: str) -> Iterable[str]:
        while True:
            yield folder
            yield from self.added.get(folder, ())
            parent = os.path.dirname(folder)
            if parent == folder or len(folder) <= len(self.top):
                break
            folder = parent
        yield from self.roots

    def _is_within(self, start: str, folder: str, first: str) -> bool:
        """Whether a folder is within a package, or the importing file in a folder of the name there: nobody runs Python there."""
        if start in self.roots:
            return False
        return f"{start}{os.sep}__init__.py" in self.files or f"{folder}{os.sep}".startswith(f"{start}{os.sep}{first}{os.sep}")

    def _file(self, folder: str, name: str) -> str | None:
        base = folder + os.sep + name.replace(".", os.sep) if name else folder
        if name:
            file = base + ".py"
            if file in self.files:
                return file
            if file in self.links:
                return self.links[file]
        init = base + os.sep + "__init__.py"
        return init if init in self.files else self.links.get(init)


class Components:
    """The connected parts of the import graph; ``imports`` are the dotted names that each file imports (:func:`imported`)."""

    def __init__(self, imports: Mapping[str, Iterable[str]], finder: ModuleFinder) -> None:
        self._parent = {path: path for path in imports}
        for path, names in imports.items():
            for target in {module_of(finder, path, dotted) for dotted in names}:
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


def connected(imports: Mapping[str, Iterable[str]], finder: ModuleFinder) -> Iterator[tuple[str, ...]]:
    """The files of each group, sorted, so that nothing depends on the order of files; ``imports`` are dotted names by file."""
    components = Components(imports, finder)
    groups: dict[str, list[str]] = {}
    for path in sorted(imports):
        groups.setdefault(components.of(path), []).append(path)
    yield from map(tuple, groups.values())


def relevant(telling: Collection[str], imports: Mapping[str, Imports], finder: ModuleFinder) -> list[str]:
    """The files worth parsing, sorted: those connected with one that is ``telling``; ``imports`` are those of all, by their text.

    A file is telling when it holds a word that a rule needs (see ``Rule.needs``). What is found in it may hang on any file that
    imports connect with it, in either direction: on a helper without a word of a framework, on an ``__init__.py`` that re-exports
    a name, on a caller that turns gradients off. So files are parsed by whole connected parts of the import graph or not at all:
    what is found in a part does not depend on which of its files hold which words.
    """
    components = Components({path: _dotted(found) for path, found in imports.items()}, finder)
    wanted = {components.of(path) for path in telling}
    return sorted(path for path in imports if components.of(path) in wanted)


def _dotted(found: Imports) -> Iterable[str]:
    """The dotted names that a file imports; of a star import the module."""
    for module, names in found:
        for taken in names or ("",):
            yield module if taken in ("", "*") else module + taken if module[-1:] == "." else f"{module}.{taken}"


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


# -- libraries that are the project itself: its examples are read as any code that uses them ------------------------------


def described(program: Program, importer: str, value: Value, name: str) -> Value:
    """What a file of the project gets by an absolute name: the library's class, if the tables describe it, else ``value``."""
    return Library(program.knowledge.canonical(name)) if _is_described(program, importer, value, name) else value


def _is_described(program: Program, importer: str, value: Value, name: str) -> bool:
    """Whether a class of the project is one that the tables describe, imported under that name from outside of its package.

    It is that class if it has most of what the tables say of it, and the tables say much of it: what else it does its code
    tells better.
    """
    known = program.knowledge.methods.get(program.knowledge.canonical(name))
    if known is None or not isinstance(value, ClassValue):
        return False
    top = program.finder.find(importer, name.partition(".")[0])
    if top is None or importer.startswith(top.removesuffix("__init__.py")):
        return False
    own = {name for each in program.lineage(value) if isinstance(each, ClassValue) for name in each.cls.methods}
    public = [name for name in own if not name.startswith("_")]
    return len(known & own) > max(len(known) // 2, len(public) // 3)

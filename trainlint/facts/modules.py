"""Finding the file that an import means, without running anything."""

# Paths are plain strings here: they are keys of sets, and making a Path of each would cost more than the look-up.
# ruff: noqa: PTH120, PTH206

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence


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
        #: What :func:`trainlint.facts.components.split_import` found, by folder and dotted name.
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

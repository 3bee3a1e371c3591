"""The files that are not parsed (yet): their identifiers, and what their import statements say."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.facts.components import package_of, split_import
from trainlint.facts.modules import ModuleFinder
from trainlint.source.triage import Imports

if TYPE_CHECKING:
    from trainlint.engine.heat import Fresh


class Imported(NamedTuple):
    """What a file takes from files of the project.

    ``keys`` are ``path:name`` (``path:*`` for everything), ``modules`` whole files, ``packages`` those through whose
    names others can be reached (``import pkg`` … ``pkg.sub.name``).
    """

    keys: set[str]
    modules: set[str]
    packages: set[str]

    def files(self) -> set[str]:
        """All files that are imported, as far as the statements name them."""
        return {key.rpartition(":")[0] for key in self.keys} | self.modules | self.packages


class Sleeping:
    """The sleeping files by path: their identifiers, their import statements as read; ``data`` gives the bytes of one."""

    def __init__(
        self,
        words: Mapping[str, frozenset[bytes]],
        finder: ModuleFinder,
        imports: Mapping[str, Imports],
        data: Callable[[str], bytes],
    ) -> None:
        self.words = dict(words)
        self.finder = finder
        self.data = data
        self._imports = imports
        self._imported: dict[str, Imported] = {}

    def wake(self, path: str) -> frozenset[bytes]:
        """Forget a file that will be parsed; its identifiers are returned."""
        self._imported.pop(path, None)
        return self.words.pop(path)

    def imported(self, path: str) -> Imported:
        """What a file imports: too much rather than too little."""
        known = self._imported.get(path)
        if known is None:
            known = self._imported[path] = Imported(set(), set(), set())
            for dotted, names in self._imports.get(path, ()):
                self._add(known, path, dotted, names)
        return known

    def _add(self, known: Imported, path: str, dotted: str, names: tuple[str, ...]) -> None:
        target, rest = split_import(self.finder, path, dotted)
        if target is not None and not rest:
            known.keys.update([f"{target}:{name}" for name in names])
            if not names:
                known.modules.add(target)
                known.packages.add(split_import(self.finder, path, dotted.partition(".")[0])[0] or target)
        if target is None or target.endswith("__init__.py"):
            submodules = (self.finder.find(path, joined(dotted, name)) for name in names)
            known.modules.update(module for module in submodules if module is not None)

    def dotted(self, path: str) -> list[str]:
        """The dotted names that a sleeping file imports; of a star import the module."""
        return [
            name if taken in ("", "*") else joined(name, taken)
            for name, names in self._imports.get(path, ())
            for taken in (names or ("",))
        ]

    def handed(self, path: str, name: str) -> list[tuple[str, str]]:
        """From where a sleeping file may have a name: pairs of file and dotted name, as :meth:`Names.files` follows them."""
        return [(path, joined(dotted, name)) for dotted, names in self._imports.get(path, ()) if name in names or "*" in names]

    def using(self, keys: Iterable[Fresh], among: Collection[str] | None = None) -> list[str]:
        """The files (``among`` these) that seem to use something that goes by one of these keys (see ``heat``)."""
        wanted = Wanted(keys)
        found = []
        for path in self.words if among is None else among:
            words = self.words[path]
            own = self.imported(path)
            if (
                wanted.imported(own, words)
                or any(self._takes(path, name) for name in wanted.methods & words)
                or self._derives(path, wanted.classes(own))
            ):
                found.append(path)
        return found

    def _derives(self, path: str, names: Iterable[str]) -> bool:
        """Whether a file seems to derive a class from one of these: then it hands on the methods, without naming them."""
        either = b"|".join(re.escape(name.encode()) for name in names)
        return bool(either) and re.search(rb"\bclass[ \t]+\w+[ \t]*\([^)]*\b(?:" + either + rb")\b", self.data(path)) is not None

    def _takes(self, path: str, name: bytes) -> bool:
        """Whether a file takes the name from something as an attribute (it is not only a word in a text or comment)."""
        return re.search(rb"\.\s*" + name + rb"(?![\w\x80-\xff])", self.data(path)) is not None


def joined(dotted: str, name: str) -> str:
    """The dotted name of what ``from dotted import name`` imports."""
    return dotted + name if dotted[-1:] == "." else f"{dotted}.{name}"


class Wanted:
    """Keys (see ``heat``), asked for by what a file imports and by its words.

    ``methods`` are the names of methods and attributes.
    """

    def __init__(self, keys: Iterable[Fresh]) -> None:
        self.methods: set[bytes] = set()
        self._exact: dict[str, set[bytes] | None] = {}
        self._names: dict[str, dict[bytes, set[bytes] | None]] = {}
        self._below: dict[str, list[tuple[bytes, dict[bytes, set[bytes] | None]]]] = {}
        for key, word in keys:
            path, colon, name = key.rpartition(":")
            if colon:
                for exact in (key, f"{path}:*"):
                    _note(self._exact, exact, word)
                _note(self._names.setdefault(path, {}), name.encode(), word)
            elif key[0] in ".=":
                self.methods.add(key[1:].encode())

    def imported(self, own: Imported, words: frozenset[bytes]) -> bool:
        """Whether a file with these imports and words seems to take one of the names from the file where it is."""
        exact, names = self._exact, self._names
        return (
            any(_beside(exact[key], words) for key in own.keys & exact.keys())
            or any(module in names and _meant(names[module], words) for module in own.modules)
            or any(self._through(package, words) for package in own.packages)
        )

    def classes(self, own: Imported) -> set[str]:
        """The names of the classes that a file imports by name, from which it may derive others."""
        keys = own.keys & self._exact.keys()
        return {key.rpartition(":")[2] for key in keys if self._exact[key] is not None} - {"*"}

    def _through(self, package: str, words: frozenset[bytes]) -> bool:
        """Whether a file with these words may mean one of the names in a module below a package's folder."""
        below = self._below.get(package)
        if below is None:
            folder = os.path.dirname(package) + os.sep  # noqa: PTH120 - paths are strings here
            inside = [path for path in self._names if path.startswith(folder)] if package.endswith("__init__.py") else []
            below = self._below[package] = [(_stem(path), self._names[path]) for path in inside]
        return any(stem in words and _meant(names, words) for stem, names in below)


def _note(table: dict[Any, set[bytes] | None], key: str | bytes, word: str | None) -> None:
    """Note which words must stand beside a key; None: no word need."""
    if word is None:
        table[key] = None
        return
    known = table.setdefault(key, set())
    if known is not None:
        known.add(word.encode())


def _beside(needed: set[bytes] | None, words: frozenset[bytes]) -> bool:
    return needed is None or not needed.isdisjoint(words)


def _meant(names: dict[bytes, set[bytes] | None], words: frozenset[bytes]) -> bool:
    return any(_beside(names[name], words) for name in names.keys() & words)


class Names:
    """Which files a dotted name leads to, also through files that hand the name on (``__init__.py``)."""

    def __init__(self, sleeping: Sleeping) -> None:
        self.sleeping = sleeping
        self._awake: dict[str, dict[str, str]] = {}

    def add(self, path: str, bound: dict[str, str]) -> None:
        """A file was lowered: what its top-level names are imported from is known for sure."""
        self._awake[path] = bound

    def files(self, importer: str, dotted: str) -> set[str]:
        """The files that must be lowered for ``importer`` to know what the name means."""
        found: set[str] = set()
        pending = [(importer, dotted)]
        while pending:
            path, name = pending.pop()
            target, rest = split_import(self.sleeping.finder, path, name)
            if target is None or target in found:
                continue
            found.add(target)
            if rest:
                pending += self._handed(target, rest[0])
                continue
            package, own = package_of(target)
            if any(split_import(self.sleeping.finder, package, other)[1] for _, other in self._handed(package, own)):
                found.add(package)
        return found

    def _handed(self, path: str, name: str) -> list[tuple[str, str]]:
        """From where a file has a name: pairs of a file and a dotted name as it is imported there."""
        if path in self._awake:
            return [(path, self._awake[path][name])] if name in self._awake[path] else []
        return self.sleeping.handed(path, name) if path in self.sleeping.words else []


def _stem(path: str) -> bytes:
    """The name by which a file is imported: its own, or its folder's."""
    folder, file = os.path.split(path)
    name = file.removesuffix(".py")
    return (os.path.basename(folder) if name == "__init__" else name).encode()  # noqa: PTH119 - paths are strings here

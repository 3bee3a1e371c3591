"""Loading and asking the knowledge tables.

Users extend the same tables under ``[tool.trainlint.knowledge]``; what they say is merged over what ships.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from trainlint.codes import INSTALLED
from trainlint.knowledge import words
from trainlint.knowledge.attributes import Attributes
from trainlint.knowledge.words import Loose

#: Where a dotted name may be cut: before and behind a dot, behind an underscore, where it ends.
_ENDS = re.compile(r"(?<=[._])|(?<=.)(?=\.|\Z)")


class KnowledgeError(ValueError):
    """A knowledge table that a user wrote is wrong; the text names the key and what is expected."""


class Knowledge(Attributes):
    """The merged tables. Dotted names are canonical: ask :meth:`canonical` first."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.tables: Mapping[str, Mapping[str, Any]] = tables
        for attribute, kind in Attributes.__annotations__.items():
            table: Any = tables[getattr(Attributes, attribute, attribute)]
            if not kind.startswith("Mapping"):
                (names,) = table.values()
                table = (tuple if kind.startswith("tuple") else frozenset)(names)
            setattr(self, attribute, table)
        self.losses = frozenset(name for name, kind in self.kinds.items() if kind == "loss")
        self.parallel_method_names = frozenset(name.rpartition(".")[2] for name in self.parallel_methods)
        self._canonical: dict[str, str] = {}
        self._optimizer_kinds: dict[str, str | None] = {}
        self._words: dict[str, frozenset[bytes]] = {}
        #: What was wrong with the tables of other packages, which were left out.
        self.problems: list[str] = []

    @cached_property
    def clearing(self) -> tuple[str, ...]:
        """The calls that empty gradients, by their names."""
        return tuple(name for name, word in self.step_calls.items() if word == "clear")

    @cached_property
    def collective_names(self) -> Mapping[str, frozenset[str]]:
        """The last parts of the names of collectives, each with the packages that have one so named."""
        found: dict[str, set[str]] = {}
        for name in self.collectives:
            found.setdefault(name.rpartition(".")[2], set()).add(name.partition(".")[0])
        return {last: frozenset(packages) for last, packages in found.items()}

    @cached_property
    def methods(self) -> Mapping[str, frozenset[str]]:
        """The methods and attributes that tables name of a class, by the dotted name of the class."""
        found: dict[str, set[str]] = {}
        for table in self.tables.values():
            listed = (name for value in table.values() if isinstance(value, (list, tuple)) for name in value)
            for name in (*table, *listed):
                owner, _, method = name.rpartition(".") if isinstance(name, str) else ("", "", "")
                if owner.rpartition(".")[2][:1].isupper() and method.isidentifier() and "." in owner:
                    found.setdefault(owner, set()).add(method)
        return {owner: frozenset(names) for owner, names in found.items()}

    def own(self, name: str) -> Mapping[str, str]:
        """A table of another package's rules, which bears their prefix (``xx.markers``): dotted name = word."""
        return self.tables.get(name, {})

    def canonical(self, dotted: str) -> str:
        """The one name under which a library's thing is known here (``pytorch_lightning.X`` → ``lightning.X``)."""
        known = self._canonical.get(dotted)
        if known is None:
            known = dotted
            for _ in range(4):
                meant = self._meant(known)
                if meant is None:
                    break
                known = meant
            self._canonical[dotted] = known
        return known

    def _meant(self, dotted: str) -> str | None:
        """The name with its longest alias replaced: an alias ends at a dot, where the name ends, or in ``.`` or ``_``."""
        aliases = self.tables["aliases"]
        for end in reversed([at.start() for at in _ENDS.finditer(dotted)]):
            if dotted[:end] in aliases:
                return str(aliases[dotted[:end]]) + dotted[end:]
        return None

    def optimizer_kind(self, name: str) -> str | None:
        """What a constructor of this canonical name makes, in the table ``optimizers``; the longest beginning counts."""
        if name not in self._optimizer_kinds:
            known, end = self.optimizers.get(name), len(name)
            while known is None and end > 0:
                end = max(name.rfind(".", 0, end - 1), name.rfind("_", 0, end - 1)) + 1
                known = self.optimizers.get(name[:end]) if end > 0 else None
            self._optimizer_kinds[name] = known
        return self._optimizer_kinds[name]

    @cached_property
    def optimizer_packages(self) -> frozenset[str]:
        """The packages that have what table ``optimizers`` knows, by whatever name."""
        return frozenset(name.partition(".")[0] for name in (*self.optimizers, *self.tables["aliases"]))

    def words(self, need: str) -> frozenset[bytes]:
        """The identifiers one of which stands in every file that has this kind of thing (see ``Rule.needs``)."""
        known = self._words.get(need)
        if known is None:
            known = self._words[need] = words.of(self, need)
        return known

    @cached_property
    def beside(self) -> Mapping[bytes, frozenset[bytes]]:
        """The words that count only in a file that has one of some others too (table ``loose``): word to those others."""
        return words.beside(self, self._loose)

    def loose(self) -> tuple[Mapping[bytes, Loose], frozenset[bytes]]:
        """The words of table ``loose``, and (table ``elsewhere``) what has something of that name that is no collective."""
        elsewhere = self.tables["elsewhere"]["names"]
        return self._loose, frozenset(word.encode() for word in elsewhere)

    @cached_property
    def _loose(self) -> Mapping[bytes, Loose]:
        """Every run needs it several times, and it takes longer than a small file does."""
        return words.loose(self, self.tables["aliases"].items())


def load_knowledge(extension: Mapping[str, Any] | None = None) -> Knowledge:
    """All tables that ship, extended by a user's (the content of ``[tool.trainlint.knowledge]``).

    Raises :class:`KnowledgeError` for a table or value that makes no sense.
    """
    ours = shipped()
    if not extension and not INSTALLED.knowledge:
        return _plain(ours)
    tables = {name: dict(table) for name, table in ours.items()}
    problems = []
    for where, more in INSTALLED.knowledge.items():
        try:
            merge(tables, more, where)
        except KnowledgeError as error:
            problems.append(str(error))
    if extension:
        merge(tables, extension, "knowledge")
    knowledge = Knowledge(tables)
    knowledge.problems = problems
    return knowledge


#: The last tables to which nothing was added, and what was made of them: a server, and who checks much, needs them often.
_made: list[tuple[Mapping[str, Mapping[str, Any]], Knowledge]] = []


def _plain(tables: Mapping[str, Mapping[str, Any]]) -> Knowledge:
    if not _made or _made[0][0] is not tables:
        _made[:] = [(tables, Knowledge(tables))]
    return _made[0][1]


def shipped() -> Mapping[str, Mapping[str, Any]]:
    """The tables that ship: as the build prepared them, or from the TOML files when those have changed since."""
    folder = Path(__file__).parent
    try:
        prepared = importlib.import_module("trainlint.knowledge._prepared")
    except ImportError:
        return read_tables(folder)
    tables: Mapping[str, Mapping[str, Any]] = prepared.TABLES
    return tables if _is_fresh(prepared.FINGERPRINT) else read_tables(folder)


@cache
def _is_fresh(prepared: str) -> bool:
    """Whether that was made from the TOML files that are there; asked once in a process."""
    return fingerprint(Path(__file__).parent) == prepared


def fingerprint(folder: Path) -> str:
    """What changes when one of the TOML files changes; decides whether the prepared tables are fresh."""
    import zlib

    total = 0
    for path in sorted(folder.glob("*.toml")):
        total = zlib.crc32(path.read_bytes(), zlib.crc32(path.name.encode(), total))
    return f"{total:08x}"


def read_tables(folder: Path) -> dict[str, dict[str, Any]]:
    """Parse and merge the TOML files of a folder."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    tables: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.toml")):
        _add(tables, tomllib.loads(path.read_text(encoding="utf-8")))
    return tables


def merge(tables: dict[str, dict[str, Any]], more: Mapping[str, Any], where: str) -> None:
    """Add ``more`` to ``tables`` in place; ``where`` names the source in errors. Raises KnowledgeError."""
    from trainlint.knowledge.checking import mistakes

    for key, message in mistakes(more):
        raise KnowledgeError(f"{where}: {key}: {message}")
    _add(tables, more)


def _add(tables: dict[str, dict[str, Any]], more: Mapping[str, Any]) -> None:
    """Add tables to others: to a list that is all of a table, an entry of the same key is added, any other is replaced by it."""
    from trainlint.knowledge.checking import flat

    for name, table in flat(more):
        own = tables.setdefault(name, {})
        for key, value in table.items():
            longer = key in ("names", "common") and own.keys() == {key} and isinstance(value, list)
            own[key] = [*own[key], *value] if longer else value

"""Loading and asking the knowledge tables.

Users extend the same tables under ``[tool.trainlint.knowledge]``; what they say is merged over what ships.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

#: Every table and the type of its values ("names" tables hold one list under the key ``names``).
TABLES: dict[str, str] = {
    "collectives": "int",
    "aliases": "str",
    "silenced_by": "str",
    "world_groups": "names",
    "ranks": "rank",
    "ranks.with_group": "names",
    "ranks.conventions": "rank",
    "environment": "rank",
    "decorators": "rank",
    "contexts": "names",
    "receivers": "str",
    "kinds": "str",
    "signatures": "list",
    "results": "list",
    "spawners": "names",
    "exits": "names",
    "transparent": "names",
    "iterates": "str",
    "methods": "common",
    "operations": "str",
    "training": "names",
    "objects": "names",
    "ends": "names",
    "optional": "str",
    "reshuffles": "names",
    "reshuffled_by": "names",
    "backward": "str",
    "scales": "names",
    "keeps": "names",
    "keeps_first": "names",
    "losses": "names",
    "modules": "names",
    "grad_modes": "str",
    "without_grad": "names",
    "evaluates": "names",
    "asks_gradients": "names",
    "loss_attributes": "names",
    "gathers": "str",
    "adds": "names",
    "empties": "names",
    "updates": "names",
    "meters": "names",
    "ends_in_place": "names",
    "hands_out": "names",
    "limited_by": "str",
    "unwraps": "names",
    "freezes": "names",
}

#: What a rank table may say of a value.
RANK_WORDS = frozenset(("rank", "local_rank", "node_rank", "world", "main", "local_main", "last", "yes", "uniform", "per-rank"))


class KnowledgeError(ValueError):
    """A knowledge table that a user wrote is wrong; the text names the key and what is expected."""


class Knowledge:
    """The merged tables. Dotted names are canonical: ask :meth:`canonical` first."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.tables = tables
        self.collectives: Mapping[str, int] = tables["collectives"]
        self.ranks: Mapping[str, str] = tables["ranks"]
        self.conventions: Mapping[str, str] = tables["ranks.conventions"]
        self.environment: Mapping[str, str] = tables["environment"]
        self.decorators: Mapping[str, str] = tables["decorators"]
        self.receivers: Mapping[str, str] = tables["receivers"]
        self.kinds: Mapping[str, str] = tables["kinds"]
        self.signatures: Mapping[str, list[str]] = tables["signatures"]
        self.results: Mapping[str, list[str]] = tables["results"]
        self.iterates: Mapping[str, str] = tables["iterates"]
        self.silenced_by: Mapping[str, str] = tables["silenced_by"]
        self.operations: Mapping[str, str] = tables["operations"]
        self.objects = frozenset(tables["objects"]["names"])
        self.ends = frozenset(tables["ends"]["names"])
        self.optional: Mapping[str, str] = tables["optional"]
        self.reshuffled_by = frozenset(tables["reshuffled_by"]["names"])
        self.training = frozenset(tables["training"]["names"])
        self.reshuffles = frozenset(tables["reshuffles"]["names"])
        self.exits = frozenset(tables["exits"]["names"])
        self.contexts = frozenset(tables["contexts"]["names"])
        self.transparent = frozenset(tables["transparent"]["names"])
        self.world_groups = frozenset(tables["world_groups"]["names"])
        self.with_group = frozenset(tables["ranks.with_group"]["names"])
        self.spawners = frozenset(tables["spawners"]["names"])
        self.common_methods = frozenset(tables["methods"]["common"])
        self.backward: Mapping[str, str] = tables["backward"]
        self.scales = frozenset(tables["scales"]["names"])
        self.keeps = frozenset(tables["keeps"]["names"])
        self.keeps_first = frozenset(tables["keeps_first"]["names"])
        self.losses = frozenset(tables["losses"]["names"])
        self.module_bases = frozenset(tables["modules"]["names"])
        self.grad_modes: Mapping[str, str] = tables["grad_modes"]
        self.without_grad = frozenset(tables["without_grad"]["names"])
        self.evaluates = frozenset(tables["evaluates"]["names"])
        self.asks_gradients = frozenset(tables["asks_gradients"]["names"])
        self.loss_attributes = frozenset(tables["loss_attributes"]["names"])
        self.gathers: Mapping[str, str] = tables["gathers"]
        self.adds = frozenset(tables["adds"]["names"])
        self.empties = frozenset(tables["empties"]["names"])
        self.ends_in_place = frozenset(tables["ends_in_place"]["names"])
        self.hands_out = frozenset(tables["hands_out"]["names"])
        self.limited_by: Mapping[str, str] = tables["limited_by"]
        self.freezes = frozenset(tables["freezes"]["names"])
        self.unwraps = frozenset(tables["unwraps"]["names"])
        self.updates = frozenset(tables["updates"]["names"])
        self._aliases = sorted(tables["aliases"].items(), key=lambda pair: -len(pair[0]))
        self._canonical: dict[str, str] = {}

    def canonical(self, dotted: str) -> str:
        """The one name under which a library's thing is known here (``pytorch_lightning.X`` → ``lightning.X``)."""
        known = self._canonical.get(dotted)
        if known is None:
            known = dotted
            for _ in range(4):
                for alias, meaning in self._aliases:
                    if known.startswith(alias) and (alias[-1] in "._" or known[len(alias) :][:1] in ("", ".")):
                        known = meaning + known[len(alias) :]
                        break
                else:
                    break
            self._canonical[dotted] = known
        return known

    def words(self, need: str) -> frozenset[bytes]:
        """The identifiers one of which stands in every file that has this kind of thing (see ``Rule.needs``)."""
        if need == "collective":
            names = {name.rpartition(".")[2] for name in self.collectives}
        elif need == "rank":
            names = {name.rpartition(".")[2] for name in self.ranks} | set(self.decorators)
            names -= {"is_available", "is_initialized", "rank", "size"}
            names |= set(self.environment)
        elif need == "loop":
            names = {"yield", "__iter__", *self.training, *self.reshuffles}
            names |= {name.rpartition(".")[2] for name, kind in self.kinds.items() if kind == "loader"}
        elif need == "gradient":
            names = {*self.backward, *self.evaluates}
        elif need == "meter":
            names = set(self.tables["meters"]["names"])
        else:
            names = {name.rpartition(".")[2] for name, kind in self.kinds.items() if kind == need}
            if need == "distributed-sampler":
                names |= self.reshuffles
        return frozenset(name.encode() for name in names)


def load_knowledge(extension: Mapping[str, Any] | None = None) -> Knowledge:
    """All tables that ship, extended by a user's (the content of ``[tool.trainlint.knowledge]``).

    Raises :class:`KnowledgeError` for a table or value that makes no sense.
    """
    tables = {name: dict(table) for name, table in _shipped().items()}
    if extension:
        merge(tables, extension, "knowledge")
    return Knowledge(tables)


def _shipped() -> Mapping[str, Mapping[str, Any]]:
    """The tables that ship: as the build prepared them, or from the TOML files when those have changed since."""
    folder = Path(__file__).parent
    try:
        prepared = importlib.import_module("trainlint.knowledge._prepared")
    except ImportError:
        return read_tables(folder)
    tables: Mapping[str, Mapping[str, Any]] = prepared.TABLES
    return tables if fingerprint(folder) == prepared.FINGERPRINT else read_tables(folder)


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
    tables: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
    for path in sorted(folder.glob("*.toml")):
        merge(tables, tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    return tables


def merge(tables: dict[str, dict[str, Any]], more: Mapping[str, Any], where: str) -> None:
    """Add ``more`` to ``tables`` in place; ``where`` names the source in errors. Raises KnowledgeError."""
    for key, message in mistakes(more):
        raise KnowledgeError(f"{where}: {key}: {message}")
    for name, table in _flat(more):
        own = tables[name]
        for key, value in table.items():
            longer = TABLES[name] in ("names", "common") and key in own
            own[key] = [*own[key], *value] if longer else value


def mistakes(tables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong in tables that a user wrote: the dotted key, and a predicate of it ("must be a string")."""
    for name, table in _flat(tables):
        kind = TABLES.get(name)
        if kind is None:
            yield name, f"there is no such table{_nearest(name, list(TABLES))}"
        elif not isinstance(table, Mapping):
            yield name, "must be a table"
        else:
            for key, value in table.items():
                message = _mistake(kind, key, value)
                if message is not None:
                    quoted = key if key.isidentifier() else f'"{key}"'
                    yield f"{name}.{quoted}", message


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tables with their names, ``ranks.conventions`` as a table of its own."""
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            yield name, table
            continue
        inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
        for key, value in inner.items():
            yield f"{name}.{key}", value
        if len(inner) < len(table) or not inner:
            yield name, {key: value for key, value in table.items() if key not in inner}


def _mistake(kind: str, key: str, value: Any) -> str | None:
    """What is wrong with one entry of a table of this kind; None when nothing is."""
    if kind in ("names", "common") and key != kind:
        return f'there is no such key; did you mean "{kind}"?'
    if kind in ("names", "common", "list"):
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if fits else "must be a list of strings"
    if kind == "int":
        fits = isinstance(value, int) and not isinstance(value, bool)
        return None if fits else "must be the position of the group argument (-1: there is none)"
    if not isinstance(value, str):
        return "must be a string"
    if kind == "rank" and value not in RANK_WORDS:
        return f"must be one of {', '.join(sorted(RANK_WORDS))}, not {value}{_nearest(value, sorted(RANK_WORDS))}"
    return None


def _nearest(word: str, known: Sequence[str]) -> str:
    from trainlint.config.errors import did_you_mean  # what ships has no mistakes

    return did_you_mean(word, known)

"""accelerate's configurations (``accelerate config`` writes them), and the launch lines that name one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.documents.tree import Item, Mapping
from trainlint.facts.launching.launches import Launch, launches
from trainlint.facts.launching.references import named_documents
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.facts.program import Program
    from trainlint.finding import Spot


@dataclass(frozen=True)
class Configuration:
    """A configuration, with the lines that start something with it; ``kind`` is its distributed type, in capitals (``NO``)."""

    document: Document
    mapping: Mapping
    kind: str | None
    lines: tuple[Launch, ...] = ()

    def number(self, key: str) -> int | None:
        """A count that it gives."""
        value = self.mapping.value(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None

    def section(self, key: str) -> tuple[Item, Mapping] | None:
        """A section that says something."""
        item = self.mapping.item(key)
        return (item, item.value) if item is not None and isinstance(item.value, Mapping) and item.value.items else None


@dataclass(frozen=True)
class Place:
    """Something that is said somewhere."""

    path: str
    spot: Spot
    says: str


@dataclass(frozen=True)
class Conflict:
    """Two things that are not both done: ``at`` is the one that is lost, or refused; in the code it is in a ``statement``."""

    at: Place
    why: str
    others: tuple[Place, ...] = ()
    statement: Spot | None = None


def configurations(program: Program) -> list[Configuration]:
    """All of them, by file."""
    named: dict[str, list[Launch]] = {}
    for launch in program.ask(launches):
        document = named_by(program, launch)
        if document is not None:
            named.setdefault(document.path, []).append(launch)
    return [
        Configuration(document, root, _kind(root), tuple(named.get(document.path, ())))
        for document in program.documents.of(read(program.knowledge, "accelerate"), "yaml", "json")
        for root in document.roots
        if isinstance(root, Mapping) and is_configuration(program, root)
    ]


def is_configuration(program: Program, mapping: Mapping) -> bool:
    """Whether a mapping is one, by its keys."""
    table = program.knowledge.tables["accelerate.configuration"]
    return all(key in mapping for key in table["all"]) and any(key in mapping for key in table["any"])


def named_by(program: Program, launch: Launch) -> Document | None:
    """The configuration file that a line of accelerate's names."""
    launcher = launch.launcher("accelerate")
    option = None if launcher is None else launcher.option("--config-file")
    if option is None or option.value is None:
        return None
    return next((document for word, document in named_documents(program, launch) if word == option.value), None)


def _kind(mapping: Mapping) -> str | None:
    value = mapping.value("distributed_type")
    if value is False:  # `NO`, as YAML reads it
        return "NO"
    return value.upper() if isinstance(value, str) and value.isascii() and value.replace("_", "").isalnum() else None

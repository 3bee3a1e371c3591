"""What YAML and TOML files say of a job's sizes: NeMo's models, lists of Megatron-LM's options, GPT-NeoX, torchtitan."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from trainlint.documents.tree import Item, Mapping, Scalar, mappings
from trainlint.facts.degrees.setups import Setup, Size
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.facts.program import Program

#: Words of a path that say that what it leads to is there to be completed.
_BASE = frozenset(("base", "template", "templates"))


def trees(program: Program) -> Iterator[Setup]:
    """One for each mapping that gives such sizes."""
    for document in program.documents.of(read(program.knowledge, "degrees"), "yaml"):
        for root in document.roots:
            for mapping in mappings(root):
                yield from _inside(program, document, root if isinstance(root, Mapping) else mapping, mapping)


def _inside(program: Program, document: Document, root: Mapping, mapping: Mapping) -> Iterator[Setup]:
    marks = program.knowledge.tables["degrees.marks"]
    names = {option_of(item.key.value) for item in mapping.items}
    family = next((each for each in ("neox", "megatron") if not names.isdisjoint(marks[each])), None)
    if family is None:
        return
    setup = of_mapping(program, family, document, mapping)
    of_trainer = root.at("model") is mapping and "trainer" in root and not _is_base(program, document)
    world = _world(document, root) if of_trainer else None
    is_job = of_trainer or any(str(item.key.value).startswith("--") for item in mapping.items)
    # What Hydra composes a file with is not known.
    yield replace(setup, is_whole="defaults" not in root, is_job=is_job, world=world)


def _is_base(program: Program, document: Document) -> bool:
    """Whether a file says by its path that others begin with it (``base_configs/gpt3.yaml``)."""
    name = os.path.relpath(document.path, program.finder.top)
    return not _BASE.isdisjoint(re.split(r"[\W_]+", name.lower()))


def of_mapping(program: Program, family: str, document: Document, mapping: Mapping) -> Setup:
    """The sizes that stand in a mapping itself."""
    table = program.knowledge.tables[f"degrees.{family}"]
    meanings = {name: what for what, names in table.items() for name in names}
    sizes: dict[str, Size] = {}
    unknown: set[str] = set()
    also: set[str] = set()
    for item in mapping.items:
        name = option_of(item.key.value)
        if not isinstance(item.value, Scalar) or item.value.value not in (None, False):
            also.add(name)
        what = meanings.get(name)
        if what is None or (isinstance(item.value, Scalar) and item.value.value in (None, False)):
            continue
        size = size_of(document, item)
        if size is None:
            unknown.add(what)
        else:
            sizes[what] = size
    return Setup(family, sizes, frozenset(unknown), frozenset(also))


def size_of(document: Document, item: Item) -> Size | None:
    """What an item says, where that is a number or a switch that is on."""
    value = item.value.value if isinstance(item.value, Scalar) else None
    if not isinstance(value, int):
        return None
    return Size(int(value), document, item.key.spot, f"{item.key.value}: {str(value).lower()}")


def option_of(key: object) -> str:
    """A key as the tables have it."""
    return str(key).lstrip("-").replace("_", "-")


def _world(document: Document, root: Mapping) -> Size | None:
    """How many processes NeMo's trainer starts; a file that says nothing of nodes leaves them to the line that starts it."""
    trainer = root.mapping("trainer")
    devices = None if trainer is None else trainer.item("devices")
    if trainer is None or devices is None:
        return None
    each, count = trainer.value("devices"), trainer.value("num_nodes")
    # One process is what a file says that is for converting, or that leaves the number to the command line.
    if not _is_count(each) or not _is_count(count) or (each, count) == (1, 1):
        return None
    return Size(int(str(each)) * int(str(count)), document, devices.key.spot, f"{each} devices on {count} nodes")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0

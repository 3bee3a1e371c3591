"""What configurations say of the sizes of a job: YAML and TOML files, and what launch lines override in them.

NeMo's models, lists of Megatron-LM's options, GPT-NeoX, torchtitan; Hydra's ``a.b=value`` for NeMo's trainer and
model, and verl's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from trainlint.documents.tree import Item, Mapping, Scalar, mappings
from trainlint.jobs.launch_lines import Launch, Option, launches, named_documents
from trainlint.jobs.parallel_launch_options import Setup, Size, unfinished, world
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.expansion import Word
    from trainlint.program.program import Program

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
    if not is_count(each) or not is_count(count) or (each, count) == (1, 1):
        return None
    return Size(int(str(each)) * int(str(count)), document, devices.key.spot, f"{each} devices on {count} nodes")


def is_count(value: object) -> bool:
    """Whether a value of a configuration says how many there are of something."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_OVERRIDE = re.compile(r"\+{0,2}([A-Za-z_][\w.]*)=")


def overrides(program: Program) -> Iterator[Setup]:
    """One for each launch line, and each part of a configuration that it gives sizes for. What it does not set is not known."""
    meanings = {name: what for what, names in program.knowledge.tables["degrees.megatron"].items() for name in names}
    for launch in program.ask(launches):
        words = _words(launch)
        for part, counts in program.knowledge.tables["degrees.overrides"].items():
            inside = {key: word for key, word in words.items() if key.rpartition(".")[0] == part}
            sizes: dict[str, Size] = {}
            for key, word in inside.items():
                what = meanings.get(option_of(key.rpartition(".")[2]))
                number = _number(program, launch, word)
                if what is not None and number is not None:
                    sizes[what] = Size(number, launch.document, word.spot, f"{key}={number}")
            if sizes:
                yield Setup(
                    "override", sizes, is_whole=False, is_job=False, world=_world_of_overrides(program, launch, words, counts)
                )


def _words(launch: Launch) -> dict[str, Word]:
    """The words that set something, by what they set; the last one counts."""
    found: dict[str, Word] = {}
    for word in launch.arguments:
        key = _OVERRIDE.match(word.start if word.text is None else word.text)
        if key is not None:
            found[key[1]] = word
    return found


def _number(program: Program, launch: Launch, word: Word | None) -> int | None:
    text = "" if word is None or word.text is None else word.text.partition("=")[2]
    if not text.isascii() or not text.isdigit() or len(text) > 9 or unfinished(program, launch, word):  # noqa: PLR2004 (digits)
        return None
    return int(text)


def _world_of_overrides(program: Program, launch: Launch, words: dict[str, Word], counts: list[str]) -> Size | None:
    """The processes that a line asks for: those of a node, and the nodes, both by its own words."""
    each, nodes = (_number(program, launch, words.get(key)) for key in counts)
    if not each or not nodes:
        return None
    return Size(each * nodes, launch.document, words[counts[0]].spot, f"{counts[0]}={each} {counts[1]}={nodes}")


FAMILY = "torchtitan"


def titans(program: Program) -> Iterator[Setup]:
    """One for each TOML file with such degrees, and one for each line that gives some, or names such a file."""
    files = {document.path: _of(program, document) for document in _documents(program)}
    yield from (setup for setup in files.values() if setup is not None)
    for launch in program.ask(launches):
        own, unknown = _options(program, launch)
        base = next((files[document.path] for _, document in named_documents(program, launch) if document.path in files), None)
        processes = world(program, launch)
        if processes is None or (base is None and not own):
            continue
        sizes = {} if base is None else {**base.sizes}
        sizes.update(own)
        left_open = (unknown if base is None else unknown | (base.unknown - own.keys())) - own.keys()
        known = {what: size for what, size in sizes.items() if what not in left_open}
        # Without the file nothing is known of what the line does not say.
        yield Setup(FAMILY, known, frozenset(left_open), is_whole=base is not None, world=processes)


def _documents(program: Program) -> Iterator[Document]:
    yield from program.documents.of(read(program.knowledge, "degrees"), "toml")


def _of(program: Program, document: Document) -> Setup | None:
    """The degrees that a file gives; those of the sections it had them in once count, too."""
    marks = program.knowledge.tables["degrees.marks"][FAMILY]
    for root in document.roots:
        tables = [
            mapping
            for mapping in mappings(root)
            if any(option_of(item.key.value) in marks for item in mapping.items) and _is_section(root, mapping)
        ]
        if not tables:
            continue
        sizes: dict[str, Size] = {}
        unknown: set[str] = set()
        for table in tables:
            setup = of_mapping(program, FAMILY, document, table)
            sizes.update(setup.sizes)
            unknown |= setup.unknown
        return Setup(FAMILY, sizes, frozenset(unknown))
    return None


def _is_section(root: object, mapping: Mapping) -> bool:
    return isinstance(root, Mapping) and any(item.value is mapping for item in root.items)


def _options(program: Program, launch: Launch) -> tuple[dict[str, Size], frozenset[str]]:
    """The degrees that a line gives (``--parallelism.tensor_parallel_degree 4``), and those it leaves to somebody."""
    found: dict[str, Size] = {}
    unknown: set[str] = set()
    for what, names in program.knowledge.tables[f"degrees.{FAMILY}"].items():
        spellings = [f"--{section}.{name}" for section in ("parallelism", "training", "experimental") for name in names]
        option = launch.argument(*spellings)
        if option is None:
            continue
        size = None if unfinished(program, launch, option.value) else _titan_size(launch, option)
        if size is None:
            unknown.add(what)
        else:
            found[what] = size
    return found, frozenset(unknown)


def _titan_size(launch: Launch, option: Option) -> Size | None:
    text = option.text or ""
    number = option.number if text != "-1" else -1
    name = (option.word.text or option.word.start).partition("=")[0]
    return None if number is None else Size(number, launch.document, option.word.spot, f"{name} {number}")

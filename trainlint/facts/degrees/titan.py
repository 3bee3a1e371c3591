"""What torchtitan is told: its TOML files, and the lines that start it with one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.documents.tree import Mapping, mappings
from trainlint.facts.degrees.lines import unfinished, world
from trainlint.facts.degrees.setups import Setup, Size
from trainlint.facts.degrees.trees import of_mapping, option_of
from trainlint.facts.launching.launches import Launch, Option, launches
from trainlint.facts.launching.references import named_documents
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.facts.program import Program

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
        size = None if unfinished(program, launch, option.value) else _size(launch, option)
        if size is None:
            unknown.add(what)
        else:
            found[what] = size
    return found, frozenset(unknown)


def _size(launch: Launch, option: Option) -> Size | None:
    text = option.text or ""
    number = option.number if text != "-1" else -1
    name = (option.word.text or option.word.start).partition("=")[0]
    return None if number is None else Size(number, launch.document, option.word.spot, f"{name} {number}")

"""Misspelt keys of configurations: of DeepSpeed, of accelerate, of the FSDP settings of transformers.

No guess where two known keys are as near, or where it may be a key of somebody's own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator
from difflib import SequenceMatcher
from functools import partial
from typing import NamedTuple

from trainlint.documents.document import Document
from trainlint.documents.tree import Item, Mapping, mappings
from trainlint.ir.nodes import Term
from trainlint.jobs.deepspeed import items_of, uses
from trainlint.knowledge import Knowledge
from trainlint.knowledge.words import read
from trainlint.program.call_graph import CallSite
from trainlint.program.consteval import constant
from trainlint.program.program import Program
from trainlint.program.values import Unresolved

#: How alike two words are at least of which one is the other, misspelt: `stge` and `stage`, but not `min` and `max`.
_ALIKE = 0.75
#: Letters that a word has at least, if it is to be a misspelt one.
_SHORTEST = 3
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[A-Za-z\d]+(?:_+[A-Za-z\d]+)*")


def nearest_key(key: str, known: Collection[str]) -> str | None:
    """The one of the known keys that a key is, but for a slip; None when it is none, or may be something else.

    >>> meant("zero_optimzation", ["zero_optimization", "optimizer"])
    'zero_optimization'
    >>> meant("eval_batch_size", ["train_batch_size"])
    """
    if key in known or len(key) > 2 * max(map(len, known), default=0) or _WORDS.fullmatch(key) is None:
        return None
    same = [name for name in known if _squeezed(name) == _squeezed(key)]
    found = same or [name for name in known if _is_slip(key, name)]
    return found[0] if len(found) == 1 else None


def _squeezed(key: str) -> str:
    return key.replace("_", "").casefold()


def _is_slip(key: str, name: str) -> bool:
    """Whether they are the same words but for one, which is alike."""
    words, others = key.split("_"), name.split("_")
    if len(words) != len(others) or _DIGITS.findall(key) != _DIGITS.findall(name):
        return False
    pairs = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    return len(pairs) == 1 and _are_alike(*pairs[0])


def _are_alike(word: str, other: str) -> bool:
    if min(len(word), len(other)) < _SHORTEST:
        return False
    if len(word) == len(other) and sorted(word) == sorted(other):
        return sum(one != another for one, another in zip(word, other, strict=True)) == 2  # noqa: PLR2004 - two letters swapped
    return min(SequenceMatcher(None, *pair, autojunk=False).ratio() for pair in ((word, other), (other, word))) >= _ALIKE


#: Keys that a mapping has at least that is a configuration though none of them is the library's own.
_ENOUGH = 3
#: Keys of a section beyond which it is nobody's configuration: each is compared with all that are known.
_MOST = 300


class Slip(NamedTuple):
    """A ``key``, the one that was meant, the ``section`` (``deepspeed.fp16``), and whether that refuses what it does not know."""

    key: str
    name: str
    section: str
    is_refused: bool


class Misspelt(NamedTuple):
    """A slip in an item of a file."""

    document: Document
    item: Item
    slip: Slip


class InCode(NamedTuple):
    """A slip in a dict that a call is given."""

    site: CallSite
    slip: Slip


def in_code(program: Program) -> Iterator[InCode]:
    """All that stand in dicts which are DeepSpeed's configuration, where one is given to the first call."""
    seen: set[tuple[str, Term, Slip]] = set()
    for use in uses(program):
        if use.written is not None:
            for slip in _in_dict(program, use.written, "deepspeed"):
                key = (use.site.module, use.written.term, slip)
                if key not in seen:
                    seen.add(key)
                    yield InCode(use.site, slip)


def _in_dict(program: Program, written: Unresolved, section: str) -> Iterator[Slip]:
    known, frame = program.knowledge.tables["configurations.keys"], written.frame
    items = [
        (key, value) for key, value in items_of(written.term, partial(constant, program, frame=frame)) or () if key is not None
    ]
    keys = [key for key, _ in items]
    if len(keys) > _MOST or (section == "deepspeed" and sum(key in known[section] for key in keys) * 2 < len(keys)):
        return
    for key, value in items:
        if key in known[section] and f"{section}.{key}" in known:
            inside = (each for each in program.values(value, frame) if isinstance(each, Unresolved))
            yield from (slip for each in inside for slip in _in_dict(program, each, f"{section}.{key}"))
        yield from _slip(key, keys, section, program.knowledge)


def misspelt(program: Program) -> Iterator[Misspelt]:
    """All that stand in files, by file and place."""
    knowledge = program.knowledge
    for library in knowledge.tables["configurations.own"]:
        for document in program.documents.of(read(knowledge, library), "json", "yaml"):
            for mapping in _configurations(document, library, knowledge):
                yield from _in_section(document, mapping, library, knowledge)


def _configurations(document: Document, library: str, knowledge: Knowledge) -> Iterator[Mapping]:
    own, keys = knowledge.tables["configurations.own"][library], knowledge.tables["configurations.keys"][library]
    is_part = library in knowledge.tables["configurations.inside"]["names"]
    for root in document.roots:
        for mapping in mappings(root):
            if mapping is not root and not is_part:
                break
            there = sum(item.key.value in keys for item in mapping.items)
            # A larger whole that has keys of it among its own is somebody's own format.
            if there * 2 >= len(mapping.items) and (any(key in mapping for key in own) or (mapping is root and there >= _ENOUGH)):
                yield mapping


def _in_section(document: Document, mapping: Mapping, section: str, knowledge: Knowledge) -> Iterator[Misspelt]:
    known = knowledge.tables["configurations.keys"]
    for item in mapping.items if len(mapping.items) <= _MOST else ():
        key = item.key.value
        if item.merged or not isinstance(key, str):
            continue
        if isinstance(item.value, Mapping) and key in known[section] and f"{section}.{key}" in known:
            yield from _in_section(document, item.value, f"{section}.{key}", knowledge)
        yield from (Misspelt(document, item, slip) for slip in _slip(key, mapping, section, knowledge))


def _slip(key: str, beside: Container[str], section: str, knowledge: Knowledge) -> Iterator[Slip]:
    """The slip that a key is, unless the one that was meant stands beside it."""
    name = nearest_key(key, knowledge.tables["configurations.keys"][section])
    if name is not None and name not in beside and not _is_elsewhere(key, section, knowledge):
        yield Slip(key, name, section, section in knowledge.tables["configurations.refused"]["names"])


def _is_elsewhere(key: str, section: str, knowledge: Knowledge) -> bool:
    """Whether the library knows a key in other sections, or knew it."""
    library = section.partition(".")[0]
    tables = knowledge.tables
    sections = (keys for name, keys in tables["configurations.keys"].items() if name.partition(".")[0] == library)
    return any(key in keys for keys in (*sections, tables["configurations.elsewhere"].get(library, ())))

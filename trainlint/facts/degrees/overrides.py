"""What launch lines set of a configuration by Hydra's ``a.b=value``: NeMo's trainer and model, verl's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.degrees.lines import unfinished
from trainlint.facts.degrees.setups import Setup, Size
from trainlint.facts.degrees.trees import option_of
from trainlint.facts.launching.launches import Launch, launches

if TYPE_CHECKING:
    from trainlint.documents.expansion import Word
    from trainlint.facts.program import Program

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
                yield Setup("override", sizes, is_whole=False, is_job=False, world=_world(program, launch, words, counts))


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


def _world(program: Program, launch: Launch, words: dict[str, Word], counts: list[str]) -> Size | None:
    """The processes that a line asks for: those of a node, and the nodes, both by its own words."""
    each, nodes = (_number(program, launch, words.get(key)) for key in counts)
    if not each or not nodes:
        return None
    return Size(each * nodes, launch.document, words[counts[0]].spot, f"{counts[0]}={each} {counts[1]}={nodes}")

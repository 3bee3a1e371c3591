"""Variables of the environment that do not do what whoever sets them wants.

They are misspelt, of a wrong value, old, against each other, for the search for mistakes, or never handed to what is started.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from trainlint.documents.document import Document
from trainlint.documents.shell import Script
from trainlint.facts.api.targets import targeted
from trainlint.facts.launching.launches import Launch, launches
from trainlint.facts.program import Program
from trainlint.facts.variables.names import Names
from trainlint.facts.variables.set_beside import Setting, settings
from trainlint.facts.variables.written import Write, writes
from trainlint.ir.nodes import Const

Kind = Literal["name", "value", "number", "old", "gone", "against", "debug", "kept"]
_YES = ("true", "yes", "on", "y", "t")


@dataclass(frozen=True)
class Mistake:
    """What is wrong with a setting; ``meant`` is what would be right, ``known`` what there is, who reads it, or since when."""

    kind: Kind
    name: str
    value: str | None
    meant: str = ""
    known: str = ""


@dataclass(frozen=True)
class Beside:
    """A mistake in a file beside the Python; ``other`` is the setting against which it does nothing."""

    setting: Setting
    mistake: Mistake
    other: Setting | None = None


@dataclass(frozen=True)
class InCode:
    """A mistake in a statement of the program."""

    write: Write
    mistake: Mistake


def names(program: Program) -> Names:
    """The known names."""
    return Names(program.knowledge)


def in_code(program: Program) -> Iterator[InCode]:
    """Those that the program sets itself: names and values."""
    for write in program.ask(writes):
        value = write.value.value if isinstance(write.value, Const) else None
        mistake = _by_itself(program, write.name, None if value is None else str(value), write.module)
        if mistake is not None:
            yield InCode(write, mistake)


def beside(program: Program) -> Iterator[Beside]:
    """Those of the files beside the Python."""
    by_document: dict[str, list[Setting]] = {}
    for setting in settings(program):
        by_document.setdefault(setting.document.path, []).append(setting)
    started: dict[str, list[Launch]] = {}
    for launch in program.ask(launches):
        started.setdefault(launch.document.path, []).append(launch)
    for path, found in by_document.items():
        document, lines = found[0].document, started.get(path, [])
        yield from _alone(program, document, found)
        yield from _against(program, found)
        yield from _left_on(program, document, found, lines)
        yield from _kept(program, document, found, lines)


def _alone(program: Program, document: Document, found: Iterable[Setting]) -> Iterator[Beside]:
    for setting in found:
        if not setting.exported:
            continue
        mistake = _by_itself(program, setting.name, setting.value, document.path)
        if mistake is not None and not (mistake.kind == "name" and _is_read(document.text, setting.name)):
            yield Beside(setting, mistake)


def _is_read(text: str, name: str) -> bool:
    """Whether a file uses a variable itself: it is its own then."""
    return re.search(r"\$\{?" + re.escape(name) + r"\b", text) is not None


def _by_itself(program: Program, name: str, value: str | None, path: str) -> Mistake | None:
    """What is wrong with one setting, whatever else is set."""
    known = program.ask(names)
    meant = known.meant(name)
    if meant is not None:
        return Mistake("name", name, value, meant, known.library[meant])
    return _of_age(program, name, value, path) or (None if value is None else _of_value(program, name, value))


def _of_age(program: Program, name: str, value: str | None, path: str) -> Mistake | None:
    row = program.knowledge.tables["exported.old"].get(name)
    if row is None:
        return None
    instead, since, became = row
    versions = targeted(program, path, "torch")
    # What still works, with a warning, matters to those who say that they have no older version.
    if not versions.needs(since) or (became == "warns" and not (versions.ranges and not versions.older_than(since))):
        return None
    return Mistake("old" if became == "warns" else "gone", name, value, instead, since)


def _of_value(program: Program, name: str, value: str) -> Mistake | None:
    tables = program.knowledge.tables
    words = tables["exported.values"].get(name)
    if words is not None:
        wrong = _wrong_word(words, value, tables["exported.silent"]["names"])
        if wrong is None:
            return None
        pairs = dict(each.split("=") for each in tables["exported.meant"].get(name, ()))
        return Mistake("value", name, value, pairs.get(wrong.upper(), ""), ", ".join(word for word in words if word != ","))
    if name in tables["exported.numbers"]["names"]:
        return None if re.fullmatch(r"-?\d+", value) or not value else Mistake("number", name, value, "", "PyTorch")
    if name.endswith(("_DISABLE", "_ENABLE")) and name in tables["exported"]["nccl"] and value.lower() in _YES:
        return Mistake("number", name, value, "1", "NCCL")
    return None


def _wrong_word(words: list[str], value: str, silent: list[str]) -> str | None:
    """The part of a value that is none of the words it may be; numbers are old names of them."""
    if value.upper() in silent or not re.fullmatch(r"[\w^,]+", value):
        return None
    parts = value.lstrip("^").split(",") if words[0] == "," else [value]
    return next((part for part in parts if part and not part.isdigit() and part.upper() not in words), None)


def _against(program: Program, found: list[Setting]) -> Iterator[Beside]:
    """What does nothing beside another setting of the same script, of both the last that counts."""
    table = program.knowledge.tables["exported.against"]
    last = {setting.name: setting for setting in found if setting.exported}
    for said, others in table.items():
        name, _, value = said.partition("=")
        strong = last.get(name)
        if strong is None or strong.value != value or strong.conditional:
            continue
        for other in others:
            weak_name, equals, weak_value = other.partition("=")
            weak = last.get(weak_name)
            if weak is not None and not weak.conditional and (not equals or weak.value == weak_value):
                yield Beside(weak, Mistake("against", weak.name, weak.value, "", said), strong)


def _left_on(program: Program, document: Document, found: list[Setting], lines: list[Launch]) -> Iterator[Beside]:
    """What is there for the search for mistakes, in a job for several machines or for a batch system."""
    costs = program.knowledge.tables["exported.costs"]
    words = program.knowledge.tables["variables"]
    if not lines or any(word in _tells(document) for word in words["asked"]):
        return
    if any(setting.name in words["repeats"] for setting in found) or not any(_is_a_job(launch) for launch in lines):
        return
    last = {setting.name: setting for setting in found if setting.exported and not setting.conditional}
    for setting in last.values():
        cost = costs.get(f"{setting.name}={(setting.value or '').upper()}")
        if cost is not None and not _is_explained(
            document.lines, setting.spot.line, program.knowledge.tables["exported.why"]["names"]
        ):
            yield Beside(setting, Mistake("debug", setting.name, setting.value, "", str(cost)))


def _tells(document: Document) -> str:
    """What a file is called, and the job in it."""
    names = [each.value for script in document.scripts for each in script.directives if not each.value.isdigit()]
    return " ".join((os.path.basename(document.path), *names)).lower().replace("-", "_")  # noqa: PTH119


def _is_a_job(launch: Launch) -> bool:
    """Whether a line is surely started by a batch system, or on several machines."""
    if launch.script.directives or launch.launcher("srun") is not None:
        return True
    nodes = [each.option("--nnodes", "--num-nodes", "--num-machines") for each in launch.launchers]
    return any(option is not None and (option.number or 0) > 1 for option in nodes)


def _is_explained(lines: list[str], line: int, words: list[str]) -> bool:
    """Whether a comment in a line, or above it, says why."""
    said = [each.partition("#")[2].lower() for each in lines[max(0, line - 3) : line]]
    return any(word in each for each in said for word in words)


def _kept(program: Program, document: Document, found: list[Setting], lines: list[Launch]) -> Iterator[Beside]:
    """What a script sets for itself alone, though only what it starts would read it."""
    known = program.ask(names).library
    exported = {setting.name for setting in found if setting.exported}
    for setting in found:
        if setting.exported or setting.name in exported or setting.name not in known or setting.script is None:
            continue
        if known[setting.name] == "CUDA" or not any(launch.command.spot > setting.spot for launch in lines):
            continue  # batch systems export what CUDA reads: a new value is handed on then
        if not _is_read(document.text, setting.name) and not _exports_all(setting.script):
            yield Beside(setting, Mistake("kept", setting.name, setting.value, "", known[setting.name]))


def _exports_all(script: Script) -> bool:
    """Whether a script has its shell export whatever is set, or hands names on by itself."""
    texts = [
        word.text or word.written
        for command in script.commands
        if command.name in ("set", "export", "declare")
        for word in command.words
    ]
    return any(re.fullmatch(r"-\w*a\w*|allexport|-x", text) is not None for text in texts)

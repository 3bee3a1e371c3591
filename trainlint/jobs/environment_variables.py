"""Variables of the environment that do not do what whoever sets them wants, in the code and in the files beside it.

Shell scripts, Dockerfiles and manifests set them for the programs of a job. A name may be nearly one that libraries
read, a value none that it can have, and a setting one that another makes useless.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

from trainlint.documents.document import Document
from trainlint.documents.shell import Assignment, Script
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence
from trainlint.finding import Spot
from trainlint.ir.nodes import Const
from trainlint.jobs.launch_lines import Launch, launches
from trainlint.knowledge import Knowledge
from trainlint.knowledge.words import read
from trainlint.program.environment import Write, writes
from trainlint.program.library_uses import targeted
from trainlint.program.program import Program

#: The rows of the table that hold names, and what the libraries are called.
LIBRARIES = {"nccl": "NCCL", "torch": "PyTorch", "xla": "XLA and JAX", "cuda": "CUDA"}
#: Names shorter than that are near to too many others.
_SHORTEST, _LONG = 8, 14
#: How many letters may be others.
_LETTERS = 2
_END = 3
_DIGITS = re.compile(r"\d+")


class Names:
    """What is known of the names; made once for a run."""

    def __init__(self, knowledge: Knowledge) -> None:
        table = knowledge.tables["exported"]
        self.library = {name: title for row, title in LIBRARIES.items() for name in table[row]}
        self._vendors = frozenset(table["vendors"])
        self._by_parts: dict[tuple[str, ...], str] = {}
        self._squeezed: dict[str, str] = {}
        for name in self.library:
            self._by_parts.setdefault(tuple(sorted(name.split("_"))), name)
            self._squeezed.setdefault(name.replace("_", ""), name)
        self._others = frozenset(knowledge.tables["exported.old"])
        self._by_end: dict[str, list[str]] = {}
        for name in self.library:
            for end in _ends(name):
                self._by_end.setdefault(end, []).append(name)

    def meant(self, name: str) -> str | None:
        """The known name that an unknown one is nearly; None for one that is known, or near to none or to several."""
        if name in self.library or name in self._others or len(name) < _SHORTEST or not name.isascii():
            return None
        parts = name.split("_")
        if len(parts) == 1 or not self._vendors.isdisjoint(parts):
            return None
        same = self._by_parts.get(tuple(sorted(parts))) or self._squeezed.get(name.replace("_", ""))
        if same is not None:
            return same
        near = set(self._near(name))
        return near.pop() if len(near) == 1 else None

    def _near(self, name: str) -> Iterator[str]:
        """Those that are one with a name but for one place: either how they begin is the same, or how they end."""
        for end in _ends(name):
            for other in self._by_end.get(end, ()):
                if abs(len(other) - len(name)) <= _LETTERS and _is_near(name, other):
                    yield other


def _ends(name: str) -> tuple[str, str]:
    return f"{name[:_END]}…", f"…{name[-_END:]}"


def _is_near(name: str, other: str) -> bool:
    """Whether two names are one but for one place, of two letters at most, that is no part of its own and no number."""
    shorter = min(len(name), len(other))
    start = next((at for at in range(shorter) if name[at] != other[at]), shorter)
    most = shorter - start
    end = next((at for at in range(most) if name[-1 - at] != other[-1 - at]), most)
    one, two = name[start : len(name) - end], other[start : len(other) - end]
    longer = max(len(one), len(two))
    if longer > _LETTERS or _DIGITS.sub("", one) != one or _DIGITS.sub("", two) != two:
        return False
    if longer == _LETTERS and len(name) < _LONG and one != two[::-1]:
        return False
    whole = (start == 0 or name[start - 1] == "_") and (end == 0 or name[-end] == "_")
    return not (one and two and whole) and "_" not in one + two


_NAME = re.compile(r"[A-Z][A-Z0-9_]{4,}")
#: What stands in a file that is worth reading as data: most files with an environment set nothing that matters here.
_TELLS = re.compile(r"NC?C?L|TORCH|XLA|CUDA|GLOO|TPU_|JAX_|PJRT_")
#: Keys below which variables stand: Kubernetes, compose, SkyPilot, workflows, editors.
_SECTIONS = frozenset(
    ("env", "envs", "environment", "env_vars", "envVars", "env_variables", "environment_variables", "runtime_env")
)


@dataclass(frozen=True)
class Setting:
    """A variable and its ``value`` (None: not known), at ``spot``; ``named`` and ``said`` are where the two are written out.

    ``script`` is the shell script that sets it. ``exported``: for the programs that are started; ``conditional``: it may not be.
    """

    document: Document
    name: str
    value: str | None
    spot: Spot
    named: Spot | None = None
    said: Spot | None = None
    script: Script | None = None
    exported: bool = True
    conditional: bool = False


def settings(program: Program) -> Iterator[Setting]:
    """All of them, by file, in the order of their lines."""
    for document in program.documents.of(read(program.knowledge, "environment")):
        if _TELLS.search(document.text) is None:
            continue
        if document.kind == "shell":
            yield from _of_scripts(document)
        elif document.container is not None:
            for variable in document.container.variables:
                if not variable.is_argument:
                    yield _placed(Setting(document, variable.name, variable.value, variable.spot))
        for root in document.roots:
            yield from _of_data(document, root)


def _of_scripts(document: Document) -> Iterator[Setting]:
    for script in document.scripts:
        found = [_of_assignment(document, script, each) for each in script.assignments]
        found += [_of_assignment(document, script, each) for command in script.commands for each in command.environment]
        yield from sorted(found, key=lambda setting: setting.spot)


def _of_assignment(document: Document, script: Script, each: Assignment) -> Setting:
    setting = Setting(
        document, each.name, each.value.text, each.spot, script=script, exported=each.exported, conditional=each.conditional
    )
    said = each.value.spot if each.value.written == each.value.text else None
    return _placed(setting, said)


def _placed(setting: Setting, said: Spot | None = None) -> Setting:
    """The setting with the places of its name and value, where these are what stands there."""
    line, column = setting.spot[:2]
    named = Spot(line, column, line, column + len(setting.name))
    is_there = _written(setting.document, named) == setting.name
    said = said if said is not None and _written(setting.document, said) == setting.value else None
    return replace(setting, named=named if is_there else None, said=said)


def _written(document: Document, spot: Spot) -> str | None:
    """What stands at a spot of one line."""
    lines = document.lines
    if spot.line != spot.end_line or spot.line > len(lines):
        return None
    return lines[spot.line - 1].encode("utf-8", "replace")[spot.column : spot.end_column].decode("utf-8", "replace")


def _of_data(document: Document, root: Node) -> Iterator[Setting]:
    """Those of a manifest: below a key that says so, as keys, as ``NAME=value``, or as a name with its value."""
    waiting: list[tuple[Node, bool]] = [(root, False)]
    most = 10_000
    while waiting and most:
        most -= 1
        node, inside = waiting.pop()
        if isinstance(node, Mapping):
            if inside:
                yield from _of_mapping(document, node)
            waiting.extend((item.value, item.key.value in _SECTIONS) for item in reversed(node.items))
        elif isinstance(node, Sequence):
            for value in node.values:
                if inside and isinstance(value, Scalar) and isinstance(value.value, str):
                    name, equals, text = value.value.partition("=")
                    if equals and _NAME.fullmatch(name):
                        yield _placed(Setting(document, name, text, value.spot))
            waiting.extend((value, inside) for value in reversed(node.values) if not isinstance(value, Scalar))


def _of_mapping(document: Document, mapping: Mapping) -> Iterator[Setting]:
    name = mapping.item("name")
    if name is not None and isinstance(name.value, Scalar):
        if isinstance(name.value.value, str):
            value = mapping.at("value")
            text = _text(value) if isinstance(value, Scalar) else None
            yield _placed(Setting(document, name.value.value, text, name.value.spot), value.spot if value is not None else None)
        return
    for item in mapping.items:
        key = item.key.value
        if isinstance(key, str) and _NAME.fullmatch(key) and isinstance(item.value, Scalar) and not item.merged:
            yield _placed(Setting(document, key, _text(item.value), item.key.spot), item.value.spot)


def _text(value: Scalar) -> str | None:
    """A value as the environment has it; None for a template."""
    found = value.value
    if found is None or "{{" in str(found) or "${" in str(found) or "$(" in str(found):
        return None
    return str(found).lower() if isinstance(found, bool) else str(found)


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
class InFile:
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


def in_files(program: Program) -> Iterator[InFile]:
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


def _alone(program: Program, document: Document, found: Iterable[Setting]) -> Iterator[InFile]:
    for setting in found:
        if not setting.exported:
            continue
        mistake = _by_itself(program, setting.name, setting.value, document.path)
        if mistake is not None and not (mistake.kind == "name" and _is_read(document.text, setting.name)):
            yield InFile(setting, mistake)


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


def _against(program: Program, found: list[Setting]) -> Iterator[InFile]:
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
                yield InFile(weak, Mistake("against", weak.name, weak.value, "", said), strong)


def _left_on(program: Program, document: Document, found: list[Setting], lines: list[Launch]) -> Iterator[InFile]:
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
            yield InFile(setting, Mistake("debug", setting.name, setting.value, "", str(cost)))


def _tells(document: Document) -> str:
    """What a file is called, and the job in it."""
    names = [each.value for script in document.scripts for each in script.directives if not each.value.isdigit()]
    return " ".join((PurePath(document.path).name, *names)).lower().replace("-", "_")


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


def _kept(program: Program, document: Document, found: list[Setting], lines: list[Launch]) -> Iterator[InFile]:
    """What a script sets for itself alone, though only what it starts would read it."""
    known = program.ask(names).library
    exported = {setting.name for setting in found if setting.exported}
    for setting in found:
        if setting.exported or setting.name in exported or setting.name not in known or setting.script is None:
            continue
        if known[setting.name] == "CUDA" or not any(launch.command.spot > setting.spot for launch in lines):
            continue  # batch systems export what CUDA reads: a new value is handed on then
        if not _is_read(document.text, setting.name) and not _exports_all(setting.script):
            yield InFile(setting, Mistake("kept", setting.name, setting.value, "", known[setting.name]))


def _exports_all(script: Script) -> bool:
    """Whether a script has its shell export whatever is set, or hands names on by itself."""
    texts = [
        word.text or word.written
        for command in script.commands
        if command.name in ("set", "export", "declare")
        for word in command.words
    ]
    return any(re.fullmatch(r"-\w*a\w*|allexport|-x", text) is not None for text in texts)

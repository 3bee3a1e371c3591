"""Which variables the files beside the Python set for the programs of a job: shell scripts, Dockerfiles, manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from trainlint.documents.document import Document
from trainlint.documents.shell import Assignment, Script
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence
from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.knowledge.words import read

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

"""``trainlint dev schema``: the JSON schema of the configuration, made of the options and the knowledge tables themselves.

It describes ``[tool.trainlint]`` of a ``pyproject.toml``, or a whole ``trainlint.toml``. A schema says what is well
formed; whether a glob can match, or a range of versions is empty, only ``trainlint`` itself tells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from trainlint import config
from trainlint.codes import CODES, INSTALLED
from trainlint.config.merge import MOST_JOBS
from trainlint.config.options import LEVELS, OPTIONS, Option
from trainlint.config.settings import Settings
from trainlint.config.target import FRAMEWORKS
from trainlint.knowledge.checking import FLOW, RANK_WORDS, kinds_of
from trainlint.knowledge.load import shipped

FILE = Path(config.__file__).with_name("trainlint.schema.json")
"""Where the schema lies, in a checkout and in the installed package."""

_ID = "https://json.schemastore.org/trainlint.json"

_Schema = Mapping[str, object]

_SELECTOR: _Schema = {"$ref": "#/definitions/selector"}
_SELECTORS: _Schema = {"type": "array", "items": _SELECTOR}
_STRINGS: _Schema = {"type": "array", "items": {"type": "string"}}

#: One comparison of a version, as PEP 440 has it.
_CLAUSE = r"(?:(?:==|!=|<=|>=|<|>)\s*v?[0-9][0-9A-Za-z.*+!_-]*|~=\s*v?[0-9]+(?:\.[0-9]+)+[0-9A-Za-z.+!_-]*)"
_RANGE: _Schema = {"type": "string", "pattern": rf"^\s*{_CLAUSE}\s*(?:,\s*{_CLAUSE}\s*)*$"}

#: The knowledge tables by their kinds.
_KINDS: Mapping[str, _Schema] = {
    **{
        kind: {"type": "object", "properties": {kind: _STRINGS}, "additionalProperties": False}
        for kind in ("names", "common")  # one list, which has the kind's name
    },
    **{
        kind: {"type": "object", "additionalProperties": entry}
        for kind, entry in {
            "str": {"type": "string"},
            "list": _STRINGS,
            "int": {"type": "integer"},
            "count": {"type": "integer", "minimum": 1},
            "rank": {"type": "string", "enum": sorted(RANK_WORDS)},
            "flows": {"type": "array", "items": {"type": "string", "pattern": f"^(?:{FLOW.pattern})$"}},
        }.items()
    },
}


def main(bless: bool) -> int:
    """Write the schema, or tell (1) that the file is not what the options say."""
    wanted = text()
    if FILE.is_file() and FILE.read_text(encoding="utf-8") == wanted:
        print(f"{FILE} is up to date")
        return 0
    if not bless:
        print(f"{FILE} is not what the options say: run `trainlint dev schema --bless`")
        return 1
    FILE.write_text(wanted, encoding="utf-8")
    print(f"{FILE} was written")
    return 0


def text() -> str:
    """Return the schema as the file has it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def schema() -> _Schema:
    """Return the schema."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": _ID,
        "title": "trainlint",
        "description": "The configuration of trainlint, a linter for training code.",
        "type": "object",
        "additionalProperties": False,
        "definitions": {"selector": _selector(), **_KINDS},
        "properties": {option.key: _property(option) for option in OPTIONS.values()},
    }


def _property(option: Option) -> _Schema:
    about = " ".join(option.description.split())
    value = getattr(Settings(Path()), option.field)
    if value is None:
        return {"description": f"{about}\n\nDefault: {option.default}.", **_shape(option)}
    return {"description": about, "default": value, **_shape(option)}


def _shape(option: Option) -> _Schema:
    """What may be written there."""
    shapes: Mapping[str, _Schema] = {
        "selectors": _SELECTORS,
        "selector table": {"type": "object", "additionalProperties": _SELECTORS},
        "strings": _STRINGS,
        "boolean": {"type": "boolean"},
        "choice": {"type": "string", "enum": option.choices},
        "file": {"type": "string", "minLength": 1},
        "count": {"type": "integer", "minimum": 1, "maximum": MOST_JOBS},
        "seconds": {"type": "number", "exclusiveMinimum": 0},
        "levels": {
            "type": "object",
            "propertyNames": _SELECTOR,
            "additionalProperties": {"type": "string", "enum": LEVELS},
        },
        "versions": _versions(),
        "tables": _tables(),
    }
    return shapes[option.kind]


def _selector() -> _Schema:
    """What means rules: ours by every selector of theirs; of rules in other packages only codes can be told from mistakes."""
    ours = [row for row in CODES.values() if row.code not in INSTALLED.rows]
    codes = sorted({row.code[:length] for row in ours for length in range(len("TL"), len(row.code) + 1)})
    return {
        "description": "A rule's code or name, the beginning of codes, or ALL.",
        "type": "string",
        "anyOf": [
            {"enum": ["ALL", *codes, *(row.name for row in ours)]},
            {"description": "Rules of other packages.", "pattern": "^(?!TL|ALL$)[A-Z]{2,3}[0-9]{0,3}$"},
        ],
    }


def _versions() -> _Schema:
    """A table of ranges; a framework's name may be written in every way in which the package index reads it."""
    spelled = "|".join(re.sub("[a-z]", lambda found: f"[{found[0].upper()}{found[0]}]", name) for name in FRAMEWORKS)
    return {
        "type": "object",
        "propertyNames": {"pattern": f"^(?:{spelled.replace('-', '[-_.]+')})$"},
        "properties": dict.fromkeys(FRAMEWORKS, _RANGE),
        "additionalProperties": _RANGE,
    }


def _tables() -> _Schema:
    """The knowledge tables; those of other packages begin with their letters."""
    kinds = kinds_of(shipped())
    outer = {name.partition(".")[0] for name in kinds}
    own = {"type": "object", "description": "Tables of rules in other packages."}
    return {
        "type": "object",
        "properties": {name: _table(name, kinds) for name in sorted(outer)},
        "patternProperties": {f"^(?!(?:{'|'.join(sorted(outer))})$)[a-z]{{2,3}}$": own},
        "additionalProperties": False,
    }


def _table(name: str, kinds: Mapping[str, str]) -> _Schema:
    """One table with the tables inside it."""
    start = f"{name}."
    inner = {key.removeprefix(start): _table(key, kinds) for key in sorted(kinds) if key.startswith(start)}
    kind = kinds.get(name)
    if kind is None:
        return {"type": "object", "properties": inner, "additionalProperties": False}
    if not inner:
        return {"$ref": f"#/definitions/{kind}"}
    if kind in {"names", "common"}:
        return {"type": "object", "properties": {kind: _STRINGS, **inner}, "additionalProperties": False}
    return {**_KINDS[kind], "properties": inner}

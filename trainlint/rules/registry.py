"""Finding the rules: every module ``tlNNN_name.py`` in a family folder declares one as ``RULE``."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint.codes import INSTALLED

if TYPE_CHECKING:
    from trainlint.rules.api import Rule

_STEM = re.compile(r"(tl\d{3})_(\w+)\.py$")
_HERE = Path(__file__).parent


class Built(NamedTuple):
    """Where a rule is: its code, kebab name, family folder, the file in it, and the module."""

    code: str
    name: str
    family: str
    file: str
    module: str


def modules(folder: Path) -> dict[str, Built]:
    """The rules below a folder of families, by code, in the order of families and files; nothing is imported."""
    found: dict[str, Built] = {}
    with os.scandir(folder) as families:
        names = sorted(entry.name for entry in families if entry.is_dir() and entry.name[0] not in "_.")
    for family in names:
        for file in sorted(os.listdir(folder / family)):  # noqa: PTH208 - names are all that is wanted
            match = _STEM.match(file)
            if match is not None:
                code = match[1].upper()
                module = f"trainlint.rules.{family}.{file[:-3]}"
                found[code] = Built(code, match[2].replace("_", "-"), family, file, module)
    return found


@cache
def built() -> Mapping[str, Built]:
    """Every rule that ships, by code, without importing it, and those of other installed packages."""
    others = {row.code: Built(row.code, row.name, row.family, row.file, row.module) for row in INSTALLED.rows.values()}
    return {**modules(_HERE), **others}


def shipped() -> list[str]:
    """The codes of the rules that ship, without those of other packages."""
    return [code for code in built() if code not in INSTALLED.rows]


def fingerprint(folder: Path) -> str:
    """What changes when one of the rules below the folder changes; decides whether what was prepared is fresh."""
    import zlib

    total = 0
    top = str(folder)
    for where in modules(folder).values():
        with open(f"{top}/{where.family}/{where.file}", "rb", buffering=0) as file:  # noqa: PTH123 - hundreds, in every run
            data = file.read()
        total = zlib.crc32(data, zlib.crc32(where.module.encode(), total))
    return f"{total:08x}"


def needs(codes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By code the kinds of thing of which one must be in a file to interest the rule (see ``Rule.needs``)."""
    prepared = _prepared("NEEDS")
    wanted: dict[str, tuple[str, ...]] = {}
    for code in sorted(set(codes) & set(built())):
        known = prepared.get(code)
        wanted[code] = tuple(_load(code).needs) if known is None else known
    return wanted


def reads(codes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By code what those of the rules look for that look at files beside the Python (see ``Rule.reads``)."""
    prepared, needed = _prepared("READS"), _prepared("NEEDS")
    wanted: dict[str, tuple[str, ...]] = {}
    for code in sorted(set(codes) & set(built())):
        known = prepared.get(code, ()) if code in needed else tuple(_load(code).reads)
        if known:
            wanted[code] = known
    return wanted


def unknown_needs(words: Callable[[str], Collection[bytes]]) -> Iterator[str]:
    """Sentences about rules of other packages that can never run: no word stands for the things they need."""
    for row in INSTALLED.rows.values():
        wanted = _load(row.code).needs
        if not any(words(need) for need in wanted) and not _load(row.code).reads:
            yield f"rules of {row.family} ({row.file}): nothing is known that {row.code} needs: {', '.join(wanted)}"


def _prepared(what: str) -> Mapping[str, tuple[str, ...]]:
    try:
        prepared = importlib.import_module("trainlint.rules._prepared")
    except ImportError:
        return {}
    fresh: dict[str, tuple[str, ...]] = getattr(prepared, what, {}) if _is_fresh(prepared.FINGERPRINT) else {}
    return fresh


@cache
def _is_fresh(prepared: str) -> bool:
    """Whether that was made from the rules that are there. Asked once: what was imported stays, whatever becomes of its file."""
    return fingerprint(_HERE) == prepared


def load(codes: Iterable[str]) -> list[Rule]:
    """The declared rules of these codes (codes that are not built are passed over), by code."""
    return [_load(code) for code in sorted(set(codes) & set(built()))]


@cache
def _load(code: str) -> Rule:
    from trainlint.rules.api import Rule

    where = built()[code]
    rule = importlib.import_module(where.module).RULE
    if not isinstance(rule, Rule) or rule.code != code or rule.name != where.name:
        message = f"{where.module} must declare RULE with code {code} and name {where.name}"
        raise TypeError(message)
    return rule

"""The seeds: for each rule one small program that is wrong, and what it looks like right; see ``README.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.metamorphic.program import VALUES, Program, parsed, value_name, walked

FOLDER = Path(__file__).parent / "seeds"
MAIN = "train.py"
_PART = re.compile(r"--- (?P<kind>bad|good)(?: (?P<file>\S+))?")
_HEADER = re.compile(r"(?P<kind>no|apart): (?P<names>.+?) because (?P<reason>.+)")


@dataclass(frozen=True)
class Seed:
    """The two programs of a rule, as texts by path.

    ``silent`` and ``apart`` give the reason for which a carrier or shape makes the bad program right, or is no test of the two.
    """

    code: str
    bad: dict[str, str]
    good: dict[str, str]
    silent: dict[str, str] = field(default_factory=dict)
    apart: dict[str, str] = field(default_factory=dict)

    def programs(self) -> tuple[Program, Program]:
        """Both, the bad one first."""
        return _program(self.bad), _program(self.good)

    @property
    def values(self) -> list[str]:
        """Which values are marked: ``VALUE``, ``VALUE2``."""
        return [name for name in VALUES if re.search(rf"\b{name}\(", "".join(self.bad.values()))]


def _program(files: dict[str, str]) -> Program:
    return Program({path: parsed(text) for path, text in files.items()})


def all_seeds() -> dict[str, Path]:
    """Code to file."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.txt"))}


def seed(path: Path) -> Seed:
    """What a file says. Raises ValueError for a line before the parts that is no header, and for parts that do not fit."""
    reasons: dict[str, dict[str, str]] = {"no": {}, "apart": {}}
    parts: dict[str, dict[str, list[str]]] = {"bad": {}, "good": {}}
    current: list[str] | None = None
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if (begin := _PART.fullmatch(line.strip())) is not None:
            current = parts[begin["kind"]].setdefault(begin["file"] or MAIN, [])
        elif current is not None:
            current.append(line)
        elif (header := _HEADER.fullmatch(line.strip())) is not None:
            reasons[header["kind"]] |= dict.fromkeys((each.strip() for each in header["names"].split(",")), header["reason"])
        elif line.strip():
            raise ValueError(f"{path.name}: {line}")
    bad, good = ({file: "".join(lines) for file, lines in parts[kind].items()} for kind in ("bad", "good"))
    made = Seed(path.stem, bad, good, reasons["no"], reasons["apart"])
    for one, two in zip(_marks(made.bad), _marks(made.good), strict=True):
        if one != two:
            raise ValueError(f"{path.name}: marked is {one} in the bad part, {two} in the good one")
    return made


def _marks(files: dict[str, str]) -> Iterator[object]:
    """What has to be the same in both parts: the file with the marks, and the kinds of marks."""
    yield next(iter(files), None)
    program = _program(files)
    nodes = list(walked(program.files[program.main]))
    yield sorted({name for _, node in nodes if (name := value_name(node)) is not None})
    yield sorted({kind for kind, _ in nodes if kind is not None})


LEFT_OUT: dict[str, tuple[str, ...]] = {
    "they are about texts, comments and the tool itself, and no value or statement makes them": (
        "TL001",
        "TL002",
        "TL003",
        "TL004",
        "TL005",
        "TL006",
    ),
    "they read documents beside the Python (requirements, JSON, YAML, shell, Dockerfiles), in which no value travels": (
        "TL908",
        "TL922",
        "TL924",
        "TL925",
        "TL930",
        "TL932",
    ),
}
"""The errors and warnings of which there is no seed, by the reason."""

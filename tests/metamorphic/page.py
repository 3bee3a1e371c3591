"""Writes ``README.md``: how the table is made, how much is found by each carrier, in each shape and of each rule, the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from tests.metamorphic.carriers import CARRIERS
from tests.metamorphic.seed_files import LEFT_OUT, all_seeds, seed
from tests.metamorphic.shapes import SHAPES
from tests.metamorphic.table import BOTH, FOUND, MISSED, NONE, SILENT, WRONG, Row
from trainlint.codes import CODES

HERE = Path(__file__).parent
PAGE = HERE / "README.md"
INTRODUCTION = HERE / "introduction.md"
_LEGEND = """`+` found, `-` missed, `!` wrongly reported, `x` both of these, `s` silence is right, blank: no such programs. At
the end of a line stands the share that is found."""
_SHOWN = {MISSED: "-", WRONG: "!", BOTH: "x", SILENT: "s", NONE: " ", FOUND: "+"}


def write(table: Mapping[str, Row], path: Path = PAGE) -> None:
    """Write the page of a table."""
    path.write_text(text(table), encoding="utf-8")


def text(table: Mapping[str, Row]) -> str:
    """The page of a table."""
    parts = [
        INTRODUCTION.read_text(encoding="utf-8").rstrip(),
        "## How much is found",
        _totals(table),
        "### By carrier",
        _by_column("carrier", [(each.name, each.says) for each in CARRIERS], [row[0] for row in table.values()]),
        "### In each shape",
        _by_column("shape", [(each.name, each.says) for each in SHAPES], [row[1] for row in table.values()]),
        "## The table",
        _LEGEND,
        *_tables(table),
        "## Where silence is right",
        *_reasons(),
        "## Rules without a seed",
        "\n".join(f"- {', '.join(codes)}: {reason}." for reason, codes in LEFT_OUT.items()),
    ]
    return "\n\n".join(parts) + "\n"


def _share(counted: Counter[str]) -> str:
    programs = counted[FOUND] + counted[MISSED] + counted[WRONG] + counted[BOTH]
    return f"{counted[FOUND] / programs:.0%}" if programs else ""


def _line(name: str, cells: Iterable[str], more: Sequence[str] = ()) -> str:
    counted = Counter(cells)
    numbers = (counted[FOUND], counted[MISSED] + counted[BOTH], counted[WRONG] + counted[BOTH], counted[SILENT], counted[NONE])
    return f"| {' | '.join([name, *more, *map(str, numbers), _share(counted)])} |"


_HEAD = "found | missed | wrong | silence is right | no such programs | share found"
_RULE = "---:|---:|---:|---:|---:|---:"


def _totals(table: Mapping[str, Row]) -> str:
    rules = len({name[:5] for name in table})
    lines = [f"{rules} rules; {len(table)} rows by carrier, since of some two values are marked.", ""]
    lines += [f"| | {_HEAD} |", f"|---|{_RULE}|"]
    lines.append(_line("carriers", (cell for row in table.values() for cell in row[0])))
    lines.append(_line("shapes", (cell for row in table.values() for cell in row[1])))
    return "\n".join(lines)


def _by_column(kind: str, columns: Sequence[tuple[str, str]], rows: Sequence[str]) -> str:
    lines = [f"| {kind} | what it is | {_HEAD} |", f"|---|---|{_RULE}|"]
    for number, (name, says) in enumerate(columns):
        lines.append(_line(f"`{name}`", (row[number] for row in rows if row), [says]))
    return "\n".join(lines)


def _tables(table: Mapping[str, Row]) -> Iterable[str]:
    for family, names in groupby(sorted(table, key=lambda name: (_family(name), name)), key=_family):
        own = list(names)
        yield f"### {family}"
        yield "```text\n" + "\n".join([*_upright([each.name for each in CARRIERS]), *_cells(table, own, 0)]) + "\n```"
        yield "```text\n" + "\n".join([*_upright([each.name for each in SHAPES]), *_cells(table, own, 1)]) + "\n```"


def _family(name: str) -> str:
    return CODES[name[:5]].family


def _cells(table: Mapping[str, Row], names: Iterable[str], which: int) -> Iterable[str]:
    for name in names:
        cells = table[name][which]
        if cells:
            yield f"{name:8}" + _tens([_SHOWN[cell] for cell in cells]) + f"   {_share(Counter(cells)) or 'none'}"


def _upright(names: Sequence[str]) -> list[str]:
    """Names written from top to bottom, as heads of columns one character wide."""
    height = max(map(len, names))
    return [("        " + _tens([name.rjust(height)[line] for name in names])).rstrip() for line in range(height)]


def _tens(cells: Sequence[str]) -> str:
    """Cells side by side, with a space after each ten."""
    return " ".join("".join(cells[begin : begin + 10]) for begin in range(0, len(cells), 10))


def _reasons() -> Iterable[str]:
    silent: list[str] = []
    apart: list[str] = []
    for path in all_seeds().values():
        of = seed(path)
        for found, reasons in ((silent, of.silent), (apart, of.apart)):
            by_reason: dict[str, list[str]] = {}
            for name, reason in reasons.items():
                by_reason.setdefault(reason, []).append(f"`{name}`")
            found += [f"- {of.code}, {', '.join(names)}: {reason}." for reason, names in by_reason.items()]
    yield "In these the program that was wrong is right:"
    yield "\n".join(silent) or "none."
    yield "No such programs, for another reason than that a mark is missing or Python does not allow it:"
    yield "\n".join(apart) or "none."

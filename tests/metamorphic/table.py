"""What is found of the seeds by each carrier and in each shape, and the table that is kept of it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

from tests.expectations import placed
from tests.metamorphic.carriers import CARRIERS, carry
from tests.metamorphic.program import VALUES, Program, Unfit
from tests.metamorphic.seed_files import Seed
from tests.metamorphic.shapes import SHAPES, shaped
from trainlint.finding import Finding
from trainlint.knowledge import load

KEPT = Path(__file__).parent / "table.json"
FOUND, MISSED, WRONG, BOTH, SILENT, NONE = "+-!xs."
"""A cell: the bad program is reported and the good one is not; the bad one is not reported; the good one is reported, or for
something that the seed is not; both of these; silence is right, and there is; there are no such programs."""

RIGHT = FOUND + SILENT
Row = tuple[str, str]
"""The cells of a rule: by carrier, by shape."""


@dataclass(frozen=True)
class Column:
    """A carrier or shape: its name, the programs that it makes of one (raises :class:`Unfit`), and the codes that it brings."""

    name: str
    make: Callable[[Program], Program]
    brings: frozenset[str] = frozenset()


def carrier_columns(value: str) -> list[Column]:
    """The carriers, for one of the marked values."""
    return [Column(each.name, partial(carry, value=value, carrier=each)) for each in CARRIERS]


SHAPE_COLUMNS = [Column(each.name, partial(shaped, shape=each), each.brings) for each in SHAPES]


def check(files: Mapping[str, str], select: Sequence[str] = ("ALL",)) -> list[Finding]:
    """What rules report of some files, without repairs. The tables of what libraries do are read once in a process."""
    with tempfile.TemporaryDirectory(prefix="trainlint-metamorphic-") as folder:
        root = Path(folder).resolve()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        with patch.object(load, "read_tables", _read_once):
            return placed([root], select)


_read_once = cache(load.read_tables)


def codes(files: Mapping[str, str], select: Sequence[str] = ("ALL",)) -> frozenset[str]:
    """The codes of what is reported of some files."""
    return frozenset(found.code for found in check(files, select))


def plain(seed: Seed) -> tuple[frozenset[str], frozenset[str]]:
    """What is reported of the two programs of a seed as they are."""
    bad, good = seed.programs()
    return codes(bad.texts()), codes(good.texts())


def rows(seed: Seed) -> dict[str, Row]:
    """The rows of a rule: one by the first marked value and by shape (its code), one by the second (its code, and ``.2``)."""
    _, known = plain(seed)
    return {
        name: ("".join(cell(seed, each, known) for each in carriers), "".join(cell(seed, each, known) for each in shapes))
        for name, (carriers, shapes) in columns(seed).items()
    }


def columns(seed: Seed) -> dict[str, tuple[list[Column], list[Column]]]:
    """What there is to be asked of a rule, by row: carriers and shapes."""
    values = enumerate(seed.values or VALUES[:1])
    return {
        f"{seed.code}.{number + 1}" if number else seed.code: (carrier_columns(value), [] if number else SHAPE_COLUMNS)
        for number, value in values
    }


def cell(seed: Seed, column: Column, known: frozenset[str]) -> str:
    """One cell; ``known`` is what is reported of the good program as it stands."""
    if column.name in seed.apart:
        return NONE
    bad, good = seed.programs()
    try:
        wrong, right = column.make(bad).texts(), column.make(good).texts()
    except Unfit:
        return NONE
    is_found = seed.code in codes(wrong, [seed.code])  # alone: no word of another rule wakes a file
    is_wrong = not codes(right) <= known | column.brings
    if column.name in seed.silent:
        return WRONG if is_found or is_wrong else SILENT
    if is_found:
        return WRONG if is_wrong else FOUND
    return BOTH if is_wrong else MISSED


def read(path: Path = KEPT) -> dict[str, Row]:
    """The table that is kept; an empty one where its columns are not those of today."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["carriers"] != [each.name for each in CARRIERS] or kept["shapes"] != [each.name for each in SHAPES]:
        return {}
    return {name: (cells[0], cells[1]) for name, cells in kept["rows"].items()}


def write(table: Mapping[str, Row], path: Path = KEPT) -> None:
    """Keep a table: the names of the columns, then a line for each row."""
    heads = {"carriers": [each.name for each in CARRIERS], "shapes": [each.name for each in SHAPES]}
    lines = [f"{json.dumps(kind)}: {json.dumps(names, ensure_ascii=False)}" for kind, names in heads.items()]
    rows = [f"{json.dumps(name)}: {json.dumps(list(table[name]))}" for name in sorted(table)]
    path.write_text("{\n" + ",\n".join(lines) + ',\n"rows": {\n' + ",\n".join(rows) + "\n}}\n", encoding="utf-8")

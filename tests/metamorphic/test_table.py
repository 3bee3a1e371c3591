"""The table that is kept says what is found now, and the seeds are what they claim to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.metamorphic import page, table
from tests.metamorphic.carriers import CARRIERS
from tests.metamorphic.program import Unfit
from tests.metamorphic.seed_files import LEFT_OUT, all_seeds, seed
from tests.metamorphic.shapes import SHAPES
from trainlint.codes import CODES

SEEDS = all_seeds()
SAMPLE = list(SEEDS)[:: len(SEEDS) // 6][:6]
"""Rules chosen by position; by default, every third cell of each is generated: all columns, each of two rules."""


def differing(code: str, step: int = 1, start: int = 0) -> list[str]:
    """The cells of a rule that are others than those kept: ``TL301 closure: kept -, now +``."""
    of = seed(SEEDS[code])
    _, known = table.plain(of)
    kept = table.read()
    found = []
    for name, both in table.columns(of).items():
        for cells, columns in zip(kept[name], both, strict=True):
            assert len(cells) == len(columns)
            for before, column in list(zip(cells, columns, strict=True))[start::step]:
                now = table.cell(of, column, known)
                if now != before:
                    found.append(f"{name} {column.name}: kept {before}, now {now}")
    return found


@pytest.mark.parametrize(("position", "code"), list(enumerate(SAMPLE)))
def test_some_cells_are_those_kept(position: int, code: str):
    assert differing(code, 3, position % 3) == []


@pytest.mark.heavy
@pytest.mark.parametrize(("position", "code"), list(enumerate(SEEDS)))
def test_cells_are_those_kept(position: int, code: str):
    """Every third cell. A loss is a fault; a gain is to be written down: ``python -m tests.metamorphic CODE`` looks at all.

    A column is a third of the rules', and what the analysis no longer follows it no longer follows in many cells.
    """
    assert differing(code, 3, position % 3) == []


@pytest.mark.parametrize("code", SAMPLE)
def test_some_seeds_are_right_as_they_stand(code: str):
    is_right_as_it_stands(code)


@pytest.mark.heavy
@pytest.mark.parametrize("code", SEEDS)
def test_seeds_are_right_as_they_stand(code: str):
    is_right_as_it_stands(code)


def is_right_as_it_stands(code: str) -> None:
    bad, good = table.plain(seed(SEEDS[code]))
    assert code in bad
    assert code not in good


def test_the_page_is_that_of_the_table():
    assert page.PAGE.read_text(encoding="utf-8") == page.text(table.read())


def test_a_row_for_each_seed_and_a_cell_for_each_column():
    kept = table.read()
    assert {name[:5] for name in kept} == set(SEEDS)
    assert {len(row[0]) for row in kept.values()} == {len(CARRIERS)}
    assert {len(row[1]) for row in kept.values()} == {len(SHAPES), 0}


def test_every_error_and_warning_has_a_seed_or_a_reason_for_none():
    wanted = {code for code, of in CODES.items() if of.level in "EW" and code.startswith("TL")}
    left_out = {code for codes in LEFT_OUT.values() for code in codes}
    assert wanted - set(SEEDS) == left_out


@pytest.mark.parametrize("code", SEEDS)
def test_reasons_are_of_columns_and_of_programs_that_there_are(code: str):
    of = seed(SEEDS[code])
    columns = {each.name: each for both in table.columns(of).values() for kind in both for each in kind}
    assert {*of.silent, *of.apart} <= set(columns)
    for column in {*of.silent, *of.apart}:
        for program in of.programs():
            try:
                columns[column].make(program)
            except Unfit as reason:
                pytest.fail(f"{column}: there is no such program anyway: {reason}")


def test_a_cell_is_missed_wrong_or_found(monkeypatch: pytest.MonkeyPatch):
    of = seed(SEEDS["TL301"])
    column = table.SHAPE_COLUMNS[0]
    answers: list[frozenset[str]] = []
    monkeypatch.setattr(table, "codes", lambda _files, _select=(): answers.pop(0))
    for bad, good, expected in (
        ({"TL301"}, set(), table.FOUND),
        (set(), set(), table.MISSED),
        ({"TL301"}, {"TL301"}, table.WRONG),
        ({"TL301"}, {"TL701"}, table.WRONG),
        ({"TL301"}, {"TL901"}, table.FOUND),
        ({"TL701"}, {"TL701"}, table.BOTH),
    ):
        answers[:] = [frozenset(bad), frozenset(good)]
        assert table.cell(of, column, frozenset({"TL901"})) == expected


def test_what_is_written_is_read(tmp_path: Path):
    rows = {"TL301": ("+" * len(CARRIERS), "-" * len(SHAPES)), "TL301.2": ("s" * len(CARRIERS), "")}
    table.write(rows, tmp_path / "table.json")
    assert table.read(tmp_path / "table.json") == rows
    text = (tmp_path / "table.json").read_text(encoding="utf-8")
    (tmp_path / "table.json").write_text(text.replace('"closure", ', "", 1), encoding="utf-8")
    assert table.read(tmp_path / "table.json") == {}


def test_a_seed_of_several_files_is_read(tmp_path: Path):
    path = tmp_path / "TL999.txt"
    path.write_text("--- bad\nimport more\n\nVALUE(more.A)\n--- bad more.py\nA = 1\n--- good\nVALUE(2)\n", encoding="utf-8")
    of = seed(path)
    assert of.bad == {"train.py": "import more\n\nVALUE(more.A)\n", "more.py": "A = 1\n"}
    assert of.programs()[0].texts() == {"train.py": "import more\nmore.A\n", "more.py": "A = 1\n"}
    assert (of.values, of.silent, of.apart) == (["VALUE"], {}, {})


def test_reasons_are_read(tmp_path: Path):
    path = tmp_path / "TL999.txt"
    path.write_text("no: closure, or because of this\napart: name because of that\n--- bad\nA\n--- good\nB\n", encoding="utf-8")
    of = seed(path)
    assert (of.silent, of.apart) == ({"closure": "of this", "or": "of this"}, {"name": "of that"})


def test_where_silence_is_right_a_finding_is_wrong(monkeypatch: pytest.MonkeyPatch):
    of = seed(SEEDS["TL806"])
    column = next(each for each in table.SHAPE_COLUMNS if each.name in of.silent)
    answers: list[frozenset[str]] = [frozenset({of.code}), frozenset()]
    monkeypatch.setattr(table, "codes", lambda _files, _select=(): answers.pop(0))
    assert table.cell(of, column, frozenset()) == table.WRONG
    answers[:] = [frozenset(), frozenset()]
    assert table.cell(of, column, frozenset()) == table.SILENT


def test_a_seed_with_other_marks_in_its_parts_is_refused(tmp_path: Path):
    path = tmp_path / "TL999.txt"
    path.write_text("--- bad\nprint(VALUE(1))\n--- good\nprint(1)  #: second\n", encoding="utf-8")
    with pytest.raises(ValueError, match="marked is"):
        seed(path)
    path.write_text("nonsense\n--- bad\nprint(1)\n--- good\nprint(2)\n", encoding="utf-8")
    with pytest.raises(ValueError, match="nonsense"):
        seed(path)

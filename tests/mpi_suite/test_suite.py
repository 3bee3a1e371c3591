"""The tables of README.md say what trainlint finds today."""

from __future__ import annotations

import pytest

from tests.mpi_suite import published
from tests.mpi_suite.table import FOLDERS, README, Verdict, replaced, tables, verdicts

pytestmark = pytest.mark.heavy  # all of it is 1,300 programs


@pytest.fixture(scope="module")
def every() -> list[Verdict]:
    return verdicts()


def test_the_tables_are_up_to_date(every: list[Verdict]) -> None:
    text = README.read_text(encoding="utf-8")
    assert text == replaced(text, tables(every)), "run `python -m tests.mpi_suite.table` and read what has changed"


def test_nothing_correct_is_reported(every: list[Verdict]) -> None:
    assert [f"{each.case.group}/{each.case.name}" for each in every if each.other_codes] == []


def test_no_case_is_lost(every: list[Verdict]) -> None:
    assert len({(each.case.group, each.case.name) for each in every}) == len(every) > 1300
    assert {each.case.group for each in every} == {*published.PARCOACH_ON_MBI, *FOLDERS}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_program_has_its_published_verdicts(folder: str, every: list[Verdict]) -> None:
    for each in every:
        if each.case.group == folder:
            number = int(each.case.name[:2])
            theirs = FOLDERS[folder][number][0]
            same = each.case.wrong == (theirs in {"found", "missed"})
            assert same != (number in published.OTHERWISE_WITH_TORCH[folder]), each.case.name

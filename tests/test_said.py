"""What the rules say of each page's example, of each expectation case and of other programs is kept.

A change of a message, a place, a reason or a repair shows, and can be read.

The files are what was said when they were written, not what ought to be said; pages and expectations judge that.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import said


@pytest.mark.heavy
@pytest.mark.parametrize("page", said.page_files(), ids=lambda page: page.stem[:5])
def test_what_is_said_is_what_is_kept(page: Path) -> None:
    known = said.FOLDER / f"{page.stem[:5]}.txt"
    assert said.said(page) == known.read_text(encoding="utf-8"), "read the difference; if it is right: python -m tests.said"


def test_every_file_belongs_to_a_page() -> None:
    assert {path.stem for path in said.FOLDER.glob("*.txt")} == {page.stem[:5] for page in said.page_files()}


#: Of so many projects what is said of one is compared by default, in turn.
TURNS = 40


def in_turn() -> list[Any]:
    """The projects by name, all but some of them heavy."""
    return [
        pytest.param(name, id=name, marks=() if number % TURNS == 0 else (pytest.mark.heavy,))
        for number, name in enumerate(said.kept_projects())
    ]


@pytest.mark.parametrize("name", in_turn())
def test_what_all_rules_say_of_a_project_is_what_is_kept(name: str) -> None:
    project = said.kept_projects()[name]
    known = said.kept(project.kept)[name.partition("/")[2]]
    assert said.said_of_project(project) == known, "read the difference; if it is right: python -m tests.said"


def test_every_project_that_is_kept_is_there_and_no_other() -> None:
    names: dict[Path, set[str]] = {}
    for name, project in said.kept_projects().items():
        names.setdefault(project.kept, set()).add(name.partition("/")[2])
    assert {path: set(said.kept(path)) for path in (*said.CASES.iterdir(), *said.PROGRAMS.iterdir())} == names


def test_no_rule_fails_on_a_project() -> None:
    texts = [text for path in (*said.CASES.iterdir(), *said.PROGRAMS.iterdir()) for text in said.kept(path).values()]
    assert not [text for text in texts if " TL005 " in text]


#: Formats of one line (editors, flake8, pylint, annotations) show the first line of a message; their panes cut longer ones.
LONGEST = 160


def test_first_lines_fit_into_formats_of_one_line() -> None:
    texts = [path.read_text(encoding="utf-8") for path in said.FOLDER.glob("*.txt")]
    texts += [text for path in (*said.CASES.iterdir(), *said.PROGRAMS.iterdir()) for text in said.kept(path).values()]
    lines = "\n".join(texts).splitlines()
    found = [re.match(r"(\S+:\d+:\d+-\d+:\d+ (?:TL\d{3} )?)\w+: (.*)", line) for line in lines]
    first = [each[2] for before, each in pairwise([None, *found]) if each and not (before and before[1] == each[1])]
    assert [text for text in first if len(text) > LONGEST] == []


def test_sentences_are_kept_once() -> None:
    twice = "a.py:3:1-3:9 TL101 error: this sentence is said of two places of the file\n"
    text = f"## one\n{twice}    a.py:1:1-1:2 said once, though it is as long as the other one\n## two\n## three\n{twice}"
    short = said._shortened(text)
    assert short.count("this sentence is said") == 1
    assert short.startswith("§1 this sentence")
    assert said._written_out(short) == text
    assert said._written_out("## none\n") == "## none\n"

"""Each condition of the analysis from both sides: small programs that are reported exactly as their comments say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.expectations import SIDES, case_id, copy_alone, differences, projects
from trainlint.app.dev import expectations

#: Of so many cases one is run by default, in turn.
TURNS = 16


def in_turn() -> list[Any]:
    """The cases, all but some of them heavy."""
    return [
        pytest.param(each, id=case_id(each), marks=() if number % TURNS == 0 else (pytest.mark.heavy,))
        for number, each in enumerate(projects(SIDES))
    ]


@pytest.mark.parametrize("project", in_turn())
def test_reported_as_expected(project: Path, tmp_path: Path) -> None:
    root = copy_alone(project, tmp_path)
    found = differences(root, project.parent.name)
    assert not found, expectations.explain(root, found)


def test_every_case_that_expects_nothing_says_so() -> None:
    """A case of a rule shows at least one mistake of it, or is called ``silent_``: else it would pass whatever is broken."""
    for project in projects(SIDES):
        shown = any(each.code == project.parent.name for each in expectations.read_project(project))
        assert shown != project.name.startswith("silent_"), case_id(project)

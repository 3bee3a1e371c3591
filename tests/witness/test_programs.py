"""What trainlint says of the witnesses' programs; needs no framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.expectations import copy_alone
from tests.witness.running import PROGRAMS
from trainlint import check_paths
from trainlint.app.dev import expectations
from trainlint.codes import DEFAULT


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.py")) + sorted(PROGRAMS.glob("xla/*.py")), ids=lambda path: path.stem)
def test_programs_are_reported_as_they_say(path: Path, tmp_path: Path) -> None:
    # A copy, alone: beside a file, all of the repository that it stands in is read.
    root = copy_alone(path, tmp_path)
    meant = {each.code for each in expectations.read_project(root)}
    differences = expectations.problems(root, check_paths([root], select=sorted(DEFAULT | meant)))
    assert not differences, expectations.explain(root, differences)

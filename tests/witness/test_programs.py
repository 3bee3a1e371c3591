"""What trainlint says of the witnesses' programs; needs no framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import PROGRAMS
from trainlint import check_paths
from trainlint.dev import expectations


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_programs_are_reported_as_they_say(path: Path) -> None:
    differences = expectations.problems(path, check_paths([path]))
    assert not differences, expectations.explain(path, differences)

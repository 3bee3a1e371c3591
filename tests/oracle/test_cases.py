"""Programs that the analysis once judged wrongly, as small as they get: `cases/`. What is right the interpreter says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.program import from_text
from tests.oracle.scorer import compare

pytestmark = pytest.mark.oracle

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    result = compare(from_text(path.read_text(encoding="utf-8")))
    assert bool(result.found) == result.verdict.wrong, (result.kind, result.found)
    assert all(map(result.named, result.found)), result.found

"""What several scripts lead to is reported once."""

from __future__ import annotations

import shutil
from pathlib import Path

from trainlint import check_paths

CASE = Path(__file__).resolve().parents[1] / "expect" / "TL807" / "in_two_files"


def test_a_training_that_two_scripts_start(tmp_path: Path) -> None:
    """TL807 stands at the backward pass, whoever begins there."""
    shutil.copytree(CASE, tmp_path / "project")
    (script,) = (path for path in (tmp_path / "project").glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))
    shutil.copy(script, script.with_name("again.py"))
    found = check_paths([tmp_path / "project"], select=["TL807"])
    assert [(each.path.name, each.span.line) for each in found] == [("engine.py", 7)]

"""What the README shows is what the command prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def shown() -> str:
    """The finding that the README shows."""
    blocks = re.findall(r"```text\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return next(block for block in blocks if block.startswith("TL101"))


def test_the_finding_in_the_readme_is_printed_so(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_repos" / "fsdp_lm", tmp_path / "sample_repos" / "fsdp_lm")  # without our tests around it
    run = subprocess.run(
        [sys.executable, "-m", "trainlint", "check", "--exit-zero", "sample_repos/fsdp_lm"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
        # pytest sets the width of its own output, and lines would be broken to it
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"PYTHONPATH": str(ROOT)},
    )
    assert shown().rstrip("\n") in run.stdout


def test_the_walks_of_contributing_name_files_that_are_there() -> None:
    """Three walks, each a list of files in order: every one exists, and none is entered twice."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text[text.index("## Find your way") : text.index("## Add a rule")]
    walks = [part for part in section.split("\n\n") if part.startswith("**")]
    named = [re.findall(r"`((?:\w+/)+[\w.-]*)`", walk) for walk in walks]
    assert [len(files) > 8 for files in named] == [True, True, True]
    assert [
        file for files in named for file in files if not any((root / file).exists() for root in (ROOT, ROOT / "trainlint"))
    ] == []
    assert [file for files in named for file in files if files.count(file) > 1] == []

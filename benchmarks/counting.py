"""Counts the lines of trainlint that a cold scan runs: a figure that no other program on the machine can change.

    python benchmarks/counting.py [--write]

The sample repositories are scanned, with all rules and with those that are on by default, and what is counted is divided by the
nodes of their syntax trees. ``--write`` keeps the figures for this version of Python, which tests/test_counting.py compares with.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import trainlint
from trainlint.app.cli.main import main as command

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "sample_repos"
KEPT = Path(__file__).resolve().parent / "results" / "counted.json"
OURS = str(Path(trainlint.__file__).parent)
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"
RULES = {"all rules": ["--select", "ALL", "--preview"], "default rules": []}
# One with mistakes, and clean ones: most files have none.
CHOSEN = ("accelerate_summarizer", "fsdp_lm_clean", "amp_segmenter_clean")


class Counter:
    """Counts, in all threads, the lines that are run in files of trainlint."""

    def __init__(self) -> None:
        self.lines = 0
        self._ours: dict[Any, bool] = {}

    def __call__(self, frame: FrameType, _event: str, _value: Any) -> Any:
        """What is told of a function that begins; a module that is imported is not counted."""
        code = frame.f_code
        ours = self._ours.get(code)
        if ours is None:
            ours = self._ours[code] = code.co_filename.startswith(OURS) and code.co_name != "<module>"
        return self._line if ours else None

    def _line(self, _frame: FrameType, event: str, _value: Any) -> Any:
        if event == "line":
            self.lines += 1
        return self._line


@contextmanager
def counting() -> Iterator[Counter]:
    """A counter of what is run meanwhile."""
    counter = Counter()
    threading.settrace(counter)
    sys.settrace(counter)
    try:
        yield counter
    finally:
        sys.settrace(None)
        threading.settrace(None)


def scan(folder: Path, rules: list[str]) -> None:
    """One cold scan of a folder in this process, its output thrown away."""
    words = ["check", "--isolated", "--no-cache", *rules, "--quiet", "--exit-zero", "-j", "1", "--output-file", os.devnull]
    try:
        command([*words, str(folder)], prog_name="trainlint")
    except SystemExit as end:
        if end.code:
            raise


def counted() -> dict[str, float]:
    """Lines run for each node of the samples' syntax trees, by what rules are on."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "pyproject.toml").touch()  # a project of its own: without it, what lies around would be read as well
        for sample in CHOSEN:
            shutil.copytree(SAMPLES / sample, folder / sample, ignore=shutil.ignore_patterns("__pycache__"))
        nodes = sum(1 for path in folder.rglob("*.py") for _ in ast.walk(ast.parse(path.read_bytes())))
        for title, rules in RULES.items():
            scan(folder, rules)  # imports what is needed, and reads the tables
            with counting() as counter:
                scan(folder, rules)
            found[title] = round(counter.lines / nodes, 2)
    return found


def main() -> int:
    """Count, print, and keep what was counted if that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help=f"keep the figures in {KEPT.relative_to(ROOT)}")
    given = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets decides what is asked first
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        return subprocess.run([sys.executable, __file__, *sys.argv[1:]], env=environment, check=False).returncode
    found = counted()
    print(json.dumps(found))
    if given.write:
        kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({**kept, VERSION: found}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

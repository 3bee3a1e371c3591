"""The budget of a keystroke, measured as the benchmark measures it: in an editor, from the change to the diagnostics."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def measured(*words: str) -> dict[str, Any]:
    command = [sys.executable, "benchmarks/keystroke.py", "--json", *words]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode in {0, 1}, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.heavy
def test_an_answer_takes_less_than_twenty_parses() -> None:
    # Other programs slow down what takes longer more often than what is short: of three measurements the best counts.
    for _ in range(3):
        report = measured("--keys", "15")
        (row,) = report["rows"]
        assert row["lines"] >= 1000
        assert row["findings"] > 5  # each of which is opened again for every answer
        if row["ok"]:
            return
    raise AssertionError(report)

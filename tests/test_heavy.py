"""What takes longer than the fast suite may: the standard library as a million-line stranger, and the budget on it."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

STDLIB = Path(sysconfig.get_path("stdlib"))

COLLECTIVE = "\nimport torch.distributed as dist\n\n\ndef _sync(value):\n    dist.all_reduce(value)\n"
PARSE = """
import ast, gc, sys, time
from pathlib import Path
gc.disable()
texts = []
for path in Path(sys.argv[1]).glob("*.py"):
    texts.append(path.read_text(encoding="utf-8", errors="replace"))
started = time.process_time()
for text in texts:
    try:
        ast.parse(text)
    except SyntaxError:
        pass
print(time.process_time() - started)
"""
CHECK = """
import sys, time
from pathlib import Path
from trainlint import check_paths
started = time.process_time()
check_paths(sorted(Path(sys.argv[1]).glob("*.py")))
print(time.process_time() - started)
"""


def seconds(script: str, folder: Path) -> float:
    """CPU seconds that a script measured for itself, the best of three runs."""
    runs = [
        subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True) for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)


@pytest.mark.heavy
def test_the_standard_library_is_no_problem() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "trainlint", "check", "--isolated", "--output-format", "json", "-j", "2", str(STDLIB)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    found = {finding["code"] for finding in json.loads(run.stdout)}
    assert run.returncode in {0, 1}
    assert "Traceback" not in run.stderr
    assert found <= {"TL001", "TL004", "TL006"}


@pytest.mark.heavy
def test_a_cold_scan_costs_less_than_four_parses(tmp_path: Path) -> None:
    # Every file is given a function with a collective, so that all of it is woken, parsed, lowered, linked and judged. (At the
    # top level it would make each file a script that all ranks run, whose writing is then found: the budget is a clean scan's.)
    for source in STDLIB.glob("*.py"):
        text = source.read_text(encoding="utf-8", errors="replace")
        (tmp_path / source.name).write_text(text + COLLECTIVE, encoding="utf-8")
    assert seconds(CHECK, tmp_path) <= 4 * seconds(PARSE, tmp_path)

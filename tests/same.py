"""``python -m tests.same FOLDER...`` checks repositories with 1, 2 and 8 workers, cold and warm: the same bytes are said.

Repositories of others are too large, and too far away, for a test; `tests/test_determinism.py` compares the samples so.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WORKERS = ("1", "2", "8")


def said(folder: Path, *more: str) -> tuple[int, bytes]:
    """The exit code and the JSON of a check of the folder with all rules."""
    everything = ("--isolated", "--select", "ALL", "--preview", "--output-format", "json")
    command = [sys.executable, "-m", "trainlint", "check", *everything, *more, "."]
    kept = {name: value for name, value in os.environ.items() if name != "TRAINLINT_NO_CACHE"}
    root = str(Path(__file__).resolve().parents[1])
    done = subprocess.run(command, cwd=folder, env={**kept, "PYTHONPATH": root}, stdout=subprocess.PIPE, check=False)
    return done.returncode, done.stdout


def different(folder: Path) -> tuple[int, list[str]]:
    """How many bytes are said of a folder, and which of the ways to check it say something else than the first."""
    with tempfile.TemporaryDirectory(prefix="trainlint-same-") as cache:
        ways = {f"{count} workers": ("--no-cache", "--jobs", count) for count in WORKERS}
        ways |= dict.fromkeys(("cold cache", "warm cache"), ("--cache-dir", cache))
        results = {name: said(folder, *words) for name, words in ways.items()}
    first = results[f"{WORKERS[0]} workers"]
    return len(first[1]), [name for name, result in results.items() if result != first or result[0] not in (0, 1)]


def main() -> int:
    """Compare what is said of the folders that are given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    failed = False
    for folder in parser.parse_args().folders:
        size, others = different(folder)
        failed |= bool(others)
        print(f"{folder.name}: {f'differs with {others}' if others else 'the same'}, {size:,} bytes", flush=True)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())

"""Measures trainlint against its budgets, as ratios: in one run, on one machine, on any folder of Python files.

    python benchmarks/budgets.py FOLDER [--runs N] [--ruff PATH] [--torchfix PATH] [--pylint PATH] [--json] [--write README]

The interpreter that runs this script must have trainlint; it is the one that is measured. What the figures mean is in README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import measuring
from measuring import PARSE_ALL, READ_ALL, Cost, Files, median, trainlint
from published import as_table, publish, rows_of

from trainlint import __version__

# A repository with more lines than this is measured once: what takes minutes is not disturbed by what takes a moment.
ONCE = 100_000
# What takes a hundred times as long is compared on the smallest repository with so many lines.
COMPARED = 40_000
# The growth goes no further than this.
MOST = 1_000_000
# Files of a usual length, to check one of them.
USUAL = range(200, 1500)
HERE = Path(__file__).resolve().parent
HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"
CLEAN = "def greet(name):\n    print(f'Hello {name}')\n"


def scans(files: Files, runs: int, ruff: str | None) -> dict[str, Any]:
    """One repository: the parser, cold scans, scans when nothing changed, and ruff, in turns: all see the same machine."""
    parsing, reading, cold, warm, theirs = [], [], [], [], []
    kept = False
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8", errors="surrogateescape") as listing:
        listing.writelines(f"{path}\n" for path in files.lines)
        listing.flush()
        for _ in range(runs if files.total <= ONCE else 1):
            parsing.append(measuring.said(PARSE_ALL, listing.name))
            with tempfile.TemporaryDirectory() as name:
                cache = Path(name)
                cold.append(trainlint(files.folder, cache=cache))
                kept = any(path.suffix == ".json" for path in cache.rglob("*"))
                if ruff is not None:
                    theirs.append(measuring.ruff(ruff, files.folder).wall)
                for _ in range(3):  # they are short
                    reading.append(measuring.said(READ_ALL, listing.name))
                    warm.append(trainlint(files.folder, cache=cache))
    usual = trainlint(files.folder, every_rule=False)
    cost = median(cold)
    return {
        "name": files.folder.name,
        "commit": files.commit,
        "files": len(files.lines),
        "lines": files.total,
        "parse": statistics.median(parsing),
        "cpu": cost.cpu,
        "wall": cost.wall,
        "peak": cost.peak,
        "usual cpu": usual.cpu,
        "read": statistics.median(reading),
        "warm": median(warm).wall if kept else None,
        "ruff": statistics.median(theirs) if theirs else None,
    }


def least(runs: int) -> dict[str, float]:
    """What a run takes however little it reads: the peak with one finding in four lines, and wall seconds for one clean file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hangs.py").write_text(HANGS)
        peak = trainlint(folder, 1).peak
        (folder / "hangs.py").unlink()
        (folder / "clean.py").write_text(CLEAN)
        check = [sys.executable, "-m", "trainlint", "check", "clean.py"]
        nothing, ours = [], []
        measuring.run(check, folder)  # compiles what is imported
        for _ in range(runs):
            nothing.append(measuring.run([sys.executable, "-c", "pass"], folder))
            ours.append(measuring.run(check, folder))
    return {"peak": peak, "nothing": median(nothing).wall, "clean": median(ours).wall}


def one_file(files: Files, runs: int) -> dict[str, Any] | None:
    """Wall seconds for files of training code by themselves, with what they hang on of a repository; None without any."""
    usual = [path for path, lines in sorted(files.lines.items()) if lines in USUAL and b"import torch" in path.read_bytes()]
    chosen = random.Random(1).sample(usual, min(5, len(usual)))  # noqa: S311 - a sample, not a secret
    if not chosen:
        return None
    walls = [
        statistics.median(trainlint(files.folder, every_rule=False, files=[path]).wall for _ in range(runs)) for path in chosen
    ]
    return {"name": files.folder.name, "files": len(chosen), "wall": statistics.median(walls), "slowest": max(walls)}


def growth(found: Sequence[Files], runs: int) -> list[tuple[int, float]]:
    """Lines and CPU microseconds for each, in ever larger samples of the files; what a run on nothing takes is taken off."""
    order = [(path, files) for files in found for path in sorted(files.lines)]
    random.Random(1).shuffle(order)  # noqa: S311 - a sample, not a secret
    points: list[tuple[int, float]] = []
    lines = 0
    wanted = sizes(min(MOST, sum(files.total for files in found)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = median([trainlint(folder, 1) for _ in range(3)]).cpu
        for path, files in order:
            copy = folder / files.folder.name / path.relative_to(files.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            lines += files.lines[path]
            if lines >= wanted[0]:
                wanted.pop(0)
                cpu = median([trainlint(folder, 1) for _ in range(runs if lines <= ONCE else 1)]).cpu - empty
                points.append((lines, cpu / lines * 1e6))
            if not wanted:
                break
    return points


def sizes(total: int) -> list[int]:
    """10,000 lines, three times as many, and so on, up to all of them."""
    steps = [size for power in range(4, 9) for size in (10**power, 3 * 10**power) if size < total * 0.8]
    return [*steps, total]


def others(files: Files, programs: Mapping[str, str | None]) -> dict[str, Any]:
    """Wall seconds of other tools beside ours on one repository. Those that take minutes are run once."""
    with tempfile.TemporaryDirectory() as name:
        once: dict[str, Cost] = {}
        if (program := programs["torchfix"]) is not None:
            once["torchfix"] = measuring.torchfix(program, files.folder)
        if (program := programs["pylint"]) is not None:
            once["pylint"] = measuring.pylint(program, files.folder, Path(name))
    return {"name": files.folder.name, "lines": files.total, **{tool: cost.wall for tool, cost in once.items()}}


def keystrokes() -> dict[str, float] | None:
    """Answers in an editor, in parses of the file; None without the extra `lsp`."""
    command = [sys.executable, str(HERE / "keystroke.py"), "--json", "--keys", "15"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1} or not done.stdout:
        return None
    (row,) = json.loads(done.stdout)["rows"]
    return {"lines": row["lines"], "typing": row["typing"], "thinking": row["thinking"]}


# ---- the command -----------------------------------------------------------------------------------------------------


def main() -> int:
    """Measure, print, and return 1 when a budget is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, help="a repository, or a folder of some: the more lines, the better")
    parser.add_argument("--runs", type=int, default=3, help="how often each thing is measured; the median counts [%(default)s]")
    parser.add_argument("--ruff", default=beside("ruff"), help="the ruff to compare with, if any [%(default)s]")
    parser.add_argument("--pylint", default=beside("pylint"), help="the pylint to compare with, if any [%(default)s]")
    parser.add_argument("--torchfix", help="the torchfix to compare with, in an environment of its own")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--write", metavar="README", type=Path, help="keep the figures, and write table and plot into this file")
    parser.add_argument("--again", metavar="JSON", type=Path, help="take figures that were kept instead of measuring")
    given = parser.parse_args()
    if given.again is not None:
        results = json.loads(given.again.read_text(encoding="utf-8"))
    elif given.folder is None:
        parser.error("a folder is needed")
    else:
        found = measuring.repositories(given.folder)
        if not found:
            parser.error(f"there are no Python files in {given.folder}")
        results = measure(found, given)
    if given.write is not None:
        publish(results, given.write, HERE / "results")
    print(json.dumps(results, indent=2) if given.json else as_table(results))
    return int(not all(row.kept for row in rows_of(results)))


def measure(found: Sequence[Files], given: argparse.Namespace) -> dict[str, Any]:
    """All figures, in seconds and bytes, and what machine and which tools they are of."""
    programs = {name: getattr(given, name) or None for name in ("ruff", "torchfix", "pylint")}
    begun, load = time.perf_counter(), os.getloadavg()[0]
    largest = max(found, key=lambda files: files.total)
    results: dict[str, Any] = {"about": about(given.runs, load, programs), "repositories": []}
    for files in found:
        note(begun, f"{files.folder.name}, {files.total:,} lines")
        results["repositories"].append(scans(files, given.runs, programs["ruff"]))
    note(begun, "start-up, single files, keystrokes")
    compared = min((files for files in found if files.total >= COMPARED), key=lambda files: files.total, default=largest)
    results["least"] = least(4 * given.runs)
    results["one file"] = one_file(compared, given.runs)
    results["keystrokes"] = keystrokes()
    note(begun, "growth")
    results["growth"] = growth(found, given.runs)
    note(begun, "other tools")
    results["others"] = others(compared, programs)
    results["about"]["minutes"] = round((time.perf_counter() - begun) / 60, 1)
    return results


def about(runs: int, load: float, programs: Mapping[str, str | None]) -> dict[str, Any]:
    """The machine, and the versions of what is measured."""
    return {
        "trainlint": __version__,
        "commit": measuring.commit_of(HERE.parent),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": round(load, 1),
        "runs": runs,
        "tools": {name: measuring.version_of(program) for name, program in programs.items() if program is not None},
    }


def note(begun: float, text: str) -> None:
    """Say on stderr how far it is."""
    print(f"{time.perf_counter() - begun:6.0f} s  {text}", file=sys.stderr, flush=True)


def beside(name: str) -> str | None:
    """The program of that name in this environment, or the one on the PATH."""
    program = Path(sys.executable).with_name(name)
    return str(program) if program.exists() else shutil.which(name)


if __name__ == "__main__":
    sys.exit(main())

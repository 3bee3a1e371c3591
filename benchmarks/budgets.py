"""Measures trainlint against its budgets, as ratios: in one run, on one machine, on any folder of Python files.

    python benchmarks/budgets.py FOLDER [--runs N] [--ruff PATH] [--torchfix PATH] [--json]

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
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.source.discover import DiscoverOptions, discover

MEGABYTE = 1 << 20
# With fewer lines than this, what a line costs is lost in what a run costs.
ENOUGH = 100_000
# Linux counts kilobytes, macOS bytes.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024

# An installed tool has its bytecode; where a machine forbids to write it, every run would compile the tool anew.
INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

PARSE_ALL = """\
import ast, gc, sys, time, warnings
warnings.simplefilter("ignore")
gc.disable()
spent = 0.0
for line in open(sys.argv[1], encoding="utf-8", errors="surrogateescape"):
    with open(line[:-1], "rb") as file:
        data = file.read()
    begun = time.process_time()
    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    spent += time.process_time() - begun
print(spent)
"""


class Cost(NamedTuple):
    """What a process and those it started cost: wall and CPU seconds, and the peak of the largest of them in bytes."""

    wall: float
    cpu: float
    peak: int


class Row(NamedTuple):
    """One line of the report. ``actual`` and ``budget`` are in ``unit``; ``at_least`` says that more is better."""

    work: str
    actual: float
    budget: float
    unit: str
    detail: str
    at_least: bool = False

    @property
    def ok(self) -> bool:
        """Whether the budget is kept."""
        return self.actual >= self.budget if self.at_least else self.actual <= self.budget


class Files(NamedTuple):
    """The Python files of the folder, and how many lines each has."""

    folder: Path
    lines: dict[Path, int]

    @property
    def total(self) -> int:
        """Lines in all files."""
        return sum(self.lines.values())


def run(command: Sequence[str | Path], folder: Path | None = None, environment: dict[str, str] | None = None) -> Cost:
    """Run a command to its end, its output thrown away. Exits when it fails: 0 and 1 (something was found) are success."""
    actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    words = [str(word) for word in command]
    before = Path.cwd()
    if folder is not None:
        os.chdir(folder)
    begun = time.perf_counter()
    try:
        process = os.posix_spawn(words[0], words, environment or INSTALLED, file_actions=actions)
    finally:
        os.chdir(before)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - begun
    code = os.waitstatus_to_exitcode(status)
    if code not in {0, 1}:
        sys.exit(f"{' '.join(words)} ended with {code}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT)


def median(costs: Sequence[Cost]) -> Cost:
    """The middle of each figure (of an even number, the mean of the two in the middle)."""
    walls, cpus, peaks = zip(*costs, strict=True)
    return Cost(statistics.median(walls), statistics.median(cpus), int(statistics.median(peaks)))


def trainlint(target: Path, jobs: int) -> Cost:
    """One cold scan with all rules."""
    words = ["check", "--isolated", "--no-cache", "--select", "ALL", "--output-format", "concise", "-j", str(jobs), "."]
    return run([sys.executable, "-m", "trainlint", *words], target)


def files_of(folder: Path) -> Files:
    """What trainlint itself would look at, without notebooks."""
    found = discover([folder], DiscoverOptions(root=folder)).files
    return Files(folder, {path: path.read_bytes().count(b"\n") for path in found if path.suffix == ".py"})


# ---- the rows --------------------------------------------------------------------------------------------------------


def scan(files: Files, runs: int, ruff: str | None) -> list[Row]:
    """The cold scan: CPU against the parser, wall time against ruff, and memory."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8", errors="surrogateescape") as listing:
        listing.writelines(f"{path}\n" for path in files.lines)
        listing.flush()
        parsing, ours, theirs = [], [], []
        for _ in range(runs):  # in turns, so that all of them see the same machine
            parsing.append(parse_all(listing.name))
            ours.append(trainlint(files.folder, 2))
            if ruff is not None:
                theirs.append(ruff_scan(ruff, files.folder))
    parse, cost = statistics.median(parsing), median(ours)
    rows = [Row("cold scan, CPU", cost.cpu / parse, 4, "× ast.parse", f"{cost.cpu:.2f} s against {parse:.2f} s")]
    if theirs:
        wall = median(theirs).wall
        detail = f"{cost.wall:.2f} s with -j 2 against {wall:.2f} s on two threads"
        rows.append(Row("cold scan, wall time", cost.wall / wall, 6, "× ruff", detail))
    if files.total >= ENOUGH:
        least = least_memory()
        scaled = (least + (cost.peak - least) * 1_000_000 / files.total) / MEGABYTE
        detail = f"{cost.peak / MEGABYTE:.0f} MB for {files.total:,} lines, {least / MEGABYTE:.0f} MB for 4"
        rows.append(Row("memory at 1,000,000 lines", scaled, 400, "MB", detail))
    return rows


def least_memory() -> int:
    """The peak of a run on one small file with a finding: what the program itself takes, however little it reads."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hangs.py").write_text("import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n")
        return trainlint(folder, 1).peak


def parse_all(listing: str) -> float:
    """CPU seconds that ``ast.parse`` takes for the listed files: no start-up, no reading, no garbage collector."""
    import subprocess

    done = subprocess.run([sys.executable, "-c", PARSE_ALL, listing], capture_output=True, text=True, check=True)
    return float(done.stdout)


def ruff_scan(program: str, folder: Path) -> Cost:
    """One run of ruff with all its rules, on as many threads as trainlint has processes."""
    words = ["check", "--isolated", "--select", "ALL", "--no-cache", "--quiet", "--exit-zero", "--output-format", "concise", "."]
    return run([program, *words], folder, {**os.environ, "RAYON_NUM_THREADS": "2"})


def torchfix_scan(program: str, files: Files) -> Row:
    """How much longer TorchFix takes. It is run once: it takes long."""
    theirs = run([program, "--select", "ALL", "."], files.folder)
    ours = median([trainlint(files.folder, 2) for _ in range(3)])
    detail = f"{theirs.wall:.1f} s against {ours.wall:.2f} s"
    return Row("against TorchFix, wall time", theirs.wall / ours.wall, 60, "× faster", detail, at_least=True)


def startup(runs: int) -> Row:
    """One clean file against an interpreter that does nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "clean.py").write_text("def greet(name):\n    print(f'Hello {name}')\n")
        check = [sys.executable, "-m", "trainlint", "check", "clean.py"]
        nothing, ours = [], []
        run(check, folder)  # compiles what is imported
        for _ in range(runs):
            nothing.append(run([sys.executable, "-c", "pass"], folder))
            ours.append(run(check, folder))
    least, cost = median(nothing).wall, median(ours).wall
    detail = f"{cost * 1000:.0f} ms against {least * 1000:.1f} ms"
    return Row("start-up, one clean file", cost / least, 12, "× python -c pass", detail)


def growth(files: Files, runs: int) -> Row:
    """CPU for each line, start-up taken off, in ever larger samples of the files."""
    order = sorted(files.lines)
    random.Random(1).shuffle(order)  # noqa: S311 - a sample, not a secret
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = median([trainlint(folder, 1) for _ in range(3)]).cpu
        points: list[tuple[int, float]] = []
        lines = 0
        wanted = sizes(files.total)
        for path in order:
            copy = folder / path.relative_to(files.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            lines += files.lines[path]
            if lines >= wanted[0]:
                wanted.pop(0)
                cpu = median([trainlint(folder, 1) for _ in range(runs)]).cpu - empty
                points.append((lines, cpu / lines * 1e6))
            if not wanted:
                break
    figures = ", ".join(f"{lines:,} lines: {microseconds:.1f}" for lines, microseconds in points)
    return Row("growth, CPU for each line", points[-1][1] / points[0][1], 1.5, "× first sample", f"µs a line: {figures}")


def sizes(total: int) -> list[int]:
    """10,000 lines, three times as many, and so on, up to all of them."""
    steps = [size for power in range(4, 9) for size in (10**power, 3 * 10**power) if size < total * 0.8]
    return [*steps, total]


# ---- the command -----------------------------------------------------------------------------------------------------


def main() -> int:
    """Measure, print, and return 1 when a budget is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="the Python files to measure with: the more lines, the better")
    parser.add_argument("--runs", type=int, default=5, help="how often each thing is measured; the median counts [%(default)s]")
    parser.add_argument("--ruff", default=find_ruff(), help="the ruff to compare with, if any [%(default)s]")
    parser.add_argument("--torchfix", help="the torchfix to compare with, in an environment of its own")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    given = parser.parse_args()
    files = files_of(given.folder.resolve())
    if not files.total:
        parser.error(f"there are no Python files in {given.folder}")
    measures: list[Callable[[], list[Row]]] = [
        lambda: scan(files, given.runs, given.ruff),
        lambda: [startup(4 * given.runs)],
        lambda: [growth(files, max(1, given.runs // 2))] if files.total >= ENOUGH else [],
    ]
    if given.torchfix:
        measures.append(lambda: [torchfix_scan(given.torchfix, files)])
    rows = [row for measure in measures for row in measure()]
    print(as_json(files, rows) if given.json else as_table(files, rows))
    return int(not all(row.ok for row in rows))


def find_ruff() -> str | None:
    """The ruff of this environment, or the one on the PATH."""
    beside = Path(sys.executable).with_name("ruff")
    return str(beside) if beside.exists() else shutil.which("ruff")


def as_table(files: Files, rows: Sequence[Row]) -> str:
    """The rows for people."""
    head = f"{files.folder.name}: {len(files.lines):,} files, {files.total:,} lines; Python {platform.python_version()}"
    lines = [f"{head}, {os.cpu_count()} cores", ""]
    for row in rows:
        verdict = "ok  " if row.ok else "OVER"
        sign = "≥" if row.at_least else "≤"
        lines.append(f"{verdict} {row.work:<28} {row.actual:>7.1f} {row.unit:<16} (budget {sign} {row.budget:g}; {row.detail})")
    return "\n".join(lines)


def as_json(files: Files, rows: Sequence[Row]) -> str:
    """The rows for programs."""
    about: dict[str, Any] = {"folder": files.folder.name, "files": len(files.lines), "lines": files.total}
    about |= {"python": platform.python_version(), "cores": os.cpu_count()}
    return json.dumps(about | {"rows": [{**row._asdict(), "ok": row.ok} for row in rows]}, indent=2)


if __name__ == "__main__":
    sys.exit(main())

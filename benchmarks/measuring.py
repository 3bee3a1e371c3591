"""Runs programs and says what they cost, and finds the files that they are run on."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from trainlint.source.discover import DiscoverOptions, discover

# Linux counts kilobytes, macOS bytes.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024

# An installed tool has its bytecode; where a machine forbids to write it, every run would compile the tool anew. And what stands
# in the measured folder is never imported.
INSTALLED = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONSAFEPATH": "1",
}

# CPU seconds of ast.parse: no start-up, no reading, no garbage collector.
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

# Wall seconds of reading and hashing: what nobody can do without who wants to know whether files have changed.
READ_ALL = """\
import hashlib, sys, time
begun = time.perf_counter()
for line in open(sys.argv[1], encoding="utf-8", errors="surrogateescape"):
    with open(line[:-1], "rb") as file:
        hashlib.sha256(file.read()).digest()
print(time.perf_counter() - begun)
"""


class Cost(NamedTuple):
    """What a process and those it started cost: wall and CPU seconds, and the peak of the largest of them in bytes."""

    wall: float
    cpu: float
    peak: int


class Files(NamedTuple):
    """The Python files of a folder, and how many lines each has; the commit that is checked out there, if that is known."""

    folder: Path
    lines: dict[Path, int]
    commit: str = ""

    @property
    def total(self) -> int:
        """Lines in all files."""
        return sum(self.lines.values())


def run(command: Sequence[str | Path], folder: Path | None = None, environment: Mapping[str, str] = INSTALLED) -> Cost:
    """Run a command to its end, its output thrown away. Exits when it fails: 0 and 1 (something was found) are success."""
    actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    words = [str(word) for word in command]
    before = Path.cwd()
    if folder is not None:
        os.chdir(folder)
    begun = time.perf_counter()
    try:
        process = os.posix_spawn(words[0], words, environment, file_actions=actions)
    finally:
        os.chdir(before)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - begun
    code = os.waitstatus_to_exitcode(status)
    if code not in {0, 1}:
        sys.exit(f"{' '.join(words)} ended with {code}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT)


def said(script: str, listing: str) -> float:
    """The seconds that :data:`PARSE_ALL` or :data:`READ_ALL` says for the files that a file lists."""
    done = subprocess.run([sys.executable, "-c", script, listing], capture_output=True, text=True, check=True)
    return float(done.stdout)


def median(costs: Sequence[Cost]) -> Cost:
    """The middle of each figure (of an even number, the mean of the two in the middle)."""
    walls, cpus, peaks = zip(*costs, strict=True)
    return Cost(statistics.median(walls), statistics.median(cpus), int(statistics.median(peaks)))


# ---- what is run -----------------------------------------------------------------------------------------------------


def trainlint(
    target: Path, jobs: int = 2, *, every_rule: bool = True, cache: Path | None = None, files: Sequence[Path] = (Path(),)
) -> Cost:
    """One check of a folder, from within it, with all rules or with those that are on by default; cold without a ``cache``."""
    rules = ["--select", "ALL", "--preview"] if every_rule else []
    words = ["check", "--isolated", *rules, "--output-format", "concise", "-j", str(jobs)]
    environment: Mapping[str, str] = INSTALLED
    if cache is None:
        words.append("--no-cache")
    else:  # with the secret that signs it: nothing of the user's own cache is read, and nothing is left behind
        environment = {**INSTALLED, "TRAINLINT_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(cache)}
    return run([sys.executable, "-m", "trainlint", *words, *files], target, environment)


def ruff(program: str, folder: Path) -> Cost:
    """One run of ruff with all its rules, on as many threads as trainlint has processes."""
    words = ["check", "--isolated", "--select", "ALL", "--no-cache", "--quiet", "--exit-zero", "--output-format", "concise", "."]
    return run([program, *words], folder, {**INSTALLED, "RAYON_NUM_THREADS": "2"})


def pylint(program: str, folder: Path, home: Path) -> Cost:
    """One run of pylint as it is without a configuration, with two processes; what it keeps goes to ``home``."""
    words = ["--rcfile", os.devnull, "-j", "2", "--recursive=y", "--exit-zero", "--score=n", "."]
    return run([program, *words], folder, {**INSTALLED, "PYLINTHOME": str(home)})


def torchfix(program: str, folder: Path) -> Cost:
    """One run of TorchFix with all its rules."""
    return run([program, "--select", "ALL", "."], folder)


# ---- what it is run on -----------------------------------------------------------------------------------------------


def repositories(folder: Path) -> list[Files]:
    """The repositories of a folder that holds some, by name; else the folder itself. Those without Python are left out."""
    folder = folder.resolve()
    inside = [] if (folder / ".git").exists() else sorted(path.parent for path in folder.glob("*/.git"))
    found = [files_of(path) for path in inside or [folder]]
    return [files for files in found if files.total]


def files_of(folder: Path) -> Files:
    """What trainlint itself would look at, without notebooks."""
    found = discover([folder], DiscoverOptions(root=folder)).files
    lines = {path: path.read_bytes().count(b"\n") for path in found if path.suffix == ".py"}
    return Files(folder, lines, commit_of(folder))


def commit_of(folder: Path) -> str:
    """The commit that is checked out, in 40 digits; empty where there is none, or nobody to ask."""
    if not (folder / ".git").exists():
        return ""
    try:
        done = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version_of(program: str | None) -> str:
    """The number that a program says when it is asked for its version; empty without a program, or a number."""
    import re

    if program is None:
        return ""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"\d+(\.\d+)+", done.stdout)
    return number.group() if number else ""

"""What a commit costs: the hook on the last commits of real repositories, in turns with ruff on the same files.

    python benchmarks/commits.py [--commits N] [--limited] [--ruff PATH] [--write README] CLONE...

The interpreter that runs this script must have trainlint. What the figures mean is in README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from measuring import INSTALLED, Cost
from measuring import run as ended

from trainlint import __version__

KEPT = Path(__file__).resolve().parent / "results" / "commits.json"
BEGIN, END = "<!-- commits: begin -->", "<!-- commits: end -->"
#: What is put into the folder: what an analysis reads.
_READ = (".py", ".pyi", ".ipynb", ".toml", ".cfg", ".sh", ".yaml", ".yml", ".gitignore", "requirements.txt")
#: What pre-commit gives to the hook.
_GIVEN = (".py", ".ipynb", ".json", ".yaml", ".yml", ".toml", ".sh")
_LARGEST = 1 << 20
#: Longer than any check.
_NO_LIMIT = "100000"


class Change(NamedTuple):
    """A commit, and which files it writes and removes."""

    commit: str
    written: list[str]
    removed: list[str]


def git(folder: Path, *words: str) -> bytes:
    """What git says. Raises CalledProcessError."""
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=True).stdout


def changes(clone: Path, count: int) -> Iterator[Change]:
    """The last commits along the first parents that write Python, with those between them, oldest first."""
    taken: list[Change] = []
    python = 0
    for commit in git(clone, "rev-list", "--first-parent", "HEAD", "-n", str(20 * count)).decode().split():
        said = git(clone, "diff", "--name-status", "--no-renames", "-z", f"{commit}^1", commit).decode().split("\0")
        pairs = list(zip(said[::2], said[1::2], strict=False))
        change = Change(commit, [name for kind, name in pairs if kind != "D"], [name for kind, name in pairs if kind == "D"])
        taken.append(change)
        python += any(name.endswith(".py") for name in change.written)
        if python == count:
            break
    return reversed(taken)


def put(clone: Path, commit: str, names: Sequence[str], folder: Path) -> None:
    """Write files as they are in a commit; those that a partial clone does not have are left out."""
    for name in names:
        if name.endswith(_READ):
            try:
                data = git(clone, "cat-file", "blob", f"{commit}:{name}")
            except subprocess.CalledProcessError:
                continue
            if len(data) <= _LARGEST:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)


def committed(folder: Path) -> None:
    """Commit what is there."""
    who = ("-c", "user.name=b", "-c", "user.email=b@example.org", "-c", "commit.gpgsign=false")
    git(folder, "add", "-A")
    git(folder, *who, "commit", "-q", "--allow-empty", "--no-verify", "-m", "state")


def hook(folder: Path, cache: Path, files: Sequence[str], *, limited: bool) -> tuple[Cost, bool]:
    """One run of the hook, with its own limit or (as in CI) without one; whether it was through in time."""
    environment = {name: value for name, value in INSTALLED.items() if name not in {"CI", "GITHUB_ACTIONS"}}
    environment |= {"TRAINLINT_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(cache.parent), "PRE_COMMIT": "1"}
    said = cache.parent / "said.json"
    words = ["check", "--isolated", "--force-exclude", "-j", "1", "--output-format", "json", "-o", str(said), *files]
    cost = ended([sys.executable, "-m", "trainlint", *words], folder, environment if limited else {**environment, "CI": "1"})
    return cost, "`--max-seconds`" not in said.read_text(encoding="utf-8")


def measured(clone: Path, count: int, ruff: str, *, whole: bool) -> dict[str, Any]:
    """The costs of the last commits of a repository; without ``whole`` only those of hooks with a limit."""
    todo = list(changes(clone, count))
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="trainlint-commits-") as name:
        folder, cache = Path(name).resolve() / "clone", Path(name).resolve() / "kept" / "cache"
        folder.mkdir()
        git(folder, "init", "-q")
        base = f"{todo[0].commit}^1"
        put(clone, base, git(clone, "ls-tree", "-r", "-z", "--name-only", base).decode().split("\0")[:-1], folder)
        committed(folder)
        cache.parent.mkdir()
        first, _ = hook(folder, cache, ["."], limited=False)
        for change in todo:
            put(clone, change.commit, change.written, folder)
            for gone in change.removed:
                (folder / gone).unlink(missing_ok=True)
            files = [each for each in change.written if each.endswith(_GIVEN) and (folder / each).exists()]
            if any(each.endswith(".py") for each in files):
                rows.append(_row(folder, cache, change.commit, files, ruff, whole=whole))
                print(clone.parent.name, rows[-1], file=sys.stderr, flush=True)
            committed(folder)
    return {"name": clone.parent.name, "first": first.cpu, "commits": rows}


def _row(folder: Path, cache: Path, commit: str, files: Sequence[str], ruff: str, *, whole: bool) -> dict[str, Any]:
    """One commit: CPU seconds without a limit, wall seconds with it, what is left to do when nothing has changed, and ruff's."""
    copy = cache.parent.parent / "copy" / "cache"
    if whole:
        shutil.rmtree(copy.parent, ignore_errors=True)
        shutil.copytree(cache.parent, copy.parent)
    limited, in_time = hook(folder, copy if whole else cache, files, limited=True)
    row = {"commit": commit[:10], "files": len(files), "limited": limited.wall, "in time": in_time}
    if whole:
        row |= {
            "warm": hook(folder, cache, files, limited=False)[0].cpu,
            "again": hook(folder, cache, files, limited=False)[0].cpu,
        }
    python = [each for each in files if each.endswith(".py")]
    row["ruff"] = ended([ruff, "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", *python], folder).cpu
    return row


def page(kept: dict[str, Any]) -> str:
    """The block of the README."""
    head = [
        "repository",
        "commits",
        "hook, CPU: median",
        "worst",
        "first run",
        "unchanged",
        "hook, wall: median",
        "worst",
        "through",
        "ruff",
    ]
    rows = [head, ["---"] * len(head)]
    for one in kept["repositories"]:
        commits = one["commits"]
        column = {name: [row[name] for row in commits if name in row] for name in ("warm", "again", "limited", "ruff")}
        figures = [_middle(column["warm"]), _most(column["warm"]), f"{one['first']:.0f} s", _middle(column["again"])]
        figures += [_middle(column["limited"]), _most(column["limited"])]
        through = sum(row["in time"] for row in commits)
        rows.append([one["name"], str(len(commits)), *figures, f"{through} of {len(commits)}", _middle(column["ruff"])])
    about = kept["about"]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    under = (
        f"Measured with trainlint {about['trainlint']} at {about['commit']}, Python {about['python']}, load {about['load']:.1f}."
    )
    return "\n".join([BEGIN, "", *lines, "", under, "", END])


def _middle(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.2f} s" if seconds else "–"


def _most(seconds: Sequence[float]) -> str:
    return f"{max(seconds):.2f} s" if seconds else "–"


def main() -> None:
    """Measure, print, and keep what was measured of each repository where it is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--limited", action="store_true", help="only the hook with its limit")
    parser.add_argument("--ruff", default=shutil.which("ruff") or str(Path(sys.executable).with_name("ruff")))
    parser.add_argument("--write", type=Path, metavar="README")
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if given.write and KEPT.exists() else {"repositories": []}
    for clone in given.clones:
        found = measured(clone, given.commits, given.ruff, whole=not given.limited)
        kept["repositories"] = [each for each in kept["repositories"] if each["name"] != found["name"]] + [found]
        commit = git(Path(__file__).parent, "rev-parse", "--short=10", "HEAD").decode().strip()
        kept["about"] = {
            "trainlint": __version__,
            "commit": commit,
            "python": platform.python_version(),
            "load": os.getloadavg()[0],
        }
        if given.write:
            KEPT.write_text(json.dumps(kept, indent=1) + "\n")
            before, _, rest = given.write.read_text().partition(BEGIN)
            given.write.write_text(before + page(kept) + rest.partition(END)[2])
    print(page(kept))


if __name__ == "__main__":
    main()

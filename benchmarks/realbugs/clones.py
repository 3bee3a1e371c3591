"""Commits of clones, written out as folders of plain files. Git is asked to read objects and nothing else; nothing is fetched."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from .rows import inside

PATTERNS = ("*.py", "*.toml", "*.cfg", "*.ipynb", "*.yaml", "*.yml", "*.json", "*.sh", "requirements*.txt")
"""What is written out besides the file in question: what an analysis of a whole project may want to see."""

LARGEST_JSON = 1 << 20
"""Larger JSON files, in bytes, are data."""


class NotThereError(Exception):
    """Something that a row names cannot be had; the message says what, in a few words that name no row."""


def repository(folder: Path, name: str) -> Path:
    """The git directory of ``owner/name`` below a folder of clones, bare or not, or NotThereError."""
    flat = folder / name.replace("/", "+")
    for place in (flat / "repo", flat, folder / name):
        if (place / ".git").exists():
            return place / ".git"
        if (place / "HEAD").exists():
            return place
    raise NotThereError("no repository")


def require(repo: Path, commit: str) -> None:
    """NotThereError unless the commit (40 hexadecimal digits) is in the clone, which is not damaged as far as that shows."""
    answer = _git(repo, "cat-file", "--batch-check", stdin=commit.encode())
    if answer.stdout.split()[1:2] != [b"commit"]:
        raise NotThereError("damaged clone" if _damaged(answer) else "no commit")


def contains(repo: Path, commit: str, path: str) -> bool:
    """Whether a commit of a clone has a file of that path (a link is none). NotThereError when the clone is damaged."""
    return any(place == path for place, _ in _wanted(repo, commit, path))


def export(repo: Path, commit: str, path: str, folder: Path) -> bool:
    """Write the files of a commit that ``PATTERNS`` name, and ``path`` whatever its name, into an empty folder.

    Returns whether ``path`` is a file there. Unlike ``git archive`` this heeds no ``export-ignore`` of the repository.
    Links, submodules and files that the clone lacks are left out. NotThereError when the clone is damaged.
    """
    found = dict(_wanted(repo, commit, path))
    for place, data in _contents(repo, found):
        try:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_bytes(data)
        except OSError:  # a name that this system cannot have
            continue
    return (folder / path).is_file()


def _wanted(repo: Path, commit: str, path: str) -> Iterator[tuple[str, bytes]]:
    answer = _git(repo, "ls-tree", "-r", "-l", "-z", "--full-tree", commit)
    if _damaged(answer):
        raise NotThereError("damaged clone")
    for entry in filter(None, answer.stdout.split(b"\0")):
        about, _, name = entry.partition(b"\t")
        mode, _, blob, size = about.split()
        place = os.fsdecode(name)
        if mode.startswith(b"100") and inside(place) and (place == path or _telling(PurePosixPath(place).name, size)):
            yield place, blob


def _telling(name: str, size: bytes) -> bool:
    small = size.isdigit() and int(size) <= LARGEST_JSON
    return any(fnmatch(name, pattern) for pattern in PATTERNS) and (small or not name.endswith(".json"))


def _contents(repo: Path, blobs: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The paths again, each with its content."""
    answer = _git(repo, "cat-file", "--batch", stdin=b"\n".join(blobs.values()))
    if _damaged(answer):
        raise NotThereError("damaged clone")
    out, at = answer.stdout, 0
    for place in blobs:
        end = out.find(b"\n", at)
        header = out[at:end].split()
        at = end + 1
        if header[-1] != b"missing":
            size = int(header[2])
            yield place, out[at : at + size]
            at += size + 1


def _damaged(answer: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether git complains; that something is missing is no complaint, it answers so."""
    return answer.returncode != 0 or b"error:" in answer.stderr or b"fatal:" in answer.stderr


def _git(repo: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    # --git-dir: a broken clone must not send git looking for another one in the folders above.
    # No protocol is allowed, so that a partial clone fetches nothing.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    command = ["git", f"--git-dir={repo}", "--no-replace-objects", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)

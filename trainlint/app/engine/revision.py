"""Another revision of a git repository, so that it can be checked like any other project.

It is put into a folder of its own: only what an analysis reads, out of git's own store; no filter, hook or checkout of the
repository runs. Where nothing but Python files has changed since, it is checked in place: those files hold what they held then.
So it shares what is kept of the project, and what a hook judged before the last commit is not judged again after it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePath
from typing import NamedTuple

from trainlint.config.project_files import FILES
from trainlint.regular import absolute_path

_WANTED = (".py", ".pyi", ".ipynb", ".gitignore", "pyproject.toml", "setup.py", "setup.cfg", "trainlint.toml")
_REGULAR = (b"100644", b"100755")
#: What may have changed besides: it has a say in what is repaired, and in no finding.
_PROSE = (".md", ".rst")


class RevisionError(ValueError):
    """A revision that cannot be had; the text says why, in git's words where git said something."""


class Revision(NamedTuple):
    """A commit: its repository, as paths of the command line spell it, its hash, and what was renamed since (new -> old)."""

    repository: Path
    commit: str
    renamed: dict[str, str]


class Exported(NamedTuple):
    """A revision as files: where they are, where the repository is, and which paths were renamed since (new -> old)."""

    folder: Path
    repository: Path
    renamed: dict[str, str]

    def then(self, path: Path) -> Path:
        """Where a path of today was then. Raises :class:`RevisionError` for one outside of the repository."""
        name = self._name(path)
        return self.folder / self.renamed.get(name, name)

    def now(self, path: Path) -> Path:
        """The path of today of an exported file."""
        name = path.relative_to(self.folder).as_posix()
        back = {old: new for new, old in self.renamed.items()}
        return self.repository / back.get(name, name)

    def _name(self, path: Path) -> str:
        try:
            return Path(absolute_path(path)).relative_to(self.repository).as_posix()
        except ValueError:
            raise RevisionError(f"{path} is not in the repository {self.repository}") from None


class InPlace(NamedTuple):
    """A revision where it is: the absolute paths of its files, and what those of them held that hold something else now."""

    files: frozenset[str]
    changed: dict[str, bytes]


def resolved(revision: str, inside: Path) -> Revision:
    """What git calls ``revision``. ``inside`` is a folder of the repository.

    Raises :class:`RevisionError` when there is no repository, no such revision, or no git.
    """
    top = Path(os.fsdecode(_git(inside, "rev-parse", "--show-toplevel")).rstrip("\n"))
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = os.fsdecode(_git(inside, *verify, what=revision)).strip()
    # As it was given, not with links resolved: paths of the command line are compared with it.
    return Revision(_as_given(inside, top), commit, _renamed(top, commit))


@contextmanager
def exported(revision: Revision) -> Iterator[Exported]:
    """The files of a revision in a temporary folder, gone at the end. Raises :class:`RevisionError`."""
    with tempfile.TemporaryDirectory(prefix="trainlint-") as name:
        folder = Path(name).resolve()
        (folder / ".git").mkdir()  # it marks the folder as a project's root; git itself never looks at it
        _write(revision.repository, revision.commit, folder)
        yield Exported(folder, revision.repository, revision.renamed)


def in_place(revision: Revision) -> InPlace | None:
    """The files of a revision in place; None where other files have changed than Python, or one is gone.

    Raises :class:`RevisionError`.
    """
    top = revision.repository
    plain = ("--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
    said = _git(top, "diff", *plain, revision.commit).split(b"\0")
    differ = [(kind, os.fsdecode(name)) for kind, name in zip(said[::2], said[1::2], strict=False)]
    if any(kind not in (b"A", b"M") or not name.endswith((".py", *_PROSE)) or _is_around(name) for kind, name in differ):
        return None
    blobs = {name: blob for blob, name in _regular(_git(top, "ls-tree", "-r", "-z", "--full-tree", revision.commit))}
    changed = [name for kind, name in differ if kind == b"M" and name.endswith(".py")]
    if not blobs.keys() >= set(changed):
        return None
    held = dict(_contents(top, [(blobs[name], name) for name in changed]))
    if len(held) != len(changed):
        return None  # a partial clone
    path = partial(os.path.join, absolute_path(top))
    return InPlace(frozenset(map(path, blobs)), {path(name): data for name, data in held.items()})


def _is_around(name: str) -> bool:
    """Whether a file has a say in what is found in others that it is not imported by: it says what the project requires."""
    return PurePath(name).name in FILES


def _as_given(inside: Path, top: Path) -> Path:
    """The top folder of the repository, spelled as the path that lies in it."""
    absolute = Path(absolute_path(inside))
    for folder in (absolute, *absolute.parents):
        if folder.samefile(top):
            return folder
    return top


def _write(top: Path, commit: str, folder: Path) -> None:
    listed = _regular(_git(top, "ls-tree", "-r", "-z", "--full-tree", commit))
    for name, data in _contents(top, [(blob, name) for blob, name in listed if name.endswith(_WANTED)]):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _contents(top: Path, wanted: Sequence[tuple[bytes, str]]) -> Iterator[tuple[str, bytes]]:
    """What files hold, by their names, of those that are there: a shallow or partial clone may not have all."""
    answer = _git(top, "cat-file", "--batch", given=b"".join(blob + b"\n" for blob, _ in wanted))
    start = 0
    for _, name in wanted:
        end = answer.index(b"\n", start)
        header = answer[start:end].split(b" ")
        start = end + 1
        if header[-1] == b"missing":
            continue  # what is not there cannot have had findings
        size = int(header[-1])
        yield name, answer[start : start + size]
        start += size + 1


def _regular(listed: bytes) -> Iterator[tuple[bytes, str]]:
    """Object and path of the regular files of a tree."""
    for line in listed.split(b"\0"):
        about, _, path = line.partition(b"\t")
        mode, _, rest = about.partition(b" ")
        if mode in _REGULAR:
            yield rest.split(b" ")[1], os.fsdecode(path)


def _renamed(top: Path, commit: str) -> dict[str, str]:
    """Files that have another name now, as git sees it: new name -> old name."""
    listed = _git(top, "diff", "--name-status", "-z", "-M", "--diff-filter=R", "--no-ext-diff", "--no-textconv", commit)
    parts = [os.fsdecode(part) for part in listed.split(b"\0")]
    return dict(zip(parts[2::3], parts[1::3], strict=False))


def _git(folder: Path, *arguments: str, given: bytes | None = None, what: str = "") -> bytes:
    try:
        run = subprocess.run(["git", "-C", str(folder), *arguments], input=given, capture_output=True, check=False)  # noqa: S603, S607
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror or error}") from error
    if run.returncode:
        said = run.stderr.decode("utf-8", "replace").strip()
        raise RevisionError(said or f"there is no revision {what!r} in the repository of {folder}")
    return run.stdout

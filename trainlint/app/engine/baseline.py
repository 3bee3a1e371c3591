"""Baselines: the findings that a project had when it adopted the tool, so that only new ones fail.

A baseline is a JSON file made to be committed: by file and rule, one entry for each finding with its fingerprint
(:mod:`trainlint.fingerprint`) and, for people, the first line of its message. Nothing in it is executed or followed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from trainlint.finding import Finding
from trainlint.fingerprint import LinesOf, fingerprints, relative
from trainlint.regular import read_regular

_VERSION = 1
#: A project has thousands of findings, not millions; what is larger is no baseline.
_LARGEST = 64 << 20


class BaselineError(ValueError):
    """A baseline that cannot be used; the text names the file and says why."""


class Baseline:
    """The findings that are known. ``path`` is the file; names of files in it count from its folder."""

    def __init__(self, path: Path, known: Iterable[tuple[str, str, str, str]] = ()) -> None:
        """``known``: (file, code, fingerprint, message) for each finding."""
        self.path = path
        self.known = {mark: (file, code, message) for file, code, mark, message in known}

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a baseline. Raises :class:`BaselineError` for anything that is none."""
        try:
            text = read_regular(path, _LARGEST)
            if len(text) > _LARGEST:
                raise BaselineError(f"{path} is too large to be a baseline")
            data = json.loads(text.decode("utf-8"))
        except OSError as error:
            raise BaselineError(f"the baseline {path} cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            if isinstance(error, BaselineError):
                raise
            raise BaselineError(f"{path} is no baseline: {error}") from error
        return cls(path, _entries(data, path))

    @property
    def root(self) -> Path:
        """The folder that the names of files count from."""
        return self.path.absolute().parent

    def new(self, findings: Sequence[Finding], lines_of: LinesOf) -> list[Finding]:
        """The findings that are not known yet."""
        marks = fingerprints(findings, self.root, lines_of)
        return [finding for finding, mark in zip(findings, marks, strict=True) if mark not in self.known]

    def pruned(self, findings: Sequence[Finding], checked: Collection[Path], lines_of: LinesOf) -> int:
        """Forget what was known of the ``checked`` files and of files that are gone, and is no more; say how many."""
        there = set(fingerprints(findings, self.root, lines_of))
        names = {relative(path, self.root) for path in checked}
        gone = [
            mark
            for mark, (file, _, _) in self.known.items()
            if mark not in there and (file in names or not (self.root / file).exists())
        ]
        for mark in gone:
            del self.known[mark]
        return len(gone)

    def take(self, findings: Sequence[Finding], lines_of: LinesOf) -> None:
        """Know these findings and no others."""
        marks = fingerprints(findings, self.root, lines_of)
        self.known = {
            mark: (relative(finding.path, self.root), finding.code, finding.message.partition("\n")[0])
            for finding, mark in zip(findings, marks, strict=True)
        }

    def write(self) -> None:
        """Write the file; the order does not depend on how the findings came. Raises OSError."""
        files: dict[str, dict[str, list[dict[str, str]]]] = {}
        for mark, (file, code, message) in sorted(self.known.items(), key=lambda item: (item[1], item[0])):
            files.setdefault(file, {}).setdefault(code, []).append({"fingerprint": mark, "message": message})
        text = json.dumps({"version": _VERSION, "files": files}, indent=2) + "\n"
        self.path.write_text(text, encoding="utf-8")


def _entries(data: Any, path: Path) -> list[tuple[str, str, str, str]]:
    version = data.get("version") if isinstance(data, dict) else None
    if version != _VERSION:
        said = "has no version" if version is None else f"has version {version!r}"
        raise BaselineError(f"{path} {said}, but this trainlint reads baselines of version {_VERSION}; write it again")
    found = []
    try:
        for file, codes in data["files"].items():
            for code, entries in codes.items():
                found += [(file, code, str(entry["fingerprint"]), str(entry.get("message", ""))) for entry in entries]
    except (AttributeError, KeyError, TypeError) as error:
        raise BaselineError(f'{path} is no baseline: "files" holds something else than findings by file and rule') from error
    return found

"""Applies repairs as a user does, through the command line, to whole projects and to awkward variants of their bytes."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from unittest import mock

from trainlint.app.dev import repairs
from trainlint.app.dev.repairs import comments, is_subsequence
from trainlint.finding import Applicability, Finding

__all__ = ["comments", "is_subsequence"]

Files = dict[str, bytes]
"""A project: bytes by path relative to its root."""

BOM = b"\xef\xbb\xbf"


def command(*arguments: str) -> int:
    """Run ``trainlint ARGUMENTS`` in this process and return its exit code; what it prints is dropped."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with (
        mock.patch.object(sys, "argv", ["trainlint", *arguments]),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        try:
            runpy.run_module("trainlint", run_name="__main__")
        except SystemExit as exit_:
            return int(exit_.code or 0)
    return 0


def repair(root: Path, code: str) -> int:
    """``check --fix --unsafe-fixes`` with one rule on a folder; the exit code."""
    return command("check", "--isolated", "--no-cache", "--quiet", "--fix", "--unsafe-fixes", "--select", code, str(root))


def read(root: Path) -> Files:
    """The Python files of a project on disk."""
    return {each.relative_to(root).as_posix(): each.read_bytes() for each in sorted(root.rglob("*.py"))}


def write(root: Path, files: Files) -> None:
    """Put a project on disk, exactly these bytes."""
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def repairable(findings: Iterable[Finding]) -> list[Finding]:
    """The findings whose repair ``--fix --unsafe-fixes`` applies."""
    return [each for each in findings if each.repair is not None and each.repair.applicability is not Applicability.DISPLAY]


def shown(findings: Iterable[Finding]) -> list[Finding]:
    """The findings whose repair is only shown."""
    return [each for each in findings if each.repair is not None and each.repair.applicability is Applicability.DISPLAY]


def lost(before: Iterable[Finding], after: Iterable[Finding]) -> list[str]:
    """What is wrong with the findings after a repair: repaired ones that stayed, and new ones."""
    repaired = Counter(each.code for each in repairable(before))
    had, have = Counter(each.code for each in before), Counter(each.code for each in after)
    gone = [
        f"{code}: {have[code]} findings are left of {had[code]}, {count} of which were repaired"
        for code, count in repaired.items()
        if have[code] > had[code] - count
    ]
    return gone + [f"{code}: new: {have[code]} findings, before {had[code]}" for code in have if have[code] > had[code]]


def untouched_lines(data: bytes, findings: Iterable[Finding]) -> list[bytes]:
    """The lines of a file that no edit of the findings' repairs changes, in order."""
    return repairs.untouched_lines(re.split(rb"\r\n|\r|\n", data), findings)


def crlf(data: bytes) -> bytes:
    """Windows line ends."""
    return data.replace(b"\n", b"\r\n")


def tabs(data: bytes) -> bytes:
    """Tabs for every four leading spaces."""
    return b"\n".join(_tabbed(line) for line in data.split(b"\n"))


def no_final_newline(data: bytes) -> bytes:
    """The last line without its end."""
    return data.rstrip(b"\n")


def bom(data: bytes) -> bytes:
    """A byte order mark in front."""
    return BOM + data


VARIANTS: dict[str, Callable[[bytes], bytes]] = {"crlf": crlf, "tabs": tabs, "no_final_newline": no_final_newline, "bom": bom}
"""What may be done to a file before or after its repair, with the same result."""


def _tabbed(line: bytes) -> bytes:
    bare = line.lstrip(b" ")
    return b"\t" * ((len(line) - len(bare)) // 4) + b" " * ((len(line) - len(bare)) % 4) + bare

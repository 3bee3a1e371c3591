"""The command lines by which Markdown, or what stands at the top of the script, shows people how a job is started."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from trainlint.documents.document import Document
from trainlint.documents.shell import read_shell
from trainlint.facts.launching.launches import Launch, launch_of
from trainlint.facts.program import Program
from trainlint.preflight.starters import hands_over

#: Bytes: nobody writes a larger one by hand.
_LARGEST = 1 << 20
_SUFFIXES = (".md", ".rst", ".mdx")
#: Folders of a project with such texts, besides those on the way to the script; so many of them are read.
_DOCUMENTATION = ("docs", "doc")
_MOST = 200
#: What stands before a command where one is shown: a prompt, a sign of a comment, of a quotation, of a list or of code.
_BEFORE = re.compile(r"(?:[\s#>*$`%]|-(?=\s)){0,40}")
#: HTML around a command, and the ends of what Markdown shows as code.
_AROUND = re.compile(r"</?[a-z]{1,10}>|`{1,8}\s{0,40}$")
#: Characters of a line that are looked at.
_LONGEST = 4000
#: How many lines a command goes on.
_MOST_LINES = 40


class Shown:
    """What the texts of a project show; ``beginning`` gives what stands in a script before its code."""

    def __init__(self, program: Program, beginning: Callable[[str], str]) -> None:
        self._program = program
        self._beginning = beginning
        self._texts: dict[str, list[tuple[str, str]]] = {}

    def lines(self, script: str) -> tuple[Launch, ...]:
        """The lines that start a script, by its absolute path: those of a launcher first, they say more than Python's."""
        stem = os.path.basename(script).removesuffix(".py")  # noqa: PTH119
        named = re.compile(rf"(?<![\w.-]){re.escape(stem)}\.py(?!\w)|-m\s+(?:[\w.]+\.)?{re.escape(stem)}(?![\w.])")
        found: list[Launch] = []
        for path, text in [(script, self._beginning(script)), *self._on_the_way(os.path.dirname(script))]:  # noqa: PTH120
            if stem in text:
                found += self._in(path, text, named, script)
        return tuple(sorted(found, key=lambda launch: all(each.kind == "python" for each in launch.launchers)))

    def _on_the_way(self, folder: str) -> Iterator[tuple[str, str]]:
        """The texts in a folder, in those above it up to the top of the project, and in its documentation."""
        top = self._program.finder.top
        while True:
            yield from self._texts_in(folder)
            above = os.path.dirname(folder)  # noqa: PTH120
            if len(folder) <= len(top) or above == folder:
                break
            folder = above
        for name in _DOCUMENTATION:
            yield from self._texts_in(os.path.join(folder, name))  # noqa: PTH118

    def _texts_in(self, folder: str) -> list[tuple[str, str]]:
        known = self._texts.get(folder)
        if known is None:
            known = self._texts[folder] = list(_texts(folder))
        return known

    def _in(self, path: str, text: str, named: re.Pattern[str], script: str) -> Iterator[Launch]:
        lines = text.split("\n")
        document = Document(path, text, "shell")
        for number, line in enumerate(lines):
            if named.search(line[:_LONGEST]) is None:
                continue
            first = last = number
            while first and number - first < _MOST_LINES and lines[first - 1].rstrip().endswith("\\"):
                first -= 1
            while last + 1 < len(lines) and last - number < _MOST_LINES and lines[last].rstrip().endswith("\\"):
                last += 1
            parts = (_AROUND.sub("", _BEFORE.sub("", each[:_LONGEST], count=1)) for each in lines[first : last + 1])
            command = " ".join(each.rstrip(" \t\r\\") for each in parts)
            script_there = read_shell(("\n" * first + command).encode("utf-8", "replace"))
            if script_there is None:
                continue
            for each in script_there.commands:
                launch = launch_of(self._program, document, script_there, each)
                if launch is not None and (launch.path == script or hands_over(launch, script)):
                    yield launch


def _texts(folder: str) -> Iterator[tuple[str, str]]:
    """The texts of a folder, each with its path; nothing of what cannot be read, and no links."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                each.name for each in entries if each.name.lower().endswith(_SUFFIXES) and each.is_file(follow_symlinks=False)
            )
    except OSError:
        return
    for name in names[:_MOST]:
        path = Path(folder, name)
        try:
            if path.stat().st_size <= _LARGEST:
                yield str(path), path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue

"""The command lines by which Markdown, notebooks, or what stands at the top of the script, shows people how a job is started."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from trainlint.documents.document import Document
from trainlint.documents.shell import read_shell
from trainlint.facts.launching.launches import Launch, launch_of
from trainlint.facts.program import Program
from trainlint.preflight.starting.starters import hands_over
from trainlint.preflight.starting.written import command_in, goes_on, of_notebook, set_above

#: Bytes: nobody writes a larger one by hand.
_LARGEST = 1 << 20
_SUFFIXES = (".md", ".rst", ".mdx", ".ipynb")
#: Folders of a project with such texts, besides those on the way to the script; so many of them are read.
_DOCUMENTATION = ("docs", "doc", "notebooks")
_MOST = 200
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
        named = re.compile(rf"(?<![\w.-]){re.escape(stem)}\.py(?!\w)|(?:-m|--module)\s+(?:[\w.]+\.)?{re.escape(stem)}(?![\w.])")
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
            while first and number - first < _MOST_LINES and goes_on(lines[first - 1], lines[first]):
                first -= 1
            while last + 1 < len(lines) and last - number < _MOST_LINES and goes_on(lines[last], lines[last + 1]):
                last += 1
            rows = [""] * first + [" ".join(command_in(each) for each in lines[first : last + 1])]
            for row, sets in set_above(lines, first):
                rows[row] = sets
            script_there = read_shell("\n".join(rows).encode("utf-8", "replace"))
            if script_there is None:
                continue
            for each in script_there.commands:
                launch = launch_of(self._program, document, script_there, each)
                if launch is None or any(word.text in ("-h", "--help", "--helpfull") for word in launch.arguments):
                    continue
                if launch.path == script or hands_over(launch, script):
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
                text = path.read_text(encoding="utf-8", errors="replace")
                yield str(path), of_notebook(text) if path.suffix.lower() == ".ipynb" else text
        except OSError:
            continue

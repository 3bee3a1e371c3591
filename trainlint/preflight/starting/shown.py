"""The command lines by which Markdown, notebooks, or what stands at the top of the script, shows people how a job is started.

Where none does: those in the documentation at any depth, in Makefiles, and in what runs when something is pushed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from trainlint.documents.document import Document
from trainlint.documents.shell import read_shell
from trainlint.facts.launching.launches import Launch, launch_of
from trainlint.facts.program import Program
from trainlint.preflight.starting.console import Spelled
from trainlint.preflight.starting.starters import hands_over
from trainlint.preflight.starting.written import command_in, goes_on, of_notebook, set_above

#: Bytes: nobody writes a larger one by hand.
_LARGEST = 1 << 20
_SUFFIXES = (".md", ".rst", ".mdx", ".ipynb")
#: Folders of a project with such texts, besides those on the way to the script; so many of them are read.
_DOCUMENTATION = ("docs", "doc", "notebooks")
_MOST = 200
#: So deep below documentation texts are looked for, in so many folders.
_DEEPEST, _MOST_FOLDERS = 4, 100
#: What tells a machine, and people too, how things are started.
_MAKES = ("Makefile", "makefile", "GNUmakefile", "justfile")
_WORKFLOWS = (".github/workflows",)
_RUNS = re.compile(r"^(\s{0,60})(?:-\s{1,4})?run:\s{1,4}(?=[^|>\s])", re.MULTILINE)
_RECIPE = re.compile(r"^\t[@+-]{1,3}", re.MULTILINE)
#: Characters of a line that are looked at.
_LONGEST = 4000
#: How many lines of a text that name the script are looked at: each of them is read as a script of a shell.
_MOST_NAMING = 60
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
        spelled = Spelled(self._program, script)
        named = re.compile(
            rf"(?<![\w.-]){re.escape(stem)}\.py(?!\w)|(?:-m|--module)\s+(?:[\w.]+\.)?{re.escape(stem)}(?![\w.])|{spelled.pattern}"
        )
        found: list[Launch] = []
        folder = os.path.dirname(script)  # noqa: PTH120
        for texts in ([(script, self._beginning(script)), *self._on_the_way(folder)], self._below(), self._made()):
            for path, text in texts:
                if any(each in text for each in (stem, *spelled.names)):
                    found += self._in(path, text, named, script, spelled)
            if any(each.document.path != script for each in found):  # what lies further away says less
                break
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

    def _below(self) -> Iterator[tuple[str, str]]:
        """The texts in the folders of the documentation."""
        for name in _DOCUMENTATION:
            waiting = [os.path.join(self._program.finder.top, name)]  # noqa: PTH118
            for _ in range(_DEEPEST):
                waiting = [inner for folder in waiting for inner in _folders(folder)][:_MOST_FOLDERS]
                for folder in waiting:
                    yield from self._texts_in(folder)

    def _made(self) -> Iterator[tuple[str, str]]:
        """What runs by ``make``, and when something is pushed; commands of it as they would be typed."""
        top = self._program.finder.top
        for name in _MAKES:
            for path, text in _read(Path(top, name)):
                yield path, _RECIPE.sub("\t", text).replace("$$", "$")
        for name in _WORKFLOWS:
            for path, text in _texts(os.path.join(top, name), (".yml", ".yaml")):  # noqa: PTH118
                yield path, _RUNS.sub(r"\1", text)

    def _texts_in(self, folder: str) -> list[tuple[str, str]]:
        known = self._texts.get(folder)
        if known is None:
            known = self._texts[folder] = list(_texts(folder))
        return known

    def _in(self, path: str, text: str, named: re.Pattern[str], script: str, spelled: Spelled) -> Iterator[Launch]:
        lines = text.split("\n")
        document = Document(path, text, "shell")
        naming = (number for number, line in enumerate(lines) if named.search(line[:_LONGEST]) is not None)
        for number in islice(naming, _MOST_NAMING):
            first = last = number
            while first and number - first < _MOST_LINES and goes_on(lines[first - 1], lines[first]):
                first -= 1
            while last + 1 < len(lines) and last - number < _MOST_LINES and goes_on(lines[last], lines[last + 1]):
                last += 1
            rows = [""] * first + [spelled.as_script(" ".join(command_in(each) for each in lines[first : last + 1]))]
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


def is_for_people(path: str) -> bool:
    """Whether a file is one that people read, and nothing runs what it shows."""
    return path.lower().endswith((*_SUFFIXES, ".py"))


def _texts(folder: str, suffixes: tuple[str, ...] = _SUFFIXES) -> Iterator[tuple[str, str]]:
    """The texts of a folder, each with its path; nothing of what cannot be read, and no links."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                each.name for each in entries if each.name.lower().endswith(suffixes) and each.is_file(follow_symlinks=False)
            )
    except OSError:
        return
    for name in names[:_MOST]:
        yield from _read(Path(folder, name))


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """A text with its path; nothing where it is not there, or cannot be read."""
    try:
        if path.is_file() and path.stat().st_size <= _LARGEST:
            text = path.read_text(encoding="utf-8", errors="replace")
            yield str(path), of_notebook(text) if path.suffix.lower() == ".ipynb" else text
    except OSError:
        return


def _folders(folder: str) -> list[str]:
    """The folders in one, without links and what is hidden."""
    try:
        with os.scandir(folder) as entries:
            return sorted(each.path for each in entries if each.is_dir(follow_symlinks=False) and each.name[:1] not in "._")
    except OSError:
        return []

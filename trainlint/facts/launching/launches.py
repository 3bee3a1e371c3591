"""The launch lines of a project: which launcher starts which script, with which options and arguments.

A line may hold several launchers, one in the other (``srun torchrun train.py``). Options are known by their names with hyphens,
however they are written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainlint.documents.shell import Assignment, Command, Script
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.expansion import Word
    from trainlint.facts.program import Program
    from trainlint.knowledge import Knowledge

#: Longer numbers count nothing.
_MOST_DIGITS = 9
_PYTHON = re.compile(r"python[\d.]*")
#: What stands for a program that is chosen by the environment.
_ANY_PYTHON = ("$PYTHON", "${PYTHON", "$python", "${python")


@dataclass(frozen=True)
class Option:
    """An option of a launcher, by its ``name`` with hyphens; ``value`` is None for one that stands alone."""

    name: str
    word: Word
    value: Word | None

    @property
    def text(self) -> str | None:
        """What its value is, as far as it is known."""
        return None if self.value is None else self.value.text

    @property
    def number(self) -> int | None:
        """Its value as a number, where it is one."""
        text = self.text
        return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


@dataclass(frozen=True)
class Launcher:
    """One launcher of a line: its ``kind`` (a word of the table ``launchers``), where it stands, its options."""

    kind: str
    word: Word
    options: tuple[Option, ...]

    def option(self, *names: str) -> Option | None:
        """The last of the options with one of these names: that one counts."""
        return next((option for option in reversed(self.options) if option.name in names), None)


@dataclass(frozen=True)
class Launch:
    """A line that starts a script.

    ``launchers`` are those of the line, the outermost first; ``target`` is the script or (``is_module``) the module,
    ``path`` its file in the project, if it is there. ``is_sure``: every word before the target is understood.
    """

    document: Document
    script: Script
    command: Command
    launchers: tuple[Launcher, ...]
    target: Word
    is_module: bool
    arguments: tuple[Word, ...]
    path: str | None = None
    is_sure: bool = True

    def launcher(self, *kinds: str) -> Launcher | None:
        """The innermost launcher of one of these kinds."""
        return next((each for each in reversed(self.launchers) if each.kind in kinds), None)

    def argument(self, *names: str) -> Option | None:
        """The last of the script's own options with one of these names (with hyphens, however it is written)."""
        found = None
        for number, word in enumerate(self.arguments):
            start = word.start if word.text is None else word.text
            name, equals, value = start.partition("=")
            if not name.startswith("-") or named(name) not in names:
                continue
            after = self.arguments[number + 1] if number + 1 < len(self.arguments) else None
            if equals:
                found = Option(named(name), word, word._replace(text=None if word.text is None else value, start=value))
            else:
                found = Option(named(name), word, None if after is None or (after.text or "").startswith("--") else after)
        return found

    def environment(self) -> Iterator[Assignment]:
        """What is set for the job: in the script before the line, and in the line itself."""
        yield from (each for each in self.script.assignments if each.exported and each.spot < self.command.spot)
        yield from self.command.environment


def named(option: str) -> str:
    """An option as the tables have it: ``--nproc_per_node`` is ``--nproc-per-node``."""
    return option.replace("_", "-") if option.startswith("--") else option


def launches(program: Program) -> tuple[Launch, ...]:
    """All launch lines of the run, by file and line."""
    words = read(program.knowledge, "launch")
    return tuple(each for document in program.documents.of(words, "shell", "container") for each in _in(document, program))


def launch_of(program: Program, document: Document, script: Script, command: Command) -> Launch | None:
    """The launch line that a command is, where it is one; ``document`` and ``script`` are what it stands in."""
    return _Reading(document, script, command, program).launch()


def _in(document: Document, program: Program) -> Iterator[Launch]:
    for script in document.scripts:
        for command in script.commands:
            launch = launch_of(program, document, script, command)
            if launch is not None:
                yield launch


@dataclass
class _Reading:
    """One command, read word by word."""

    document: Document
    script: Script
    command: Command
    program: Program
    launchers: list[Launcher] = field(default_factory=list)
    is_sure: bool = True

    @property
    def knowledge(self) -> Knowledge:
        return self.program.knowledge

    def launch(self) -> Launch | None:
        words = list(self.command.words)
        before = self.knowledge.tables["launchers.before"]["names"]
        while words and (words[0].text in before or "=" in (words[0].text or "").partition("/")[0]):
            words.pop(0)
        while words:
            kind = self._kind(words[0])
            if kind is None:
                break
            target = self._launcher(kind, words)
            if target is not None:
                is_module, word = target
                path = self._file(word, is_module=is_module)
                launchers = tuple(self.launchers)
                return Launch(
                    self.document, self.script, self.command, launchers, word, is_module, tuple(words), path, self.is_sure
                )
        return None

    def _kind(self, word: Word) -> str | None:
        """Which launcher a program is."""
        if word.text is None:
            return "python" if word.written.strip('"').startswith(_ANY_PYTHON) else None
        name = word.text.rpartition("/")[2]
        if _PYTHON.fullmatch(name):
            return "python"
        found = self.knowledge.tables["launchers"].get(name)
        return None if found is None else str(found)

    def _launcher(self, kind: str, words: list[Word]) -> tuple[bool, Word] | None:
        """Take a launcher with its options off the words; what it starts, if that is a script or a module."""
        word = words.pop(0)
        if kind == "accelerate" and words and words[0].text == "launch":
            words.pop(0)
        takes = self.knowledge.tables["launchers.values"].get(kind, [])
        two = self.knowledge.tables["launchers.two"]["names"]
        options: list[Option] = []
        module = False
        while words:
            text = words[0].text
            if text is None and words[0].start.startswith("-"):
                options.append(self._option(words.pop(0)))
                continue
            if text is None and words[0].many:
                self.is_sure = False
                words.pop(0)
                continue
            if text is None or not text.startswith("-") or text == "-":
                break
            option = words.pop(0)
            if text in ("-m", "--module") and kind != "srun":
                module = True
                if kind == "python":
                    break
                continue
            if "=" in text:
                options.append(self._option(option))
                continue
            value = words.pop(0) if words and (named(text) in takes or text in two) else None
            if text in two and words:
                words.pop(0)
            options.append(Option(named(text), option, value))
        self.launchers.append(Launcher(kind, word, tuple(options)))
        return self._target(module, words)

    def _option(self, word: Word) -> Option:
        name, _, value = word.start.partition("=")
        return Option(named(name), word, word._replace(text=None if word.text is None else value, start=value))

    def _target(self, module: bool, words: list[Word]) -> tuple[bool, Word] | None:
        if not words:
            return None
        text = words[0].text or ""
        if module:
            launcher = self.knowledge.tables["launchers"].get(text)
            if launcher is not None:
                return self._launcher(str(launcher), words)
            return True, words.pop(0)
        if text.endswith(".py") or (words[0].text is None and words[0].written.strip('"').endswith(".py")):
            return False, words.pop(0)
        return None

    def _file(self, word: Word, *, is_module: bool) -> str | None:
        """The file of the project that a line starts."""
        files = self.program.finder.files
        if word.text is None or not word.text:
            return None
        name = word.text.replace(".", "/") + ".py" if is_module else word.text
        folder = os.path.dirname(self.document.path)  # noqa: PTH120
        for start in _above(folder, self.program.finder.top):
            path = os.path.normpath(os.path.join(start, name))  # noqa: PTH118
            if path in files:
                return path
        ending = "/" + os.path.normpath(name).lstrip("./")
        ends = [path for path in files if path.endswith(ending)]
        return ends[0] if len(ends) == 1 else None


def _above(folder: str, top: str) -> Iterator[str]:
    """A folder and those above it up to the top."""
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if len(folder) <= len(top) or above == folder:
            return
        folder = above

"""The containers that a project starts: their image, their command, whether they have more shared memory than by default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.documents.expansion import Word
from trainlint.documents.shell import Command, Script, read_shell
from trainlint.facts.containers.manifests import manifests
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.facts.program import Program
    from trainlint.finding import Spot

_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash")
_PLACE = "/dev/shm"  # noqa: S108 - the place in the container


@dataclass(frozen=True)
class Running:
    """One container. ``words`` are its command, as a shell would see it; ``spot`` is where it is said that it is started.

    ``has_memory`` is None when that cannot be seen: a word of any content, something that is merged from elsewhere.
    """

    document: Document
    image: Word | None
    words: tuple[Word, ...]
    spot: Spot
    has_memory: bool | None

    @property
    def is_enough(self) -> bool:
        """Whether it may have more memory than by default, or gets more by its own command."""
        return self.has_memory is not False or any(_PLACE in word.written for word in self.words)

    def commands(self) -> Iterator[Command]:
        """The commands that it runs: its own, or those of ``bash -c "…"``."""
        texts = [word.text for word in self.words]
        if texts and texts[0] in _SHELLS:
            flag = next(
                (at for at, text in enumerate(texts) if (text or "").startswith("-") and (text or "").endswith("c")), None
            )
            inner = texts[flag + 1] if flag is not None and flag + 1 < len(texts) else None
            script = None if inner is None else read_shell(inner.encode())
            for command in () if script is None else script.commands:
                words = tuple(word._replace(spot=self.spot) for word in command.words)
                yield Command(words, self.spot, command.environment, command.conditional, command.tested)
        elif self.words:
            yield Command(self.words, self.spot)


def running(program: Program) -> Iterator[Running]:
    """All containers that the files of a run start, by file and place."""
    tables = program.knowledge.tables
    names = frozenset(tables["containers.run"]["names"])
    bare = frozenset(tables["containers.bare"]["names"])
    shared = frozenset(tables["containers.shared"]["names"])
    for document in program.documents.of(read(program.knowledge, "containers"), "shell", "yaml"):
        for script in document.scripts:
            for command in script.commands:
                found = _Line(command, names, bare, shared).running(document)
                if found is not None:
                    yield found
        if document.kind == "yaml":
            for service in manifests(document):
                yield Running(document, service.image, service.words, service.spot, service.has_memory)


class _Line:
    """A command, which may be ``docker run``."""

    def __init__(self, command: Command, names: frozenset[str], bare: frozenset[str], shared: frozenset[str]) -> None:
        self._command = command
        self._names, self._bare, self._shared = names, bare, shared

    def running(self, document: Document) -> Running | None:
        words = list(self._command.words)
        while words and words[0].text in ("sudo", "exec", "nohup", "-E"):
            words.pop(0)
        if len(words) < 2 or (words[0].text or "").rpartition("/")[2] not in self._names:  # noqa: PLR2004
            return None
        start = words.pop(0)
        if words and words[0].text == "container":
            words.pop(0)
        if not words or words.pop(0).text != "run":
            return None
        memory = self._options(words)
        image = words.pop(0) if words else None
        return Running(document, image, tuple(words), start.spot, memory)

    def _options(self, words: list[Word]) -> bool | None:
        """Take the options off the words; whether they give shared memory, None when one of them is not known."""
        memory: bool | None = False
        while words and (words[0].start.startswith("-") or words[0].text is None):
            word = words.pop(0)
            if not word.start.startswith("-"):
                return None  # an option or the image, of any content
            name, equals, _ = word.start.partition("=")
            taken = [word]
            if not equals and name not in self._bare and not self._cluster(name) and words:
                taken.append(words.pop(0))
            if name in self._shared or any(_PLACE in each.written or "shm" in each.written for each in taken):
                memory = True
            if any(each.many for each in taken):
                return None
        return memory

    def _cluster(self, name: str) -> bool:
        """Short options in one word: ``-it``, or one with its value, ``-v/data:/data``."""
        if name.startswith("--") or len(name) < 3:  # noqa: PLR2004
            return False
        last = "-" + name[-1]
        return last in self._bare or "-" + name[1] not in self._bare


def script_of(running: Running) -> Script:
    """What a command of a container stands in: nothing is set for it there."""
    return Script(commands=list(running.commands()))

"""The sizes that launch lines give for a job: degrees of parallelism, the model's own, the batch's, the processes.

They are options of Megatron-LM's scripts, and those that torchtitan takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainlint.jobs.launch_lines import Launch, Option, launches, named, processes

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.expansion import Word
    from trainlint.documents.shell import Assignment
    from trainlint.finding import Spot
    from trainlint.program.program import Program


@dataclass(frozen=True)
class Size:
    """A number that is written somewhere; ``written`` is how (``--num-layers 32``). A switch that is on is 1."""

    value: int
    document: Document
    spot: Spot
    written: str


@dataclass(frozen=True)
class Setup:
    """What is said of one job.

    ``family`` says whose sizes they are (a key of the table ``degrees.laws``), ``sizes`` are those that are known, by what they
    are (keys of ``degrees.megatron`` and so on); ``unknown`` are there with a value that is not. ``also`` are the other options,
    with hyphens. ``is_whole``: what is neither is at its default; ``is_job``: nothing of it is there for somebody to replace who
    takes it as a beginning. ``world`` is how many processes there are.
    """

    family: str
    sizes: Mapping[str, Size]
    unknown: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    is_whole: bool = True
    is_job: bool = True
    world: Size | None = field(default=None)

    def value(self, what: str, default: int | None = None) -> int | None:
        """A size, its default where it surely has that; None when it is not known."""
        size = self.sizes.get(what)
        if size is not None:
            return size.value
        return None if what in self.unknown or not self.is_whole else default

    def first(self, *names: str) -> Size | None:
        """The first of some sizes that is written and more than 1; else the first that is written."""
        there = [self.sizes[name] for name in names if name in self.sizes]
        return next((size for size in there if size.value > 1), there[0] if there else None)


_VARIABLE = re.compile(r"\$\{?(\w+)")
#: How words are called that may be any options.
_OPTIONS = re.compile(r"(?i)args|arguments|opt|extra|param|flag|config|cmd|\$[@*]")
_POSITIONAL = re.compile(r"[\"']?\$\{?\d")
#: Lines above one that may be about it.
_ABOVE = 8


def lines(program: Program) -> Iterator[Setup]:
    """One for each launch line that gives such sizes as options of Megatron-LM's."""
    table = program.knowledge.tables["degrees.megatron"]
    switches = program.knowledge.tables["degrees.switches"]["names"]
    marks = {f"--{name}" for name in program.knowledge.tables["degrees.marks"]["megatron"]}
    for launch in program.ask(launches):
        names = options(launch)
        if names.isdisjoint(marks):
            continue
        sizes: dict[str, Size] = {}
        unknown: set[str] = set()
        for what, spellings in table.items():
            option = launch.argument(*(f"--{name}" for name in spellings))
            if option is None:
                continue
            size = _switch(launch, option) if what in switches else _size(launch, option)
            if size is None or unfinished(program, launch, option.value):
                unknown.add(what)
            else:
                sizes[what] = size
        also = frozenset(name.lstrip("-") for name in names)
        yield Setup("megatron", sizes, frozenset(unknown), also, is_whole=_is_whole(launch), world=world(program, launch))


def options(launch: Launch) -> frozenset[str]:
    """The names of the script's own options in a line."""
    starts = ((word.start if word.text is None else word.text).partition("=")[0] for word in launch.arguments)
    return frozenset(named(start) for start in starts if start.startswith("--"))


def _size(launch: Launch, option: Option) -> Size | None:
    """What an option says."""
    if option.number is None:
        return None
    name = (option.word.text or option.word.start).partition("=")[0]
    return Size(option.number, launch.document, option.word.spot, f"{name} {option.number}")


def _switch(launch: Launch, option: Option) -> Size | None:
    """An option that stands alone, whatever comes behind it."""
    text = option.word.text
    return None if text is None or "=" in text else Size(1, launch.document, option.word.spot, text)


def _is_whole(launch: Launch) -> bool:
    """Whether all options of a line are seen: no word of it may stand for some more."""
    after = False
    for word in launch.arguments:
        is_open = word.text is None and word.many
        if is_open and (_OPTIONS.search(word.written) or (not after and _POSITIONAL.match(word.written))):
            return False
        start = word.start if word.text is None else word.text
        after = start.startswith("-") and "=" not in start
    return True


def world(program: Program, launch: Launch) -> Size | None:
    """How many processes a line starts, where it says so, and does not ask for another number."""
    launcher = launch.launcher("torchrun", "launch", "deepspeed")
    if launcher is None:
        return None
    if launcher.kind != "deepspeed" and launcher.option("--nproc-per-node") is None:
        return None
    count = processes(launch)
    counting = (
        option for option in launcher.options if option.name in ("--nproc-per-node", "--nnodes", "--num-gpus", "--num-nodes")
    )
    if count is None or any(unfinished(program, launch, option.value) for option in counting):
        return None
    return Size(count, launch.document, launch.command.spot, f"{count} processes")


def unfinished(program: Program, launch: Launch, word: Word | None) -> bool:
    """Whether a comment at the variable that a word is made of asks for another value."""
    waiting = [] if word is None else _VARIABLE.findall(word.written)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        made = _last(launch, name)
        if name in seen or made is None:
            continue
        seen.add(name)
        if _asks(program, launch, made.spot.line):
            return True
        waiting.extend(_VARIABLE.findall(made.value.written))
    return False


def _last(launch: Launch, name: str) -> Assignment | None:
    before = (each for each in launch.script.assignments if each.name == name and each.spot < launch.command.spot)
    return max(before, key=lambda each: each.spot, default=None)


def _asks(program: Program, launch: Launch, line: int) -> bool:
    """Whether a comment in a line (1-based), or in the paragraph above it, asks for a change."""
    words = program.knowledge.tables["degrees.unfinished"]["words"]
    text = launch.document.text.split("\n")
    number = min(line, len(text)) - 1
    for each in range(number, max(number - _ABOVE, -1), -1):
        if not text[each].strip():
            break
        comment = text[each].partition("#")[2].lower()
        if not text[each].startswith("#!") and any(word in comment for word in words):
            return True
    return False

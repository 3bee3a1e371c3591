"""The launch lines of a project: which launcher starts which script, with which options, files, processes and machines.

The batch system gives a line its nodes, and its tasks and GPUs on each.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainlint.documents.document import kind_of
from trainlint.documents.expansion import MOST_DIGITS
from trainlint.documents.shell import Assignment, Command, Directive, Script
from trainlint.finding import Spot
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.expansion import Word
    from trainlint.knowledge import Knowledge
    from trainlint.program.program import Program

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
        return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


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
        dotted = word.text.replace(".", "/")
        names = (f"{dotted}.py", f"{dotted}/__main__.py") if is_module else (word.text,)
        return next((path for name in names if (path := self._named(name, files)) is not None), None)

    def _named(self, name: str, files: Collection[str]) -> str | None:
        """The file of a name, from the folder of the line upwards; else the only one that ends so."""
        folder = self.document.folder
        for start in upwards(folder, self.program.finder.top):
            path = os.path.normpath(os.path.join(start, name))  # noqa: PTH118
            if path in files:
                return path
        ending = "/" + os.path.normpath(name).lstrip("./")
        ends = [path for path in files if path.endswith(ending)]
        return ends[0] if len(ends) == 1 else None


def upwards(folder: str, top: str) -> Iterator[str]:
    """A folder and those above it up to the top."""
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if len(folder) <= len(top) or above == folder:
            return
        folder = above


def named_documents(program: Program, launch: Launch) -> Iterator[tuple[Word, Document]]:
    """The configurations that a line names, as an argument of its own or behind ``--option=``, each with the word."""
    words = [
        *launch.arguments,
        *(option.value for each in launch.launchers for option in each.options if option.value is not None),
    ]
    for word in words:
        name = (word.text or "").rpartition("=")[2]
        if kind_of(name.rpartition("/")[2]) in ("json", "yaml", "toml"):
            document = _document(program, launch, name)
            if document is not None:
                yield word, document


def _document(program: Program, launch: Launch, name: str) -> Document | None:
    """The file of a name: seen from the launch line, from the script, or from a folder above them."""
    starts = (each for each in (launch.document.path, launch.path) if each is not None)
    return next((found for each in starts if (found := found_from(program, each, name)) is not None), None)


def found_from(program: Program, start: str, name: str) -> Document | None:
    """The document that a path in a file names: seen from the file's folder, or from one above it."""
    folders = upwards(os.path.dirname(start), program.finder.top)  # noqa: PTH120
    paths = (os.path.normpath(os.path.join(folder, name)) for folder in folders)  # noqa: PTH118
    return next((found for each in paths if (found := program.documents.at(each)) is not None), None)


def processes(launch: Launch) -> int | None:
    """How many processes a line starts in all, where it says so itself."""
    if not launch.is_sure:
        return None
    torchrun = launch.launcher("torchrun", "launch")
    if torchrun is not None:
        nodes, each = torchrun.option("--nnodes"), torchrun.option("--nproc-per-node")
        count = 1 if nodes is None else nodes.number
        own = 1 if each is None else each.number
        return None if count is None or own is None else count * own
    deepspeed = launch.launcher("deepspeed")
    if deepspeed is not None:
        return _of_deepspeed(launch)
    accelerate = launch.launcher("accelerate")
    if accelerate is not None:
        count_of = accelerate.option("--num-processes")
        return None if count_of is None else count_of.number
    return None


def _of_deepspeed(launch: Launch) -> int | None:
    """What ``--num_gpus`` says, on one node unless it says more; what is in a host file is not known."""
    deepspeed = launch.launcher("deepspeed")
    if deepspeed is None or deepspeed.option("-H", "--hostfile", "-e", "--exclude") is not None:
        return None
    gpus, nodes, include = deepspeed.option("--num-gpus"), deepspeed.option("--num-nodes"), deepspeed.option("-i", "--include")
    if include is not None:
        return _included(include.text or "")
    if gpus is None or gpus.number is None:
        return None
    count = 1 if nodes is None else nodes.number
    # Without a number of nodes it is that of /job/hostfile, if the machine has one: few lines that say `--num_gpus` mean that.
    return None if count is None else count * gpus.number


def _included(text: str) -> int | None:
    """``host:0,1@other:0``: how many GPUs that are."""
    total = 0
    for host in text.split("@"):
        _, colon, numbers = host.partition(":")
        if not colon or not all(number.strip().isdigit() for number in numbers.split(",")):
            return None
        total += len(numbers.split(","))
    return total


_GRES = re.compile(r"gpu(?::[A-Za-z][\w.-]*)?:(\d+)")
_GPUS = re.compile(r"(?<![\w.-])(?:[A-Za-z][\w.-]*:)?(\d+)")


@dataclass(frozen=True)
class Said:
    """A number and where it is said; ``number`` is None when something is said that is no number."""

    number: int | None
    spot: Spot | None = None
    text: str = ""


_UNSAID = Said(None)


@dataclass(frozen=True)
class Allocation:
    """What a line runs on; numbers are None where that is not known. ``tasks`` and ``gpus`` are those of one node."""

    nodes: Said
    tasks: Said
    gpus: Said


def allocation(launch: Launch) -> Allocation | None:
    """What a line runs on; None where no batch system is in sight."""
    step = launch.launcher("srun")
    orders = [each for each in launch.script.directives if each.system == "#SBATCH"]
    if step is None and not orders:
        return None
    if step is not None and not launch.is_sure:
        return Allocation(_UNSAID, _UNSAID, _UNSAID)
    nodes = _first(step, orders, ("-N", "--nodes"))
    tasks = _tasks(step, orders, nodes)
    if step is not None and (total := _of_step(step, ("-n", "--ntasks"))) is not None and not _of_step(step, ("-N", "--nodes")):
        # So few tasks need no more nodes.
        if total.number is None:
            nodes = Said(None, total.spot)
        elif nodes.number is not None and total.number < nodes.number:
            nodes = total
    return Allocation(nodes, tasks, _gpus(step, orders, nodes))


def _tasks(step: Launcher | None, orders: list[Directive], nodes: Said) -> Said:
    """How many tasks start on each node."""
    for where in (step, orders):
        each, total = (_allocation_in(where, names) for names in (("--ntasks-per-node", "--tasks-per-node"), ("-n", "--ntasks")))
        if total is not None:
            count = nodes.number
            if total.number is None or not count or total.number % count:
                return each or Said(None, total.spot) if total.number is None else _few(total, count)
            return Said(total.number // count, total.spot, total.text)
        if each is not None:
            return each
        if _allocation_in(where, ("--ntasks-per-gpu", "--ntasks-per-socket", "--ntasks-per-core")) is not None:
            return _UNSAID
    return Said(1)


def _few(total: Said, nodes: int | None) -> Said:
    """The tasks of a node when they do not come out even."""
    return Said(1, total.spot, total.text) if total.number == 1 or (nodes or 0) > (total.number or 0) else _UNSAID


def _gpus(step: Launcher | None, orders: list[Directive], nodes: Said) -> Said:
    """How many GPUs each node gives."""
    for where in (step, orders):
        each = _allocation_in(where, ("--gpus-per-node",), _GPUS)
        if each is not None:
            return each
        listed = _allocation_in(where, ("--gres",), _GRES)
        if listed is not None:
            return listed
        total = _allocation_in(where, ("-G", "--gpus"), _GPUS)
        if total is not None:
            count = nodes.number if nodes.number is not None else None if nodes.spot is not None else 1
            even = total.number is not None and count and total.number % count == 0
            return Said(total.number // count, total.spot, total.text) if even and total.number and count else _UNSAID
        if _allocation_in(where, ("--gpus-per-task", "--gpus-per-socket", "--ntasks-per-gpu"), _GPUS) is not None:
            return _UNSAID
    return _UNSAID


def _first(step: Launcher | None, orders: list[Directive], names: tuple[str, ...]) -> Said:
    return _allocation_in(step, names) or _allocation_in(orders, names) or _UNSAID


def _allocation_in(
    where: Launcher | list[Directive] | None, names: tuple[str, ...], form: re.Pattern[str] | None = None
) -> Said | None:
    """What is said by options of these names; None when nothing is."""
    if where is None:
        return None
    return _of_step(where, names, form) if isinstance(where, Launcher) else _of_orders(where, names, form)


def _of_step(step: Launcher, names: tuple[str, ...], form: re.Pattern[str] | None = None) -> Said | None:
    option = step.option(*names)
    return None if option is None else Said(_number(option.text or "", form), option.word.spot, option.word.written)


def _of_orders(orders: list[Directive], names: tuple[str, ...], form: re.Pattern[str] | None = None) -> Said | None:
    found = next((each for each in orders if each.option in names), None)  # of two that say the same the first counts for us
    if found is None or [each.value for each in orders if each.option == found.option] != [found.value]:
        return None if found is None else Said(None, found.spot)
    return Said(_number(found.value, form), found.spot, f"{found.system} {found.option}={found.value}")


def _number(text: str, form: re.Pattern[str] | None) -> int | None:
    match = (form or re.compile(r"(\d+)")).fullmatch(text.strip("\"'"))
    return int(match[1]) if match is not None and len(match[1]) <= MOST_DIGITS else None

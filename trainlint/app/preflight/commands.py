"""Commands that start a job: those of launch scripts, and those that documents and console entry points show."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from trainlint.app.preflight.line import Evidence
from trainlint.app.preflight.values.words import calls_of_library, known, terms_of
from trainlint.documents.document import Document
from trainlint.documents.shell import read_shell
from trainlint.documents.toml_tree import read_toml
from trainlint.documents.tree import Scalar
from trainlint.finding import Spot
from trainlint.ir.nodes import Const
from trainlint.ir.sketch import Function, Module
from trainlint.ir.terms import parts_of
from trainlint.jobs.launch_lines import Launch, launch_of, upwards
from trainlint.program.call_graph import last_name
from trainlint.program.imports import imported, module_of
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import in_tests

# Paths are plain strings here, as the program has them.
# ruff: noqa: PTH118, PTH119, PTH120


#: A script that a text names.
_SCRIPT = re.compile(r"(?<![\w./-])[\w./-]+\.py(?!\w)")
#: What processes are started with, before it is known what that is a function of.
_PROCESSES = frozenset(("subprocess", "os", "asyncio"))
_STARTS = re.compile(r"Popen|run|call|check_call|check_output|system|exec[vl]p?|spawnvp?|create_subprocess_exec")
#: The method that a library of submissions calls when a job is taken away.
_TAKEN_AWAY = "checkpoint"


class Starter(NamedTuple):
    """A script that starts another one, where it does; ``submits``: to a cluster, by a library.

    ``requeues`` is where it says what becomes of a job that is taken away.
    """

    path: str
    place: Spot
    submits: bool
    requeues: Evidence | None = None


def starters(program: Program, script: str) -> tuple[Starter, ...]:
    """Those of a script: the ones that submit it first."""
    found: dict[str, Starter] = {}
    for each in (*_submitting(program, script), *_spawning(program, script)):
        found.setdefault(each.path, each)
    return tuple(found.values())


def hands_over(launch: Launch, path: str) -> bool:
    """Whether a line starts a script of the project that is told to start another one: ``python spawn.py -n 8 ./train.py``."""
    folder = os.path.dirname(launch.document.path)
    before = launch.target
    for word in launch.arguments:
        name = word.text or ""
        if name.endswith(".py") and not before.start.startswith("-"):
            named = os.path.normpath(name)
            if path.endswith(f"{os.sep}{named.lstrip('./')}") or os.path.normpath(os.path.join(folder, named)) == path:
                return launch.path is not None and launch.path != path
        before = word
    return False


def _submitting(program: Program, script: str) -> Iterator[Starter]:
    """The scripts that import a library of submissions and the training, whose functions the job calls then."""
    libraries = known(program, "submits")
    for path, module in sorted(program.modules.items()):
        dotted = imported(module)
        if path == script or in_tests(path) or not any(each.partition(".")[0] in libraries for each in dotted):
            continue
        if script not in _brought(program, path, dotted):
            continue
        requeues, place = _requeues(program, path, module), Spot(1, 0, 1, 0)
        own = [call.term.site for function in module.functions.values() for call in calls_of(function)]
        submits = [
            call.term.site
            for function in module.functions.values()
            for call in calls_of(function)
            if (last_name(call.term.callee) or "").startswith("submit")
        ]
        if submits or requeues is not None:
            yield Starter(path, next(iter((*submits, *own)), place), submits=True, requeues=requeues)


def _brought(program: Program, path: str, dotted: list[str]) -> set[str]:
    """The files that a file imports, and those that a package of these hands on."""
    direct = {module_of(program.finder, path, each) for each in dotted} - {None}
    packages = [each for each in direct if each is not None and each.endswith("__init__.py") and each in program.modules]
    more = {module_of(program.finder, each, name) for each in packages for name in imported(program.modules[each])}
    return {each for each in direct | more if each is not None}


def _requeues(program: Program, path: str, module: Module) -> Evidence | None:
    """Where a class that is submitted says how its job goes on elsewhere."""
    names = {name.rpartition(".")[2] for name in known(program, "requeues")}
    for cls in module.classes.values():
        if _TAKEN_AWAY in cls.methods and "__call__" in cls.methods:
            for call in calls_of(module.functions[cls.methods[_TAKEN_AWAY]]):
                if last_name(call.term.callee) in names:
                    return Evidence(path, call.term.site, "a job that is taken away is submitted again")
    return None


def _spawning(program: Program, script: str) -> Iterator[Starter]:
    """The scripts that start another process of Python with this one, which they name."""
    name = os.path.basename(script)
    for site in calls_of_library(program, known(program, "starts-processes")):
        if site.module == script or in_tests(site.module):
            continue
        texts = (text for text in texts_of(site.function, program.modules[site.module]) if name in text)
        if any(_names(program, site.module, each, script) for text in texts for each in _SCRIPT.findall(text)):
            yield Starter(site.module, site.call.term.site, submits=False)


def named_scripts(module: Module) -> Iterator[str]:
    """The scripts that a file which starts processes names, as dotted names: ``tools.train`` for ``"tools/train.py"``."""
    starting = [
        function
        for function in module.functions.values()
        if any(_STARTS.fullmatch(last_name(call.term.callee) or "") for call in calls_of(function))
    ]
    for function in starting if not _PROCESSES.isdisjoint(each.partition(".")[0] for each in imported(module)) else ():
        for text in texts_of(function, module):
            for written in _SCRIPT.findall(text) if text.find(".py") > 0 else ():
                parts = written.lstrip("./").removesuffix(".py").split("/")
                if all(part.isidentifier() for part in parts):
                    yield ".".join(parts)


def _names(program: Program, path: str, written: str, script: str) -> bool:
    """Whether a name is that of a script: from the folder of who writes it, or because no other one is called so."""
    named = os.path.normpath(written)
    if os.path.normpath(os.path.join(os.path.dirname(path), named)) == script:
        return True
    ending = f"{os.sep}{named.lstrip('./')}"
    return script.endswith(ending) and sum(each.endswith(ending) for each in program.modules) == 1


def texts_of(function: Function, module: Module) -> Iterator[str]:
    """The texts that stand in a function of a file, or on its top level."""
    for part in parts_of(*terms_of(function), *(module.names.values() if function.name == "<module>" else ())):
        if isinstance(part, Const) and isinstance(part.value, str):
            yield part.value


# Paths are plain strings here, as the program has them.
# ruff: noqa: PTH120


#: Bytes: nobody writes a larger one by hand.
_LARGEST = 1 << 20
#: One script: its name, the module that it runs.
_ENTRY_POINT = re.compile(
    r"[\"']?([A-Za-z0-9][\w.-]{0,80})[\"']?[ \t]{0,40}=[ \t]{0,40}[\"']?([A-Za-z_][\w.]{0,200}):[\w.]{1,80}"
)
#: The tables of pyproject.toml in which scripts stand.
_TABLES = (("project", "scripts"), ("tool", "poetry", "scripts"), ("project", "gui-scripts"), ("tool", "flit", "scripts"))
_CONSOLE = "console_scripts"
_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
#: What finds an environment and runs a command in it; options of such; what runs the command behind it.
_RUNNERS = r"(?:uv|poetry|pdm|pipenv|pixi|hatch)\s{1,4}run"
_OPTIONS = r"(?:\s{1,4}--?[A-Za-z][\w-]{0,40}(?:=\S{0,80})?){0,8}\s{1,4}"
_CONSOLE_RUNS = (
    rf"(?:[A-Za-z_]\w{{0,60}}=\S{{0,200}}\s{{1,4}}){{0,8}}(?:(?:{_RUNNERS}|srun|nohup|time|exec|sudo|nice){_OPTIONS}){{0,3}}"
)
#: What is handed to a command, and does not go on a sentence.
_HANDED = r"(?=\s{1,40}(?:--?[A-Za-z]|\\?\s{0,40}$|[\w.+/-]{1,80}=|\S{1,200}\.(?:ya?ml|json|toml|gin|cfg)(?:\s|$)))"


def console_names(program: Program, script: str) -> tuple[str, ...]:
    """The names that start a script, by its absolute path, once the project is installed."""
    folders = upwards(os.path.dirname(script), program.finder.top)
    declared = ((folder, each) for folder in folders for each in program.ask_of(_scripts, folder))
    return tuple(dict.fromkeys(name for folder, (name, module) in declared if _is_of(module, folder, script)))


def _is_of(module: str, folder: str, script: str) -> bool:
    """Whether a module is a script, as packages lie in a project: at its top, or in a folder there."""
    ending = module.replace(".", os.sep) + ".py"
    if not script.endswith(os.sep + ending):
        return False
    between = os.path.relpath(script[: -len(ending)], folder)
    return between == os.curdir or os.sep not in between


def _scripts(_program: Program, folder: str) -> list[tuple[str, str]]:
    return list(_declared(folder))


def _declared(folder: str) -> Iterator[tuple[str, str]]:
    """The scripts that the files of a folder declare: name, module."""
    for name in _FILES:
        path = Path(folder, name)
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if name == "pyproject.toml":
            yield from _of_tables(text)
        elif name == "setup.cfg":
            yield from _in_entries(_entries_of(text))
        elif _CONSOLE in text:
            yield from _in_entries(text[text.index(_CONSOLE) :])


def _in_entries(text: str) -> Iterator[tuple[str, str]]:
    return ((each.group(1), each.group(2)) for each in _ENTRY_POINT.finditer(text))


def _entries_of(text: str) -> str:
    """What ``setup.cfg`` declares as console scripts."""
    read = configparser.RawConfigParser(strict=False)
    try:
        read.read_string(text)
    except configparser.Error:
        return ""
    return read.get("options.entry_points", _CONSOLE, fallback="")


def _of_tables(text: str) -> Iterator[tuple[str, str]]:
    root = read_toml(text.encode("utf-8", "replace"))
    for keys in _TABLES if root is not None else ():
        scripts = root.mapping(*keys) if root is not None else None
        for item in scripts.items if scripts is not None else ():
            module, colon, _ = str(item.value.value).partition(":") if isinstance(item.value, Scalar) else ("", "", "")
            if colon:
                yield str(item.key.value), module.strip()


class Spelled:
    """How lines spell a script by its names: ``net-train --lr 0.1``, ``torchrun $(which net-train)``."""

    def __init__(self, program: Program, script: str) -> None:
        self.names = console_names(program, script)
        any_of = "|".join(map(re.escape, self.names)) or r"(?!)"
        #: Whether a line may start it; the rest of the line is looked at then.
        self.pattern = rf"(?<![\w./-])(?:{any_of})(?![\w./=-])"
        self._which = re.compile(
            rf"\"?(?:\\?\$\(\s{{0,4}}(?:which|command -v)\s{{1,4}}(?:{any_of})\s{{0,4}}\)|`which (?:{any_of})`)\"?"
        )
        self._bare = re.compile(rf"\A({_CONSOLE_RUNS})(?:{any_of}){_HANDED}")
        self._path = shlex.quote(os.path.relpath(script, program.finder.top))

    def as_script(self, command: str) -> str:
        """A command with the script itself in place of its name, as its launcher takes it."""
        if not self.names:
            return command
        found = self._which.sub(lambda _: self._path, command)
        return self._bare.sub(lambda match: f"{_without_runner(match.group(1))}python {self._path}", found, count=1)


def _without_runner(before: str) -> str:
    """What stands before a command, without what only finds its environment: ``CUDA_VISIBLE_DEVICES=0 uv run``."""
    return re.sub(rf"(?<!\S){_RUNNERS}{_OPTIONS}", "", before)


#: What stands before a command where one is shown: a prompt, a sign of a comment, of a quotation, of a list or of code.
_BEFORE = re.compile(r"(?:[\s#>*$`%!]|-(?=\s)){0,40}")
#: A prompt that names an environment, or who works where; a cell that runs a script.
_PROMPT = re.compile(r"\s{0,20}(?:\([\w.-]{1,40}\)\s{1,4})?(?:[\w.-]{1,40}@[\w.-]{1,40}[:\s]?[~/\w.-]{0,80}\s?)?[$#]\s{1,4}")
_CELL = re.compile(r"\s{0,20}(?:%run(?:\s+-[a-z])?|!\s?\{sys\.executable\}|!\s?\$\{?sys\.executable\}?)(?=\s)")
#: A script that is started itself, with variables before it and options behind it: ``./recipe/train.py --world-size 4``.
_BARE = re.compile(
    r"\A((?:[A-Za-z_]\w{0,60}=\S{0,200}\s{1,4}){0,8})(?=[\w.~-]{0,60}/[\w./-]{1,200}\.py\s{1,40}(?:--?[A-Za-z]|\\$))"
)
#: HTML around a command, and the ends of what Markdown shows as code.
_AROUND = re.compile(
    r"</?(?:pre|code|b|i|br|p|span|div|details|summary|kbd|tt|li|td|a|strong|em|samp)(?:\s[^<>]{0,100})?/?>|`{1,8}\s{0,40}$"
)
#: What the reader has to fill in, where no quotes are around it: ``--data <path to the data>``.
_FILLED_IN = re.compile(r"(?<![\"'<\w])<(?=[^\s<>=&])[^<>|&;]{1,100}(?<!\s)>|(?<==)<(?=[^\s<>=&])[^<>|&;]{1,100}(?<!\s)>")
_QUOTED = re.compile(r"\"[^\"]{0,200}\"|'[^']{0,200}'")
_OPTION = re.compile(r"--[A-Za-z]")
_USAGE = re.compile(r"\s{0,20}usage\b", re.IGNORECASE)
#: An option has so many values at most; what has more is a sentence about it.
_MOST_VALUES = 3
_FENCES = ("```", "~~~", "<pre", "</pre")
_SETS = re.compile(
    r"[\s$!%>]{0,20}((?:export\s+|env\s+)?[A-Za-z_]\w{0,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s\"'`]{0,200}))\s{0,40}"
)
#: Characters of a line that are looked at; lines above a command in which its variables are set.
_WRITTEN_LONGEST, _ABOVE = 4000, 40


def command_in(line: str) -> str:
    """What a line of a text has of a command, without what only shows that it is one."""
    line = line[:_WRITTEN_LONGEST]
    cell = _CELL.match(line)
    if cell is not None:
        line = f"python{line[cell.end() :]}"
    prompt = _PROMPT.match(line)
    line = line[prompt.end() :] if prompt is not None else line
    line = _BARE.sub(r"\1python ", _AROUND.sub("", _BEFORE.sub("", line, count=1)), count=1)
    return _FILLED_IN.sub("${PLACEHOLDER}", line.rstrip(" \t\r").removesuffix(" ^").removesuffix(" `").rstrip(" \t\\"))


def goes_on(line: str, after: str) -> bool:
    """Whether a command goes on in the line after it: a sign at its end says so, or only options stand there."""
    ends = line[-_WRITTEN_LONGEST:].rstrip()
    if ends.endswith(("\\", " ^", " `")):
        return True
    return bool(ends) and _USAGE.match(line) is None and _holds_options(after)


def _holds_options(line: str) -> bool:
    """Whether a line consists of options and their values: ``--lr 0.1 --amp``, and no sentence on what ``--lr`` means."""
    text = line[:_WRITTEN_LONGEST].strip().lstrip(">").strip()
    if _OPTION.match(text) is None:
        return False
    values = 0
    for word in _QUOTED.sub("''", _FILLED_IN.sub("x", text)).split():
        values = 0 if word.startswith("-") and len(word) > 1 and not word[1].isdigit() else values + 1
        if values > _MOST_VALUES or word.rstrip(",:;") != word or word in ("|", "-", "=>"):
            return False
    return True


def set_above(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    """The lines above a command, in the same piece of code, in which variables of the shell are set."""
    for number in range(first - 1, max(-1, first - _ABOVE), -1):
        if lines[number].lstrip("> \t").startswith(_FENCES):
            return
        found = _SETS.fullmatch(lines[number][:_WRITTEN_LONGEST])
        if found is not None:
            yield number, found.group(1)


def of_notebook(text: str) -> str:
    """The cells of a notebook, each line where it stands in the file."""
    rows = []
    for row in text.split("\n"):
        written = row.strip().removesuffix(",")
        try:
            said = json.loads(written) if written.startswith('"') and len(written) <= _WRITTEN_LONGEST else ""
        except ValueError:
            said = ""
        rows.append(said.rstrip("\n").replace("\n", " ") if isinstance(said, str) else "")
    return "\n".join(rows)


_SUFFIXES = (".md", ".rst", ".mdx", ".ipynb")
#: Folders of a project with such texts, besides those on the way to the script.
_DOCUMENTATION = ("docs", "doc", "notebooks")
#: A link to another text.
_LINK = re.compile(r"\]\(((?:[\w.-]{1,80}/){1,9}[\w.-]{1,80}\.(?:md|rst))[)#]")
#: What tells a machine, and people too, how things are started.
_MAKES = ("Makefile", "makefile", "GNUmakefile", "justfile")
_WORKFLOWS = (".github/workflows",)
_SHOWN_RUNS = re.compile(r"^(\s{0,60})(?:-\s{1,4})?run:\s{1,4}(?=[^|>\s])", re.MULTILINE)
_RECIPE = re.compile(r"^\t[@+-]{1,3}", re.MULTILINE)
#: Characters of a line that are looked at.
_SHOWN_LONGEST = 4000


class Shown:
    """What the texts of a project show; ``beginning`` gives what stands in a script before its code."""

    def __init__(self, program: Program, beginning: Callable[[str], str]) -> None:
        self._program = program
        self._beginning = beginning
        self._texts: dict[str, list[tuple[str, str]]] = {}

    def lines(self, script: str) -> tuple[Launch, ...]:
        """The lines that start a script, by its absolute path: those of a launcher first, they say more than Python's."""
        stem = os.path.basename(script).removesuffix(".py")
        spelled = Spelled(self._program, script)
        named = re.compile(
            rf"(?<![\w.-]){re.escape(stem)}\.py(?!\w)|(?:-m|--module)\s+(?:[\w.]+\.)?{re.escape(stem)}(?![\w.])|{spelled.pattern}"
        )
        found: list[Launch] = []
        folder = os.path.dirname(script)
        near = [(script, self._beginning(script)), *self._on_the_way(folder)]
        for texts in (near, self._linked(folder), self._below(), self._made()):
            for path, text in texts:
                if any(each in text for each in (stem, *spelled.names)):
                    found += self._in(path, text, named, script, spelled)
            if any(each.document.path != script for each in found):  # what lies further away says less
                break
        return tuple(sorted(found, key=lambda launch: all(each.kind == "python" for each in launch.launchers)))

    def _on_the_way(self, folder: str) -> Iterator[tuple[str, str]]:
        """The texts in a folder, in those above it up to the top of the project, and in its documentation."""
        folders = [*upwards(folder, self._program.finder.top)]
        for each in (*folders, *(os.path.join(folders[-1], name) for name in _DOCUMENTATION)):
            yield from self._texts_in(each)

    def _linked(self, folder: str) -> Iterator[tuple[str, str]]:
        """The texts of the project to which those lead readers on: ``[how to train](assets/docs/training.md)``."""
        top, real = self._program.finder.top + os.sep, os.path.realpath(self._program.finder.top) + os.sep
        ways = (
            os.path.normpath(os.path.join(os.path.dirname(path), link))
            for path, text in self._on_the_way(folder)
            for link in _LINK.findall(text)
        )
        for way in dict.fromkeys(ways):
            is_own = way.startswith(top) and os.path.realpath(way) == real + way.removeprefix(top)
            yield from _read(Path(way)) if is_own else ()

    def _below(self) -> Iterator[tuple[str, str]]:
        """The texts in the folders of the documentation."""
        for name in _DOCUMENTATION:
            waiting = _folders(os.path.join(self._program.finder.top, name))
            for folder in waiting:  # which grows: outer folders first
                yield from self._texts_in(folder)
                waiting += _folders(folder)

    def _made(self) -> Iterator[tuple[str, str]]:
        """What runs by ``make``, and when something is pushed; commands of it as they would be typed."""
        top = self._program.finder.top
        for name in _MAKES:
            for path, text in _read(Path(top, name)):
                yield path, _RECIPE.sub("\t", text).replace("$$", "$")
        for name in _WORKFLOWS:
            for path, text in _texts(os.path.join(top, name), (".yml", ".yaml")):
                yield path, _SHOWN_RUNS.sub(r"\1", text)

    def _texts_in(self, folder: str) -> list[tuple[str, str]]:
        known = self._texts.get(folder)
        if known is None:
            known = self._texts[folder] = list(_texts(folder))
        return known

    def _in(self, path: str, text: str, named: re.Pattern[str], script: str, spelled: Spelled) -> Iterator[Launch]:
        lines = text.split("\n")
        document = Document(path, text, "shell")
        last = -1
        for number, line in enumerate(lines):
            if number <= last or named.search(line[:_SHOWN_LONGEST]) is None:
                continue
            first = last = number
            while first and goes_on(lines[first - 1], lines[first]):
                first -= 1
            while last + 1 < len(lines) and goes_on(lines[last], lines[last + 1]):
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
    for name in names:
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

"""The names by which an installed project starts its scripts, ``net-train = "net.scripts.train:main"``, and lines with them."""

# Paths are plain strings here, as the program has them.
# ruff: noqa: PTH120

from __future__ import annotations

import configparser
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from trainlint.documents.toml_tree import read_toml
from trainlint.documents.tree import Scalar
from trainlint.facts.program import Program

#: Bytes: nobody writes a larger one by hand.
_LARGEST = 1 << 20
#: One script: its name, the module that it runs.
_SCRIPT = re.compile(r"[\"']?([A-Za-z0-9][\w.-]{0,80})[\"']?[ \t]{0,40}=[ \t]{0,40}[\"']?([A-Za-z_][\w.]{0,200}):[\w.]{1,80}")
#: The tables of pyproject.toml in which scripts stand.
_TABLES = (("project", "scripts"), ("tool", "poetry", "scripts"), ("project", "gui-scripts"), ("tool", "flit", "scripts"))
_CONSOLE = "console_scripts"
_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
#: What finds an environment and runs a command in it; options of such; what runs the command behind it.
_RUNNERS = r"(?:uv|poetry|pdm|pipenv|pixi|hatch)\s{1,4}run"
_OPTIONS = r"(?:\s{1,4}--?[A-Za-z][\w-]{0,40}(?:=\S{0,80})?){0,8}\s{1,4}"
_RUNS = rf"(?:[A-Za-z_]\w{{0,60}}=\S{{0,200}}\s{{1,4}}){{0,8}}(?:(?:{_RUNNERS}|srun|nohup|time|exec|sudo|nice){_OPTIONS}){{0,3}}"
#: What is handed to a command, and does not go on a sentence.
_HANDED = r"(?=\s{1,40}(?:--?[A-Za-z]|\\?\s{0,40}$|[\w.+/-]{1,80}=|\S{1,200}\.(?:ya?ml|json|toml|gin|cfg)(?:\s|$)))"


def console_names(program: Program, script: str) -> tuple[str, ...]:
    """The names that start a script, by its absolute path, once the project is installed."""
    found: list[str] = []
    folder, top = os.path.dirname(script), program.finder.top
    while True:
        found += [name for name, module in program.ask_of(_scripts, folder) if _is_of(module, folder, script)]
        above = os.path.dirname(folder)
        if len(folder) <= len(top) or above == folder:
            return tuple(dict.fromkeys(found))
        folder = above


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
    return ((each.group(1), each.group(2)) for each in _SCRIPT.finditer(text))


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
        self._bare = re.compile(rf"\A({_RUNS})(?:{any_of}){_HANDED}")
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

"""Linters: how each is started on a file, which codes of ours its rules stand for, and what it says."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .rows import HERE

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LINE = re.compile(r"(?P<path>[^:\n]+):(?P<row>\d+):(?:\d+:)? (?P<rule>[A-Za-z][\w-]*)")


class Place(NamedTuple):
    """Lines of a file, 1-based; ``path`` is relative to the project, with slashes."""

    path: str
    first: int
    last: int


class Finding(NamedTuple):
    """What a linter said: the codes of ours that it may mean, where it said so, and the places that it names besides."""

    codes: frozenset[str]
    places: tuple[Place, ...]


class LinterFailedError(Exception):
    """A linter that crashed or took too long; the message says which."""


class Linter(NamedTuple):
    """A program that is started in the root of a project, on one file.

    In ``arguments``, ``{file}`` stands for the path, ``{rules}`` for those of its rules that name the bug and ``{codes}`` for
    ours that do, with commas. ``rules`` maps its rules to codes of ours; None means that it speaks of our codes itself. It has
    failed when it does not end with one of ``exits``, or not with 0 without a finding, or when it prints ``failure``.
    """

    name: str
    program: tuple[str, ...]
    arguments: tuple[str, ...]
    rules: Mapping[str, Collection[str]] | None
    exits: Collection[int] = (0, 1)
    failure: str | None = None

    def may_name(self, codes: Collection[str]) -> bool:
        """Whether it has a rule for one of these codes: if not, there is no need to ask it."""
        return self.rules is None or any(not set(codes).isdisjoint(ours) for ours in self.rules.values())

    def version(self) -> str:
        """What it answers to ``--version``, in one line, which may be empty. LinterFailedError if it does not start."""
        answer = _run([*self.program, "--version"], Path.cwd(), 60)
        return "" if answer.returncode else " ".join(answer.stdout.partition("\n")[0].split())

    def check(self, root: Path, path: str, codes: Collection[str], timeout: float) -> list[Finding]:
        """What it says of a file of a project, or LinterFailedError. ``timeout`` is in seconds."""
        rules = (rule for rule, ours in (self.rules or {}).items() if not set(codes).isdisjoint(ours))
        words = {"{file}": f"./{path}" if path.startswith("-") else path, "{codes}": ",".join(codes), "{rules}": ",".join(rules)}
        command = [re.sub(r"\{(file|codes|rules)\}", lambda each: words[each[0]], word) for word in self.arguments]
        answer = _run([*self.program, *command], root, timeout)
        if answer.returncode not in self.exits or (self.failure and self.failure in answer.stdout + answer.stderr):
            raise LinterFailedError("crash")
        found = list(self._read(root, answer.stdout))
        if answer.returncode and not found:  # such as Python itself ends when an exception is not caught
            raise LinterFailedError("crash")
        return found

    def _read(self, root: Path, said: str) -> Iterator[Finding]:
        if said.lstrip().startswith("["):
            try:
                yield from (_of_json(root, each) for each in json.loads(said))
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
                raise LinterFailedError("crash") from error
            return
        for each in _LINE.finditer(said):
            codes = [each["rule"]] if self.rules is None else self.rules.get(each["rule"], ())
            row = int(each["row"])
            yield Finding(frozenset(codes), (Place(_relative(root, each["path"]), row, row),))


def known() -> dict[str, Linter]:
    """The linters of ``linters.toml`` by name."""
    table = tomllib.loads((HERE / "linters.toml").read_text(encoding="utf-8"))
    return {name: _of_table(name, given) for name, given in table.items()}


def linter(name: str, program: str | None = None) -> Linter:
    """Return a linter by its name, or by a command with ``{file}`` in it, whose output has lines ``path:line: CODE message``.

    ``program`` is the command that starts it, where it is not on the PATH. ValueError when there is no such linter.
    """
    if name in known():
        found = known()[name]
        return found._replace(program=tuple(shlex.split(program))) if program else found
    if "{file}" not in name:
        raise ValueError(f"{name}: neither one of {', '.join(known())} nor a command with {{file}} in it")
    first, *others = shlex.split(name)
    like = known().get(Path(first).name)
    start, arguments = (first,), tuple(others)
    return like._replace(name=name, program=start, arguments=arguments) if like else Linter(name, start, arguments, None)


def _of_table(name: str, given: Mapping[str, Any]) -> Linter:
    first, *others = shlex.split(given["command"])
    return Linter(name, (first,), tuple(others), given.get("rules"), tuple(given.get("exits", (0, 1))), given.get("failure"))


def _run(command: list[str], folder: Path, timeout: float) -> subprocess.CompletedProcess[str]:
    # PYTHONSAFEPATH: python -m would import what lies in the folder, which is a stranger's.
    environment = {**os.environ, "PYTHONSAFEPATH": "1", "NO_COLOR": "1"}
    try:
        started = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise LinterFailedError("does not start") from error
    with started:
        try:
            out, err = started.communicate(timeout=timeout)
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)  # with the processes that it started
            if isinstance(error, subprocess.TimeoutExpired):
                raise LinterFailedError("timeout") from error
            raise
    return subprocess.CompletedProcess(command, started.returncode, out, err)


def _of_json(root: Path, given: Mapping[str, Any]) -> Finding:
    first = given["location"]["row"]
    last = (given.get("end_location") or given["location"])["row"]
    places = [Place(_relative(root, given["filename"]), first, last)]
    for each in given.get("related") or ():
        row = each["location"]["row"]
        places.append(Place(_relative(root, each["filename"]), row, row))
    return Finding(frozenset([given["code"]]), tuple(places))


def _relative(root: Path, path: str) -> str:
    return Path(os.path.relpath(root / path, root)).as_posix()

"""Runs of the real command on a folder of files, for the tests of bad input: in this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click.testing

from trainlint.app.cli.main import main

# On a machine that does nothing else, the slowest of these runs takes 4 s.
SECONDS = 20

OTHER = "zz_other.py"
OTHER_CODE = """\
import torch.distributed as dist


def save(rank):
    if rank == 0:
        dist.barrier()


save(dist.get_rank())
"""
OTHER_FOUND = ("TL101", 6, 9)


class Found(NamedTuple):
    """One finding: its code, and its 1-based line and column."""

    code: str
    line: int
    column: int


class Outcome(NamedTuple):
    """What a run left behind; ``messages`` and ``found`` by file name, in the order of the report."""

    code: int
    found: dict[str, list[Found]]
    messages: dict[str, list[str]]
    stderr: str


def write(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    """Write ``files`` (texts as UTF-8, newlines as they stand) and the file that has a finding of its own."""
    for name, content in {OTHER: OTHER_CODE, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def check(folder: Path, *words: str | Path) -> Outcome:
    """Run ``trainlint check`` on the folder, in this process. Fails on a crash and on a run that takes too long."""
    started = time.perf_counter()
    given = ["check", "--isolated", "--output-format", "json", *map(str, words or (folder,))]
    done = click.testing.CliRunner().invoke(main, given, prog_name="trainlint")
    assert time.perf_counter() - started < SECONDS
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return outcome(done.exit_code, done.stdout, done.stderr)


def check_in_process_of_its_own(folder: Path, *words: str | Path) -> Outcome:
    """Run ``trainlint check`` on the folder as users do. Fails on a process that dies and on a run that takes too long."""
    command = [sys.executable, "-m", "trainlint", "check", "--isolated", "--output-format", "json", *map(str, words or (folder,))]
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        encoding="utf-8",
        timeout=3 * SECONDS,
        check=False,
    )
    return outcome(done.returncode, done.stdout, done.stderr)


def outcome(code: int, stdout: str, stderr: str) -> Outcome:
    assert "Traceback" not in stdout + stderr, stderr
    assert "internal error" not in stderr, stderr
    found: dict[str, list[Found]] = {}
    messages: dict[str, list[str]] = {}
    for each in json.loads(stdout or "[]"):
        name = Path(each["filename"]).name
        found.setdefault(name, []).append(Found(each["code"], each["location"]["row"], each["location"]["column"]))
        messages.setdefault(name, []).append(each["message"])
    assert "TL005" not in {one.code for many in found.values() for one in many}, messages
    return Outcome(code, found, messages, stderr)


def findings_of(outcome: Outcome, name: str = "hostile.py") -> list[Found]:
    """The findings in one file, after making sure that the run was a whole one: the other file's finding is there."""
    assert outcome.code == 1, outcome
    assert outcome.stderr == ""
    assert outcome.found.get(OTHER) == [OTHER_FOUND]
    assert set(outcome.found) <= {name, OTHER}
    return outcome.found.get(name, [])

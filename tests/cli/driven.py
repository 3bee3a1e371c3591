"""Drives the program as a user does: a process of its own, in a folder of its own."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import click.testing

from trainlint.app.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
_LEFT_OUT = {"GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR", "COLUMNS"}


def environment(**more: str) -> dict[str, str]:
    """The environment of the tests without what would change the output, and with the checkout to import from."""
    return {name: value for name, value in os.environ.items() if name not in _LEFT_OUT} | {"PYTHONPATH": str(ROOT), **more}


def trainlint(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run ``trainlint`` with these words; ``more`` goes into the environment."""
    command = (
        [sys.executable, "-P", "-m", "trainlint", *words]
        if sys.version_info >= (3, 11)
        else [sys.executable, "-m", "trainlint", *words]
    )
    done = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", check=False, env=environment(**more), timeout=300
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def run_here(folder: Path, words: Sequence[str], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The command in this process, which stands in that folder and has that environment meanwhile. Raises what it raises.

    Most of what a process of its own costs is loading the command. It is not for what starts workers, or reads a terminal.
    """
    before = Path.cwd()
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, variables, clear=True):
            done = click.testing.CliRunner().invoke(main, list(words), prog_name="trainlint")
    finally:
        os.chdir(before)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def check(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """``trainlint check --isolated`` of the folder, findings one a line."""
    return trainlint(folder, "check", "--isolated", "--output-format", "concise", *words, **more)


def found(folder: Path, *words: str) -> list[dict[str, Any]]:
    """The findings as the JSON format gives them."""
    objects: list[dict[str, Any]] = json.loads(trainlint(folder, "check", "--isolated", "--output-format", "json", *words).stdout)
    return objects


def on_terminal(folder: Path, columns: int, *words: str, **more: str) -> str:
    """What ``trainlint`` writes when it runs on a terminal of that width."""
    return terminal(folder, columns, [sys.executable, "-m", "trainlint", *words], b"", **more)


def terminal(folder: Path, columns: int, command: list[str], typed: bytes, **more: str) -> str:
    """What a program writes on a terminal of that width, where these keys are pressed; it must end by itself."""
    reader, writer = pty.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = {"TERM": "xterm-256color"} | more
    process = subprocess.Popen(
        command, cwd=folder, stdin=writer, stdout=writer, stderr=writer, env=environment(**settings), start_new_session=True
    )
    os.close(writer)
    os.write(reader, typed)
    written = b""
    try:
        while piece := os.read(reader, 1 << 16):
            written += piece
    except OSError:  # Linux says so when the last writer is gone
        pass
    finally:
        os.close(reader)
        process.wait(60)
    return written.decode("utf-8").replace("\r\n", "\n")

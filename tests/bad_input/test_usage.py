"""Mistakes on the command line and in the configuration: exit code 2, one sentence with the nearest that exists."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click.testing
import pytest

from tests.bad_input.running import OTHER_CODE
from trainlint.app.cli.main import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file to check, to be run in."""
    (tmp_path / "train.py").write_text(OTHER_CODE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*words: str) -> str:
    """What a run that must be refused says: on stderr, without a traceback, with no finding on stdout."""
    done = click.testing.CliRunner().invoke(main, ["check", *words], prog_name="trainlint")
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    return done.stderr


COMMAND_LINES = {
    ("--slect", "TL101"): ["No such option", "--slect", "--select"],
    ("--output-format", "sarif2"): ["sarif2", "concise"],
    ("--jobs", "0"): ["--jobs", "0"],
    ("--jobs", "many"): ["--jobs", "many"],
    ("--select", "TL1011"): ["command line: select: ", "TL1011", 'did you mean "TL101"?'],
    ("--ignore", "rank-conditional-colective"): ["command line: ignore: ", 'did you mean "rank-conditional-collective"?'],
    ("--select", "F401"): ["command line: select: ", "F401"],
    ("--config", "selekt = ['ALL']"): ["selekt", 'did you mean "select"?'],
    ("--config", "select = "): ["select = ", "TOML"],
    ("--config", "missing.toml"): ["missing.toml"],
    ("-", "train.py"): ["stdin"],
    ("no\0such",): ["null"],
}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("words", COMMAND_LINES)
def test_a_wrong_command_line(words: tuple[str, ...]) -> None:
    said = refused(*words)
    assert [part for part in COMMAND_LINES[words] if part not in said] == []


def test_a_wrong_command() -> None:
    done = click.testing.CliRunner().invoke(main, ["chekc", "train.py"], prog_name="trainlint")
    assert done.exit_code == 2
    assert "Did you mean 'check'?" in done.stderr


CONFIGURATIONS = {
    "broken TOML": ("[tool.trainlint\nselect = 3\n", ["is not valid TOML", "line 1"]),
    "bytes that are no text": (b"[tool.trainlint]\nselect = ['\xff']\n", ["is not UTF-8", "line 2"]),
    "a misspelt key": ("[tool.trainlint]\nextend-selct = ['TL101']\n", ["extend-selct", 'did you mean "extend-select"?']),
    "a misspelt table": ("[tool.trainlint.per-file-ignore]\n'x.py' = ['TL101']\n", ['did you mean "per-file-ignores"?']),
    "a wrong type": ("[tool.trainlint]\nselect = 'ALL'\n", ["select", "must be an array", "a string"]),
    "a wrong type in a list": ("[tool.trainlint]\nexclude = ['a', 3]\n", ["exclude", "an integer"]),
    "an unknown code": ("[tool.trainlint]\nignore = ['TL1O1']\n", ["ignore", "TL1O1", 'did you mean "TL101"?']),
    "an unknown level": ("[tool.trainlint.levels]\nTL101 = 'eror'\n", ["levels.TL101", "eror", 'did you mean "error"?']),
    "a wrong version": ("[tool.trainlint.target-versions]\ntorch = 'new'\n", ["target-versions.torch", "new"]),
    "an unknown knowledge table": (
        "[tool.trainlint.knowledge.colectives]\n'mylib.sync' = 1\n",
        ["knowledge.colectives", 'did you mean "collectives"?'],
    ),
    "a wrong knowledge value": (
        "[tool.trainlint.knowledge.collectives]\n'mylib.sync' = 'yes'\n",
        ['knowledge.collectives."mylib.sync"', "must be the position of the group argument"],
    ),
    "an unknown rank": (
        "[tool.trainlint.knowledge.ranks]\n'mylib.me' = 'rnak'\n",
        ['knowledge.ranks."mylib.me"', "rnak", 'did you mean "rank"?'],
    ),
    "knowledge that is no table": ("[tool.trainlint]\nknowledge = 3\n", ["knowledge", "must be a table"]),
    "a knowledge table that is none": (
        "[tool.trainlint.knowledge]\ncollectives = 3\n",
        ["knowledge.collectives: must be a table"],
    ),
    "names that are no list": (
        "[tool.trainlint.knowledge.exits]\nnames = 'mylib.quit'\n",
        ["knowledge.exits.names: must be a list of strings"],
    ),
    "a misspelt key of a knowledge table": (
        "[tool.trainlint.knowledge.exits]\nname = ['mylib.quit']\n",
        ["knowledge.exits.name: there is no such key", 'did you mean "names"?'],
    ),
    "not a table": ("[tool]\ntrainlint = 3\n", ["tool.trainlint", "must be a table"]),
    "nested without end": ("[tool.trainlint]\nselect = " + "[" * 100_000 + "\n", ["pyproject.toml"]),
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_broken_configuration_is_named_with_its_file(project: Path, name: str) -> None:
    content, expected = CONFIGURATIONS[name]
    (project / "pyproject.toml").write_bytes(content.encode() if isinstance(content, str) else content)
    said = refused("train.py")
    assert [part for part in ("pyproject.toml", *expected) if part not in said] == []


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_broken_configuration_can_be_left_out(project: Path, name: str) -> None:
    content, _ = CONFIGURATIONS[name]
    (project / "pyproject.toml").write_bytes(content.encode() if isinstance(content, str) else content)
    done = click.testing.CliRunner().invoke(main, ["check", "--isolated", "--output-format", "concise", "-q", "train.py"])
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.startswith("train.py:6:9: TL101 ")


def test_the_tables_of_others_may_be_as_they_like(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.other]\nselect = 3\n[tool.trainlint]\nignore = ['TL101']\n")
    done = click.testing.CliRunner().invoke(main, ["check", "train.py"], prog_name="trainlint")
    assert (done.exit_code, done.output) == (0, "All checks passed!\n")


def test_a_working_directory_that_was_deleted(project: Path) -> None:
    (project / "gone").mkdir()
    there = [
        "sh",
        "-c",
        'cd gone && rmdir ../gone && exec "$0" -P -m trainlint check "$1"',
        sys.executable,
        str(project / "train.py"),
    ]
    done = subprocess.run(there, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the current directory cannot be read" in done.stderr
    assert "Traceback" not in done.stderr

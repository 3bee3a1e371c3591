"""The flake8 plugin, found by its entry point and run by the real flake8 in a process of its own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.frontends.conftest import BAD, CALLER, HARDCODED, HELPER
from tests.frontends.environments import Environment

FOUND = re.compile(r"(?P<place>[^:]+:\d+:\d+): (?P<code>[A-Z]+\d+) (?P<text>.*)")


class Flake8:
    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def run(self, folder: Path, *words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        return self.environment.run("-m", "flake8", *words, cwd=folder, given=given)

    def found(self, folder: Path, *words: str, given: str | None = None) -> list[tuple[str, str]]:
        """Place and code of everything that flake8 says, sorted; an error in flake8 or in us fails."""
        done = self.run(folder, *words, given=given)
        assert done.stderr == ""
        lines = [FOUND.fullmatch(line) for line in done.stdout.splitlines()]
        assert all(lines), done.stdout
        assert done.returncode == bool(lines)
        return sorted((line["place"].removeprefix("./"), line["code"]) for line in lines if line)


@pytest.fixture
def flake8(plain: Environment) -> Flake8:
    return Flake8(plain)


def test_it_is_there_without_being_asked_for(flake8: Flake8, project: Path) -> None:
    assert re.search(r"trainlint: \d", flake8.run(project, "--version").stdout)
    assert flake8.found(project) == [("bad.py:6:9", "TL101")]


@pytest.mark.heavy
def test_the_message_is_the_first_line_and_no_place_is_joined_to_it(flake8: Flake8, project: Path) -> None:
    said = "TL101 `barrier` runs on rank 0 only and hangs there: the other ranks never reach it"
    assert said in [line.partition(" ")[2] for line in flake8.run(project, "bad.py").stdout.splitlines()]


@pytest.mark.heavy
def test_what_is_off_in_trainlint_is_off_until_it_is_asked_for(flake8: Flake8, project: Path) -> None:
    (project / "bad.py").write_text(HARDCODED, encoding="utf-8")
    assert flake8.found(project, "--select", "TL") == []
    assert flake8.found(project, "--select", "TL113") == [("bad.py:5:5", "TL113")]
    (project / "trainlint.toml").write_text("preview = true\n", encoding="utf-8")
    assert flake8.found(project, "--select", "TL") == [("bad.py:5:5", "TL113")]


@pytest.mark.heavy
def test_selectors_decide(flake8: Flake8, project: Path) -> None:
    assert flake8.found(project, "--select", "TL") == [("bad.py:6:9", "TL101")]
    assert flake8.found(project, "--select", "TL101") == [("bad.py:6:9", "TL101")]
    assert flake8.found(project, "--select", "TL2") == []
    assert flake8.found(project, "--select", "E") == []
    assert flake8.found(project, "--extend-ignore", "TL1") == []


@pytest.mark.heavy
def test_noqa_and_per_file_ignores(flake8: Flake8, project: Path) -> None:
    (project / "quiet.py").write_text(BAD.replace("barrier()", "barrier()  # noqa: TL101"), encoding="utf-8")
    (project / "whole.py").write_text("# flake8: noqa: TL101\n" + BAD, encoding="utf-8")
    (project / "ours.py").write_text(BAD.replace("barrier()", "barrier()  # trainlint: ignore[TL101]"), encoding="utf-8")
    assert flake8.found(project, "--select", "TL1") == [("bad.py:6:9", "TL101")]
    assert flake8.found(project, "--select", "TL1", "--per-file-ignores", "bad.py:TL101") == []
    everything = flake8.found(project, "--select", "TL1", "--disable-noqa")
    assert [place for place, _ in everything] == ["bad.py:6:9", "ours.py:6:9", "quiet.py:6:9", "whole.py:7:9"]


@pytest.mark.heavy
def test_the_configuration_of_trainlint_counts(flake8: Flake8, project: Path) -> None:
    (project / "trainlint.toml").write_text('ignore = ["TL101"]\n', encoding="utf-8")
    assert flake8.found(project) == []


@pytest.mark.heavy
def test_a_wrong_configuration_is_said(flake8: Flake8, project: Path) -> None:
    (project / "trainlint.toml").write_text('ignore = ["TL999"]\n', encoding="utf-8")
    done = flake8.run(project, "bad.py")
    assert done.stdout.startswith("bad.py:1:1: TL000 ")
    assert "TL999" in done.stdout
    assert done.returncode == 1


@pytest.mark.heavy
def test_facts_come_from_the_whole_project(flake8: Flake8, project: Path) -> None:
    (project / "sync.py").write_text(HELPER, encoding="utf-8")
    (project / "main.py").write_text(CALLER, encoding="utf-8")
    assert flake8.found(project, "main.py") == [("main.py:6:9", "TL101")]
    assert flake8.found(project, "sync.py") == []


@pytest.mark.heavy
def test_two_processes_find_the_same(flake8: Flake8, project: Path) -> None:
    (project / "sync.py").write_text(HELPER, encoding="utf-8")
    for number in range(5):
        (project / f"main{number}.py").write_text(CALLER, encoding="utf-8")
    expected = [("bad.py:6:9", "TL101"), *((f"main{number}.py:6:9", "TL101") for number in range(5))]
    assert flake8.found(project, "-j", "2") == expected
    assert flake8.found(project, "-j", "1") == expected


def test_standard_input(flake8: Flake8, project: Path) -> None:
    (project / "sync.py").write_text(HELPER, encoding="utf-8")
    (project / "main.py").write_text("X = 1\n", encoding="utf-8")
    # An editor's unsaved text: what is on the disk does not count for this file, and does for the others.
    assert flake8.found(project, "--stdin-display-name", "main.py", "-", given=CALLER) == [("main.py:6:9", "TL101")]
    assert flake8.found(project, "--stdin-display-name", "bad.py", "-", given="X = 1\n") == []
    assert flake8.found(project, "-", given=BAD) == [("stdin:6:9", "TL101")]


@pytest.mark.heavy
@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_other_encodings(flake8: Flake8, project: Path, encoding: str) -> None:
    text = f"# -*- coding: {encoding} -*-\nNAME = 'größe'\n" + BAD
    (project / "bad.py").write_bytes(text.encode(encoding))
    assert flake8.found(project, "--select", "TL1") == [("bad.py:8:9", "TL101")]
    assert flake8.found(project, "--select", "TL1", "--stdin-display-name", "bad.py", "-", given="X = 1\n" + BAD) == [
        ("bad.py:7:9", "TL101")
    ]


@pytest.mark.heavy
def test_a_file_that_is_no_python_is_flake8s_business(flake8: Flake8, project: Path) -> None:
    (project / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert ("bad.py:6:9", "TL101") in flake8.found(project)
    assert not [code for place, code in flake8.found(project, "broken.py") if code.startswith("TL")]

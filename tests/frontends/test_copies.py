"""Linters with several processes check a project once, where these processes are copies of the first."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from tests.frontends.environments import Environment

pytestmark = pytest.mark.heavy

#: A rule that says in which processes it was asked.
RULE = """\
import os
from trainlint.authoring import Level, Rule

RULE = Rule(
    code="YY001", name="some-name", summary="s", level=Level.WARNING, certainty="flow", fix="none",
    needs=("collective",), since="1.0",
)


@RULE.find
def find(program):
    with open(os.environ["ASKED"], "a") as asked:
        asked.write(f"{os.getpid()}\\n")
    yield from ()
"""
ENABLED = "--enable=rank-conditional-collective"
BAD = "import torch.distributed as dist\n\n\ndef save(rank):\n    if rank == 0:\n        dist.barrier()\n"


@pytest.mark.parametrize(
    "words",
    [
        ("-m", "flake8", "--select", "TL,YY"),
        (
            "-m",
            "pylint",
            "--load-plugins=trainlint.pylint_plugin",
            "--disable=all",
            "--enable=some-name,rank-conditional-collective",
        ),
    ],
)
def test_the_project_is_checked_once(tmp_path: Path, words: tuple[str, ...]) -> None:
    environment = Environment(tmp_path / "environment")
    package = environment.packages / "yy_rules"
    (package / "pages").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "yy001_some_name.py").write_text(RULE)
    (package / "pages" / "YY001-some-name.md").touch()
    environment.register("yy-rules", "1.0", "[trainlint.rules]\nYY = yy_rules\n")
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    names = [f"file{number}.py" for number in range(6)]
    for name in names:
        (project / name).write_text(BAD)
    asked = tmp_path / "asked"
    done = environment.run(*words, "-j", "2", *names, cwd=project, ASKED=str(asked))
    assert [name for name in names if f"{name}:6" not in done.stdout] == []
    processes = asked.read_text().split()
    assert len(processes) == len(set(processes))
    if multiprocessing.get_context().get_start_method() == "fork":
        assert len(processes) == 1
    else:
        assert len(processes) <= 3

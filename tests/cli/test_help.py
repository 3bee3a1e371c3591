"""``--help`` as a manual: complete, in sections, and fit for the terminal."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.driven import environment, on_terminal, trainlint
from trainlint.app.cli.check import SECTIONS, check

COMMANDS = (
    (),
    ("check",),
    ("preflight",),
    ("sweep",),
    ("rule",),
    ("explain",),
    ("config",),
    ("server",),
    ("generate-shell-completion",),
)


@pytest.mark.heavy
@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("columns", [80, 200])
def test_help_fits_the_terminal(tmp_path: Path, words: tuple[str, ...], columns: int) -> None:
    text = on_terminal(tmp_path, columns, *words, "--help")
    lines = text.splitlines()
    assert text.startswith("Usage: trainlint ")
    # The one who asks for a wide window does not want to read across all of it.
    assert max(map(len, lines)) <= min(columns, 110)
    assert not [line for line in lines if line != line.rstrip()]
    assert "\b" not in text
    assert "\\" not in text


def test_the_sections_of_check(tmp_path: Path) -> None:
    text = trainlint(tmp_path, "check", "--help", COLUMNS="80").stdout
    headings = re.findall(r"^([A-Z][^\n]*):$", text, re.MULTILINE)
    assert headings == [*SECTIONS, "Examples", "Comments in the code", "Exit codes", "Environment"]
    # One column: what the options do stands below each other in all sections.
    starts = {match.start(1) for match in re.finditer(r"^  -\S.*?  +(\S)", text, re.MULTILINE)}
    columns = {start - text.rfind("\n", 0, start) for start in starts}
    assert len(columns) == 1


def test_every_option_stands_in_exactly_one_section(tmp_path: Path) -> None:
    text = trainlint(tmp_path, "check", "--help", COLUMNS="200").stdout
    named = [name for names in SECTIONS.values() for name in names]
    assert len(named) == len(set(named))
    assert {parameter.name for parameter in check.params} - set(named) == {"paths", "version"}
    for parameter in check.params:
        if parameter.name != "paths":
            (switch,) = {option for option in parameter.opts if option.startswith("--")}
            written = f"--[no-]{switch[2:]}" if parameter.secondary_opts else switch
            assert len(re.findall(rf"^  (?:-\w, )?{re.escape(written)} ", text, re.MULTILINE)) == 1, written


@pytest.mark.heavy
def test_the_examples_work(tmp_path: Path) -> None:
    """Each line of the examples that needs no repository is run."""
    (tmp_path / "train.py").touch()
    (tmp_path / "a.py").touch()
    (tmp_path / "src").mkdir()
    text = trainlint(tmp_path, "check", "--help").stdout
    examples = re.findall(r"^  (trainlint check.*)$", text.partition("Examples:")[2], re.MULTILINE)
    assert len(examples) == 8
    for example in examples:
        if "--diff-base" not in example:
            command = example.replace("trainlint", f"{sys.executable} -m trainlint", 1)
            shell = ["bash", "-c", command]
            done = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment())
            assert done.returncode == 0, (example, done.stderr)


@pytest.mark.heavy
def test_exit_codes_are_those_of_the_manual(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "import torch.distributed as dist\nif dist.get_rank() == 0:\n    dist.barrier()\n", encoding="utf-8"
    )
    assert trainlint(tmp_path, "check", "--isolated").returncode == 1
    assert trainlint(tmp_path, "check", "--isolated", "--diff", "--unsafe-fixes").returncode == 1
    assert trainlint(tmp_path, "check", "--isolated", "--nope").returncode == 2
    assert trainlint(tmp_path, "check", "--isolated", "nowhere.py").returncode == 2
    assert trainlint(tmp_path, "check", "--isolated", "--fix", "--unsafe-fixes").returncode == 0


def test_statistics_are_ruffs(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "import torch.distributed as dist\nif dist.get_rank() == 0:\n    dist.barrier()\n"
        "x = 1  # trainlint: ignore[TL301]\ny = 1  # trainlint: ignore[TL301]\n",
        encoding="utf-8",
    )
    done = trainlint(tmp_path, "check", "--isolated", "--statistics")
    assert done.returncode == 1
    assert done.stdout.startswith("2\tTL002\t[*] unused-suppression\n1\tTL101\t[*] rank-conditional-collective\n")
    assert done.stdout.endswith("Found 1 error and 2 warnings.\n[*] 3 fixable with the `--fix` option.\n")

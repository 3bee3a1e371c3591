"""Settings in files that are not read: the user is told so, and what to write instead; wrong bases end the run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from trainlint.config import find_settings
from trainlint.config.find import speaking_of_us

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SECTION = """\
[metadata]
name = x

[tool:trainlint]
select = TL1, TL201
    missing-set-epoch
extend_exclude =
    old/
    "odd"
preview = yes
fix = off
jobs = 4
output-format = concise
per-file-ignores =
    tests/*: TL1, TL2
    "a".py = ALL
levels =
    TL801 = error
"""


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("import os\n")
    return tmp_path


def said(run: Run, *words: str) -> str:
    done = run("check", "code", *words)
    assert done.exit_code == 0, done.output
    return done.stderr


@pytest.mark.parametrize(
    ("name", "section"),
    [("setup.cfg", "tool:trainlint"), ("setup.cfg", "trainlint"), ("tox.ini", "trainlint"), ("tox.ini", "tool:trainlint")],
)
def test_a_section_that_is_not_read(run: Run, clean: Path, name: str, section: str) -> None:
    (clean / name).write_text(f"[{section}]\nselect = TL1\n")
    warning = (
        f"warning: {clean / name}: the section [{section}] is not read. "
        'Write into pyproject.toml (into trainlint.toml without "tool.trainlint"):\n'
        '    [tool.trainlint]\n    select = ["TL1"]\n'
    )
    assert said(run) == warning
    assert warning in said(run, "--show-settings")
    assert said(run, "--quiet") == said(run, "--isolated") == ""


def test_what_it_tells_to_write_says_the_same(run: Run, clean: Path) -> None:
    (clean / "setup.cfg").write_text(SECTION)
    lines = [line[4:] for line in said(run).splitlines()[1:]]
    (clean / "pyproject.toml").write_text("\n".join(lines))
    settings = find_settings(clean / "code")
    assert settings.select == ("TL1", "TL201", "missing-set-epoch")
    assert settings.extend_exclude == ("old/", '"odd"')
    assert (settings.preview, settings.fix, settings.jobs, settings.output_format) == (True, False, 4, "concise")
    assert settings.per_file_ignores == {"tests/*": ("TL1", "TL2"), '"a".py': ("ALL",)}
    assert settings.levels == {"TL801": "error"}
    assert tomllib.loads("\n".join(lines))["tool"]["trainlint"]["jobs"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "[flake8]\nextend-select = TL\n# trainlint",
        "[metadata]\nname = trainlint",
        "[tool:trainlinter]\nx = 1",
        "trainlint",
        "\xff trainlint",
    ],
)
def test_files_without_our_section_are_nobodys_business(run: Run, clean: Path, text: str) -> None:
    (clean / "setup.cfg").write_text(text, encoding="latin-1")
    assert said(run) == ""


def test_where_it_looks(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "a"
    inner.mkdir(parents=True)
    for folder in (tmp_path, inner.parent, inner):
        (folder / "tox.ini").write_text("[trainlint]\n")
    everywhere = [inner / "tox.ini", inner.parent / "tox.ini", tmp_path / "tox.ini"]
    assert speaking_of_us(inner, None)[:3] == everywhere
    assert speaking_of_us(inner, inner.parent) == everywhere[:2]
    (inner.parent / ".git").mkdir()
    assert speaking_of_us(inner, None) == everywhere[:2]


def test_a_wrong_base_is_a_wrong_configuration(run: Run, clean: Path) -> None:
    (clean / "trainlint.toml").write_text('extend = "../nowhere/base.toml"\n')
    done = run("check", "code")
    assert done.exit_code == 2
    assert done.stderr == (
        f'Error: {clean / "trainlint.toml"}: extend: "../nowhere/base.toml" is not a file; '
        "the path is relative to the folder of this one\n"
    )


def test_a_baseline_that_a_base_names(run: Run, clean: Path) -> None:
    (clean / "trainlint.toml").write_text('baseline = "known.json"\n')
    (clean / "code" / "trainlint.toml").write_text('extend = "../trainlint.toml"\n')
    assert run("check", "code", "--write-baseline", "known.json").exit_code == 0
    assert said(run) == ""
    (clean / "trainlint.toml").write_text('baseline = "../known.json"\n')
    done = run("check", "code")
    assert done.exit_code == 2
    assert "outside of its folder" in done.stderr

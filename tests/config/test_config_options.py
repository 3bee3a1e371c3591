"""The table of options explains itself, and --show-settings prints what is in force."""

from __future__ import annotations

import dataclasses
import sys

import pytest

from trainlint.app.engine.driver import check
from trainlint.config import ConfigError, Overrides, Settings, find_settings
from trainlint.config.options import OPTIONS, describe, show

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NOT_OPTIONS = {"root", "file", "bases", "codes", "named", "counted", "likely", "code_levels", "origins"}


def test_options_are_the_fields_of_settings():
    assert [option.field for option in OPTIONS.values()] == [
        field.name for field in dataclasses.fields(Settings) if field.name not in NOT_OPTIONS
    ]


@pytest.mark.parametrize("key", OPTIONS)
def test_default_and_example_are_valid(key, tmp_path):
    option = OPTIONS[key]
    settings = Settings(tmp_path)
    value = getattr(settings, option.field)
    if value is not None:
        parsed = tomllib.loads(f"x = {option.default}")["x"]
        assert (tuple(parsed) if isinstance(value, tuple) else parsed) == value
    example = option.example if option.example.startswith("[") else f"[tool.trainlint]\n{option.example}"
    (tmp_path / "trainlint.toml").touch()  # for the example of extend
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(example)
    assert getattr(find_settings(folder), option.field) != value, "an example that changes nothing shows nothing"


@pytest.mark.parametrize("key", OPTIONS)
def test_describe(key):
    text = describe(key)
    assert text.startswith(f"{key}\n")
    assert " ".join(OPTIONS[key].description.split()) in " ".join(text.split())
    for part in (f"Default: {OPTIONS[key].default}", f"Type: {OPTIONS[key].type}", "[tool.trainlint"):
        assert part in text


def test_describe_all():
    for columns in (80, 200):
        lines = describe(columns=columns).splitlines()
        assert [line.split()[0] for line in lines if line[0] != " "] == list(OPTIONS)
        assert max(map(len, lines)) <= columns
        said = " ".join(describe(columns=columns).split())
        assert all(" ".join(option.description.split()) in said for option in OPTIONS.values())


def test_describe_unknown():
    with pytest.raises(ConfigError, match='selct: there is no such option; did you mean "select"'):
        describe("selct")


def test_show_is_toml_with_origins(tmp_path):
    file = tmp_path / "trainlint.toml"
    file.write_text(
        'select = ["TL1"]\nignore = ["TL101"]\nexclude = ["a \\"b\\" \\\\ \\u007f ü"]\n'
        '[knowledge."my lib"]\nx = [1, 2.5, true, 2020-01-01, {y = "z"}]\n'
    )
    settings = find_settings(tmp_path, Overrides({"jobs": 2, "ignore": ["TL102"]}))
    text = show(settings)
    table = tomllib.loads(text)
    for key, option in OPTIONS.items():
        value = getattr(settings, option.field)
        assert table.get(key) == (list(value) if isinstance(value, tuple) else value)
    lines = text.splitlines()
    assert lines[0] == f"# configuration file: {file}"
    assert f'select = ["TL1"]  # {file}' in lines
    assert f'ignore = ["TL101", "TL102"]  # {file} and command line' in lines
    assert "jobs = 2  # command line" in lines
    assert "fix = false  # default" in lines
    (on,) = (line for line in lines if line.startswith("# rules that are on: "))
    assert on.startswith("# rules that are on: TL103 TL104 ")
    (advice,) = (line for line in lines if line.startswith("# rules that are off, advice: "))
    assert " TL801 " in advice
    assert advice.endswith("  # --advice")


def test_show_the_defaults(tmp_path):
    text = show(Settings(tmp_path))
    assert "# configuration file: none" in text
    assert "# select: every rule of level error or warning  # default" in text
    assert "# jobs: one for each processor  # default" in text


def test_the_example_of_knowledge_teaches_a_collective(tmp_path):
    (tmp_path / "pyproject.toml").write_text(OPTIONS["knowledge"].example)
    code = tmp_path / "save.py"
    code.write_text(
        "import torch.distributed\nfrom mylib import dist\n\n\n"
        "def save():\n    if torch.distributed.get_rank() == 0:\n        dist.sync()\n"
    )
    found = check([code], find_settings(tmp_path)).findings
    assert [(finding.code, finding.span.line) for finding in found] == [("TL101", 7)]
    assert check([code], Settings(tmp_path)).findings == []

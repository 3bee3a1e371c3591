"""Every mistake in a configuration is named with its place, its key and what was probably meant; nothing hangs or crashes."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import pytest

from trainlint.config import ConfigError, Overrides, find_settings
from trainlint.config.errors import quoted
from trainlint.config.settings import FORMATS


def mistakes(folder: Path, data: str | bytes, name: str = "trainlint.toml") -> list[str]:
    """Return what is wrong, without the place."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(ConfigError) as caught:
        find_settings(folder)
    assert {problem.where for problem in caught.value.problems} == {str(path)}
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}: ") for line in lines)
    return [line.removeprefix(f"{path}: ") for line in lines]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("selct = []", 'selct: there is no such option; did you mean "select"?'),
        ("per_file_ignores = {}", 'per_file_ignores: there is no such option; did you mean "per-file-ignores"?'),
        ('"a b" = 1', '"a b": there is no such option'),
        ('select = "TL1"', "select: must be an array of strings, not a string"),
        ("select = [1]", "select[0]: must be a string, not an integer"),
        ('select = [["TL1"]]', "select[0]: must be a string, not an array"),
        ('ignore = ["TL1", "TL1O1"]', 'ignore: unknown rule selector "TL1O1"; did you mean "TL101"?'),
        (
            'extend-select = ["mising-set-epoch"]',
            'extend-select: unknown rule selector "mising-set-epoch"; did you mean "missing-set-epoch"?',
        ),
        ("fix = 1", "fix: must be a boolean (true or false), not an integer"),
        ('fix = "yes"', "fix: must be a boolean (true or false), not a string"),
        ("jobs = true", "jobs: must be an integer, not a boolean"),
        ("jobs = 1.5", "jobs: must be an integer, not a float"),
        ("jobs = 0", "jobs: must be between 1 and 256, not 0"),
        ("max-seconds = 0", "max-seconds: must be a number of seconds, more than 0, not 0"),
        ("max-seconds = -1.5", "max-seconds: must be a number of seconds, more than 0, not -1.5"),
        ("max-seconds = nan", "max-seconds: must be a number of seconds, more than 0, not nan"),
        ("max-seconds = inf", "max-seconds: must be a number of seconds, more than 0, not inf"),
        ("max-seconds = true", "max-seconds: must be a number, not a boolean"),
        ('max-seconds = "10"', "max-seconds: must be a number, not a string"),
        ("jobs = 100000", "jobs: must be between 1 and 256, not 100000"),
        ("jobs = 2020-01-01", "jobs: must be an integer, not a date or time"),
        (
            'output-format = "jsn"',
            f'output-format: "jsn" is none of {quoted(FORMATS)}; did you mean "json"?',
        ),
        ("levels = 3", "levels: must be a table, not an integer"),
        ('levels.TL101 = "eror"', 'levels.TL101: "eror" is none of "error", "warning", "advice", "off"; did you mean "error"?'),
        ("levels.TL101 = [[]]", "levels.TL101: must be a string, not an array"),
        ('levels.TL1O1 = "off"', 'levels.TL1O1: unknown rule selector "TL1O1"; did you mean "TL101"?'),
        (
            'per-file-ignores."tests/*" = ["TL1O1"]',
            'per-file-ignores."tests/*": unknown rule selector "TL1O1"; did you mean "TL101"?',
        ),
        ('per-file-ignores."tests/*" = "TL1"', 'per-file-ignores."tests/*": must be an array of strings, not a string'),
        ("exclude = ['ok', '!']", 'exclude: "!" is not a glob as .gitignore has them'),
        ("exclude = ['[z-a]']", 'exclude: "[z-a]" is not a glob as .gitignore has them'),
        ("per-file-ignores.'![z-a]' = []", 'per-file-ignores."![z-a]": "[z-a]" is not a glob as .gitignore has them'),
        ("exclude = [1]", "exclude[0]: must be a string, not an integer"),
        ('target-versions.torhc = ">=2"', 'target-versions.torhc: there is no framework of this name; did you mean "torch"?'),
        ('target-versions.pytorch = ">=2"', 'target-versions.pytorch: there is no framework of this name; did you mean "torch"?'),
        ("target-versions.torch = 2.4", "target-versions.torch: must be a string, not a float"),
        (
            'target-versions.torch = "2.4"',
            'target-versions.torch: "2.4" is not a version range; write ">=2.4", "==2.4.*" or ">=2.4,<3"',
        ),
        ('target-versions.torch = ">=2.6,<2.4"', 'target-versions.torch: no version satisfies ">=2.6,<2.4"'),
        ('target-versions = {torch-xla = ">=2", torch_xla = "<3"}', 'target-versions.torch_xla: "torch-xla" is given twice'),
        ("knowledge = []", "knowledge: must be a table, not an array"),
        (f"knowledge.a = {'[' * 20}{']' * 20}", "knowledge: is nested more than 16 levels deep"),
    ],
)
def test_one_mistake(tmp_path, text, expected):
    assert mistakes(tmp_path, text) == [expected]


def test_all_mistakes_at_once_and_in_a_pyproject(tmp_path):
    text = '[tool.trainlint]\nselct = []\njobs = "x"\n[tool.trainlint.levels]\nTL101 = 1\n'
    assert mistakes(tmp_path, text, "pyproject.toml") == [
        'tool.trainlint.selct: there is no such option; did you mean "select"?',
        "tool.trainlint.jobs: must be an integer, not a string",
        "tool.trainlint.levels.TL101: must be a string, not an integer",
    ]


def test_our_table_must_be_a_table(tmp_path):
    assert mistakes(tmp_path, "tool.trainlint = 3", "pyproject.toml") == ["tool.trainlint: must be a table, not an integer"]


def test_knowledge_is_checked_by_whoever_reads_it(tmp_path):
    (tmp_path / "trainlint.toml").write_text("[knowledge.mylib]\ncolectives = []\n")

    def check(knowledge):
        assert knowledge == {"mylib": {"colectives": []}}
        yield "mylib.colectives", "there is no such table"

    with pytest.raises(ConfigError) as caught:
        find_settings(tmp_path, check_knowledge=check)
    assert str(caught.value) == f"{tmp_path / 'trainlint.toml'}: knowledge.mylib.colectives: there is no such table"
    assert find_settings(tmp_path).knowledge == {"mylib": {"colectives": []}}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("select = [", "is not valid TOML: "),
        ("jobs = 1\njobs = 2", "is not valid TOML: "),
        (b"# \xc3\xbc\nx = '\xff'", "is not UTF-8: byte 0xff in line 2"),
        (b"jobs = 1\0", "is not valid TOML: "),
        ("x = " + "[" * 100_000, "is nested too deeply"),
        ("x = " + "{a=" * 50_000, "is nested too deeply"),
        ("a" + ".a" * 100_000 + " = 1", "has a key of more than 32 parts"),
        ("[a" + ". 'a b'" * 30_000 + "]", "has a key of more than 32 parts"),
        ("x = {b" + ' . "\\"a"' * 30_000 + " = 1}", "has a key of more than 32 parts"),
        ("jobs = " + "1" * 100_000, ""),
        ("x = '" + "x" * 300_000 + "'", "is larger than 256 kB"),
        ('x = "' + '\\"' * 100_000, "is not valid TOML: "),
        ("x" * 200_000, "is not valid TOML: "),
        ("\n".join(f"[a.b.c{index}]" for index in range(15_000)), "a: there is no such option"),
    ],
)
def test_hostile_files(tmp_path, data, expected):
    began = time.perf_counter()
    (first, *_) = mistakes(tmp_path, data)
    assert first.startswith(expected)
    assert time.perf_counter() - began < 10


def test_keys_of_many_parts_in_strings_are_fine(tmp_path):
    (tmp_path / "trainlint.toml").write_text(f"exclude = [\"a{'.a' * 50}\", 'b{'.b' * 50}']\n")
    assert len(find_settings(tmp_path).exclude or ()) == 2


def test_file_that_cannot_be_read(tmp_path, monkeypatch):
    path = tmp_path / "trainlint.toml"
    path.write_text("")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("trainlint.config.merge.read_bytes", refuse)
    with pytest.raises(ConfigError, match=r"trainlint\.toml: cannot be read: Permission denied"):
        find_settings(tmp_path)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("selct=[]", '--config selct=[]: selct: there is no such option; did you mean "select"?'),
        ("jobs=", "--config jobs=: is not valid TOML: "),
        ("output-format=json", "a string needs quotes: 'output-format = \"json\"'"),
        ("no such file", 'command line: --config: "no such file" is neither a file nor KEY=VALUE'),
        ("a\0=1", "is not valid TOML"),
        ("knowledge" + ".a" * 40 + "=1", "has a key of more than 32 parts"),
    ],
)
def test_pairs(tmp_path, pair, expected):
    with pytest.raises(ConfigError) as caught:
        find_settings(tmp_path, Overrides(config=(pair,)))
    assert expected in str(caught.value)


def test_flags_are_checked(tmp_path):
    with pytest.raises(ConfigError) as caught:
        find_settings(tmp_path, Overrides({"select": ("TL1O1",)}))
    assert str(caught.value) == 'command line: select: unknown rule selector "TL1O1"; did you mean "TL101"?'
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert copy.problems == caught.value.problems

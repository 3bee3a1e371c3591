"""A configuration that builds on another one: what holds, from which file, and where the paths of each start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trainlint.app.engine.project import import_roots, options_of
from trainlint.config import ConfigError, Overrides, Settings, find_settings
from trainlint.config.options import show
from trainlint.source.discover import discover

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def extended(folder: Path, base: str, inner: str = "") -> Settings:
    """The settings of ``folder/train``, whose configuration extends the one in ``folder``."""
    write(folder / "trainlint.toml", base)
    write(folder / "train" / "trainlint.toml", f'extend = "../trainlint.toml"\n{inner}')
    return find_settings(folder / "train")


def wrong(folder: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        find_settings(folder)
    (line,) = str(caught.value).splitlines()
    return line


# ---- what holds -----------------------------------------------------------------------------------------------------


def test_the_base_holds_where_the_file_says_nothing(tmp_path):
    settings = extended(tmp_path, 'jobs = 3\npreview = true\nselect = ["TL1"]', "preview = false")
    assert (settings.jobs, settings.preview, settings.select) == (3, False, ("TL1",))
    assert settings.root == tmp_path / "train"
    assert settings.file == tmp_path / "train" / "trainlint.toml"
    assert settings.bases == (tmp_path / "trainlint.toml",)


def test_lists_replace(tmp_path):
    settings = extended(tmp_path, 'select = ["TL1"]\nignore = ["TL101"]\nexclude = ["a"]', 'ignore = ["TL102"]\nexclude = ["b"]')
    assert (settings.select, settings.ignore, settings.exclude) == (("TL1",), ("TL102",), ("b",))
    assert {"TL101", "TL103"} <= settings.codes
    assert "TL102" not in settings.codes


@pytest.mark.parametrize("key", ["extend-select", "extend-ignore", "extend-exclude"])
def test_extending_lists_add(tmp_path, key):
    settings = extended(tmp_path, f'{key} = ["TL801"]', f'{key} = ["TL802"]')
    assert getattr(settings, key.replace("-", "_")) == ("TL801", "TL802")
    assert settings.origins[key] == f"{tmp_path / 'trainlint.toml'} and {tmp_path / 'train' / 'trainlint.toml'}"


def test_tables_are_merged(tmp_path):
    base = '[levels]\nTL801 = "error"\nTL802 = "error"\n[knowledge.collectives]\n"a.sync" = -1'
    settings = extended(tmp_path, base, '[levels]\nTL802 = "off"\n[knowledge.collectives]\n"b.sync" = 0')
    assert settings.levels == {"TL801": "error", "TL802": "off"}
    assert settings.knowledge == {"collectives": {"a.sync": -1, "b.sync": 0}}
    assert "TL801" in settings.codes


def test_chains_and_pyproject(tmp_path):
    write(tmp_path / "all.toml", 'jobs = 1\nsrc = ["all"]\nextend-select = ["TL801"]')
    write(tmp_path / "team" / "pyproject.toml", '[tool.trainlint]\nextend = "../all.toml"\njobs = 2\nextend-select = ["TL802"]')
    write(tmp_path / "mine" / "pyproject.toml", '[tool.trainlint]\nextend = "../team/pyproject.toml"\nextend-select = ["TL803"]')
    settings = find_settings(tmp_path / "mine")
    assert settings.jobs == 2
    assert settings.extend_select == ("TL801", "TL802", "TL803")
    assert settings.extend == "../team/pyproject.toml"
    assert settings.bases == (tmp_path / "team" / "pyproject.toml", tmp_path / "all.toml")
    assert import_roots([], settings) == [str(tmp_path / "all")]


def test_the_command_line_is_above_all_files(tmp_path):
    extended(tmp_path, 'jobs = 3\nignore = ["TL1"]', "preview = true")
    settings = find_settings(tmp_path / "train", Overrides({"ignore": ["TL2"]}, ("jobs = 4",)))
    assert (settings.jobs, settings.ignore) == (4, ("TL1", "TL2"))
    assert settings.origins["ignore"] == f"{tmp_path / 'trainlint.toml'} and command line"


def test_home_and_environment_are_expanded(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("TEAM", "vision")
    write(tmp_path / "conf" / "vision.toml", "jobs = 9")
    write(tmp_path / "code" / "trainlint.toml", 'extend = "~/conf/${TEAM}.toml"')
    assert find_settings(tmp_path / "code").jobs == 9


def test_show_settings_tells_the_files(tmp_path):
    settings = extended(tmp_path, 'jobs = 3\nextend-exclude = ["a/b"]', "preview = true")
    base, file = tmp_path / "trainlint.toml", tmp_path / "train" / "trainlint.toml"
    text = show(settings)
    assert text.splitlines()[:3] == [f"# configuration file: {file}", f"# extended file: {base}", f"# root: {file.parent}"]
    assert f"jobs = 3  # {base}" in text
    assert f"preview = true  # {file}" in text
    assert tomllib.loads(text)["extend"] == "../trainlint.toml"


# ---- where paths start ----------------------------------------------------------------------------------------------


def found_in(settings: Settings) -> list[str]:
    return [path.name for path in discover([settings.root], options_of(settings)).files]


def test_globs_of_exclude_start_in_the_folder_of_their_file(tmp_path):
    for name in ("own/a.py", "old/b.py", "deep/old/c.py", "keep/d.py", "train/old/e.py"):
        write(tmp_path / "train" / name)
    base = 'exclude = ["train/old", "keep/d.py", "own"]'
    assert found_in(extended(tmp_path, base)) == ["c.py", "d.py", "e.py"]
    assert found_in(extended(tmp_path, base, 'extend-exclude = ["train/old"]')) == ["c.py", "d.py"]


def test_a_folder_may_have_the_characters_of_globs(tmp_path):
    folder = tmp_path / "a[1]{x,y}*"
    for name in ("a.py", "b.py"):
        write(folder / "train" / name)
    settings = extended(folder, 'exclude = ["train/a.py"]\n[per-file-ignores]\n"train/b.py" = ["ALL"]')
    assert found_in(settings) == ["b.py"]
    assert settings.ignored_in(folder / "train" / "b.py")
    assert not settings.ignored_in(folder / "train" / "a.py")


def test_globs_of_per_file_ignores_start_in_the_folder_of_their_file(tmp_path):
    base = '[per-file-ignores]\n"train/a.py" = ["TL101"]\n"/b.py" = ["TL102"]\n"conftest.py" = ["TL103"]\n"!train/**" = ["TL104"]'
    settings = extended(tmp_path, base, '[per-file-ignores]\n"/b.py" = ["TL105"]')
    train = tmp_path / "train"

    def ignored(path: Path) -> list[str]:
        return sorted(settings.ignored_in(path))

    assert ignored(train / "a.py") == ["TL101"]
    assert ignored(train / "train" / "a.py") == []
    assert ignored(train / "b.py") == ["TL105"]
    assert ignored(train / "deep" / "conftest.py") == ["TL103"]
    assert ignored(tmp_path / "b.py") == ["TL102", "TL104"]


def test_files_start_in_the_folder_of_their_file(tmp_path):
    settings = extended(tmp_path, 'baseline = "known.json"\ncache-dir = "cache"\nsrc = ["lib", "train/own"]')
    assert settings.root / settings.baseline == tmp_path / "known.json"
    assert settings.root / settings.cache_dir == tmp_path / "cache"
    assert settings.folder_of("baseline") == settings.folder_of("cache-dir") == tmp_path
    assert import_roots([], settings) == [str(tmp_path / "lib"), str(tmp_path / "train" / "own")]
    own = extended(tmp_path, 'baseline = "known.json"', 'baseline = "mine.json"')
    assert own.root / own.baseline == tmp_path / "train" / "mine.json"
    assert own.folder_of("baseline") == own.root


# ---- mistakes -------------------------------------------------------------------------------------------------------


def test_a_missing_base(tmp_path):
    file = write(tmp_path / "trainlint.toml", 'extend = "../base.toml"')
    assert wrong(tmp_path) == f'{file}: extend: "../base.toml" is not a file; the path is relative to the folder of this one'


def test_a_folder_is_no_base_and_a_variable_is_not_printed(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")
    (tmp_path / "secret").mkdir()
    write(tmp_path / "pyproject.toml", '[tool.trainlint]\nextend = "$TOKEN"')
    assert 'tool.trainlint.extend: "$TOKEN" is not a file' in wrong(tmp_path)


def test_a_base_without_our_table(tmp_path):
    file = write(tmp_path / "trainlint.toml", 'extend = "pyproject.toml"')
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'")
    assert wrong(tmp_path) == f'{file}: extend: "pyproject.toml" has no table [tool.trainlint]'


def test_a_file_that_extends_itself(tmp_path):
    file = write(tmp_path / "trainlint.toml", 'extend = "trainlint.toml"')
    assert wrong(tmp_path) == f"{file}: extend: the files extend each other in a circle: {file} -> {file}"


def test_a_circle_of_files(tmp_path):
    write(tmp_path / "trainlint.toml", 'extend = "a.toml"')
    one, other = write(tmp_path / "a.toml", 'extend = "b.toml"'), write(tmp_path / "b.toml", 'extend = "./a.toml"')
    assert wrong(tmp_path) == f"{other}: extend: the files extend each other in a circle: {one} -> {other} -> {one}"


def test_mistakes_of_all_files_are_named_with_their_file(tmp_path):
    base = write(tmp_path / "base.toml", "jobs = 0")
    file = write(tmp_path / "trainlint.toml", 'extend = "base.toml"\nselct = []')
    with pytest.raises(ConfigError) as caught:
        find_settings(tmp_path)
    assert [(problem.where, problem.key) for problem in caught.value.problems] == [(str(file), "selct"), (str(base), "jobs")]


@pytest.mark.parametrize("text", ["extend = 3", 'extend = ""', 'extend = "a\\u0000b"', "extend = []"])
def test_what_is_no_path(tmp_path, text):
    file = write(tmp_path / "trainlint.toml", text)
    assert wrong(tmp_path).startswith(f"{file}: extend: must be ")


@pytest.mark.parametrize("overrides", [Overrides({"extend": "a.toml"}), Overrides(config=('extend = "a.toml"',))])
def test_only_a_file_can_extend(tmp_path, overrides):
    write(tmp_path / "a.toml", "jobs = 2")
    with pytest.raises(ConfigError, match="extend: only a configuration file can extend another"):
        find_settings(tmp_path, overrides)

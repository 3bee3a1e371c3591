"""Which file is the configuration, and what is in force when several places speak."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from trainlint.codes import ADVICE, DEFAULT, expand_selectors
from trainlint.config import ConfigError, Overrides, Settings, common_start, find_settings
from trainlint.finding import Level

ROOT = Path(__file__).resolve().parents[2]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def settings_of(folder: Path, text: str, **flags: object) -> Settings:
    write(folder / "trainlint.toml", text)
    return find_settings(folder, Overrides({key.replace("_", "-"): value for key, value in flags.items()}))


# ---- the file -------------------------------------------------------------------------------------------------------


def test_nearest_file_upwards(tmp_path):
    write(tmp_path / "pyproject.toml", "[tool.trainlint]\njobs = 1\n")
    inner = write(tmp_path / "a" / "trainlint.toml", "jobs = 2\n")
    write(tmp_path / "a" / "b" / "pyproject.toml", "[tool.other]\n[project]\ndependencies = ['trainlint']\n")
    (tmp_path / "a" / "b" / "c").mkdir()
    found = find_settings(tmp_path / "a" / "b" / "c" / "train.py")
    assert (found.file, found.root, found.jobs) == (inner, inner.parent, 2)
    assert find_settings(tmp_path).jobs == 1


def test_order_within_a_folder(tmp_path):
    for name, text in (
        ("pyproject.toml", "[tool.trainlint]\njobs=3"),
        ("trainlint.toml", "jobs=2"),
        (".trainlint.toml", "jobs=1"),
    ):
        write(tmp_path / name, text)
    for jobs, name in ((1, ".trainlint.toml"), (2, "trainlint.toml"), (3, "pyproject.toml")):
        assert find_settings(tmp_path).jobs == jobs
        (tmp_path / name).unlink()
    assert find_settings(tmp_path).file is None


@pytest.mark.parametrize(
    "text",
    [
        "[tool.trainlint]\njobs = 7",
        "[ tool . trainlint ]\njobs = 7",
        '[tool."trainlint"]\njobs = 7',
        "[tool]\ntrainlint = { jobs = 7 }",
        "[tool]\ntrainlint.jobs = 7",
        "tool.trainlint.jobs = 7",
        "tool = { trainlint = { jobs = 7 } }",
        "\ufeff[tool.trainlint]\njobs = 7",
    ],
)
def test_every_way_to_write_our_table(tmp_path, text):
    write(tmp_path / "pyproject.toml", text)
    assert find_settings(tmp_path).jobs == 7


@pytest.mark.parametrize(
    "text",
    [
        "[tool.other]\nx = 1",
        "[tool.trainlinter]\njobs = 7",
        "# [tool.trainlint]\n[project]\nname = 'x'",
        "[project]\nname = 'trainlint'",
        "this is broken",
        "[tool]\nother = 'trainlint'",
        "x = '" + "x" * 300_000 + "'",
    ],
)
def test_pyproject_that_is_not_about_us(tmp_path, text):
    write(tmp_path / "trainlint.toml", "jobs = 5")
    write(tmp_path / "inner" / "pyproject.toml", text)
    assert find_settings(tmp_path / "inner").jobs == 5


def test_pyproject_that_does_not_name_us_is_not_parsed(tmp_path, monkeypatch):
    write(tmp_path / "pyproject.toml", "[project]\ndependencies = ['trainlint>=1']\n")
    monkeypatch.setattr("trainlint.config.merge.read_table", None)
    assert find_settings(tmp_path).file is None


def test_folder_of_that_name_is_no_file(tmp_path):
    (tmp_path / "a" / "trainlint.toml").mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").mkdir()
    write(tmp_path / "trainlint.toml", "jobs = 5")
    assert find_settings(tmp_path / "a").jobs == 5


def test_common_start(tmp_path, monkeypatch):
    one, two = write(tmp_path / "a" / "b" / "x.py", ""), write(tmp_path / "a" / "c" / "y.py", "")
    assert common_start([one, two]) == tmp_path / "a"
    assert common_start([one]) == one.parent
    assert common_start([one.parent, two.parent]) == tmp_path / "a"
    monkeypatch.chdir(tmp_path)
    assert common_start([]) == tmp_path
    assert common_start([Path("a/b"), Path("a/../a/c")]) == tmp_path / "a"


def test_root_without_a_file(tmp_path, monkeypatch):
    (tmp_path / "here" / "sub").mkdir(parents=True)
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert find_settings(Path("sub")).root == tmp_path / "here"
    assert find_settings(tmp_path / "there").root == tmp_path / "there"


# ---- the command line -----------------------------------------------------------------------------------------------


def test_isolated_passes_over_files(tmp_path):
    write(tmp_path / "trainlint.toml", "jobs = 5\nnonsense = 1\n")
    settings = find_settings(tmp_path, Overrides({"preview": True}, ("fix = true",)), isolated=True)
    assert (settings.file, settings.jobs, settings.preview, settings.fix) == (None, None, True, True)


def test_named_file_replaces_the_search(tmp_path, monkeypatch):
    write(tmp_path / "trainlint.toml", "nonsense = 1\n")
    own = write(tmp_path / "conf" / "other.toml", "jobs = 2\n")
    project = write(tmp_path / "conf" / "pyproject.toml", "[tool.trainlint]\njobs = 3\n")
    monkeypatch.chdir(tmp_path)
    for path, jobs in ((own, 2), (project, 3)):
        settings = find_settings(tmp_path, Overrides(config=(str(path), "fix = true")))
        assert (settings.file, settings.root, settings.jobs, settings.fix) == (path, tmp_path, jobs, True)


def test_named_file_must_be_one(tmp_path):
    empty = write(tmp_path / "pyproject.toml", "[project]\n")
    own = str(write(tmp_path / "a.toml", ""))
    for config, isolated, expected in (
        (("missing.toml",), False, 'command line: --config: "missing.toml" is neither a file nor KEY=VALUE'),
        ((str(empty),), False, f"{empty}: tool.trainlint: there is no such table"),
        ((own, own), False, "only one file"),
        ((own,), True, "contradicts --isolated"),
    ):
        with pytest.raises(ConfigError) as caught:
            find_settings(tmp_path, Overrides(config=config), isolated=isolated)
        assert expected in str(caught.value)


def test_pairs_replace_lists_and_merge_tables(tmp_path):
    write(
        tmp_path / "trainlint.toml",
        'ignore = ["TL1"]\n[target-versions]\ntorch = ">=2"\njax = ">=0.4"\n[knowledge.mine.deep]\na = 1\n',
    )
    pairs = ('ignore = ["TL2"]', 'target-versions.torch = "<2.6"', "knowledge.mine.deep.b = 2", "jobs=3")
    settings = find_settings(tmp_path, Overrides(config=pairs))
    assert settings.ignore == ("TL2",)
    assert settings.target_versions == {"torch": "<2.6", "jax": ">=0.4"}
    assert settings.knowledge == {"mine": {"deep": {"a": 1, "b": 2}}}
    assert settings.jobs == 3
    file = str(tmp_path / "trainlint.toml")
    assert settings.origins == {
        "ignore": "command line",
        "target-versions": f"{file} and command line",
        "knowledge": f"{file} and command line",
        "jobs": "command line",
    }


def test_flags_win_over_pairs_over_the_file(tmp_path):
    write(tmp_path / "trainlint.toml", 'jobs = 1\noutput-format = "json"\n')
    settings = find_settings(tmp_path, Overrides({"jobs": 3}, ("jobs = 2", 'output-format = "concise"')))
    assert (settings.jobs, settings.output_format) == (3, "concise")


# ---- which rules are on ---------------------------------------------------------------------------------------------


def test_defaults_need_no_reader_and_no_options():
    script = (
        "import sys; from pathlib import Path; from trainlint.config import find_settings\n"
        "find_settings(Path('/'), isolated=True); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "tomllib",
        "tomli",
        "json",
        "pathspec",
        "packaging",
        "difflib",
        "trainlint.config.options",
        "trainlint.config.merge",
    }
    assert "trainlint.config" in loaded
    assert not heavy & set(loaded)


def test_selecting_in_the_file(tmp_path):
    assert settings_of(tmp_path, "").codes == DEFAULT
    assert settings_of(tmp_path, 'select = ["TL1"]\nignore = ["TL101"]').codes == expand_selectors(["TL1"]) - {"TL101"}
    assert settings_of(tmp_path, 'select = ["TL101"]\nignore = ["TL1"]').codes == {"TL101"}
    assert settings_of(tmp_path, 'extend-select = ["TL114"]\nextend-ignore = ["TL2"]').codes == (
        DEFAULT - expand_selectors(["TL2"]) | {"TL114"}
    )


def test_flags_have_the_last_word_on_rules(tmp_path):
    text = 'select = ["TL1", "TL2"]\nignore = ["TL101"]\n'
    assert settings_of(tmp_path, text, select=("TL101",)).codes == {"TL101"}
    assert settings_of(tmp_path, text, ignore=["TL1"]).codes == expand_selectors(["TL2"])
    assert settings_of(tmp_path, text, extend_select=["TL101"]).codes == expand_selectors(["TL1", "TL2"])


def test_fields_and_origins_of_selecting(tmp_path):
    text, file = 'select = ["TL1"]\nignore = ["TL101"]\n', str(tmp_path / "trainlint.toml")
    replaced = settings_of(tmp_path, text, select=["TL2"])
    assert (replaced.select, replaced.ignore, replaced.origins) == (("TL2",), (), {"select": "command line"})
    added = settings_of(tmp_path, text, ignore=["TL102"])
    assert (added.select, added.ignore) == (("TL1",), ("TL101", "TL102"))
    assert added.origins == {"select": file, "ignore": f"{file} and command line"}


def test_advice_adds_what_is_advice_to_the_default(tmp_path):
    plain, more = settings_of(tmp_path, ""), settings_of(tmp_path, "advice = true\n")
    assert more.codes - plain.codes == ADVICE
    assert plain.codes <= more.codes
    assert settings_of(tmp_path, 'advice = true\nignore = ["TL801"]').codes == more.codes - {"TL801"}
    assert settings_of(tmp_path, 'advice = true\nselect = ["TL101"]').codes == {"TL101"}
    assert settings_of(tmp_path, "advice = true\n", advice=False).codes == plain.codes


def test_what_needs_a_training_run_is_advice_in_tests_and_examples(tmp_path):
    settings = settings_of(tmp_path, "")
    example, train = tmp_path / "examples" / "train.py", tmp_path / "train.py"
    assert settings.selected("TL802", train)
    assert not settings.selected("TL802", example), "throughput"
    assert settings.selected("TL101", example), "a hang hangs anywhere"
    assert (settings.level("TL802", train), settings.level("TL802", example)) == (Level.WARNING, Level.ADVICE)
    for text in ("advice = true", 'extend-select = ["TL802"]', "advice-folders = []", '[levels]\nTL802 = "warning"'):
        assert settings_of(tmp_path, text).selected("TL802", example), text
    assert settings_of(tmp_path, "advice-folders = []").level("TL802", example) is Level.WARNING
    assert not settings_of(tmp_path, 'advice-folders = ["demos/"]').selected("TL802", tmp_path / "demos" / "train.py")


def test_levels(tmp_path):
    text = '[levels]\nTL1 = "advice"\nTL101 = "warning"\nTL801 = "error"\nmissing-set-epoch = "off"\n'
    settings = settings_of(tmp_path, text)
    file = tmp_path / "train.py"
    assert settings.level("TL101", file) is Level.WARNING
    assert settings.level("TL102", file) is Level.ADVICE
    assert settings.level("TL601", file) is Level.WARNING
    assert {"TL101", "TL801"} <= settings.codes
    assert not {"TL102", "TL201"} & settings.codes
    assert settings.level("TL201", file) is Level.ERROR, "a rule that is off keeps its level, for whoever turns it on"
    assert "TL201" not in settings_of(tmp_path, f'select = ["TL201"]\n{text}').codes
    assert "TL201" in settings_of(tmp_path, text, extend_select=["TL201"]).codes
    with pytest.raises(KeyError):
        settings.level("ABC123", file)


# ---- per file -------------------------------------------------------------------------------------------------------


def test_per_file_ignores(tmp_path, monkeypatch):
    text = '[per-file-ignores]\n"tests/**" = ["TL1"]\n"conftest.py" = ["missing-set-epoch"]\n"!train/**" = ["TL402"]\n'
    settings = settings_of(tmp_path, text)
    assert not settings.selected("TL101", tmp_path / "tests" / "deep" / "x.py")
    assert settings.selected("TL201", tmp_path / "tests" / "deep" / "x.py")
    assert settings.selected("TL101", tmp_path / "train" / "tests.py")
    assert settings.ignored_in(tmp_path / "train" / "conftest.py") == {"TL201"}
    assert settings.selected("TL402", tmp_path / "train" / "x.py")
    assert not settings.selected("TL402", tmp_path / "other" / "x.py")
    assert not settings.selected("TL114", tmp_path / "train" / "x.py"), "advice is not on"
    monkeypatch.chdir(tmp_path / "..")
    assert not settings.selected("TL101", Path(tmp_path.name) / "tests" / "x.py"), "paths may be relative to the current folder"


def test_per_file_ignores_outside_of_the_root(tmp_path):
    settings = settings_of(tmp_path / "inner", '[per-file-ignores]\n"generated/" = ["ALL"]\n')
    assert not settings.selected("TL101", tmp_path / "generated" / "x.py")
    assert settings.selected("TL101", tmp_path / "other" / "x.py")


def test_settings_travel_to_another_process(tmp_path):
    settings = settings_of(tmp_path, 'select = ["TL1"]\n[per-file-ignores]\n"a.py" = ["ALL"]\n[knowledge.x]\nwhen = 2020-01-01\n')
    copy = pickle.loads(pickle.dumps(settings))  # noqa: S301 - our own bytes
    assert copy == settings
    assert not copy.selected("TL101", tmp_path / "a.py")


def test_rules_that_are_not_settled_are_on_when_asked_for(tmp_path):
    assert "TL112" not in settings_of(tmp_path, "").codes
    assert "TL112" in settings_of(tmp_path, "", preview=True).codes
    assert "TL112" in settings_of(tmp_path, "preview = true").codes
    assert "TL112" in settings_of(tmp_path, "", extend_select=("TL112",)).codes
    assert "TL112" in settings_of(tmp_path, '[levels]\nTL112 = "error"').codes

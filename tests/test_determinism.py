"""The same is said, byte for byte, whatever surrounds a run: hash seeds, locale, time zone, folder, order, workers, the cache."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.alone import differences
from tests.same import different
from trainlint.app.engine import driver, workers
from trainlint.config import Overrides, find_settings

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "sample_repos"
EXPECT = Path(__file__).parent / "expect"
#: Sets os.scandir and os.listdir to hand out what they find in another order each time.
SHUFFLED = """
import contextlib, os, random, sys
order = random.Random(int(sys.argv.pop(1)))
scandir, listdir = os.scandir, os.listdir
class Entries(list):
    __enter__ = lambda self: self
    __exit__ = lambda self, *_: None
    close = lambda self: None
    def __next__(self):
        raise StopIteration
def shuffled(path="."):
    with scandir(path) as found:
        entries = Entries(found)
    order.shuffle(entries)
    return entries
def listed(path="."):
    names = listdir(path)
    order.shuffle(names)
    return names
os.scandir, os.listdir = shuffled, listed
from trainlint.app.cli.main import main
main(prog_name="trainlint")
"""


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment without what could matter, and with a home of its own (the cache's secret is there)."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "TZ", "TRAINLINT", "PYTHONHASH"))
    }
    return {**kept, "HOME": str(home), "XDG_CACHE_HOME": str(home), "TRAINLINT_NO_CACHE": "1", **more}


def start(
    cwd: Path, home: Path, words: Sequence[str], program: Sequence[str] = ("-m", "trainlint"), **more: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *program, "check", "--isolated", "--preview", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment(home, **more),
    )


def said(run: subprocess.Popen[str]) -> str:
    out, err = run.communicate(timeout=1800)
    assert run.returncode in (0, 1), err
    assert not err
    return out


def tree(tmp_path: Path, names: Sequence[str]) -> Path:
    """A project of its own, with nothing around it."""
    folder = tmp_path / "work" / "tree"
    for name in names:
        for source in (SAMPLES / name, EXPECT / name):
            if source.exists():
                shutil.copytree(source, folder / name)
    (folder / "pyproject.toml").write_text("")
    return folder


class Around(NamedTuple):
    """What one run is given: the order of its arguments, more words, what is started, variables."""

    mixed: bool = False
    words: tuple[str, ...] = ()
    program: tuple[str, ...] = ("-m", "trainlint")
    variables: Mapping[str, str] = MappingProxyType({})


#: Everything at once; where something is found, the heavy tests say which one it is. Locales that are not there do nothing.
AT_ONCE = {
    "shuffled, Turkish": Around(
        True, ("-j", "8"), ("-c", SHUFFLED, "1"), {"PYTHONHASHSEED": "4711", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}
    ),
    "shuffled, C": Around(False, ("-j", "1"), ("-c", SHUFFLED, "2"), {"PYTHONHASHSEED": "5", "LC_ALL": "C", "PYTHONUTF8": "0"}),
}
ONE_BY_ONE = {
    **{f"hash seed {seed}": Around(variables={"PYTHONHASHSEED": seed}) for seed in ("1", "4711")},
    "C": Around(variables={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "Turkish": Around(variables={"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
    "far east": Around(variables={"TZ": "Pacific/Kiritimati"}),
    "arguments in another order": Around(mixed=True),
    "one process": Around(words=("-j", "1")),
    "eight processes": Around(words=("-j", "8")),
    "folders in another order": Around(program=("-c", SHUFFLED, "1")),
}


def compare(folder: Path, home: Path, select: str, runs: Mapping[str, Around]) -> None:
    """Compare runs under all kinds of circumstances with a plain one."""
    words = ["--select", select, "--output-format", "json"]
    tops = sorted(path.name for path in folder.iterdir() if path.is_dir())
    plain = said(start(folder, home, [*words, *tops], PYTHONHASHSEED="0", LC_ALL="C.UTF-8", TZ="UTC"))
    assert plain.count('"code"') >= 10
    differ = set()
    for name, around in runs.items():
        order = random.Random(3).sample(tops, len(tops)) if around.mixed else tops  # noqa: S311
        run = start(folder, home, [*words, *around.words, *order], around.program, **around.variables)
        if said(run) != plain:
            differ.add(name)
    assert differ == set()


def test_nothing_around_a_run_matters(tmp_path: Path) -> None:
    compare(tree(tmp_path, ["amp_segmenter", "tpu_tagger"]), tmp_path, "TL1,TL3,TL5", AT_ONCE)


def test_a_warm_cache_says_the_same(tmp_path: Path) -> None:
    folder = tree(tmp_path, ["amp_segmenter", "tpu_tagger"])
    words = ["--select", "TL3,TL5", "--output-format", "json"]
    plain = said(start(folder, tmp_path, words))
    for seed in ("1", "2"):
        assert said(start(folder, tmp_path, words, TRAINLINT_NO_CACHE="0", PYTHONHASHSEED=seed)) == plain
    assert list((folder / ".trainlint_cache").glob("*.json"))


def test_only_the_spelling_of_paths_depends_on_the_folder(tmp_path: Path) -> None:
    folder = tree(tmp_path, ["amp_segmenter"])
    words = ["--select", "TL3", "--output-format", "concise"]
    inside = said(start(folder, tmp_path, [*words, "amp_segmenter"]))
    assert inside.startswith("amp_segmenter/")
    above = said(start(folder.parent, tmp_path, [*words, "tree/amp_segmenter"]))
    assert above.replace("tree/amp_segmenter/", "amp_segmenter/") == inside
    (tmp_path / "elsewhere").mkdir()
    elsewhere = said(start(tmp_path / "elsewhere", tmp_path, [*words, str(folder / "amp_segmenter")]))
    assert elsewhere.replace(f"{folder}/", "") == inside


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("select", [["TL1", "TL3"], ["ALL"]])
def test_the_number_of_workers_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, select: list[str]) -> None:
    """Also where our own processes would not be worth it, and where the rules are shared out."""
    names = (
        ["amp_segmenter", "fsdp_lm"]
        if select != ["ALL"]
        else sorted(path.name for path in EXPECT.iterdir() if path.is_dir())[::4]
    )
    folder = tree(tmp_path, names)
    settings = find_settings(folder, Overrides(flags={"select": select, "preview": True}), isolated=True)
    plain = driver.check([folder], replace(settings, jobs=1)).findings
    assert len(plain) > 5
    monkeypatch.setattr(workers, "_PARALLEL_BYTES", 1)
    monkeypatch.setattr(workers, "_FEWEST_WORKERS", 2)
    for jobs in (2, 8):
        assert driver.check([folder], replace(settings, jobs=jobs)).findings == plain
    for count in (1, 3):
        with ProcessPoolExecutor(count) as pool:
            assert driver.check([folder], settings, executor=pool).findings == plain


@pytest.mark.heavy
def test_the_command_says_the_same_with_any_workers_and_a_warm_cache(tmp_path: Path) -> None:
    size, others = different(tree(tmp_path, [path.name for path in SAMPLES.iterdir() if path.is_dir()]))
    assert size > 10_000
    assert others == []


@pytest.mark.heavy
def test_nothing_around_a_run_matters_on_all_samples(tmp_path: Path) -> None:
    names = [path.name for path in SAMPLES.iterdir() if path.is_dir()]
    compare(tree(tmp_path, [*names, "TL103", "TL111", "TL201", "TL301", "TL523", "TL701"]), tmp_path, "ALL", ONE_BY_ONE)


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir() and "_clean" not in path.name))
def test_every_rule_says_the_same_alone(name: str, tmp_path: Path) -> None:
    """What a rule finds depends on the code, not on which other rules are on, nor on who asked the model before it."""
    shutil.copytree(SAMPLES / name, tmp_path / "tree")
    assert list(differences(tmp_path / "tree")) == []


@pytest.mark.heavy
@pytest.mark.parametrize("code", sorted(path.name for path in EXPECT.iterdir() if path.is_dir()))
def test_a_rule_says_the_same_alone(code: str, tmp_path: Path) -> None:
    """The same of the code that is about the rule: there it has something to say."""
    shutil.copytree(EXPECT / code, tmp_path / "tree")
    assert list(differences(tmp_path / "tree", [code])) == []

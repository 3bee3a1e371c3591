"""``trainlint clean`` removes caches, and nothing else; and where caches are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.driven import environment

HANGS = "import torch.distributed as dist\n\n\ndef save(rank):\n    if rank == 0:\n        dist.barrier()\n"


class Place:
    """A folder with a project in it, and the program run there."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.home = folder / "caches"
        (self.root / ".git").mkdir(parents=True)
        for number in range(24):
            (self.root / f"m{number}.py").write_text(HANGS)

    def run(self, *words: str, **more: str) -> tuple[int, str]:
        """Exit code and what is said on stderr."""
        variables = environment(**{"XDG_CACHE_HOME": str(self.home), **more})
        command = [sys.executable, "-m", "trainlint", *words]
        done = subprocess.run(command, cwd=self.root, env=variables, capture_output=True, text=True, check=False, timeout=60)
        return done.returncode, done.stderr

    def check(self, *words: str, **more: str) -> int:
        return self.run("check", "-q", *words, **more)[0]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def tagged(folder: Path) -> Path:
    from trainlint.app.engine.cache import _TAG

    folder.mkdir(parents=True)
    (folder / "CACHEDIR.TAG").write_text(_TAG)
    (folder / ".gitignore").write_text("*\n")
    (folder / f"{0:064x}.json").write_text("")
    return folder


def test_a_cache_is_removed(place: Place) -> None:
    assert place.check() == 1
    assert (place.root / ".trainlint_cache").is_dir()
    assert place.run("clean") == (0, "Removed .trainlint_cache\n")
    assert not (place.root / ".trainlint_cache").exists()
    assert place.run("clean") == (0, "")


def test_all_below_the_paths_are_removed_and_no_others(place: Place) -> None:
    inner, named, outer = (tagged(place.root / name) for name in ("a/.trainlint_cache", "a/b/kept", ".trainlint_cache"))
    code, said = place.run("clean", "a")
    assert (code, sorted(said.splitlines())) == (0, [f"Removed {Path('a/.trainlint_cache')}", f"Removed {Path('a/b/kept')}"])
    assert (inner.exists(), named.exists(), outer.exists()) == (False, False, True)
    assert place.run("clean", "-q") == (0, "")
    assert not outer.exists()


def test_a_folder_of_somebody_else_stays(place: Place) -> None:
    others = place.root / ".trainlint_cache"
    others.mkdir()
    (others / "data.json").write_text("mine")
    (place.root / "pip").mkdir()
    (place.root / "pip/CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n# This is pip's.\n")
    assert place.run("clean") == (0, "")
    assert (others / "data.json").exists()
    assert (place.root / "pip/CACHEDIR.TAG").exists()


def test_what_is_not_ours_in_a_cache_stays(place: Place) -> None:
    folder = tagged(place.root / "kept")
    (folder / "train.py").write_text("mine")
    (folder / f"{1:064x}.json").mkdir()
    code, said = place.run("clean")
    assert code == 0
    assert said == f"Warning: kept stays, for something else is in it: {1:064x}.json, train.py\n"
    assert sorted(path.name for path in folder.iterdir()) == [f"{1:064x}.json", "CACHEDIR.TAG", "train.py"]


def test_links_are_not_followed(place: Place, tmp_path: Path) -> None:
    elsewhere = tagged(tmp_path / "elsewhere")
    (place.root / ".trainlint_cache").symlink_to(elsewhere)
    (place.root / "sub").symlink_to(tmp_path)
    kept = tagged(place.root / "kept")
    target = tmp_path / "target"
    target.write_text("mine")
    (kept / f"{0:064x}.json").unlink()
    (kept / f"{0:064x}.json").symlink_to(target)
    assert place.run("clean", ".", "sub") == (0, "Removed kept\n")
    assert target.read_text() == "mine"
    assert (elsewhere / "CACHEDIR.TAG").exists()


def test_a_path_that_is_not_there(place: Place) -> None:
    code, said = place.run("clean", "nowhere")
    assert code == 2
    assert "nowhere" in said


@pytest.mark.heavy
class TestWhereCachesAre:
    def test_the_command_line_names_the_place(self, place: Place, tmp_path: Path) -> None:
        there = tmp_path / "there"
        assert place.check("--cache-dir", str(there), TRAINLINT_CACHE_DIR=str(tmp_path / "variable")) == 1
        assert len(list(there.glob("*.json"))) == 1
        assert not (place.root / ".trainlint_cache").exists()
        assert not (tmp_path / "variable").exists()
        assert place.run("clean", "--cache-dir", str(there)) == (0, f"Removed {there}\n")
        assert not there.exists()

    def test_so_does_the_environment(self, place: Place, tmp_path: Path) -> None:
        there = tmp_path / "there"
        assert place.check(TRAINLINT_CACHE_DIR=str(there)) == 1
        assert place.run("clean", TRAINLINT_CACHE_DIR=str(there)) == (0, f"Removed {there}\n")

    def test_so_does_the_configuration_inside_of_its_folder(self, place: Place) -> None:
        (place.root / "trainlint.toml").write_text('cache-dir = "build/kept"\n')
        assert place.check() == 1
        assert len(list((place.root / "build/kept").glob("*.json"))) == 1
        assert place.run("clean") == (0, f"Removed {Path('build/kept')}\n")

    @pytest.mark.parametrize("named", ["../there", "/{there}", "linked/there"])
    def test_but_not_outside_of_it(self, place: Place, tmp_path: Path, named: str) -> None:
        (place.root / "linked").symlink_to(tmp_path)
        written = named.replace("/{there}", str(tmp_path / "there"))
        (place.root / "trainlint.toml").write_text(f'cache-dir = "{written}"\n')
        assert place.check() == 1
        assert not (tmp_path / "there").exists()

    @pytest.mark.parametrize("name", ["src", ".trainlint_cache"])
    def test_a_folder_with_something_else_in_it_is_left_alone(self, place: Place, name: str) -> None:
        (place.root / name).mkdir()
        (place.root / name / f"{0:064x}.json").write_text("mine")
        os.utime(place.root / name / f"{0:064x}.json", (1, 1))
        (place.root / "trainlint.toml").write_text(f'cache-dir = "{name}"\n')
        assert place.check() == 1
        assert [path.name for path in (place.root / name).iterdir()] == [f"{0:064x}.json"]


@pytest.mark.heavy
@pytest.mark.parametrize("many", [2, 8])
def test_processes_at_once_do_not_harm_each_other(place: Place, many: int) -> None:
    """Different runs over one project, with edits between them: all say what they would say alone, and leave a sound cache."""
    variables = environment(XDG_CACHE_HOME=str(place.home))
    selections = ("TL1", "ALL", "TL2", "TL101")
    expected = {}
    for selected in selections:
        command = [sys.executable, "-m", "trainlint", "check", "--select", selected, "--output-format", "json", "--no-cache"]
        alone = subprocess.run(command, cwd=place.root, env=variables, capture_output=True, check=False, timeout=60)
        expected[selected] = alone.stdout, alone.stderr, alone.returncode
    for _ in range(2):
        begun = []
        for number in range(many):
            selected = selections[number % len(selections)]
            command = [sys.executable, "-m", "trainlint", "check", "--select", selected, "--output-format", "json"]
            begun.append((selected, subprocess.Popen(command, cwd=place.root, env=variables, stdout=-1, stderr=-1)))
        for selected, process in begun:
            out, errors = process.communicate(timeout=300)
            assert (out, errors, process.returncode) == expected[selected]
    assert not list((place.root / ".trainlint_cache").glob("*.tmp"))

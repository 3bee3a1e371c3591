"""What git ignores: the same answers as git itself."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from trainlint.source.discover import DiscoverOptions, discover, read_pattern

FILES = [
    "x.py",
    "keep.py",
    "data/x.py",
    "data/keep.py",
    "data/keep/x.py",
    "data/sub/x.py",
    "data/sub/deep/x.py",
    "src/x.py",
    "src/data/x.py",
    "src/data/sub/x.py",
    "src/keep/x.py",
    "logs/keep.py",
    "logs/x.py",
    "logs/a/x.py",
    "src/lib/x.py",
    "lib/x.py",
    "data_utils.py",
    "src/data_utils.py",
    "#c.py",
    "!k.py",
    "a[b.py",
    "éé.py",
    "src/y.py",
]

# Idioms of real repositories, and each rule of the format.
IGNORE_FILES = [
    "*\n!*/\n!*.py",
    "*\n!*/\n!keep.py",
    "data/**\n!data/**/\n!data/**/*.py",
    "data/*\n!data/keep/",
    "/*\n!/src/\n/src/*\n!/src/keep/",
    "data\n!src/data",
    "data/\n!src/data/\n",
    "logs/**\n!logs/keep.py",
    "*.py\n!src/**",
    "**/data/*.py",
    "data/**/x.py",
    "*/data",
    "src/data/",
    "/data/",
    "lib/",
    "data*\n!data_utils.py",
    "[xy].py",
    "[!x].py",
    "[^x].py",
    "?.py",
    "\\#c.py\n\\!k.py",
    "#c.py\n!k.py",
    "a\\[b.py",
    "a[b.py",
    "x.py   ",
    "x.py\\ ",
    "x.py\\",
    "x.py\r\nsrc/\r",
    "\ufeffx.py",
    "/",
    "//",
    "a//b",
    "!",
    "**",
    "**/",
    "***/x.py",
    "éé.py",
    "",
]


def found(root: Path, *paths: Path, **options) -> set[str]:
    result = discover(paths or [root], DiscoverOptions(root=root, exclude=(".git",), **options))
    return {path.relative_to(root).as_posix() for path in result.files}


def git_finds(root: Path) -> set[str]:
    command = ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard", "*.py"]
    return set(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode().split("\0")) - {""}


def write(root: Path, names: list[str]) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


@pytest.fixture
def repository(tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True, capture_output=True)
    write(tmp_path, FILES)
    return tmp_path


@pytest.mark.parametrize("ignore", IGNORE_FILES)
def test_as_git_does(repository, ignore):
    (repository / ".gitignore").write_bytes(ignore.encode())
    assert found(repository) == git_finds(repository)


def test_as_git_does_with_nested_files_and_random_patterns(repository):
    choose = random.Random(7)  # noqa: S311 - a repeatable choice
    patterns = ["data", "*.py", "x.py", "data/", "sub/", "data/*", "/src", "/x.py", "src/*", "**/sub", "src/**", "*", "/*"]
    patterns += ["src/**/x.py", "?.py", "*/", "**/x.py", "*/data", "keep*", "/data/*/"]
    for _ in range(25):
        for folder in ("", "data/", "src/", "src/data/"):
            lines = [choose.choice(["", "", "!"]) + choose.choice(patterns) for _ in range(choose.randint(0, 4))]
            (repository / folder / ".gitignore").write_text("\n".join(lines))
        assert found(repository) == git_finds(repository), {
            str(file): file.read_text() for file in repository.rglob(".gitignore")
        }


def test_folders_above_count_up_to_the_repository(tmp_path):
    write(tmp_path, ["repo/src/a.py", "repo/src/b.py", "repo/src/c.py"])
    (tmp_path / ".gitignore").write_text("a.py")
    (tmp_path / "repo" / ".gitignore").write_text("b.py\n/src/c.py")
    source = tmp_path / "repo" / "src"
    (tmp_path / "repo" / ".git").mkdir()
    assert found(tmp_path, source) == {"repo/src/a.py"}
    (tmp_path / "repo" / ".git").rmdir()
    (source / ".git").write_text("gitdir: elsewhere")  # as in a submodule
    assert found(tmp_path, source) == {"repo/src/a.py", "repo/src/b.py", "repo/src/c.py"}


def test_without_a_repository_folders_count_up_to_the_project(tmp_path):
    write(tmp_path, ["project/src/a.py", "project/src/b.py"])
    (tmp_path / ".gitignore").write_text("a.py")
    (tmp_path / "project" / ".gitignore").write_text("b.py")
    project = tmp_path / "project"
    assert found(project, project / "src") == {"src/a.py"}


def test_an_ignored_folder_that_is_given_is_looked_at(tmp_path):
    write(tmp_path, ["build/a.py", "build/sub/b.py"])
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n")
    assert found(tmp_path) == set()
    assert found(tmp_path, tmp_path / "build") == {"build/a.py", "build/sub/b.py"}
    assert found(tmp_path, tmp_path / "build" / "sub") == {"build/sub/b.py"}
    assert found(tmp_path, tmp_path / "build" / "a.py") == {"build/a.py"}


def test_it_can_be_turned_off(tmp_path):
    write(tmp_path, ["a.py", "b.py"])
    (tmp_path / ".gitignore").write_text("b.py")
    assert found(tmp_path) == {"a.py"}
    assert found(tmp_path, respect_gitignore=False) == {"a.py", "b.py"}


def test_a_file_that_cannot_be_read_ignores_nothing(tmp_path):
    write(tmp_path, ["a.py"])
    (tmp_path / ".gitignore").mkdir()
    assert found(tmp_path) == {"a.py"}


def test_bytes_that_are_no_text_do_no_harm(tmp_path):
    write(tmp_path, ["a.py", "b.py"])
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\0[\nb.py\n\\")
    assert found(tmp_path) == {"a.py"}


def test_no_pattern_takes_long():
    begin = time.process_time()
    many_stars = read_pattern("*a" * 50 + "b")
    many_folders = read_pattern("**/a/" * 50 + "b")
    assert many_stars is not None
    assert many_folders is not None
    assert not many_stars.matches(["a" * 250], is_folder=False)
    assert not many_folders.matches(["a"] * 250, is_folder=False)
    assert time.process_time() - begin < 2

"""Discovery: which files are looked at."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trainlint.source.discover import DEFAULT_EXCLUDE, DiscoverOptions, discover


def tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    return root


def names(root: Path, *paths: Path, **options) -> list[str]:
    """Return what is found in ``paths`` (in ``root`` without any), relative to the root."""
    found = discover(paths or [root], DiscoverOptions(root=root, **options))
    assert found.problems == []
    return [path.relative_to(root).as_posix() for path in found.files]


def test_python_files_and_notebooks_sorted(tmp_path):
    tree(tmp_path, "b.py", "a.py", "pkg/z.py", "pkg/a.ipynb", "stub.pyi", "notes.txt", "pkg/data.json", "py", "x.PY")
    assert names(tmp_path) == ["a.py", "b.py", "pkg/a.ipynb", "pkg/z.py"]


def test_paths_are_spelled_as_given(tmp_path, monkeypatch):
    tree(tmp_path, "a.py", "pkg/b.py")
    monkeypatch.chdir(tmp_path)
    options = DiscoverOptions()
    assert discover([Path()], options).files == [Path("a.py"), Path("pkg/b.py")]
    assert discover([Path("pkg")], options).files == [Path("pkg/b.py")]
    assert discover([tmp_path / "pkg"], options).files == [tmp_path / "pkg" / "b.py"]


def test_each_file_once(tmp_path, monkeypatch):
    tree(tmp_path, "pkg/b.py")
    monkeypatch.chdir(tmp_path)
    given = [Path("pkg/b.py"), Path("pkg"), tmp_path, Path("pkg/../pkg/b.py")]
    assert discover(given, DiscoverOptions()).files == [Path("pkg/b.py")]


def test_a_missing_path_is_a_problem_and_the_others_are_found(tmp_path):
    tree(tmp_path, "a.py")
    found = discover([tmp_path / "missing.py", tmp_path / "a.py", Path("nul\0l")], DiscoverOptions(root=tmp_path))
    assert found.files == [tmp_path / "a.py"]
    assert found.problems[0] == (tmp_path / "missing.py", "does not exist")
    assert found.problems[1][1].startswith("cannot be read: ")


def test_a_folder_that_cannot_be_read_is_a_problem_and_the_others_are_found(tmp_path, monkeypatch):
    tree(tmp_path, "a.py", "secret/b.py", "z/c.py")
    scandir = os.scandir

    def refuse_secret(path):
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse_secret)
    found = discover([tmp_path], DiscoverOptions(root=tmp_path))
    assert found.files == [tmp_path / "a.py", tmp_path / "z" / "c.py"]
    assert found.problems == [(tmp_path / "secret", "cannot be read: Permission denied")]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
class TestLinks:
    """Symbolic links."""

    def test_loops_end(self, tmp_path):
        tree(tmp_path, "pkg/a.py")
        (tmp_path / "pkg" / "up").symlink_to(tmp_path)
        (tmp_path / "pkg" / "self").symlink_to("self")
        (tmp_path / "pkg" / "me.py").symlink_to("me.py")
        (tmp_path / "pkg" / "here").symlink_to(".")
        assert names(tmp_path) == ["pkg/a.py"]

    def test_a_given_loop_is_a_problem(self, tmp_path):
        (tmp_path / "me.py").symlink_to("me.py")
        found = discover([tmp_path / "me.py"], DiscoverOptions(root=tmp_path))
        assert found.files == []
        assert [path for path, _ in found.problems] == [tmp_path / "me.py"]

    def test_a_broken_link_is_no_file(self, tmp_path):
        tree(tmp_path, "a.py")
        (tmp_path / ".#a.py").symlink_to("someone@host.1234")
        assert names(tmp_path) == ["a.py"]

    def test_a_folder_behind_a_link_is_left_alone_unless_given(self, tmp_path):
        tree(tmp_path, "elsewhere/big.py", "project/a.py")
        (tmp_path / "project" / "data").symlink_to(tmp_path / "elsewhere")
        assert names(tmp_path, tmp_path / "project") == ["project/a.py"]
        assert names(tmp_path, tmp_path / "project" / "data") == ["project/data/big.py"]

    def test_a_linked_file_counts_once(self, tmp_path):
        tree(tmp_path, "elsewhere/x.py", "project/z.py")
        project = tmp_path / "project"
        (project / "a.py").symlink_to("z.py")
        (project / "b.py").symlink_to(tmp_path / "elsewhere" / "x.py")
        (project / "c.py").symlink_to(tmp_path / "elsewhere" / "x.py")
        assert names(tmp_path, project) == ["project/b.py", "project/z.py"]

    def test_of_a_link_that_is_left_out_it_is_said_where_it_leads(self, tmp_path):
        tree(tmp_path, "elsewhere/x.py", "project/z.py", "project/under/y.py")
        project = tmp_path / "project"
        (project / "under" / "z.py").symlink_to("../z.py")
        (project / "again.py").symlink_to("under/z.py")
        (project / "out.py").symlink_to(tmp_path / "elsewhere" / "x.py")
        found = discover([project], DiscoverOptions(root=project))
        assert found.files == [project / "under" / "y.py", project / "z.py"]
        assert found.links == {str(project / name): str(project / "z.py") for name in ("again.py", "under/z.py")}

    def test_a_pipe_is_no_file(self, tmp_path):
        tree(tmp_path, "a.py")
        os.mkfifo(tmp_path / "pipe.py")
        assert names(tmp_path) == ["a.py"]


def test_default_excludes(tmp_path):
    tree(tmp_path, "a.py", *(f"{folder}/lib/x.py" for folder in DEFAULT_EXCLUDE), "pkg/venv/x.py", "builds/b.py")
    assert names(tmp_path) == ["a.py", "builds/b.py"]


def test_excludes_are_for_what_was_found_not_for_what_was_given(tmp_path):
    tree(tmp_path, "gen/a.py", "b.py", "gen/gen/c.py")
    given = [tmp_path / "gen", tmp_path / "b.py"]
    assert names(tmp_path, *given, exclude=("gen", "b.py")) == ["b.py", "gen/a.py"]
    assert names(tmp_path, exclude=("gen",)) == ["b.py"]


def test_force_exclude_is_for_what_was_given_too(tmp_path):
    tree(tmp_path, "gen/sub/a.py", "b.py", "src/c.py")
    given = [tmp_path / "gen" / "sub" / "a.py", tmp_path / "gen" / "sub", tmp_path / "b.py", tmp_path / "src" / "c.py"]
    excluded = ("gen", "src/c.py")
    assert names(tmp_path, *given, exclude=excluded, force_exclude=True) == ["b.py"]
    assert names(tmp_path, *given, exclude=excluded) == ["b.py", "gen/sub/a.py", "src/c.py"]


def test_force_exclude_looks_at_folders_inside_the_project_only(tmp_path):
    project = tmp_path / "build" / "project"
    tree(project, "a.py")
    assert names(project, project / "a.py", force_exclude=True) == ["a.py"]
    assert names(project, project, force_exclude=True) == ["a.py"]


def test_a_given_file_is_taken_whatever_its_name(tmp_path):
    tree(tmp_path, "train", "x.txt", "stub.pyi")
    assert names(tmp_path, tmp_path / "train", tmp_path / "x.txt", tmp_path / "stub.pyi") == ["train", "x.txt"]


@pytest.mark.skipif(os.mkdir not in os.supports_dir_fd, reason="no way to make such a tree here")
def test_a_very_deep_tree_needs_no_recursion(tmp_path):
    levels = 1_200
    here = os.open(tmp_path, os.O_RDONLY)
    try:  # step by step, since the whole path may be longer than one call allows
        for _ in range(levels):
            os.mkdir("d", dir_fd=here)
            below = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("x.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        found = discover([tmp_path], DiscoverOptions(root=tmp_path))
    finally:
        os.close(here)
        subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)  # Python's own way is recursive in some versions
    assert found.files == [tmp_path.joinpath(*["d"] * levels, "x.py")]

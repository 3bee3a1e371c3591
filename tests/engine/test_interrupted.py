"""Runs of ``--fix`` that are killed, meet one another, or find files changed: each file is the old one or the new one, whole."""

from __future__ import annotations

import os
import random
import signal
import time
import zlib
from pathlib import Path

import pytest

from tests import fixes
from trainlint import check_paths
from trainlint.app.engine import driver

OLD = b"import torch.nn.functional as F\n\n\ndef f(x, y):\n    return F.nll_loss(x, y, size_average=True)\n"
NEW = OLD.replace(b"size_average=True", b'reduction="mean"')
FILES = 12
#: Half of them anywhere in the run, half while files are written.
KILLS = 100


def tree(folder: Path, count: int = FILES) -> list[Path]:
    """Files that are to be repaired, of different lengths."""
    paths = [folder / f"part{number % 3}" / f"file{number}.py" for number in range(count)]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(OLD + b"# %d\n" % number * (1 + 40 * number))
    return paths


def states(paths: list[Path]) -> list[bool]:
    """Of each file whether it is repaired; neither the old nor the new text is an error."""
    found = []
    for number, path in enumerate(paths):
        end = b"# %d\n" % number * (1 + 40 * number)
        data = path.read_bytes()
        assert data in {OLD + end, NEW + end}, f"{path.name} is neither old nor new"
        found.append(data == NEW + end)
    return found


def everything(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def begin(folder: Path) -> int:
    """Start a run of ``--fix`` in a child; its process id."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(fixes.repair(folder, "TL905"))
        finally:
            os._exit(99)
    return child


@pytest.mark.heavy
def test_killed_at_any_moment_a_file_is_old_or_new(tmp_path: Path) -> None:
    chance = random.Random(9)  # noqa: S311 - it must be repeatable
    paths = tree(tmp_path)
    start = time.monotonic()
    assert os.waitstatus_to_exitcode(os.waitpid(begin(tmp_path), 0)[1]) == 0
    whole = time.monotonic() - start
    assert all(states(paths))
    moments: set[int] = set()
    leftovers = 0
    for kill in range(KILLS):
        paths = tree(tmp_path)
        child = begin(tmp_path)
        if kill % 2:  # anywhere in the run; else while files are written, which begins with the first of them
            time.sleep(chance.uniform(0, whole))
        else:
            wait_for_the_first(paths, child)
            time.sleep(chance.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        moments.add(sum(states(paths)))
        # Between the moment when the new file gets its name and the one when it takes the old one's place the name is left.
        left = set(everything(tmp_path)).difference(paths)
        assert len(left) <= 1, "more is left behind than the file that was being replaced"
        assert all(each.name.startswith(".trainlint-") and each.read_bytes().startswith(NEW) for each in left)
        leftovers += len(left)
        for each in left:
            each.unlink()
    assert leftovers < KILLS / 20, "that moment is short"
    assert len(moments) > 3, f"the kills did not meet the writing: {sorted(moments)} files were repaired"
    assert fixes.repair(tmp_path, "TL905") == 0, "the next run does not do the rest"
    assert all(states(paths))


@pytest.mark.heavy
def test_what_a_killed_run_left_is_taken_away_by_the_next(tmp_path: Path) -> None:
    (path,) = tree(tmp_path, 1)
    name = path.parent / f".trainlint-{zlib.crc32(os.fsencode(path.name)):08x}.tmp"
    name.write_bytes(NEW)
    started = time.monotonic()
    assert fixes.repair(tmp_path, "TL905") == 0
    assert time.monotonic() - started > 1  # it might have been another run, which was given time
    assert states([path]) == [True]
    assert everything(tmp_path) == [path]


def wait_for_the_first(paths: list[Path], child: int) -> None:
    """Until one of the files is repaired, or the run has ended."""
    sizes = [path.stat().st_ino for path in paths]
    while [path.stat().st_ino for path in paths] == sizes:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return


def test_two_runs_at_once_repair_all(tmp_path: Path) -> None:
    paths = tree(tmp_path)
    children = [begin(tmp_path), begin(tmp_path)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert all(states(paths))
    assert everything(tmp_path) == sorted(paths)
    assert set(codes) <= {0, 2}  # 2: it says which files the other one has changed


@pytest.fixture
def meddling(monkeypatch: pytest.MonkeyPatch):
    """Lets something happen between the reading of all files and the writing."""

    def meddle(action) -> None:
        deliver = driver._deliver

        def first(*given):
            action()
            return deliver(*given)

        monkeypatch.setattr(driver, "_deliver", first)

    return meddle


def fixed(folder: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """``check --fix`` in this process: exit code, and what it says to the user."""
    from click.testing import CliRunner

    from trainlint.app.cli.main import main

    del capfd
    done = CliRunner().invoke(
        main, ["check", "--isolated", "--no-cache", "--fix", "--select", "TL905", "--output-format", "concise", str(folder)]
    )
    return done.exit_code, done.output


def test_what_was_changed_meanwhile_stays_and_is_named(tmp_path: Path, meddling, capfd: pytest.CaptureFixture[str]) -> None:
    paths = tree(tmp_path, 3)
    meddling(lambda: paths[1].write_bytes(b"\n\n" + OLD))
    code, said = fixed(tmp_path, capfd)
    assert code == 2
    assert "file1.py could not be written: somebody else has changed it since it was read" in said
    assert paths[1].read_bytes() == b"\n\n" + OLD
    assert states([paths[0]]) == [True]
    assert "file1.py:7:" in said, "what is wrong in the file as it is now is not reported"


def test_what_was_removed_meanwhile_does_not_come_back(tmp_path: Path, meddling, capfd: pytest.CaptureFixture[str]) -> None:
    paths = tree(tmp_path, 3)
    meddling(paths[2].unlink)
    code, said = fixed(tmp_path, capfd)
    assert (code, paths[2].exists()) == (2, False)
    assert "file2.py could not be written" in said
    assert all(states(paths[:2]))


def test_a_read_only_file_is_named_and_its_findings_are_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    paths = tree(tmp_path, 2)
    paths[0].chmod(0o444)
    code, said = fixed(tmp_path, capfd)
    assert code == 2
    assert "file0.py could not be written" in said
    assert "file0.py:5:" in said
    assert states(paths) == [False, True]


def test_links_to_files_stay_links(tmp_path: Path) -> None:
    (real,) = tree(tmp_path / "real", 1)
    (tmp_path / "tree").mkdir()
    link = tmp_path / "tree" / "link.py"
    link.symlink_to(real)
    found = check_paths([tmp_path / "tree"], select=["TL905"])
    assert fixes.repair(tmp_path / "tree", "TL905") == 0
    assert link.is_symlink()
    assert states([real]) == [bool(found)]

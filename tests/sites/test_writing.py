"""Files are written whole or not at all, and what somebody else has written stays."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import threading
import time
import zlib
from pathlib import Path

import pytest

from trainlint.edits import writing
from trainlint.edits.writing import ChangedMeanwhile, write_atomically


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write_atomically(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.py"]


def test_a_symlink_stays_one_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a.py"
    target.write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to(Path("real") / "a.py")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link.py", "real"]


def test_a_failed_write_leaves_the_old_content_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.py"]


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="regular"):
        write_atomically(tmp_path / "pipe", b"new")


def only(folder: Path) -> bytes:
    """The content of ``a.py``, beside which there is nothing."""
    assert [entry.name for entry in folder.iterdir()] == ["a.py"]
    return (folder / "a.py").read_bytes()


@pytest.fixture(params=["without a name", "with a name"])
def file(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file on a disk that knows, or does not know, files without a name."""
    if request.param == "with a name":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    return path


def test_what_was_read_is_replaced(file: Path) -> None:
    write_atomically(file, b"new", b"old")
    assert only(file.parent) == b"new"


def test_what_somebody_else_has_written_stays(file: Path) -> None:
    with pytest.raises(ChangedMeanwhile):
        write_atomically(file, b"new", b"older")
    assert only(file.parent) == b"old"


def test_a_file_that_is_gone_does_not_come_back(file: Path) -> None:
    file.unlink()
    with pytest.raises(ChangedMeanwhile):
        write_atomically(file, b"new", b"old")
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("call", ["fdopen", "fchmod", "fsync"])
def test_a_call_that_fails_leaves_the_old_content(call: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space left on device"):
        write_atomically(file, b"new", b"old")
    assert only(file.parent) == b"old"


def test_a_disk_that_is_full_leaves_the_old_content(tmp_path: Path) -> None:
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("only root can make a small disk")
    try:
        (tmp_path / "a.py").write_bytes(b"old")
        with pytest.raises(OSError, match="No space left on device"):
            write_atomically(tmp_path / "a.py", b"n" * 100_000, b"old")
        assert only(tmp_path) == b"old"
        write_atomically(tmp_path / "a.py", b"n" * 10_000, b"old")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_read_only_file_is_not_replaced_even_by_root(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(PermissionError):
        write_atomically(file, b"new", b"old")
    assert only(file.parent) == b"old"


def test_another_name_of_the_file_keeps_the_old_content(file: Path) -> None:
    (file.parent / "other").mkdir()
    other = file.parent / "other" / "b.py"
    other.hardlink_to(file)
    write_atomically(file, b"new", b"old")
    assert (file.read_bytes(), other.read_bytes()) == (b"new", b"old")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_the_owner_stays(file: Path) -> None:
    os.chown(file, 1234, 2345)
    write_atomically(file, b"new", b"old")
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)


def test_of_two_that_write_at_once_one_is_told(file: Path) -> None:
    told: list[OSError] = []

    def write(number: int) -> None:
        try:
            write_atomically(file, b"new %d" % number, b"old")
        except ChangedMeanwhile as error:
            told.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert only(file.parent).startswith(b"new ")
    if hasattr(os, "O_TMPFILE"):  # elsewhere nothing keeps two apart that compare at the same time
        assert len(told) == 3


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="names are left behind where all files have one")
def test_what_a_killed_run_has_left_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(b"old")
    left = tmp_path / f".trainlint-{zlib.crc32(b'a.py'):08x}.tmp"
    left.write_bytes(b"half of it")
    now = time.time()
    monkeypatch.setattr(writing, "_STALE", 0.2)
    write_atomically(tmp_path / "a.py", b"new", b"old")
    assert time.time() - now > 0.1, "another run's name was taken away at once"
    assert only(tmp_path) == b"new"

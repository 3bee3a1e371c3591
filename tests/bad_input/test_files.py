"""Paths that are no readable file: what is in a folder is passed over or reported, what was named is an error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bad_input.running import OTHER, OTHER_CODE, Found, check, check_in_process_of_its_own, findings_of, write

HANG = Found("TL101", 6, 9)


def link(path: Path, target: str | Path) -> None:
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("no links can be made here")


class TestLinks:
    def test_a_loop_of_folders(self, tmp_path: Path) -> None:
        write(tmp_path, {"package/inner/hostile.py": OTHER_CODE})
        link(tmp_path / "package" / "inner" / "again", tmp_path / "package")
        link(tmp_path / "package" / "self", ".")
        assert findings_of(check(tmp_path)) == [HANG]

    def test_a_loop_of_files(self, tmp_path: Path) -> None:
        write(tmp_path, {"hostile.py": OTHER_CODE})
        link(tmp_path / "one.py", "two.py")
        link(tmp_path / "two.py", "one.py")
        assert findings_of(check(tmp_path)) == [HANG]

    def test_a_loop_that_was_named(self, tmp_path: Path) -> None:
        write(tmp_path, {})
        link(tmp_path / "one.py", "one.py")
        outcome = check(tmp_path, tmp_path / "one.py", tmp_path / OTHER)
        assert (outcome.code, outcome.found) == (2, {OTHER: [HANG]})
        assert outcome.stderr.startswith(f"Error: {tmp_path / 'one.py'} cannot be read: ")

    def test_a_link_that_leads_nowhere(self, tmp_path: Path) -> None:
        write(tmp_path, {})
        link(tmp_path / "hostile.py", "gone.py")
        assert findings_of(check(tmp_path)) == []
        outcome = check(tmp_path, tmp_path / "hostile.py")
        assert (outcome.code, outcome.stderr) == (2, f"Error: {tmp_path / 'hostile.py'} does not exist\n")

    def test_a_link_is_repaired_in_the_file_that_it_leads_to(self, tmp_path: Path) -> None:
        write(tmp_path, {"store/original.txt": OTHER_CODE})
        link(tmp_path / "hostile.py", "store/original.txt")
        assert check(tmp_path, "--fix", "--unsafe-fixes", tmp_path).code == 0
        assert (tmp_path / "hostile.py").is_symlink()
        assert (tmp_path / "store" / "original.txt").read_text() == (tmp_path / OTHER).read_text() != OTHER_CODE


class TestUnreadable:
    def test_a_folder_that_is_called_like_a_file(self, tmp_path: Path) -> None:
        write(tmp_path, {"folder.py/hostile.py": OTHER_CODE})
        assert findings_of(check(tmp_path)) == [HANG]
        assert check(tmp_path, tmp_path / "folder.py").found == {"hostile.py": [HANG]}

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
    def test_a_pipe_that_nobody_writes_to(self, tmp_path: Path) -> None:
        write(tmp_path, {})
        os.mkfifo(tmp_path / "hostile.py")
        assert findings_of(check_in_process_of_its_own(tmp_path)) == []
        named = check_in_process_of_its_own(tmp_path, tmp_path / "hostile.py", tmp_path / OTHER)
        assert findings_of(named) == [Found("TL001", 1, 1)]
        assert named.messages["hostile.py"] == ["the file cannot be read: it is not a regular file"]

    def test_a_file_that_may_not_be_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path, {"hostile.py": OTHER_CODE})
        (tmp_path / "hostile.py").chmod(0)
        read_bytes = Path.read_bytes

        def refuse(path: Path) -> bytes:  # as it is for everyone but root, who may read it all the same
            if path.name == "hostile.py":
                raise PermissionError(13, "Permission denied")
            return read_bytes(path)

        monkeypatch.setattr(Path, "read_bytes", refuse)
        outcome = check(tmp_path)
        assert findings_of(outcome) == [Found("TL001", 1, 1)]
        assert outcome.messages["hostile.py"] == ["the file cannot be read: Permission denied"]

    def test_a_file_that_goes_away_while_it_is_checked(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path, {"hostile.py": OTHER_CODE})
        read_bytes = Path.read_bytes

        def read_once(path: Path) -> bytes:
            data = read_bytes(path)
            if path.name == "hostile.py":
                path.unlink()
            return data

        monkeypatch.setattr(Path, "read_bytes", read_once)
        found = findings_of(check(tmp_path))
        assert found in ([HANG], [Found("TL001", 1, 1)])  # whichever it is: it is said, and the run goes on

    def test_a_folder_that_may_not_be_listed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path, {"closed/hostile.py": OTHER_CODE})
        scandir = os.scandir

        def refuse(path: str) -> object:
            if str(path).endswith("closed"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
        outcome = check(tmp_path)
        assert (outcome.code, outcome.found) == (2, {OTHER: [HANG]})
        assert outcome.stderr == f"Error: {tmp_path / 'closed'} cannot be read: Permission denied\n"

    def test_a_path_that_does_not_exist(self, tmp_path: Path) -> None:
        write(tmp_path, {})
        outcome = check(tmp_path, tmp_path / "gone.py", tmp_path)
        assert (outcome.code, outcome.found) == (2, {OTHER: [HANG]})
        assert outcome.stderr == f"Error: {tmp_path / 'gone.py'} does not exist\n"

    @pytest.mark.skipif(os.name == "nt", reason="such names cannot be had there")
    def test_names_that_no_one_would_give_a_file(self, tmp_path: Path) -> None:
        names = ["with blank.py", "new\nline.py", "[TL101].py", "-.py", "ünï.py", "x" * 200 + ".py"]
        outcome = check(write(tmp_path, dict.fromkeys(names, OTHER_CODE)))
        assert outcome.found == {name: [HANG] for name in (*names, OTHER)}

    @pytest.mark.skipif(os.name == "nt", reason="such names cannot be had there")
    def test_a_name_that_is_no_text(self, tmp_path: Path) -> None:
        write(tmp_path, {})
        name = os.fsdecode(b"hostile\xff.py")
        try:
            (tmp_path / name).write_text(OTHER_CODE)
        except OSError:
            pytest.skip("the file system wants names to be text")
        outcome = check_in_process_of_its_own(tmp_path)
        assert outcome.code == 1
        assert sorted(outcome.found.values()) == [[HANG], [HANG]]

    def test_a_file_that_may_not_be_written_is_said_to_be_unrepaired(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path, {})
        monkeypatch.setattr(os, "access", lambda _path, _mode: False)
        outcome = check(tmp_path, "--fix", "--unsafe-fixes", tmp_path)
        assert outcome.code == 2
        assert "could not be written" in outcome.stderr
        assert (tmp_path / OTHER).read_text() == OTHER_CODE
        assert os.listdir(tmp_path) == [OTHER]  # noqa: PTH208 - nothing half-written is left behind

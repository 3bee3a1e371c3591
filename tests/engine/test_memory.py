"""What is judged again after an edit: the files that it may concern, and no others."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.warm import check, told
from trainlint.app.engine import cache, lowering
from trainlint.app.engine.cache import Cache
from trainlint.app.engine.lowering import cannot_be_parsed
from trainlint.app.engine.workspace import Trouble
from trainlint.source.text import Source

SYNC = "import torch.distributed as dist\n\n\ndef sync():\n    dist.barrier()\n"
WHO = "import torch.distributed as dist\n\n\ndef who():\n    return dist.get_rank()\n"
TRAIN = "from {package}.sync import sync\n\n\ndef main(rank):\n    if rank == 0:\n        sync()\n"
#: A project has so many files: one communicates, one calls that, and the package knows of the rank.
SIZE = 3


def make(root: Path, *packages: str) -> None:
    for package in packages:
        (root / package).mkdir()
        (root / package / "__init__.py").write_text(WHO)
        (root / package / "sync.py").write_text(SYNC)
        (root / package / "train.py").write_text(f"import {package}\n" + TRAIN.format(package=package))


def judged(root: Path) -> tuple[int, int]:
    """How many files are parsed and judged by a run that remembers; what it says must be what one says that does not."""
    warm = check(root, (), kept=True)
    assert told(warm) == told(check(root, (), kept=False))
    return warm.statistics["files parsed"], warm.statistics["files judged"]


@pytest.fixture
def project(cached: Path) -> Path:
    """Three projects side by side, which were checked once."""
    make(cached, "one", "two", "three")
    assert judged(cached) == (3 * SIZE, 3 * SIZE)
    assert judged(cached) == (0, 0)
    return cached


def test_an_edit_concerns_the_files_that_imports_connect(project: Path) -> None:
    with (project / "one/sync.py").open("a") as file:
        file.write("\n\ndef other():\n    pass\n")
    assert judged(project) == (1, SIZE)
    (project / "two/train.py").write_text("print(1)\n")
    assert judged(project) == (0, SIZE - 1)  # the edited one sleeps now


def test_an_edit_that_moves_lines_has_nothing_judged_again(project: Path) -> None:
    for number, name in enumerate(("train.py", "sync.py", "__init__.py"), 1):
        path = project / "one" / name
        before = [each.span.line for each in check(project / "one", (), kept=True).findings if each.path.name == name]
        path.write_text('"""The first line."""\n# More of them.\n' + path.read_text() + f"\n\n# {number}\n")
        assert judged(project) == (1, 0)
        after = [each.span.line for each in check(project / "one", (), kept=True).findings if each.path.name == name]
        assert after == [line + 2 for line in before]
    assert after or before or check(project / "one", (), kept=True).findings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dist.barrier()\n", "dist.barrier( )\n"),  # another column
        ("    dist.barrier()\n", "    dist.barrier(\n    )\n"),  # more lines
        ("def sync():\n    dist.barrier()\n", "def sync():\n    print(1)\n    dist.barrier()\n"),
        ("import torch.distributed as dist\n", "import torch.distributed as dist  # trainlint: uniform\n"),
    ],
)
def test_an_edit_that_does_more_than_move_lines_is_judged(project: Path, before: str, after: str) -> None:
    path = project / "one/sync.py"
    path.write_text(path.read_text().replace(before, after))
    assert judged(project) == (1, SIZE)


def test_a_sentence_that_names_a_line_is_written_anew(project: Path) -> None:
    """Both ranks call something in another file: the message says in which lines, and these move."""
    path = project / "one/train.py"
    head = "import one\nimport torch.distributed as dist\nfrom one.sync import sync\n\n\ndef main(x):\n    if one.who() == 0:\n"
    path.write_text(head + "        sync()\n        dist.all_reduce(x)\n    else:\n        dist.all_reduce(x)\n        sync()\n")
    assert judged(project) == (1, SIZE)
    other = project / "one/sync.py"
    assert any("(sync.py:5)" in each.message for each in check(project, (), kept=True).findings)
    other.write_text("# first\n" + other.read_text())
    assert judged(project)[0] == 1
    assert any("(sync.py:6)" in each.message for each in check(project, (), kept=True).findings)
    path.write_text("# first\n" + path.read_text())
    assert judged(project)[0] == 1


def test_functions_that_are_called_by_their_places_move_too(project: Path) -> None:
    path = project / "one/train.py"
    path.write_text(path.read_text() + "    later = lambda: sync()\n    if rank:\n        later()\n")
    assert judged(project) == (1, SIZE)
    path.write_text("# first\n" * 90 + path.read_text())
    judged(project)


def test_a_file_with_a_framework_that_no_rule_asks_about_is_parsed_until_it_can_be(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def counted(source: Source) -> Trouble | None:
        parsed.append(source.path.name)
        return cannot_be_parsed(source)

    monkeypatch.setattr(lowering, "cannot_be_parsed", counted)
    (project / "layers.py").write_text("import torch\nfor x in\n")
    assert [each.code for each in check(project, (), kept=True).findings].count("TL001") == 1
    for number in range(1, 3):  # each time something else is edited
        (project / "one/sync.py").write_text(SYNC + "#" * number)
        assert [each.code for each in check(project, (), kept=True).findings].count("TL001") == 1
    assert parsed == ["layers.py"] * 3
    (project / "layers.py").write_text("import torch\n")
    for number in range(3, 5):
        (project / "one/sync.py").write_text(SYNC + "#" * number)
        assert "TL001" not in [each.code for each in check(project, (), kept=True).findings]
    assert parsed == ["layers.py"] * 4


def test_a_file_that_is_not_worth_parsing_concerns_nobody(project: Path) -> None:
    (project / "notes.py").write_text("print(1)\n")
    assert judged(project) == (0, 0)
    (project / "notes.py").write_text("print(2)\n")
    assert judged(project) == (0, 0)


def test_an_import_that_connects_two_projects_makes_them_one(project: Path) -> None:
    with (project / "one/train.py").open("a") as file:
        file.write("\n\nimport two.sync\n")
    assert judged(project) == (1, 2 * SIZE)


def test_an_old_state_is_known_when_it_comes_back(project: Path) -> None:
    (project / "one/sync.py").write_text(SYNC + "dist.barrier()\n")
    assert judged(project) == (1, SIZE)
    (project / "notes.py").write_text("print(1)\n")
    (project / "one/sync.py").write_text(SYNC)
    assert judged(project) == (0, 0)


def test_a_new_file_concerns_whoever_finds_it(project: Path) -> None:
    """``import one`` from ``one/train.py`` leads to a file beside it now."""
    (project / "one/one.py").write_text("X = 1\n")
    assert judged(project)[1] > 0
    (project / "three/helpers.py").write_text("X = 1\n")
    assert judged(project) == (0, 0)


def test_a_file_that_is_gone_concerns_whoever_found_it(project: Path) -> None:
    (project / "one/sync.py").unlink()
    assert judged(project) == (0, SIZE - 1)  # those that are left are connected, and one of them is telling


def test_requirements_concern_the_files_below_them(project: Path) -> None:
    (project / "one/requirements.txt").write_text("torch==1.8\n")
    assert judged(project)[1] == SIZE
    (project / "requirements.txt").write_text("torch==1.8\n")
    assert judged(project)[1] == 3 * SIZE


def test_a_comment_that_silences_is_honoured(project: Path) -> None:
    path = project / "one/train.py"
    found = len(check(project, (), kept=True).findings)
    path.write_text(path.read_text().replace("sync()", "sync()  # trainlint: ignore"))
    assert judged(project) == (1, 0)
    assert len(check(project, (), kept=True).findings) == found - 1


def test_one_file_is_checked_with_what_is_known_of_the_others(project: Path) -> None:
    check(project / "two/train.py", (), kept=True)
    warm, cold = (check(project / "one/train.py", (), kept=kept) for kept in (True, False))
    assert told(warm) == told(cold)
    assert (warm.statistics["files judged"], cold.statistics["files judged"]) == (0, SIZE)  # those that it belongs to
    assert (warm.statistics["files parsed"], cold.statistics["files parsed"]) == (0, 3 * SIZE)


class TestTrouble:
    """Whatever is wrong with a cache: the findings are there, and it is made anew where that is possible."""

    @staticmethod
    def entries(root: Path) -> list[Path]:
        return sorted((root / ".trainlint_cache").glob("*.files"))

    def test_a_signed_entry_of_another_form(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        read = Cache.read
        for strange in ([], {}, 1, "x", {"files": [], "groups": {}}, {"files": {}, "groups": 1}, None):
            monkeypatch.setattr(Cache, "read", lambda *_, strange=strange: strange)
            assert judged(project)[1] == 3 * SIZE
        monkeypatch.setattr(Cache, "read", read)

    @pytest.mark.parametrize(
        "spoilt",
        [
            lambda kept: {**kept, "files": {path: one[:1] for path, one in kept["files"].items()}},
            lambda kept: {**kept, "files": dict.fromkeys(kept["files"], 7)},
            lambda kept: {**kept, "groups": dict.fromkeys(kept["groups"], 7)},
            lambda kept: {**kept, "groups": {key: {"answers": {"absent": 1}} for key in kept["groups"]}},
        ],
    )
    def test_a_signed_entry_with_something_else_in_it(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, spoilt: Callable[[Any], Any]
    ) -> None:
        read = Cache.read

        def strange(self: Cache, key: str, kind: str = cache.RUN) -> Any:
            return None if kind == cache.RUN else spoilt(read(self, key, kind))

        monkeypatch.setattr(Cache, "read", strange)
        judged(project)

    @pytest.mark.parametrize(
        "text",
        [b"[" * 200_000, b"9" * 200_000, b'{"files": {"../../etc/passwd": []}, "groups": {}}', b"\xff\x00", b"null"],
        ids=["deep", "huge", "outside", "binary", "null"],
    )
    def test_a_hostile_entry(self, project: Path, text: bytes) -> None:
        """It came with the repository: whoever wrote it does not know the secret."""
        for entry in (project / ".trainlint_cache").iterdir():
            if entry.suffix in (".json", ".files", ".models"):
                entry.write_bytes(b"\0" * 32 + text)
        assert judged(project) == (3 * SIZE, 3 * SIZE)
        assert judged(project) == (0, 0)

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
    def test_nothing_can_be_written(self, cached: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        make(cached, "one")
        check(cached, (), kept=True)
        (cached / "one/train.py").write_text("import one\n" + TRAIN.format(package="one") + "sync()\n")

        def refuse(*_: object, **__: object) -> Any:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(tempfile, "mkstemp", refuse)
        assert judged(cached)[1] == SIZE
        assert judged(cached)[1] == SIZE  # what was known before is, still

    def test_a_full_disk_leaves_no_half_an_entry(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = project / ".trainlint_cache"
        (project / "one/sync.py").write_text(SYNC + "dist.barrier()\n")
        before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}

        def full(_source: object, _target: object) -> None:
            raise OSError(errno.ENOSPC, "no space left on device")

        monkeypatch.setattr(cache.os, "replace", full)
        assert judged(project) == (1, SIZE)
        assert {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"} == before

    def test_a_tree_in_which_nothing_can_be_made(self, cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        make(cached, "one")

        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.EROFS, "read-only file system")

        monkeypatch.setattr(Path, "mkdir", refuse)
        assert judged(cached) == (SIZE, SIZE)
        assert not (cached / ".trainlint_cache").exists()

    def test_a_file_that_changes_while_it_is_read_is_not_remembered(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from trainlint.app.engine.analysis import Analyser

        path = project / "one/train.py"
        path.write_text("import one\n" + TRAIN.format(package="one") + "sync()\n")
        run = Analyser.run

        def change(self: Analyser, *given: Any) -> Any:
            path.write_text("import one\n")
            return run(self, *given)

        monkeypatch.setattr(Analyser, "run", change)
        check(project, (), kept=True)
        monkeypatch.setattr(Analyser, "run", run)
        path.write_text("import one\n" + TRAIN.format(package="one") + "sync()\n")
        assert judged(project)[1] == SIZE


class TestPruning:
    def test_what_is_old_goes(self, project: Path) -> None:
        (old,) = self_entries = TestTrouble.entries(project)
        assert self_entries
        os.utime(old, (1, time.time() - 61 * 24 * 3600))
        assert check(project, ("TL1",), kept=True)
        assert not old.exists()

    def test_what_is_too_much_goes(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (first,) = TestTrouble.entries(project)
        os.utime(first, (1, time.time() - 60))
        room = sum(path.stat().st_size for path in (project / ".trainlint_cache").iterdir())
        monkeypatch.setattr(cache, "_MOST_BYTES", room + 100)
        check(project, ("TL1",), kept=True)
        assert not first.exists()
        assert len(TestTrouble.entries(project)) == 1

    def test_what_is_not_ours_stays(self, project: Path) -> None:
        others = [project / ".trainlint_cache" / name for name in ("data.json", "notes.files", "x.lock", "a.tmp")]
        for other in others:
            other.write_bytes(b"mine")
            os.utime(other, (1, 1))
        check(project, ("TL1",), kept=True)
        assert all(other.read_bytes() == b"mine" for other in others)

    def test_entries_are_json(self, project: Path) -> None:
        (entry,) = TestTrouble.entries(project)
        assert set(json.loads(entry.read_bytes()[32:])) == {"files", "groups", "states"}

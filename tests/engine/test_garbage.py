"""Garbage is looked for between runs, where there may be much of it, and not during a run or right after it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from trainlint.app.engine import driver, garbage
from trainlint.app.engine.garbage import uncollected
from trainlint.app.engine.result import FixMode
from trainlint.config import Overrides, find_settings


class Chain:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.me = self


def test_what_a_run_leaves_is_not_gone_through_at_its_end_but_later() -> None:
    collections: list[int] = []

    def note(phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            collections.append(about["generation"])

    gc.unfreeze()  # whatever a test before has frozen
    gc.collect()
    gc.callbacks.append(note)
    try:
        with uncollected():
            left = weakref.ref(Chain())
            kept = [Chain() for _ in range(gc.get_threshold()[0] * 2)]
        assert gc.isenabled()
        assert collections == []
        assert left() is not None
        del kept
    finally:
        gc.callbacks.remove(note)
    gc.collect()
    assert left() is None


def test_what_others_froze_stays_frozen() -> None:
    gc.collect()
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with uncollected():
            pass
        assert 0 < gc.get_freeze_count() <= frozen
    finally:
        gc.unfreeze()


@pytest.fixture
def _no_looks_of_its_own() -> Iterator[None]:
    """Python's collector looks at no time of its own."""
    before = gc.get_threshold()
    gc.set_threshold(0)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_no_looks_of_its_own")
def test_what_many_runs_have_left_is_looked_through() -> None:
    """A program that checks again and again, as an editor's or a test suite's does, stays as large as it is."""
    gc.unfreeze()
    gc.collect()
    with uncollected():
        left = weakref.ref(Chain())
    with uncollected():
        assert left() is not None, "so little is not worth a look"
    with uncollected():
        many = [Chain() for _ in range(garbage._MANY + 1)]
        del many
    with uncollected():
        assert left() is None


def test_garbage_is_looked_for_where_python_is_told_not_to() -> None:
    """The command disables Python's collector; with --watch it goes on for hours."""
    gc.collect()
    gc.disable()
    try:
        with uncollected():
            left = [weakref.ref(Chain()) for _ in range(garbage._MANY + 1)]
        with uncollected():
            assert left[0]() is None
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_rounds_of_repairs_look_for_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looked = 0

    def look() -> None:
        nonlocal looked
        looked += 1

    monkeypatch.setattr(driver, "collect_much", look)
    (tmp_path / "a.py").write_text("import torch\n\n\ndef f(path):\n    return torch.load(path)\n")
    settings = find_settings(tmp_path, Overrides(flags={"select": ["TL601"]}), isolated=True)
    driver.check([tmp_path], settings, fix=FixMode.APPLY, unsafe=True)
    assert "weights_only" in (tmp_path / "a.py").read_text()
    assert looked

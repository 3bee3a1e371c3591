"""A project in which results are kept, however small it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.engine import driver


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which results are kept, however small it is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.delenv("TRAINLINT_NO_CACHE", raising=False)
    monkeypatch.delenv("TRAINLINT_RAISE", raising=False)
    monkeypatch.setattr(driver, "_FEWEST_KEPT", 1)
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root

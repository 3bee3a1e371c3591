"""A stand-in for the engine: the command line is tested for what it asks of it and for what it makes of the answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import click.testing
import pytest

import trainlint.app.engine
from trainlint.app.cli.main import main
from trainlint.app.engine.result import FixMode, Result


@dataclass
class Engine:
    """Gives ``result`` (or raises ``error``) and remembers what it was asked."""

    result: Result = field(default_factory=lambda: Result(checked=[Path("train.py")]))
    error: BaseException | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)

    def check(self, paths: Any, settings: Any, **options: Any) -> Result:
        self.asked.append({"paths": paths, "settings": settings, **options})
        if self.error is not None:
            raise self.error
        return self.result

    @property
    def settings(self) -> Any:
        return self.asked[-1]["settings"]

    @property
    def mode(self) -> FixMode:
        mode: FixMode = self.asked[-1]["fix"]
        return mode


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    engine = Engine()
    driver = ModuleType("trainlint.app.engine.driver")
    driver.check = engine.check  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "trainlint.app.engine.driver", driver)
    monkeypatch.setattr(trainlint.app.engine, "driver", driver, raising=False)
    return engine


Run = Callable[..., click.testing.Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``trainlint`` with the given words in an empty folder, with an environment that says nothing about colour."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str, **options: Any) -> click.testing.Result:
        result = click.testing.CliRunner().invoke(main, list(words), prog_name="trainlint", **options)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run

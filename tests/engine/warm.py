"""Runs with and without what is remembered, and what they say."""

from __future__ import annotations

from pathlib import Path

from trainlint.app.engine import driver
from trainlint.app.engine.result import Result
from trainlint.app.engine.session import Staying
from trainlint.app.engine.timing import Deadline
from trainlint.app.report.json_format import render
from trainlint.config import Overrides, Settings, find_settings


class Looks(Deadline):
    """Time is up at a certain look at the clock."""

    def __init__(self, looks: int) -> None:
        self._now = 0.0
        super().__init__(looks, self._tick)

    def _tick(self) -> float:
        self._now += 1.0
        return self._now


def settings_for(path: Path, selected: tuple[str, ...]) -> Settings:
    flags = {"select": list(selected)} if selected else {}
    return find_settings(path, Overrides(flags=flags))


def check(
    path: Path, selected: tuple[str, ...], *, kept: bool, deadline: Deadline | None = None, staying: Staying | None = None
) -> Result:
    return driver.check([path], settings_for(path, selected), kept_for="" if kept else None, deadline=deadline, staying=staying)


def told(result: Result) -> tuple[object, ...]:
    """Everything that a run says, but how much work it was."""
    statistics = {name: n for name, n in result.statistics.items() if name not in ("files parsed", "files judged")}
    honoured = [finding.honoured for finding in result.findings]
    return render(result.findings), honoured, statistics, result.internal_errors, sorted(map(str, result.errors))

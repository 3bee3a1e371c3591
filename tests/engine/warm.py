"""Runs with and without what is remembered, and what they say."""

from __future__ import annotations

from pathlib import Path

from trainlint.config import Overrides, find_settings
from trainlint.engine import driver
from trainlint.engine.result import Result
from trainlint.report.json_format import render


def check(path: Path, selected: tuple[str, ...], *, kept: bool) -> Result:
    flags = {"select": list(selected)} if selected else {}
    return driver.check([path], find_settings(path, Overrides(flags=flags)), kept_for="" if kept else None)


def told(result: Result) -> tuple[object, ...]:
    """Everything that a run says, but how much work it was."""
    statistics = {name: n for name, n in result.statistics.items() if name not in ("files parsed", "files judged")}
    honoured = [finding.honoured for finding in result.findings]
    return render(result.findings), honoured, statistics, result.internal_errors, sorted(map(str, result.errors))

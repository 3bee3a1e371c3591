"""Analyses and findings as what JSON has, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainlint.engine.outcome import Analysis
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Findings and statistics as what JSON has."""
    # Nothing is parsed or judged when it is read.
    nothing = dict.fromkeys(("files parsed", "files judged"), 0)
    return {"findings": [finding_as_data(one) for one in analysis.findings], "statistics": {**analysis.statistics, **nothing}}


def from_data(data: Any) -> Analysis:
    """What :func:`as_data` made. Raises KeyError, TypeError or ValueError for anything else."""
    statistics = {str(name): int(number) for name, number in data["statistics"].items()}
    return Analysis([as_finding(one) for one in data["findings"]], statistics=statistics)


def finding_as_data(finding: Finding) -> dict[str, Any]:
    """One finding."""
    shown = {field.name: getattr(finding, field.name) for field in dataclasses.fields(finding)}
    repair = finding.repair
    return {
        **shown,
        "level": finding.level.value,
        "path": str(finding.path),
        "related": [[str(place.path), place.span, place.message, place.cell] for place in finding.related],
        "repair": None
        if repair is None
        else [repair.applicability.value, repair.message, [[edit.span, edit.content, edit.cell] for edit in repair.edits]],
    }


def as_finding(data: dict[str, Any]) -> Finding:
    """What :func:`finding_as_data` made. Raises KeyError, TypeError or ValueError for anything else."""
    repair = data["repair"]
    return Finding(
        **{
            **data,
            "level": Level(data["level"]),
            "path": Path(data["path"]),
            "span": Span(*data["span"]),
            "related": tuple(Place(Path(path), Span(*span), message, cell) for path, span, message, cell in data["related"]),
            "repair": None if repair is None else _as_repair(*repair),
            "honoured": tuple(data["honoured"]),
        }
    )


def _as_repair(applicability: str, message: str, edits: Iterable[Any]) -> Repair:
    return Repair(Applicability(applicability), message, tuple(Edit(Span(*span), text, cell) for span, text, cell in edits))

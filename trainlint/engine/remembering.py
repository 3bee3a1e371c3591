"""Analyses that are kept in a :mod:`trainlint.engine.cache`: what they depend on, and their findings as data."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from trainlint import __version__
from trainlint.codes import INSTALLED
from trainlint.config import Settings
from trainlint.engine.analysis import Analysis
from trainlint.engine.cache import Cache
from trainlint.engine.workspace import Workspace
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span

#: What another form of the entries, or of their keys, must change.
_FORM = 1
#: Settings that say what is done with findings, not which there are.
_AFTERWARDS = ("jobs", "output_format", "fix", "unsafe_fixes", "show_fixes", "baseline", "origins")
_PACKAGE = Path(__file__).resolve().parents[1]


def remembered(cache: Cache, workspace: Workspace, about: Sequence[object], analyse: Callable[[], Analysis]) -> Analysis:
    """The analysis of a workspace: one that was kept, if all of its files are what they were then; else made, and kept.

    ``about`` is what it depends on besides the files (see :func:`surroundings`). Processes that ask for the same at once
    make it once. What comments silenced is not kept: ``silenced`` is empty in an analysis from the cache.
    """
    key = _key(workspace, about)
    if key is None:
        return analyse()
    known = _known(cache, key)
    if known is not None:
        return known
    with cache.alone(key):
        known = _known(cache, key)
        if known is not None:
            return known
        analysis = analyse()
        # A failure of ours is to be seen again; and a file may have changed while it was read.
        if not analysis.internal_errors and _key(workspace, about) == key:
            cache.write(key, as_data(analysis))
        return analysis


def surroundings(settings: Settings, roots: Sequence[str], more: str) -> list[object]:
    """What an analysis depends on besides the text of files: us, Python's grammar, the settings, where names count from."""
    relevant = {key: value for key, value in vars(settings).items() if key not in _AFTERWARDS}
    return [_FORM, _tool(), sys.version_info[:3], relevant, list(roots), os.getcwd(), more]  # noqa: PTH109


def _known(cache: Cache, key: str) -> Analysis | None:
    found = cache.read(key)
    try:
        return None if found is None else from_data(found)
    except (KeyError, TypeError, ValueError):  # it is signed, so this is ours: another form under the same version
        return None


def _key(workspace: Workspace, about: Sequence[object]) -> str | None:
    """The name of the state of all files and of what else matters; None when a file cannot be read."""
    state = hashlib.sha256(json.dumps(about, sort_keys=True, default=_plain).encode())
    for path, spelled in sorted(workspace.spelled.items()):
        data = workspace.replaced.get(path)
        if data is None:
            try:
                with open(path, "rb") as file:  # noqa: PTH123 - thousands of them
                    data = file.read()
            except OSError:
                return None
        name = json.dumps([path, str(spelled), path in workspace.targets, len(data)])
        state.update(name.encode())
        state.update(data)
    return state.hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, (frozenset, set)):
        return sorted(value)
    return dict(value) if hasattr(value, "keys") else str(value)  # type: ignore[call-overload]


@cache
def _tool() -> list[object]:
    """Our version and that of packages with rules, with what their files look like: in a checkout they change without it."""
    modules = (getattr(sys.modules.get(row.module.partition(".")[0]), "__file__", None) for row in INSTALLED.rows.values())
    folders = {_PACKAGE, *(Path(file).parent for file in modules if file)}
    return [__version__, [list(_looks(folder)) for folder in sorted(folders)]]


def _looks(folder: Path) -> Iterator[tuple[str, int, int]]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            about = os.stat(os.path.join(here, name))  # noqa: PTH116, PTH118
            yield name, about.st_size, about.st_mtime_ns


# -- as data -----------------------------------------------------------------------------------------------------------


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Findings and statistics as what JSON has."""
    # Nothing is parsed when it is read.
    return {"findings": [_finding(one) for one in analysis.findings], "statistics": {**analysis.statistics, "files parsed": 0}}


def from_data(data: Any) -> Analysis:
    """What :func:`as_data` made. Raises KeyError, TypeError or ValueError for anything else."""
    statistics = {str(name): int(number) for name, number in data["statistics"].items()}
    return Analysis([_as_finding(one) for one in data["findings"]], statistics=statistics)


def _finding(finding: Finding) -> dict[str, Any]:
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


def _as_finding(data: dict[str, Any]) -> Finding:
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

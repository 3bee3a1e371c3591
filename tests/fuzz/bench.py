"""One text through everything: check, repair, check again, comments, every output format; and what must hold of it."""

from __future__ import annotations

import ast
import os
import re
import time
import warnings
from collections.abc import Iterable
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from trainlint.app.engine.add_ignores import add_ignores
from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.driver import lines_in, repair
from trainlint.app.engine.result import Analysis, Result
from trainlint.app.engine.workspace import NotebookPlaces, Workspace
from trainlint.app.report.formats import Look, render
from trainlint.app.report.style import Style
from trainlint.config import Overrides, Settings, find_settings
from trainlint.config.settings import FORMATS
from trainlint.finding import Finding
from trainlint.knowledge import Knowledge, load_knowledge
from trainlint.source.text import Source

#: CPU seconds that one analysis may take: at least so many, and so many more for each byte. Ordinary code takes 10 µs a byte
#: (some 400 a line) at most.
LEAST_SECONDS, SECONDS_A_BYTE = 4.0, 400e-6

#: A name that would be trouble wherever it is printed as it stands.
NAME = "a b\x1b]0;x\x07%0A::error::,;:]é\u202e.py"
#: Findings that no comment can suppress, or that speak of comments.
_BEYOND_COMMENTS = frozenset({"TL001", "TL005", "TL006"})


class Broken(AssertionError):
    """Something that must hold of every text does not hold of this one."""


@cache
def every_rule() -> Settings:
    """The settings of ``--select ALL --preview``."""
    flags = {"select": ["ALL"], "preview": True, "jobs": 1}
    return find_settings(Path("/"), Overrides(flags=flags), isolated=True)


@cache
def knowledge() -> Knowledge:
    return load_knowledge({})


@cache
def _interest() -> Any:
    return Analyser(Workspace([], []), every_rule(), knowledge(), []).interest


@contextmanager
def raising() -> Iterable[None]:
    """While this lasts a mistake of ours is raised, not reported."""
    before = os.environ.get("TRAINLINT_RAISE")
    os.environ["TRAINLINT_RAISE"] = "1"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        if before is None:
            del os.environ["TRAINLINT_RAISE"]
        else:
            os.environ["TRAINLINT_RAISE"] = before


def analyser(files: dict[str, bytes]) -> Analyser:
    """An analyser with all rules over files that are nowhere on the disk."""
    workspace = Workspace([Path(name) for name in files], [])
    for name, data in files.items():
        workspace.replace(os.path.abspath(name), data)  # noqa: PTH100 - as the workspace has it
    made = Analyser(workspace, every_rule(), knowledge(), ["/"])
    made.__dict__["interest"] = _interest()  # the same in all runs, and half of the time of a small one
    return made


def analysed(files: dict[str, bytes]) -> tuple[Analyser, Analysis]:
    """Analyse files within the time that their size gives them."""
    made = analyser(files)
    started = time.process_time()
    analysis = made.run()
    took = time.process_time() - started
    limit = LEAST_SECONDS + SECONDS_A_BYTE * sum(map(len, files.values()))
    if took > limit:
        raise Broken(f"the analysis took {took:.1f} s, more than {limit:.1f}")
    _no_failure(analysis)
    return made, analysis


def holds(data: bytes, name: str = NAME) -> list[Finding]:
    """Put one file through everything. Returns its findings; raises :class:`Broken`, or what trainlint raises."""
    with raising():
        made, analysis = analysed({name: data})
        findings = list(analysis.findings)
        if findings:
            _can_be_shown(made, findings)
        if any(finding.repair is not None for finding in findings):
            _repairs_settle(data, name)
        if any(finding.code not in _BEYOND_COMMENTS for finding in findings):
            _comments_silence(data, name)
    return findings


def _no_failure(analysis: Analysis) -> None:
    failed = [finding.message for finding in analysis.findings if finding.code == "TL005"]
    if failed or analysis.internal_errors:
        raise Broken(f"TL005: {failed}")


def _can_be_shown(made: Analyser, findings: list[Finding]) -> None:
    look = Look(Style(colour=False, columns=100), True, lines_in(made.workspace), NotebookPlaces(made.workspace))
    for form in FORMATS:
        text = render(form, findings, look)
        hostile = {char for char in text if char in "\x1b\x07\r\x85\u2028\u2029\u202e"}
        if hostile:
            raise Broken(f"{form} lets {sorted(hostile)} through")
        for line in text.split("\n"):
            if is_command(line, form):
                raise Broken(f"{form} prints a command: {line!r}")
        text.encode("utf-8", "backslashreplace")


def is_command(line: str, form: str) -> bool:
    """Whether a build server takes a line for a command; each of the two has a format whose lines are one."""
    if form not in ("azure", "github") and re.search(r"##(?:vso)?\[", line, re.IGNORECASE):
        return True
    # Not ours: a colon more, as it is in the arrow to a related place.
    return form != "github" and re.match(r"\s*::[^:]", line) is not None


def _repairs_settle(data: bytes, name: str) -> None:
    first = _repaired(data, name)
    if first == data:
        return
    if _parses(data, name) and not _parses(first, name):
        raise Broken(f"the repaired file does not parse:\n{first!r}")
    second = _repaired(first, name)
    if second != first:
        raise Broken(f"a second run changes the file again:\n{first!r}\n{second!r}")


def _repaired(data: bytes, name: str) -> bytes:
    made, analysis = analysed({name: data})
    after = repair(made, analysis, True, None, Result())
    _no_failure(after)
    return made.workspace.replaced[os.path.abspath(name)]  # noqa: PTH100


def _comments_silence(data: bytes, name: str) -> None:
    made, analysis = analysed({name: data})
    before = {finding.code for finding in analysis.findings}
    result = Result()
    after = add_ignores(made, analysis, lambda found: found, result)
    _no_failure(after)
    changed = made.workspace.replaced[os.path.abspath(name)]  # noqa: PTH100
    if _parses(data, name) and not _parses(changed, name):
        raise Broken(f"the file with comments does not parse:\n{changed!r}")
    more = {finding.code for finding in after.findings} - before - {"TL002", "TL003"}
    if more:
        raise Broken(f"comments brought {sorted(more)}")
    lines = changed.count(b"# trainlint: ignore[")
    if result.comments[0] > lines:
        raise Broken(f"{result.comments[0]} comments were added, but there are {lines}")


def _parses(data: bytes, name: str) -> bool:
    try:
        ast.parse(Source.from_bytes(Path(name), data).code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

"""How a place is named in every format: the path as a user would type it, the cell of a notebook, line and column."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from trainlint.finding import Applicability, Finding, Place
from trainlint.report.printable import escape

LinesOf: TypeAlias = Callable[[Path, int | None], Sequence[str]]
"""Gives the lines (without line ends) of a file, or of one 1-based cell of a notebook; none when they cannot be read."""


def display_path(path: Path) -> str:
    """``path`` relative to the working directory when it lies below it, absolute otherwise; not yet escaped."""
    absolute = os.path.normpath(path.absolute())
    below = os.path.normpath(Path.cwd()).rstrip(os.sep) + os.sep
    return absolute.removeprefix(below)


def position(path: Path, cell: int | None, line: int, column: int) -> str:
    """``path:line:column``, with ``:cell N`` after the path for a notebook; safe to print."""
    where = escape(display_path(path))
    if cell is not None:
        where += f":cell {cell}"
    return f"{where}:{line}:{column}"


def cell_of(place: Place) -> int | None:
    """The notebook cell of a related place (``None`` outside notebooks)."""
    cell: int | None = getattr(place, "cell", None)
    return cell


def headline(finding: Finding) -> str:
    """The first line of the message, safe to print; the lines after it are the reason, shown by the full format only."""
    return escape(finding.message.partition("\n")[0])


def is_fixable(finding: Finding, *, unsafe: bool) -> bool:
    """Whether ``--fix`` would apply the finding's repair (``unsafe``: whether unsafe repairs are allowed)."""
    if finding.repair is None:
        return False
    applicability = finding.repair.applicability
    return applicability is Applicability.SAFE or (unsafe and applicability is Applicability.UNSAFE)


def is_hidden(finding: Finding, *, unsafe: bool) -> bool:
    """Whether the finding has a repair that only ``--unsafe-fixes`` would enable."""
    return not unsafe and finding.repair is not None and finding.repair.applicability is Applicability.UNSAFE

"""How a place is named in every format: the path as a user would type it, the cell of a notebook, line and column."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from trainlint.app.report.printable import begins_command, escape
from trainlint.finding import Applicability, Edit, Finding, Place, Repair, Span

LinesOf: TypeAlias = Callable[[Path, int | None], Sequence[str]]
"""Gives the lines (without line ends) of a file, or of one 1-based cell of a notebook; none when they cannot be read."""


class InFile(Protocol):
    """Where the places of a notebook's cells are in its file (``trainlint.app.engine.result.InFile``)."""

    def span(self, path: Path, cell: int, span: Span) -> Span | None:
        """The place in the file's own lines of a place in a 1-based cell; None when it cannot be had."""

    def edits(self, path: Path, repair: Repair) -> tuple[Edit, ...] | None:
        """A repair as edits of the file's own lines; None when it cannot be had."""


def span_in_file(path: Path, cell: int | None, span: Span, in_file: InFile | None) -> Span | None:
    """A place as services show it, which know files and lines but no cells; None when the lines are not known."""
    if cell is None:
        return span
    return None if in_file is None else in_file.span(path, cell, span)


def repair_in_file(finding: Finding, in_file: InFile | None) -> Repair | None:
    """The finding's repair in the lines of the file; None when there is none that a service may offer.

    A service may offer what it is given to be taken with a click, so a repair that is only shown is none here.
    """
    repair = finding.repair
    if repair is None or repair.applicability is Applicability.DISPLAY:
        return None
    if finding.cell is None:
        return repair
    edits = None if in_file is None else in_file.edits(finding.path, repair)
    return None if edits is None else Repair(repair.applicability, repair.message, edits)


def in_cell(finding: Finding) -> str:
    """What stands before the message where the place does not name the cell: ``cell 3, line 5: ``; nothing outside notebooks."""
    return "" if finding.cell is None else f"cell {finding.cell}, line {finding.span.line}: "


def display_path(path: Path) -> str:
    """``path`` relative to the working directory when it lies below it, absolute otherwise; not yet escaped.

    A name with which a line would be a command to GitHub is spelled with ``./`` before it.
    """
    absolute = os.path.normpath(path.absolute())
    below = os.path.normpath(Path.cwd()).rstrip(os.sep) + os.sep
    shown = absolute.removeprefix(below)
    return f".{os.sep}{shown}" if begins_command(shown) else shown


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

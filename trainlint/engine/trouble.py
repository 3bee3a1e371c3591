"""What could not be looked at: a file of which there is no model, a function that is beyond the limits of an analysis."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from trainlint.source.errors import UnparsableSource, UnreadableSource

if TYPE_CHECKING:
    from trainlint.ir.sketch import Function

_CODES = {"unreadable": "TL001", "old-syntax": "TL001", "too-complex": "TL004", "newer-syntax": "TL006"}
SKIPPED = ": it was not analysed"
"""What is added to a sentence about a file that is no mistake of the file."""


class Trouble(NamedTuple):
    """The code to report it under, the whole sentence, the place (1-based line and column, in characters).

    ``old``: the file is Python 2, which is a mistake only where somebody means to train with it.
    """

    code: str
    message: str
    line: int
    column: int
    old: bool = False


def unreadable(error: UnreadableSource) -> Trouble:
    """The trouble with a file whose text cannot be had."""
    outcome = "" if error.kind == "unreadable" else SKIPPED
    return Trouble(_CODES[error.kind], f"the file {error.message}{outcome}", error.line or 1, 1)


def unparsable(error: UnparsableSource) -> Trouble:
    """The trouble with a file whose text has no syntax tree."""
    if error.kind == "newer-syntax":
        running = ".".join(map(str, sys.version_info[:2]))
        message = f"the file needs a newer Python than the {running} that runs trainlint{SKIPPED}"
    elif error.kind == "too-complex":
        # Either a predicate of the file or what the parser said of its own limits ("too many nested parentheses").
        is_predicate = error.message.startswith("is ")
        message = f"the file {error.message}{SKIPPED}" if is_predicate else f"{error.message}: the file was not analysed"
    else:
        message = f"syntax error: {error.message}{' (this is Python 2)' if error.kind == 'old-syntax' else ''}"
    return Trouble(_CODES[error.kind], message, error.line, error.column, old=error.kind == "old-syntax")


def not_judged(function: Function, limit: str, *, more: bool) -> Trouble:
    """The trouble with a function in which the ranks could not be compared; ``limit`` says what there was too much of.

    ``more``: it is not the only one of the file.
    """
    name = "the top level of the file" if function.kind == "module" else f"`{function.name}`"
    who = f"{name} and other functions of the file were" if more else f"{name} was"
    message = f"{who} not checked for collectives that only some ranks reach: {limit}"
    return Trouble("TL004", message, function.spot.line, function.spot.column + 1)

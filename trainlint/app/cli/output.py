"""Where a command's output goes, and how it may look there."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainlint.app.report.style import ColourChoice, Style


class Failure(Exception):
    """What was asked for cannot be done; the text is the sentence that says why."""


# Wide enough for code, narrow enough for a log in a browser; terminals say themselves how wide they are.
_COLUMNS_WITHOUT_TERMINAL = 160


def style_for(choice: ColourChoice, *, to_file: bool = False, to_stderr: bool = False) -> Style:
    """How output may look: colour by ``choice``, the environment and the stream; width by the terminal.

    ``to_file`` says that it goes to ``--output-file``, ``to_stderr`` that it goes to stderr, otherwise to stdout.
    """
    from trainlint.app.report.style import Style, wants_colour

    stream = sys.stderr if to_stderr else sys.stdout
    terminal = not to_file and stream.isatty()
    # A file is coloured on demand only: FORCE_COLOR speaks of what people look at.
    colour = choice == "always" if to_file else wants_colour(choice, os.environ, is_terminal=terminal)
    return Style(colour, _columns(terminal=terminal))


def _columns(*, terminal: bool) -> int:
    if not terminal and "COLUMNS" not in os.environ:
        return _COLUMNS_WITHOUT_TERMINAL
    import shutil

    # A terminal that does not know its width says 0, and shutil then gives the fallback.
    return max(shutil.get_terminal_size((_COLUMNS_WITHOUT_TERMINAL, 24)).columns, 20)


def write(text: str, *, err: bool = False) -> None:
    """Print ``text`` as it is (click would take its colours away, and choose another encoding than the stream's)."""
    (sys.stderr if err else sys.stdout).write(text)


def note(text: str) -> None:
    """Say something beside the result, on stderr, safe to print."""
    from trainlint.app.report.printable import escape_block

    write(escape_block(text) + "\n", err=True)

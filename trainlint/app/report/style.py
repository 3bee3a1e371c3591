"""Colour, as a thing that is either there or not: renderers paint, and a plain style leaves the text as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trainlint.finding import Level

ColourChoice = Literal["auto", "always", "never"]
#: Lines of text are no longer than this however wide the terminal is; two traces stand side by side from here on.
WIDEST = 120
_RESET = "\x1b[0m"
_LEVELS = {Level.ERROR: "1;91", Level.WARNING: "1;93", Level.ADVICE: "1;96"}


@dataclass(frozen=True)
class Style:
    """Paints pieces of output. ``colour`` says whether ANSI sequences may be used, ``columns`` how wide the output is."""

    colour: bool = False
    columns: int = 160

    def _paint(self, codes: str, text: str) -> str:
        return f"\x1b[{codes}m{text}{_RESET}" if self.colour and text else text

    def level(self, level: Level, text: str) -> str:
        """The code of a finding, or the mark under its place, in the colour of its level."""
        return self._paint(_LEVELS[level], text)

    def strong(self, text: str) -> str:
        """A headline or a file name."""
        return self._paint("1", text)

    def gutter(self, text: str) -> str:
        """Line numbers, bars and arrows of a code frame."""
        return self._paint("1;94", text)

    def related(self, text: str) -> str:
        """The mark under a related place and its sentence."""
        return self._paint("1;94", text)

    def accent(self, text: str) -> str:
        """Small signs: the star of a repair, the colons of a place, the word ``help``."""
        return self._paint("36", text)

    def added(self, text: str) -> str:
        """A line that a repair adds."""
        return self._paint("32", text)

    def removed(self, text: str) -> str:
        """A line that a repair takes away."""
        return self._paint("31", text)


def wants_colour(choice: ColourChoice, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether to use colour: ``always`` and ``never`` decide; otherwise the environment, then whether it is a terminal.

    ``NO_COLOR`` (any value) wins over ``FORCE_COLOR`` (any value but ``0``); ``TERM=dumb`` counts as no terminal.
    """
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"

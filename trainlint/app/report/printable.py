"""Text that is safe to print: control characters escaped, widths measured in terminal columns.

Source files, file names and messages may come from strangers. Whatever reaches a terminal goes through here first,
so that no file can move the cursor, recolour the screen or reverse the reading direction; nor tell a build server what to
do: those of GitHub and Azure take ``##[`` and ``##vso[`` for the beginning of a command wherever it stands in a line, and
GitHub's a line that begins with ``::``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

TAB_STOP = 4
ELLIPSIS = "..."

# Controls, invisible format characters (which include the bidirectional overrides), lone surrogates, and the two
# Unicode line separators: none of them may reach a terminal as it is.
_HOSTILE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_COMMAND = re.compile(r"##(?:vso)?\[", re.IGNORECASE)
_BRACKET = "\\x5b"
_BEFORE_BRACKET = ("##", "##vso")
_COMMAND_LINE = re.compile(r"\s*::")
_NO_ADVANCE = frozenset({"Mn", "Me"})


def glyph(char: str) -> str:
    """One character as it is printed: itself, or a backslash escape when a terminal would act on it or hide it."""
    if char.isascii():
        return char if char.isprintable() else f"\\x{ord(char):02x}"
    if unicodedata.category(char) not in _HOSTILE and not _is_no_character(ord(char)):
        return char
    return char.encode("ascii", "backslashreplace").decode("ascii")


def _is_no_character(code: int) -> bool:
    """Whether a code point stands for no character and never will (Unicode, section 23.7): HTML lets none of these be."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF  # noqa: PLR2004 - the standard's own numbers


def escape(text: str) -> str:
    """``text`` on one line with nothing in it that a terminal would act on (tabs and newlines are escaped too)."""
    shown = text if text.isascii() and text.isprintable() else "".join(map(glyph, text))
    return without_commands(shown) if "##" in shown else shown


def without_commands(text: str) -> str:
    """Nothing in ``text`` begins a command of a build server any more: the bracket becomes a backslash escape."""
    return _COMMAND.sub(lambda found: found[0][:-1] + _BRACKET, text)


def begins_command(line: str) -> bool:
    """Whether GitHub takes a line, if it is printed as it stands, for a command."""
    return _COMMAND_LINE.match(line) is not None


def escape_block(text: str) -> str:
    """Like :func:`escape` for text of several lines: its newlines stay, and tabs become spaces.

    A line that GitHub would take for a command does not begin with two colons.
    """
    lines = [escape(line.expandtabs(TAB_STOP)) for line in text.split("\n")]
    return "\n".join(line.replace(":", "\\x3a", 1) if begins_command(line) else line for line in lines)


def controls_escaped(text: str) -> str:
    """``text`` without what a terminal would act on, but for the ends of lines: whoever calls spells those in his own way."""
    return "".join(char if char in "\r\n" else glyph(char) for char in text) if not text.isprintable() else text


def width(text: str) -> int:
    """How many terminal columns ``text`` (already escaped) takes: East Asian wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _NO_ADVANCE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def glyphs(line: str, room: int) -> tuple[list[str], list[int], bool]:
    """Lay ``line`` out from its first character until ``room`` columns are full.

    Returns what is printed for each character, the column (0-based) at which each begins followed by the column where
    the last one ends, and whether the whole line fitted. Tabs are expanded to stops of four columns.
    """
    if line.isascii() and line.isprintable() and "##" not in line:  # nearly every line: each character is one column, as it is
        printed = list(line[: max(room, 0)])
        return printed, list(range(len(printed) + 1)), len(printed) == len(line)
    shown: list[str] = []
    starts = [0]
    for index, char in enumerate(line):
        at = starts[-1]
        piece = " " * (TAB_STOP - at % TAB_STOP) if char == "\t" else glyph(char)
        if char == "[" and line[:index].lower().endswith(_BEFORE_BRACKET):
            piece = _BRACKET
        if at + width(piece) > room:
            return shown, starts, False
        shown.append(piece)
        starts.append(at + width(piece))
    return shown, starts, True


def skip_for(line: str, start: int, end: int, room: int) -> int:
    """How many leading characters of ``line`` to leave out so that the place shows within ``room`` columns.

    ``start`` and ``end`` are 0-based character indexes. A long place need only show its beginning. Returns 0 when the
    line may be printed from its start; otherwise about a third of the room is left for what stands before the place.
    """
    third = max(room // 3, 1)
    must_show = line[: min(end, start + third)]
    if len(must_show) <= room and glyphs(must_show, room)[2]:
        return 0
    index, left = start, third
    while index > 0:
        left -= TAB_STOP if line[index - 1] == "\t" else width(glyph(line[index - 1]))
        if left < 0:
            break
        index -= 1
    return index


def wrap(text: str, room: int) -> list[str]:
    """Break ``text`` (already escaped) at spaces into lines of at most ``room`` columns; a longer word stays whole."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def strip_blank_ends(lines: Sequence[str], first: int, last: int, keep_first: int, keep_last: int) -> tuple[int, int]:
    """Shrink the 1-based line range ``first..last`` past blank lines at its ends, but never into ``keep_first..keep_last``."""
    while first < keep_first and not lines[first - 1].strip():
        first += 1
    while last > keep_last and not lines[last - 1].strip():
        last -= 1
    return first, last

"""Between our places (lines and columns from 1, in characters) and the protocol's (from 0, in units that were agreed on)."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from trainlint.finding import Span

_ENCODINGS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Units:
    """The units in which a client counts the characters of a line: those of UTF-16, unless both sides agreed on others."""

    def __init__(self, encoding: str) -> None:
        """Take a position encoding of the protocol: "utf-8", "utf-16" or "utf-32"."""
        self._codec, self._size = _ENCODINGS[encoding]

    def count(self, text: str) -> int:
        """How many units a text has."""
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._size

    def range(self, span: Span, lines: Sequence[str]) -> types.Range:
        """Where a span of a text with these lines is for the client."""
        return types.Range(self._position(span.line, span.column, lines), self._position(span.end_line, span.end_column, lines))

    def _position(self, line: int, column: int, lines: Sequence[str]) -> types.Position:
        text = lines[line - 1] if line <= len(lines) else ""
        return types.Position(line - 1, self.count(text[: column - 1]))

    def place(self, position: types.Position, lines: Sequence[str]) -> tuple[int, int]:
        """The line and column of a client's position; one beyond the end of a line is its end, as the protocol has it."""
        text = lines[position.line] if position.line < len(lines) else ""
        if text.isascii():
            return position.line + 1, min(position.character, len(text)) + 1
        units = 0
        for column, character in enumerate(text, 1):
            if units >= position.character:
                return position.line + 1, column
            units += self.count(character)
        return position.line + 1, len(text) + 1

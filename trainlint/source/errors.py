"""What can be wrong with a source file itself."""

from __future__ import annotations

from typing import Literal


class UnreadableSource(Exception):
    """A file whose text cannot be had.

    ``line`` is 1-based and counts in the file (None: no particular line). ``message`` is a predicate of the file, such
    as "cannot be read: Permission denied".
    """

    def __init__(self, message: str, line: int | None = None, kind: Literal["unreadable", "too-complex"] = "unreadable") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.kind = kind


class UnparsableSource(Exception):
    """A text that has no syntax tree.

    ``kind``: ``unreadable`` is wrong Python, ``old-syntax`` is Python 2, ``too-complex`` is beyond the limits,
    ``newer-syntax`` is Python that the running interpreter is too old for. ``line`` and ``column`` are 1-based
    (characters) and count in ``Source.code``; they name a place that exists there.
    """

    def __init__(
        self,
        kind: Literal["unreadable", "old-syntax", "too-complex", "newer-syntax"],
        message: str,
        line: int = 1,
        column: int = 1,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.line = line
        self.column = column

"""Where the parser saw a node."""

from __future__ import annotations

from typing import Any

from trainlint.finding import Spot

#: Line numbers, one object each: the parser makes new ones for every node, and there are more spots than anything else.
_MOST_LINES = 20_000
_LINES = tuple(range(_MOST_LINES))
_make: Any = tuple.__new__


def spot_of(node: Any) -> Spot:
    """The parser's place of a node."""
    line, end = node.lineno, node.end_lineno
    if end < _MOST_LINES:
        line, end = _LINES[line], _LINES[end]
    return _make(Spot, (line, node.col_offset, end, node.end_col_offset))  # type: ignore[no-any-return]

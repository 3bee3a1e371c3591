"""Texts that a repair brings along get the quotes that the file uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainlint.finding import Edit

if TYPE_CHECKING:
    from trainlint.source.text import Source

_DOUBLE = re.compile(r"(?<![\w'\"\\])\"([^'\"\\\n{}]*)\"(?!\")")
_SINGLE = re.compile(r"(?<![\w'\"\\])'[^'\"\\\n]*'(?!')")
#: A file prefers single quotes when it has this many times more of them.
_CLEARLY = 2


def quoted_alike(source: Source, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, their double-quoted texts in single quotes where the file clearly prefers those.

    What stands in the file just so is the user's own, moved or repeated: it stays.
    """
    if not any('"' in edit.content for edit in edits) or not _prefers_single(source.code):
        return edits
    return tuple(
        Edit(edit.span, _DOUBLE.sub(lambda found: _single(found, source.code), edit.content), edit.cell) for edit in edits
    )


def _prefers_single(code: str) -> bool:
    return sum(1 for _ in _SINGLE.finditer(code)) > _CLEARLY * sum(1 for _ in _DOUBLE.finditer(code))


def _single(found: re.Match[str], code: str) -> str:
    return found[0] if found[0] in code else f"'{found[1]}'"

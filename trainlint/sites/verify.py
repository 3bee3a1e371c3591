"""Whether a repaired text is still Python in the style of its file."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainlint.source.text import Source

_LINE_END = re.compile(r"\r\n|\r|\n")


def verify(before: Source, after_text: str) -> bool:
    """Whether ``after_text``, the repaired ``before.code``, parses again and brings no kind of line end the file had not.

    A file without any line end may get that of ``before.newline``. Never raises.
    """
    known = set(_LINE_END.findall(before.code)) or {before.newline}
    return set(_LINE_END.findall(after_text)) <= known and _parses(after_text)


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

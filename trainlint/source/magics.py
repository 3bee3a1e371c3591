"""IPython's own syntax, made harmless: a cell with ``%magics`` to Python with the same lines.

A magic at the start of a statement becomes ``0``; what is assigned from one becomes ``_`` (IPython's name for some
earlier value: nothing is known of it); ``%time f(x)`` becomes ``0;   f(x)``, since ``f(x)`` is part of the training;
a cell of another language (``%%bash``) becomes blank lines. Lines never move, Python that is kept keeps its columns, and
no line grows.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import NamedTuple

from trainlint.source.logical import statement_at

# Cell magics whose cell is Python that runs in the notebook's own process, or reads as if it did.
_PYTHON_CELLS = frozenset(
    ["capture", "debug", "ipytest", "memit", "prun", "pypy", "python", "python3", "time", "timeit", "wandb"]
)

# Line magics that run the Python after them: the options that may stand between.
_RUNNERS = {
    "time": r"(?:--no-raise-error[ \t]+)?",
    "timeit": r"(?:-[nrp][ \t]*\d+[ \t]+|-[tcqov]+[ \t]+)*",
    "memit": r"(?:-[rti][ \t]*\d+[ \t]+|-[co]+[ \t]+)*",
    "prun": r"(?:-[lsTD][ \t]+\S+[ \t]+|-[rq]+[ \t]+)*",
}
_RUNNER = re.compile(r"[ \t]*%(?:" + "|".join(rf"{name}[ \t]+{options}" for name, options in _RUNNERS.items()) + r")(?=[^\s#])")

_CELL_MAGIC = re.compile(r"%%(\w*)")
_ESCAPE = re.compile(r"[ \t]*[%!?,;/]")
# Neither "?" nor "%" or "!" after "=" can occur in Python outside of strings and comments.
_HELP = re.compile(r"""[^"'#]*\?[ \t]*\Z""")
_ASSIGNED = re.compile(r"""[ \t]*[A-Za-z_][\w.,\[\] \t]*?=[ \t]*(?=[%!][\w!~./{$"'%])""")
_AUTOMAGIC = re.compile(r"[ \t]*(?:cat|cd|conda|cp|less|ls|mamba|man|mkdir|more|mv|pip|pwd|rm|rmdir|uv)[ \t]+[-\w./~\"']")
# Anything at all that this module might have to change: most cells have nothing, and need no scan.
_SUSPICIOUS = re.compile(
    rf"^[ \t]*[%!?,;/]|\?[ \t]*$|=[ \t]*[%!][\w!~./{{$\"'%]|^{_AUTOMAGIC.pattern}",
    re.MULTILINE,
)
_LINE = re.compile(r"([^\r\n]*)(\r\n?|\n|\Z)")


class PlainCell(NamedTuple):
    """A cell as Python: the same number of lines; ``changed`` are the 1-based lines that are not the user's own words."""

    code: str
    changed: frozenset[int]


def plain_python(cell: str) -> PlainCell:
    """Return the cell with IPython's syntax made harmless; what is wrong Python stays as wrong as it is."""
    if not _SUSPICIOUS.search(cell):
        return PlainCell(cell, frozenset())
    return _Rewriter(cell).run()


class _Rewriter:
    """One pass over a cell, statement by statement: magics count only where a statement begins."""

    def __init__(self, cell: str) -> None:
        self._cell = cell
        self._position = 0
        self._line = 1
        self._parts: list[str] = []
        self._changed: set[int] = set()

    def run(self) -> PlainCell:
        if not self._cell_magics():
            while self._position < len(self._cell):
                self._statement()
        return PlainCell("".join(self._parts), frozenset(self._changed))

    def _cell_magics(self) -> bool:
        """Take the ``%%magic`` lines at the top; return whether they make the whole cell another language's."""
        while self._position < len(self._cell):
            content, end = self._peek()
            magic = _CELL_MAGIC.match(content)
            if magic and magic[1] not in _PYTHON_CELLS:
                self._blank_the_rest()
                return True
            if magic:
                self._replace(content, "", end)
            elif content.strip():
                return False
            else:
                self._keep(content, end)
        return False

    def _blank_the_rest(self) -> None:
        while self._position < len(self._cell):
            content, end = self._peek()
            self._replace(content, "", end)

    def _statement(self) -> None:
        content, end = self._peek()
        replacement = _replacement(content)
        if replacement is not None:
            self._magic(content, replacement, end)
            return
        statement = statement_at(self._cell, self._position)
        while self._position < statement.end:
            self._keep(*self._peek())

    def _magic(self, content: str, replacement: str, end: str) -> None:
        """Replace a magic and the lines that backslashes join to it."""
        runner = _RUNNER.match(self._cell, self._position)
        first_line = self._line
        self._replace(content, replacement, end)
        while content.endswith("\\") and self._position < len(self._cell):
            content, end = self._peek()
            self._replace(content, "", end)
        if runner is not None:
            self._keep_runners_code(first_line, runner)

    def _keep_runners_code(self, first_line: int, runner: re.Match[str]) -> None:
        """Put the Python after ``%time`` back, if it may follow a semicolon."""
        code = self._cell[runner.end() : self._position]
        if not _is_simple(code):
            return
        before = runner[0]
        indent = before[: len(before) - len(before.lstrip())]
        kept = (indent + "0;").ljust(len(before)) + code
        del self._parts[-(self._line - first_line) :]
        self._parts.append(kept)
        self._changed.difference_update(range(first_line + 1, self._line))

    def _peek(self) -> tuple[str, str]:
        found = _LINE.match(self._cell, self._position)
        assert found is not None  # the pattern matches anything
        return found[1], found[2]

    def _keep(self, content: str, end: str) -> None:
        self._parts.append(content + end)
        self._advance(content, end)

    def _replace(self, content: str, replacement: str, end: str) -> None:
        if content != replacement:
            self._changed.add(self._line)
        self._parts.append(replacement + end)
        self._advance(content, end)

    def _advance(self, content: str, end: str) -> None:
        self._position += len(content) + len(end)
        self._line += 1


def _replacement(line: str) -> str | None:
    """Return what stands for a line on which a statement begins, None when it is Python already."""
    assigned = _ASSIGNED.match(line)
    if assigned:
        return assigned[0] + "_"
    if _ESCAPE.match(line) or _HELP.match(line) or (_AUTOMAGIC.match(line) and not _is_simple(line.strip())):
        return line[: len(line) - len(line.lstrip())] + "0"
    return None


def _is_simple(code: str) -> bool:
    """Whether ``code`` is Python that may follow a semicolon."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse("0; " + code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

r"""Jupyter notebooks: their Python cells as one Python text, and the way back from its lines to the cells.

Between two cells stands one line that belongs to neither. It is blank; before a cell whose code is indented as a whole
(which IPython allows) it is ``if 1:``. All lines end in ``\n``, whatever the cells' text has.
"""

from __future__ import annotations

import bisect
import json
import re
from dataclasses import dataclass
from typing import Any

from trainlint.source.errors import UnreadableSource
from trainlint.source.magics import plain_python

_LINE_END = re.compile(r"\r\n?|\n")
_FIRST_CODE = re.compile(r"^([ \t\f]*)[^\s#]", re.MULTILINE)
_FIRST_FORMAT_WITH_CELLS = 4


@dataclass(frozen=True)
class Cell:
    """A Python cell. ``number`` is 1-based among all cells of the notebook; lines are 1-based lines of the joined code.

    ``changed`` are the lines of the joined code that are not the user's words (neutralised magics): nothing there may
    be edited.
    """

    number: int
    first_line: int
    line_count: int
    changed: frozenset[int]


@dataclass(frozen=True)
class Notebook:
    """The joined Python ``code`` of a notebook and its Python cells, in order."""

    code: str
    cells: tuple[Cell, ...]

    def cell_of(self, line: int) -> tuple[int, int] | None:
        """Return (cell number, 1-based line in the cell) of a 1-based line of ``code``; None for a line between cells."""
        index = bisect.bisect_right(self.cells, line, key=lambda cell: cell.first_line) - 1
        if index < 0:
            return None
        cell = self.cells[index]
        within = line - cell.first_line + 1
        return (cell.number, within) if within <= cell.line_count else None

    def line_of(self, number: int, line: int) -> int | None:
        """Return the 1-based line of ``code`` of a line (1-based) of a cell; the inverse of :meth:`cell_of`."""
        for cell in self.cells:
            if cell.number == number and 1 <= line <= cell.line_count:
                return cell.first_line + line - 1
        return None


def read_notebook(text: str) -> Notebook:
    """Read a notebook's JSON; a notebook in another language has no cells.

    Raises UnreadableSource, with the line of the JSON where that is known, for what is not a notebook of format 4.
    """
    content = _notebook_object(text)
    language = _language(content.get("metadata"))
    cells = content.get("cells")
    if not isinstance(cells, list):
        raise UnreadableSource("is not a notebook: it has no list of cells")
    joined = _Joiner()
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            raise UnreadableSource(f"is a broken notebook: cell {number} is no object")
        if cell.get("cell_type") == "code":
            source = _cell_source(cell, number)
            if _is_python(language) and _is_python(_own_language(cell)):
                joined.add(number, source)
    return joined.notebook()


def _notebook_object(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableSource(f"is a broken notebook: {error.msg}", error.lineno) from error
    except RecursionError as error:
        raise UnreadableSource("is a broken notebook: its JSON is nested too deeply", kind="too-complex") from error
    except ValueError as error:  # an integer of thousands of digits
        raise UnreadableSource(f"is a broken notebook: {error}") from error
    if not isinstance(content, dict) or "nbformat" not in content:
        raise UnreadableSource("is not a notebook: its JSON has no nbformat")
    version = content["nbformat"]
    if not isinstance(version, int) or version < _FIRST_FORMAT_WITH_CELLS:
        raise UnreadableSource(f"is a notebook of format {version}; only format 4 and later can be read")
    return content


def _language(metadata: Any) -> str | None:
    """Return the language that the notebook says it is in, None when it does not say."""
    if not isinstance(metadata, dict):
        return None
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(key)
        if isinstance(about, dict) and isinstance(about.get(name), str):
            return str(about[name])
    return None


def _own_language(cell: dict[str, Any]) -> str | None:
    """Return the language of one cell, which VS Code notes where it differs from the notebook's."""
    metadata = cell.get("metadata")
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    own = editor.get("languageId") if isinstance(editor, dict) else None
    return own if isinstance(own, str) else None


def _is_python(language: str | None) -> bool:
    return language is None or language.lower() in {"python", "ipython", "python3", "ipython3"}


def _cell_source(cell: dict[str, Any], number: int) -> str:
    source = cell.get("source")
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    raise UnreadableSource(f"is a broken notebook: the source of cell {number} is neither text nor a list of texts")


class _Joiner:
    """Collects cells into one text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._cells: list[Cell] = []
        self._next_line = 1

    def add(self, number: int, source: str) -> None:
        plain = plain_python(_LINE_END.sub("\n", source))
        first_code = _FIRST_CODE.search(plain.code)
        indented = first_code is not None and first_code[1] != ""
        if self._cells or indented:  # the first cell needs no line before it, unless it must be opened
            self._parts.append("if 1:\n" if indented else "\n")
            self._next_line += 1
        line_count = plain.code.count("\n") + 1
        offset = self._next_line - 1
        self._cells.append(Cell(number, self._next_line, line_count, frozenset(line + offset for line in plain.changed)))
        self._parts.append(plain.code + "\n")
        self._next_line += line_count

    def notebook(self) -> Notebook:
        return Notebook("".join(self._parts), tuple(self._cells))

"""Jupyter notebooks: their Python cells, magics made harmless, as one Python text, and the way back to a place in their JSON."""

from __future__ import annotations

import ast
import bisect
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from trainlint.finding import Span
from trainlint.source.logical import statement_at
from trainlint.source.text import UnreadableSource

_LINE_END = re.compile(r"\r\n?|\n")
_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
# One character of a JSON string as it is written. Two escapes that are halves of one character are one.
_WRITTEN = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)


@dataclass(frozen=True)
class CellText:
    """The ``source`` of a cell.

    ``number`` is 1-based among all cells. ``start`` and ``end`` are where the value stands in the JSON text,
    ``literals`` where its strings stand (with their quotes). ``is_list`` says whether it is a list of strings.
    """

    number: int
    json_text: str
    start: int
    end: int
    is_list: bool
    literals: tuple[tuple[int, int], ...]

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """What the strings say."""
        return tuple(_value(self.json_text, start)[0] for start, _ in self.literals)

    @cached_property
    def text(self) -> str:
        """The code of the cell."""
        return "".join(self.strings)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Each character of ``text`` as the JSON has it."""
        return tuple(piece for start, end in self.literals for piece in _WRITTEN.findall(self.json_text, start + 1, end - 1))

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """Where each line of ``text`` begins and ends (without its line end)."""
        found, start = [], 0
        for end in _LINE_END.finditer(self.text):
            found.append((start, end.start()))
            start = end.end()
        return [*found, (start, len(self.text))]

    @property
    def newline(self) -> str:
        """The line end that the code uses most."""
        both = self.text.count("\r\n")
        return "\r\n" if both > self.text.count("\n") - both else "\n"

    def index(self, line: int, column: int) -> int:
        """The index into ``text`` of a 1-based line and column; what lies beyond a line's end is its end."""
        line = min(max(line, 1), len(self._lines))
        start, end = self._lines[line - 1]
        return min(start + max(column, 1) - 1, end)

    def line_length(self, line: int) -> int:
        """How many characters a 1-based line has."""
        start, end = self._lines[line - 1]
        return end - start

    def json_index(self, index: int, *, end: bool = False) -> int:
        """Where the character at an index into ``text`` is written in the JSON text.

        ``end`` says that the index ends something: between two strings that is the end of the first one.
        """
        before = 0
        for (start, stop), string in zip(self.literals, self.strings, strict=True):
            within = index - before
            if within < len(string) or (within == len(string) and (end or stop == self.literals[-1][1])):
                return start + 1 + sum(map(len, self.written[before : before + within]))
            before += len(string)
        return self.end


@lru_cache(maxsize=4)
def cell_texts(text: str) -> tuple[CellText, ...]:
    """The code of all cells of a notebook's JSON that have any, those of text too, in their order.

    The last few answers are kept: every repair of a notebook asks.
    """
    top = {key: where for key, *where in _members(text, _after_blanks(text, 0))}
    found = []
    for number, (start, _) in enumerate(_elements(text, top["cells"][0]), 1):
        value = {key: where for key, *where in _members(text, start)}.get("source")
        if value is None:
            continue
        is_list = text[value[0]] == "["
        literals = tuple(_elements(text, value[0])) if is_list else ((value[0], value[1]),)
        found.append(CellText(number, text, value[0], value[1], is_list, literals))
    return tuple(found)


class JsonLines:
    """The lines of a notebook's JSON text, and where in them the lines of its cells are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _LINE_END.split(text)
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        self.cells = {cell.number: cell for cell in cell_texts(text)}

    def span(self, number: int, span: Span) -> Span | None:
        """The place in the file (1-based lines, columns in characters) of a place in a cell; None when there is no such cell."""
        cell = self.cells.get(number)
        if cell is None:
            return None
        first, last = cell.index(span.line, span.column), cell.index(span.end_line, span.end_column)
        start = cell.json_index(first)
        end = max(start, cell.json_index(max(first, last), end=last > first))
        return self.stretch(start, end)

    def stretch(self, start: int, end: int) -> Span:
        """The place in the file between two indexes into the text."""
        return Span(*self._place(start), *self._place(end))

    def _place(self, index: int) -> tuple[int, int]:
        line = bisect.bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1


def _members(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield (key, start of its value, its end) of the object that begins at ``start``."""
    at = _after_blanks(text, start + 1)
    while text[at] != "}":
        key, at = _value(text, at)
        at = _after_blanks(text, _after_blanks(text, at) + 1)
        end = _value(text, at)[1]
        yield key, at, end
        at = _after_comma(text, end)


def _elements(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the elements of the list that begins at ``start``."""
    at = _after_blanks(text, start + 1)
    while text[at] != "]":
        end = _value(text, at)[1]
        yield at, end
        at = _after_comma(text, end)


def _value(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at ``start``, and where it ends."""
    return _DECODER.raw_decode(text, start)


def _after_blanks(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return found.end() if found else start


def _after_comma(text: str, end: int) -> int:
    at = _after_blanks(text, end)
    return _after_blanks(text, at + 1) if text[at] == "," else at


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

"""Repairs of notebooks. Sites know a notebook as one Python text; here its edits become edits of cells, and of the JSON.

An edit must lie in one cell, and in words that are the user's: a magic or a shell line was replaced by something harmless
before anyone looked at the code, so nothing may be changed there. A repair may have edits in several cells; each is then an
edit of its own cell, and all of them are made or none. In the JSON nothing changes but the strings of the changed lines.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from trainlint.edits.apply import apply_edits, encode_like, verify
from trainlint.finding import Edit, Repair, Span
from trainlint.source.notebook import CellText, JsonLines, cell_texts
from trainlint.source.text import UnreadableSource

if TYPE_CHECKING:
    from trainlint.source.notebook import Cell
    from trainlint.source.text import Source

#: An escape of a character outside ASCII (control characters are escaped by everybody).
_ESCAPED = re.compile(r"\\u(?!00[01])[0-9a-fA-F]{4}")
_LINES = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_ENDS_LINE = ("\\n", "\\r", "\\u000a", "\\u000A", "\\u000d", "\\u000D")


def split(source: Source, edits: Iterable[Edit]) -> tuple[Edit, ...] | None:
    """The edits of ``source.code`` as edits of the cells they lie in; None when one does not lie in the user's words of one cell.

    Outside of notebooks the edits as they are.
    """
    if source.notebook is None:
        return tuple(edits)
    texts = {cell.number: cell for cell in cell_texts(source.text)}
    found = []
    for edit in edits:
        clamped = _clamped(source, edit)
        if clamped is None or not _in_users_words(source, *clamped):
            return None
        found.append(_in_cell(source, texts[clamped[0].number], *clamped))
    return tuple(found)


def in_code(source: Source, repair: Repair) -> Repair:
    """A repair with its edits in ``source.code``, where those of all cells can be compared: the inverse of :func:`split`."""
    if source.notebook is None:
        return repair
    first = {cell.number: cell.first_line for cell in source.notebook.cells}
    edits = []
    for edit in repair.edits:
        span = _moved(edit.span, first[edit.cell or 0] - 1)
        column, end_column = (min(column, len(source.lines[line - 1]) + 1) for line, column in (span[:2], span[2:]))
        edits.append(Edit(span._replace(column=column, end_column=end_column), edit.content, edit.cell))
    return dataclasses.replace(repair, edits=tuple(edits))


def repaired(source: Source, edits: Sequence[Edit]) -> bytes | None:
    """The bytes of the file after edits of ``source.code`` (of a notebook: as :func:`in_code` gives them).

    None when what comes out is no Python, would not be read as it was meant, or cannot be written in the file's encoding.
    """
    code = apply_edits(source.code, edits)
    if not verify(source, code):
        return None
    if source.notebook is None:
        return encode_like(source, code)
    text = _rewritten(source, edits)
    data = None if text is None else encode_like(source, text)
    return data if data is not None and _is_what_was_meant(source, data, code, {edit.cell for edit in edits}) else None


def json_edits(lines: JsonLines, edits: Iterable[Edit]) -> tuple[Edit, ...] | None:
    """Edits of cells (as :func:`split` gives them) as edits of the notebook's JSON; None when they cannot be made."""
    found = []
    for number, of_cell in _by_cell(edits).items():
        cell = lines.cells.get(number)
        new = None if cell is None else _value(cell, of_cell, lines.text)
        if cell is None or new is None:
            return None
        found.append(_smallest(lines, cell, new))
    return tuple(found)


# -- from the joined code to one cell -----------------------------------------------------------------------------------


def _clamped(source: Source, edit: Edit) -> tuple[Cell, Edit] | None:
    """The cell of an edit, and the edit without the line end that belongs to no cell; None when it crosses cells."""
    span = edit.span
    first, last = _cell_at(source, span.line), _cell_at(source, span.end_line)
    if first is None and last is not None and span.line == last.first_line - 1:
        return _from_first_line(source, edit, last)
    if last is None and first is not None and span.end_line == _last_line(first) + 1 and span.end_column == 1:
        return _to_last_line(source, edit, first)
    return (first, edit) if first is not None and first is last else None


def _from_first_line(source: Source, edit: Edit, cell: Cell) -> tuple[Cell, Edit] | None:
    """Of an edit that begins with the line end above the cell: what is left of it in the cell."""
    span = edit.span
    if span.column != len(source.lines[span.line - 1]) + 1:
        return None
    if edit.content.startswith("\n"):
        return cell, Edit(Span(cell.first_line, 1, *span[2:]), edit.content[1:])
    if edit.content or span.end_column != len(source.lines[span.end_line - 1]) + 1:
        return None
    # Whole lines go, the cell's first among them: their own line end goes instead of the one above.
    end = (span.end_line + 1, 1) if span.end_line < _last_line(cell) else span[2:]
    return cell, Edit(Span(cell.first_line, 1, *end), "")


def _to_last_line(source: Source, edit: Edit, cell: Cell) -> tuple[Cell, Edit] | None:
    """Of an edit that ends with the line end below the cell: what is left of it in the cell."""
    span, last = edit.span, _last_line(cell)
    end = (last, len(source.lines[last - 1]) + 1)
    if edit.content.endswith("\n"):
        return cell, Edit(Span(*span[:2], *end), edit.content[:-1])
    if edit.content or span.column != 1:
        return None
    above = span.line - 1
    start = (above, len(source.lines[above - 1]) + 1) if span.line > cell.first_line else span[:2]
    return cell, Edit(Span(*start, *end), "")


def _cell_at(source: Source, line: int) -> Cell | None:
    assert source.notebook is not None
    where = source.notebook.cell_of(line)
    return None if where is None else next(cell for cell in source.notebook.cells if cell.number == where[0])


def _last_line(cell: Cell) -> int:
    return cell.first_line + cell.line_count - 1


def _in_users_words(source: Source, cell: Cell, edit: Edit) -> bool:
    """Whether nothing that stands for a magic is changed. New lines may come above and below it."""
    span = edit.span
    for line in cell.changed.intersection(range(span.line, span.end_line + 1)):
        below = line == span.line and _at_line_end(source, span) and edit.content[:1] in ("", "\n")
        above = line == span.end_line and span.end_column == 1 and edit.content[-1:] in ("", "\n")
        if not (below or above):
            return False
    return True


def _in_cell(source: Source, text: CellText, cell: Cell, edit: Edit) -> Edit:
    """An edit of the joined code with the lines and columns of the cell; below a magic begins behind its own words."""
    span = edit.span
    inside = _moved(span, 1 - cell.first_line)
    insertion = span[:2] == span[2:]
    above = insertion and span.column == 1 and edit.content.endswith("\n")
    if span.line in cell.changed and _at_line_end(source, span) and not above:
        column = text.line_length(inside.line) + 1
        inside = inside._replace(column=column, end_column=column if insertion else inside.end_column)
    return Edit(inside, edit.content, cell.number)


def _at_line_end(source: Source, span: Span) -> bool:
    return span.column == len(source.lines[span.line - 1]) + 1


def _moved(span: Span, lines: int) -> Span:
    return Span(span.line + lines, span.column, span.end_line + lines, span.end_column)


# -- from a cell to the JSON --------------------------------------------------------------------------------------------


def _by_cell(edits: Iterable[Edit]) -> dict[int, list[Edit]]:
    found: dict[int, list[Edit]] = {}
    for edit in sorted(edits, key=lambda one: (one.cell or 0, one.span)):
        found.setdefault(edit.cell or 0, []).append(edit)
    return found


def _rewritten(source: Source, edits: Sequence[Edit]) -> str | None:
    assert source.notebook is not None
    texts = {cell.number: cell for cell in cell_texts(source.text)}
    cells = {cell.number: cell for cell in source.notebook.cells}
    pieces, done = [], 0
    for number, of_cell in _by_cell(edits).items():
        text = texts[number]
        new = _value(text, [_in_cell(source, text, cells[number], edit) for edit in of_cell], source.text)
        if new is None:
            return None
        pieces += [source.text[done : text.start], new]
        done = text.end
    return "".join([*pieces, source.text[done:]])


def _value(cell: CellText, edits: Sequence[Edit], text: str) -> str | None:
    """The new value of the cell's ``source`` as JSON; None for a list without a string, which says nothing of its form."""
    escaped = text.isascii() and _ESCAPED.search(text) is not None
    strings = [f'"{string}"' for string in _strings(cell, edits, escaped=escaped)]
    if not cell.is_list:
        return strings[0] if strings else '""'
    if not cell.literals:
        return None
    opening, closing = text[cell.start : cell.literals[0][0]], text[cell.literals[-1][1] : cell.end]
    if not strings:
        return "[]"
    between = [text[one[1] : other[0]] for one, other in zip(cell.literals, cell.literals[1:], strict=False)]
    usual = between[0] if between else "," + opening[1:]
    parts = [opening, strings[0]]
    for number, string in enumerate(strings[1:]):
        parts += [between[number] if number < len(between) else usual, string]
    return "".join([*parts, closing])


def _strings(cell: CellText, edits: Sequence[Edit], *, escaped: bool) -> list[str]:
    """What stands between the quotes of each string after the edits. Each new line of a list begins a string."""
    lengths = [len(string) for string in cell.strings[:-1]]
    breaks = {sum(lengths[: number + 1]) for number in range(len(lengths))}
    out = _Strings()
    done = 0
    for edit in edits:
        start, end = cell.index(*edit.span[:2]), cell.index(*edit.span[2:])
        out.keep(cell, done, start, breaks)
        if start in breaks:
            out.end()
        for line in _LINES.findall(edit.content.replace("\n", cell.newline)):
            out.add("".join(_as_json(char, escaped=escaped) for char in line))
            if cell.is_list and line.endswith(("\n", "\r")):
                out.end()
        done = end
        if end in breaks and not (end == start or out.at_line_end()):
            breaks.discard(end)  # two lines became one
    out.keep(cell, done, len(cell.text), breaks)
    return out.finished()


class _Strings:
    """Collects pieces of strings; an empty string is left out."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._open: list[str] = []

    def keep(self, cell: CellText, start: int, end: int, breaks: set[int]) -> None:
        for index in range(start, end):
            if index in breaks:
                self.end()
            self._open.append(cell.written[index])

    def add(self, written: str) -> None:
        self._open.append(written)

    def end(self) -> None:
        if self._open:
            self._done.append("".join(self._open))
            self._open = []

    def at_line_end(self) -> bool:
        last = self._open[-1] if self._open else self._done[-1] if self._done else "\\n"
        return last.endswith(_ENDS_LINE)

    def finished(self) -> list[str]:
        self.end()
        return self._done


def _as_json(char: str, *, escaped: bool) -> str:
    return json.dumps(char, ensure_ascii=escaped or "\ud800" <= char <= "\udfff")[1:-1]


def _smallest(lines: JsonLines, cell: CellText, new: str) -> Edit:
    """The edit that gives a cell's value its new text, without what is the same at both ends."""
    old = lines.text[cell.start : cell.end]
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Edit(lines.stretch(cell.start + start, cell.end - end), new[start : len(new) - end])


def _is_what_was_meant(source: Source, data: bytes, code: str, cells: set[int | None]) -> bool:
    """Whether the notebook, read again, has the repaired code, its magics where they were, and all else untouched."""
    try:
        after = type(source).from_bytes(source.path, data)
    except UnreadableSource:
        return False
    return after.code == code and _besides(after.text, cells) == _besides(source.text, cells)


def _besides(text: str, cells: set[int | None]) -> Any:
    """What the JSON says besides the code of some cells."""
    content = json.loads(text, parse_float=str, parse_constant=str)  # NaN is not equal to itself
    for number, cell in enumerate(content["cells"], 1):
        if number in cells:
            cell.pop("source")
    return content

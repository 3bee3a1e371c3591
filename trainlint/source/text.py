r"""A source file: its bytes, its text, its errors, and the way between the places of the parser and of the user.

Decoding follows PEP 263 as CPython does it (byte order mark, a ``coding:`` comment in the first two lines, UTF-8
otherwise). Lines end where CPython's parser ends them: ``\n``, ``\r\n`` and a lone ``\r``. A form feed, a vertical
tab or U+2028 ends no line, so ``str.splitlines`` must not be used on source text.
"""

from __future__ import annotations

import bisect
import codecs
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from trainlint.finding import Span, Spot

if TYPE_CHECKING:
    from trainlint.source.notebook import Notebook


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


MAX_READ_BYTES = 64 << 20
"""Larger files are not even read: no one writes them, and the run must go on."""

# Compiled when they are first used (and kept by `re`): most runs of a commit hook need none of them.
_COOKIE = rb"(?a)[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_BLANK_OR_COMMENT = rb"(?s)[ \t\f]*(?:#.*)?\Z"
_LINE_END = r"\r\n?|\n"
_LINE_END_BYTES = rb"\r\n?|\n"
_LONGEST_CODEC_NAME = 64
# Quadratic in the length of the text, and nobody's encoding for a file.
_REFUSED_CODECS = frozenset({"idna", "punycode"})


class Source:
    r"""One file as read. Immutable by convention; lines and line starts are computed when first asked for.

    Attributes:
        path: where it was read, or the name it was given.
        data: the bytes of the file.
        text: the bytes decoded, without byte order mark, newlines exactly as in the file. For a notebook, its JSON.
        code: what is parsed: ``text``, or a notebook's Python cells joined.
        encoding: the codec's name; ``source.encode(source.text) == source.data``.
        bom: whether the file begins with a UTF-8 byte order mark.
        newline: the newline that ``code`` uses most: ``"\n"``, ``"\r\n"`` or ``"\r"``.
        notebook: the cells, or None.

    """

    __slots__ = ("_lines", "_starts", "bom", "code", "data", "encoding", "newline", "notebook", "path", "text")

    def __init__(self, path: Path, data: bytes) -> None:
        """Decode ``data``; raises UnreadableSource. Prefer :meth:`read` and :meth:`from_bytes`."""
        self.path = path
        self.data = data
        self.bom = data.startswith(codecs.BOM_UTF8)
        self.notebook: Notebook | None = None
        if path.suffix == ".ipynb":
            from trainlint.source.notebook import read_notebook  # json is not for the start of every run

            self.encoding = "utf-8"
            self.text = _decode(data, "utf-8", bom=self.bom)
            self.notebook = read_notebook(self.text)
            self.code = self.notebook.code
        else:
            self.encoding = _declared_encoding(data, bom=self.bom) or "utf-8"
            self.code = self.text = _decode(data, self.encoding, bom=self.bom)
        self.newline = _usual_newline(self.code)
        self._lines: list[str] | None = None
        self._starts: list[int] | None = None

    @classmethod
    def read(cls, path: Path, *, name: str | None = None) -> Source:
        """Read the file at ``path``; with ``name``, it is reported (and told from a notebook) as that path.

        Raises UnreadableSource when the file cannot be opened, is no regular file (a pipe would make the run wait
        forever), is larger than ``MAX_READ_BYTES``, cannot be decoded or is a broken notebook.
        """
        return cls(path if name is None else Path(name), read_bytes(path))

    @classmethod
    def from_bytes(cls, path: Path, data: bytes) -> Source:
        """Make a source of bytes that are already here (standard input, an editor's buffer); raises UnreadableSource."""
        return cls(path, data)

    @property
    def is_notebook(self) -> bool:
        """Whether this is a Jupyter notebook."""
        return self.notebook is not None

    @property
    def lines(self) -> list[str]:
        """The lines of ``code`` without their ends; ``lines[n - 1]`` is the parser's line n.

        Text that ends in a newline has an empty last line.
        """
        if self._lines is None:
            self._lines = self.code.split("\n") if "\r" not in self.code else re.split(_LINE_END, self.code)
        return self._lines

    def span(self, spot: Spot) -> Span:
        """Turn the parser's place (0-based UTF-8 byte columns) into the user's (1-based character columns).

        Never fails: CPython before 3.12 places the inside of some f-strings outside of the text; such a place is
        moved to the nearest one that exists.
        """
        line, column = self._character(spot.line, spot.column)
        end_line, end_column = self._character(spot.end_line, spot.end_column)
        return Span(line, column, end_line, end_column)

    def _character(self, line: int, byte_column: int) -> tuple[int, int]:
        line = min(max(line, 1), len(self.lines))
        content = self.lines[line - 1]
        byte_column = max(byte_column, 0)
        if content.isascii():
            return line, min(byte_column, len(content)) + 1
        # "replace" for halves of characters (JSON can spell them; the parser then sees nothing, so any place will do),
        # "ignore" for a column that cuts a character in two.
        before = content.encode("utf-8", "replace")[:byte_column]
        return line, len(before.decode("utf-8", "ignore")) + 1

    def offset(self, line: int, column: int) -> int:
        """Return the index into ``code`` of a 1-based line and character column; beyond a line's end is its end."""
        if line < 1:
            return 0
        if line > len(self.lines):
            return len(self.code)
        return self._line_starts()[line - 1] + min(max(column - 1, 0), len(self.lines[line - 1]))

    def place(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and character column of an index into ``code``; the inverse of :meth:`offset`."""
        starts = self._line_starts()
        line = bisect.bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(end.end() for end in re.finditer(_LINE_END, self.code))]
        return self._starts

    def cell_of(self, line: int) -> tuple[int, int] | None:
        """Return (1-based cell, 1-based line in the cell) of a line of ``code``; None between cells and outside notebooks.

        All cells of the notebook count, those of text too, as ruff numbers them.
        """
        return None if self.notebook is None else self.notebook.cell_of(line)

    def encode(self, text: str) -> bytes:
        """Return ``text`` as this file stores text; raises UnicodeEncodeError when its encoding lacks a character."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)


def read_bytes(path: Path) -> bytes:
    """The bytes of the file at ``path``; raises UnreadableSource as :meth:`Source.read` does, but for what they say."""
    try:
        _check_readable(path.stat())
        return path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a null byte in the name
        raise UnreadableSource(f"cannot be read: {error}") from error


def _check_readable(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise UnreadableSource("cannot be read: it is not a regular file")
    if about.st_size > MAX_READ_BYTES:
        raise UnreadableSource(f"is larger than {MAX_READ_BYTES >> 20} MB", kind="too-complex")


def _declared_encoding(data: bytes, *, bom: bool) -> str | None:
    """Return the codec that a PEP 263 comment names, None without one (or when it only says UTF-8)."""
    start = len(codecs.BOM_UTF8) if bom else 0
    for _ in range(2):
        line, rest = _first_line(data, start)
        cookie = re.match(_COOKIE, line) if b"coding" in line else None
        if cookie:
            return _codec(cookie[1].decode("ascii"), bom=bom)
        if rest == len(data) or (line.strip() and not re.match(_BLANK_OR_COMMENT, line)):
            return None
        start = rest
    return None


def _first_line(data: bytes, start: int) -> tuple[bytes, int]:
    """Return the line that begins at ``start``, without its end, and where the next one begins."""
    feed = data.find(b"\n", start)
    line = data[start : len(data) if feed < 0 else feed]
    back = line.find(b"\r")
    if back < 0:
        return line, len(data) if feed < 0 else feed + 1
    end = start + back
    return line[:back], end + 2 if end + 1 == feed else end + 1


def _codec(name: str, *, bom: bool) -> str:
    """Return the codec's own name; raises UnreadableSource for those that CPython refuses, and for harmful ones."""
    if len(name) > _LONGEST_CODEC_NAME:
        raise UnreadableSource(f"declares an unknown encoding: {name[:_LONGEST_CODEC_NAME]}…")
    try:
        codec = codecs.lookup(_without_suffix(name)).name
    except (LookupError, ValueError, SyntaxError) as error:
        raise UnreadableSource(f"declares an unknown encoding: {name}") from error
    if codec in _REFUSED_CODECS:
        raise UnreadableSource(f"declares an encoding that is not for source files: {name}")
    if bom and codec != "utf-8":
        raise UnreadableSource(f"declares the encoding {name}, but begins with a UTF-8 byte order mark")
    return codec


def _without_suffix(name: str) -> str:
    """Read Emacs's ``utf-8-unix`` and ``latin-1-dos`` as CPython does, which looks at the beginning only."""
    normal = name.lower().replace("_", "-")
    for plain in ("utf-8", "latin-1", "iso-8859-1", "iso-latin-1"):
        if normal == plain or normal.startswith(plain + "-"):
            return "utf-8" if plain == "utf-8" else "latin-1"
    return name


def _decode(data: bytes, encoding: str, *, bom: bool) -> str:
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = len(re.findall(_LINE_END_BYTES, body[: error.start])) + 1
        wrong = f"byte 0x{body[error.start]:02x}" if error.start < len(body) else "the end"
        raise UnreadableSource(f"cannot be decoded as {encoding}: {wrong} on line {line}: {error.reason}", line) from error
    except (LookupError, ValueError) as error:  # no codec for text (hex, zlib); a codec with errors of its own
        raise UnreadableSource(f"cannot be decoded as {encoding}: {error}") from error
    if encoding != "utf-8" and not text.isascii() and "coding" not in text:
        # UTF-16 reads any bytes as some text; a file that were written in it could not show its own comment.
        raise UnreadableSource(f"declares the encoding {encoding}, but is not written in it", 1)
    return text


def _usual_newline(text: str) -> str:
    if "\r" not in text:
        return "\n"
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(counts, key=lambda newline: counts[newline])

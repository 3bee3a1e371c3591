"""Programs as lines that know where they come from, and edits of them by place.

A program is its files by path. Whatever is done to it, each line that was there keeps its origin, so that what is reported of the
changed program can be compared with what was reported of the program as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

Located = ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias
Defines = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor | ast.While


class Origin(NamedTuple):
    """Where a line stood in the program as it was: the file's path in it, and the 1-based line."""

    path: str
    line: int


class Line(NamedTuple):
    """The text of a line, without its end, and where it comes from: None for one that a change has written."""

    text: str
    origin: Origin | None = None


Program = Mapping[str, tuple[Line, ...]]
"""Files by their path below the root of the program, with slashes."""


def read(root: Path) -> Program:
    """All files below a folder; bytes that are no UTF-8 survive."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            found[name] = tuple(Line(each, Origin(name, number)) for number, each in enumerate(text.split("\n"), 1))
    return found


def write(program: Program, root: Path) -> None:
    """Put a program into a folder, which need not be there."""
    for name, lines in program.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(lines).encode("utf-8", "surrogateescape"))


def text_of(lines: Iterable[Line]) -> str:
    """The text of a file."""
    return "\n".join(line.text for line in lines)


def written(*texts: str) -> tuple[Line, ...]:
    """A file that was not there before, from its lines."""
    return tuple(Line(text) for text in (*texts, ""))


class Draft:
    """A Python file that is edited: all places are those of the file as it is given, whatever else is edited."""

    def __init__(self, path: str, lines: tuple[Line, ...]) -> None:
        """``path`` is the file's in the program. Raises SyntaxError or ValueError for a file that cannot be edited."""
        text = text_of(lines)
        text.encode()  # what is no UTF-8 is a ValueError
        if "\r" in text or "\f" in text:
            raise ValueError(path)  # lines to some, and not to others
        self.path = path
        self.lines = lines
        self.tree = ast.parse(text)
        self.unit = "\t" if re.search(r"^\t", text, re.MULTILINE) else "    "
        self.order = list(range(1, len(lines) + 1))
        self.edited = False
        self._deeper: dict[int, int] = {}
        self._within: dict[int, list[tuple[int, int, str]]] = {}
        self._before: dict[int, list[tuple[str, int, int]]] = {}
        self._after: dict[int, list[tuple[str, int, int]]] = {}
        self._texts = {
            line
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Constant | ast.JoinedStr)
            and isinstance(getattr(node, "value", ""), str | bytes)
            and node.end_lineno != node.lineno
            for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
        } - {
            line
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for line in range(node.lineno, (node.end_lineno or 0) + 1)
        }
        self.words = set(re.findall(r"\w+", text))

    # -- asking -----------------------------------------------------------------------------------------------------------

    def text(self, number: int) -> str:
        """The text of a line, as it was given."""
        return self.lines[number - 1].text

    def start(self, node: Located) -> tuple[int, int]:
        """Line and column, in characters from 0, of a node's first character; decorators are not counted."""
        return node.lineno, self._column(node.lineno, node.col_offset)

    def end(self, node: Located) -> tuple[int, int]:
        """Line and column, in characters from 0, behind a node's last character."""
        line, column = node.end_lineno, node.end_col_offset
        assert line is not None
        assert column is not None
        return line, self._column(line, column)

    def of(self, node: Located) -> str:
        """The text of a node that stands on one line."""
        line, start = self.start(node)
        last, end = self.end(node)
        assert line == last
        return self.text(line)[start:end]

    def first(self, node: ast.stmt) -> int:
        """The first line of a statement, with its decorators."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return min([node.lineno, *(each.lineno for each in decorators)])

    def head(self, body: list[ast.stmt]) -> int:
        """The last line of the head of a block: the one before its first statement and the comments above that."""
        line = self.first(body[0]) - 1
        while line > 0 and re.match(r"\s*(#|$)", self.text(line)):
            line -= 1
        return line

    def alone(self, node: ast.stmt) -> bool:
        """Whether no other statement, and no head of a block, shares a line with this one."""
        line, column = self.start(node)
        last, end = self.end(node)
        decorated = not getattr(node, "decorator_list", []) or self.text(self.first(node)).lstrip().startswith("@")
        return decorated and not self.text(line)[:column].strip() and re.match(r"\s*(#|$)", self.text(last)[end:]) is not None

    def movable(self, first: int, last: int) -> bool:
        """Whether lines can be indented: no text of several lines stands there (docstrings may)."""
        return self._texts.isdisjoint(range(first, last + 1))

    def statements(self) -> Iterator[tuple[list[ast.stmt], ast.AST]]:
        """All blocks, outer ones first, with the node whose they are."""
        for node in ast.walk(self.tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    yield block, node

    def unused(self, name: str) -> str:
        """The name, or one like it that the file does not have anywhere."""
        while name in self.words:
            name = f"own_{name}"
        return name

    def _column(self, line: int, offset: int) -> int:
        text = self.text(line)
        return offset if text.isascii() else len(text.encode()[:offset].decode())

    # -- editing ----------------------------------------------------------------------------------------------------------

    def indent(self, first: int, last: int) -> None:
        """Move lines one level in."""
        self.edited = True
        for number in range(first, last + 1):
            self._deeper[number] = self._deeper.get(number, 0) + 1

    def replace(self, line: int, start: int, end: int, text: str) -> None:
        """Other words within a line; two such places must not overlap."""
        self.edited = True
        self._within.setdefault(line, []).append((start, end, text))

    def before(self, line: int, text: str, like: int, deeper: int = 0) -> None:
        """A line of its own above one, indented as another is (or that many levels more). What is asked for first is first."""
        self.edited = True
        self._before.setdefault(line, []).append((text, like, deeper))

    def after(self, line: int, *texts: tuple[str, int, int]) -> None:
        """Lines below one (text, line whose indentation they have, levels more). What is asked for first is last."""
        self.edited = True
        self._after.setdefault(line, [])[:0] = texts

    def imports(self, *statements: str) -> None:
        """Imports of the whole file, behind its docstring and what it imports from ``__future__``."""
        line = 0
        for node in self.tree.body:
            text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            if not text and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                break
            line = node.end_lineno or 0
        else:
            self.after(line, *((each, 0, 0) for each in statements))
            return
        self.edited = True
        self._before.setdefault(self.first(node), [])[:0] = [(each, 0, 0) for each in statements]

    def finished(self) -> tuple[Line, ...]:
        """The lines of the edited file, which parses. Raises SyntaxError when an edit was a mistake."""
        made: list[Line] = []
        for number in self.order:
            made += [self._written(*each) for each in self._before.get(number, ())]
            text, origin = self.lines[number - 1]
            for start, end, new in sorted(self._within.get(number, ()), reverse=True):
                text = text[:start] + new + text[end:]
            made.append(Line(f"{self.unit * self._deeper.get(number, 0)}{text}" if text.strip() else text, origin))
            made += [self._written(*each) for each in self._after.get(number, ())]
        ast.parse(text_of(made))
        return tuple(made)

    def _written(self, text: str, like: int, deeper: int) -> Line:
        if not like:
            return Line(text)
        above = self.text(like)
        indentation = above[: len(above) - len(above.lstrip())]
        return Line(f"{indentation}{self.unit * (self._deeper.get(like, 0) + deeper)}{text}")


def drafts(program: Program) -> Iterator[Draft]:
    """The Python files of a program that can be edited."""
    for path, lines in program.items():
        if path.endswith(".py"):
            try:
                yield Draft(path, lines)
            except (SyntaxError, ValueError):
                continue

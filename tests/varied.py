"""Each expectation case, witness and program of the oracle with one small change, many times over: what is said then is kept.

Expectation cases lie near the limits of a rule; a program that differs from one in a single place lies on the one side or on the
other. Whether what is said of it is right nobody has judged: the files show what a change of the analysis changes there.

``python -m tests.varied`` writes the files anew. ``python -m tests.varied TL403/name`` shows the changes of one case and what is
said of each.
"""

from __future__ import annotations

import ast
import hashlib
import math
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from tests import said
from tests.expectations import case_id, copy_alone, projects
from tests.oracle.scorer import CODES
from trainlint import check_paths

FOLDER = said.FOLDER / "varied"
LEAST, OF_A_RULE = 12, 100
"""So many changes of a case are tried, and of all cases of a rule; which ones, a digest of their names decides."""

_HEAD = "## "
_COMPARED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "is not": "is", "is": "is not"}
_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)
Located = ast.stmt | ast.expr | ast.keyword | ast.arg | ast.alias


class Change(NamedTuple):
    """One change of a file: its kind, where (line and column), which of those of this kind there, and the text that it makes."""

    kind: str
    where: str
    number: int
    text: str

    @property
    def name(self) -> str:
        """What names it in the file."""
        return f"{self.kind} {self.where}{f'/{self.number}' if self.number else ''}"


class Text:
    """A file that is parsed, and replacements in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.encode().splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: Located) -> tuple[int, int]:
        """Where a node begins and ends, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        line = node.lineno
        column = node.col_offset
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            line, column = node.decorator_list[0].lineno, node.decorator_list[0].col_offset - 1
        return self._starts[line - 1] + column, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: Located) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text.encode()[start:end].decode()

    def instead(self, *replacements: tuple[tuple[int, int], str]) -> str:
        """The text with other words in some places that do not overlap."""
        made = self.text.encode()
        for (start, end), new in sorted(replacements, reverse=True):
            made = made[:start] + new.encode() + made[end:]
        return made.decode()

    def rows(self, node: ast.stmt) -> tuple[int, int]:
        """From the first line of a statement to behind its last, in bytes."""
        start, _ = self.span(node)
        assert node.end_lineno is not None
        line = self.text.encode()[:start].count(b"\n")
        return self._starts[line], self._starts[node.end_lineno]


def changes(text: str) -> Iterator[Change]:
    """All changes of a file, some of which are no Python."""
    parsed = Text(text)
    formatted = {id(inner) for node in ast.walk(parsed.tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    for node in ast.walk(parsed.tree):
        if id(node) in formatted:
            continue
        for kind in KINDS:
            for number, made in enumerate(kind(parsed, node)):
                if made != text:
                    where = (node.lineno, node.col_offset + 1) if isinstance(node, Located) else (1, 1)
                    yield Change(kind.__name__.strip("_").replace("_", " "), "{}:{}".format(*where), number, made)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


# -- kinds of changes: each gives the texts that can be made at a node --------------------------------------------------------


def _left_out(parsed: Text, node: ast.AST) -> Iterator[str]:
    """A statement is not there."""
    if isinstance(node, ast.stmt) and not isinstance(
        node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Pass
    ):
        yield parsed.instead((parsed.span(node), "pass"))


def _unguarded(parsed: Text, node: ast.AST) -> Iterator[str]:
    """A test always holds, or is the other way round."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield parsed.instead((parsed.span(node.test), f"not ({parsed.of(node.test)})"))
        if isinstance(node, ast.If):
            yield parsed.instead((parsed.span(node.test), "True"))


def _compared(parsed: Text, node: ast.AST) -> Iterator[str]:
    """Another comparison."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS:
        left, right = parsed.of(node.left), parsed.of(node.comparators[0])
        yield parsed.instead((parsed.span(node), f"({left}) {_COMPARED[_OPERATORS[type(node.ops[0])]]} ({right})"))


def _half(parsed: Text, node: ast.AST) -> Iterator[str]:
    """One side of ``and``, ``or`` or an operator."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield parsed.instead((parsed.span(node), f"({parsed.of(value)})"))
    elif isinstance(node, ast.BinOp):
        yield parsed.instead((parsed.span(node), f"({parsed.of(node.left)})"))


def _constant(parsed: Text, node: ast.AST) -> Iterator[str]:
    """Another number or truth value."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or node.value is None:
            yield parsed.instead((parsed.span(node), str(not node.value)))
        elif isinstance(node.value, int):
            yield parsed.instead((parsed.span(node), str(node.value + 1)))
            yield parsed.instead((parsed.span(node), "0"))
        elif isinstance(node.value, float):
            yield parsed.instead((parsed.span(node), "0.0"))


def _without_argument(parsed: Text, node: ast.AST) -> Iterator[str]:
    """A call with one argument less, or with a keyword whose value nobody knows."""
    if isinstance(node, ast.Call):
        given = [*node.args, *node.keywords]
        for each in given:
            rest = ", ".join(parsed.of(other) for other in given if other is not each)
            yield parsed.instead((parsed.span(node), f"{parsed.of(node.func)}({rest})"))
        for keyword in node.keywords:
            yield parsed.instead((parsed.span(keyword.value), "unknown"))


def _bare(parsed: Text, node: ast.AST) -> Iterator[str]:
    """What is called instead of the call, what has a method instead of what the method answers."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield parsed.instead((parsed.span(node), parsed.of(node.func.value)))
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        yield parsed.instead((parsed.span(node), parsed.of(node.args[0])))


def _another_name(parsed: Text, node: ast.AST) -> Iterator[str]:
    """Another variable of the same function."""
    if not isinstance(node, ast.FunctionDef):
        return
    used = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    bound = sorted({each.id for each in used if isinstance(each.ctx, ast.Store)} | {each.arg for each in node.args.args})
    for each in used:
        if each.id in bound and len(bound) > 1:
            other = bound[(bound.index(each.id) + 1) % len(bound)]
            yield parsed.instead((parsed.span(each), other))


def _in_other_order(parsed: Text, node: ast.AST) -> Iterator[str]:
    """A statement and the next one change places."""
    for body in _bodies(node):
        for one, other in pairwise(body):
            if _alone(parsed, one) and _alone(parsed, other):
                (start, end), (behind, last) = parsed.rows(one), parsed.rows(other)
                raw = parsed.text.encode()
                between = raw[end:behind]
                rows = [raw[behind:last], between, raw[start:end]]
                yield parsed.instead(((start, last), b"".join(rows).decode()))


def _moved_out(parsed: Text, node: ast.AST) -> Iterator[str]:
    """The last statement of a block stands behind it."""
    if isinstance(node, _BLOCKS) and len(node.body) > 1 and not getattr(node, "orelse", []) and not getattr(node, "handlers", []):
        last = node.body[-1]
        if _alone(parsed, last) and not getattr(node, "finalbody", []):
            yield parsed.instead((parsed.rows(last), _indented(parsed, last, node.col_offset - last.col_offset)))


def _moved_in(parsed: Text, node: ast.AST) -> Iterator[str]:
    """The statement behind a block is its last."""
    for body in _bodies(node):
        for one, other in pairwise(body):
            if isinstance(one, _BLOCKS) and _alone(parsed, other):
                inner = one
                last = (getattr(inner, "finalbody", []) or getattr(inner, "orelse", []) or inner.body)[-1]
                yield parsed.instead((parsed.rows(other), _indented(parsed, other, last.col_offset - other.col_offset)))


def _twice(parsed: Text, node: ast.AST) -> Iterator[str]:
    """A simple statement stands there two times."""
    for body in _bodies(node):
        for each in body:
            if isinstance(each, ast.Expr | ast.Assign | ast.AugAssign) and _alone(parsed, each):
                start, end = parsed.rows(each)
                rows = parsed.text.encode()[start:end].decode()
                yield parsed.instead(((start, end), rows + rows))


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    if isinstance(node, ast.stmt):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, [])
            if isinstance(body, list) and body:
                yield body


def _alone(parsed: Text, statement: ast.stmt) -> bool:
    """Whether no other statement shares a line with this, and its lines can be indented."""
    start, _ = parsed.span(statement)
    first, last = parsed.rows(statement)
    raw = parsed.text.encode()
    return not raw[first:start].strip() and b'"""' not in raw[first:last] and raw[last - 1 : last] == b"\n"


def _indented(parsed: Text, statement: ast.stmt, by: int) -> str:
    start, end = parsed.rows(statement)
    rows = parsed.text.encode()[start:end].decode().splitlines(keepends=True)
    return "".join(" " * by + row if by > 0 else re.sub(f"^ {{0,{-by}}}", "", row) for row in rows)


KINDS: tuple[Callable[[Text, ast.AST], Iterator[str]], ...] = (
    _left_out,
    _unguarded,
    _compared,
    _half,
    _constant,
    _without_argument,
    _bare,
    _another_name,
    _in_other_order,
    _moved_out,
    _moved_in,
    _twice,
)


# -- what is said of them -------------------------------------------------------------------------------------------------------


class Varied(NamedTuple):
    """A change of a case: the file that is changed, the change, and what the rule says of it."""

    file: str
    change: Change
    said: str

    @property
    def line(self) -> str:
        """How it is kept: where the rule reports something, and a digest of all that is said."""
        places = " ".join(dict.fromkeys(re.findall(r"^(\S+:\d+):\d+-\d+:\d+ TL", self.said, re.MULTILINE)))
        if not self.file:
            places = re.sub(r"\S+:", "", places)
        file = f"{self.file}: " if self.file else ""
        digest = hashlib.sha256(self.said.encode()).hexdigest()[:8]
        return f"{file}{self.change.name} -> {f'{places} {digest}' if self.said else '-'}"


class Case(NamedTuple):
    """What is changed: puts itself into a folder and returns its root; what is asked then, and whether it is one file."""

    put: Callable[[Path], Path]
    select: tuple[str, ...]
    single: bool


@cache
def cases() -> dict[str, Case]:
    """The expectation cases, the programs of the oracle, and the witnesses, by name."""
    found = {case_id(each): Case(partial(copy_alone, each), (each.parent.name,), each.is_file()) for each in projects()}
    for name, project in said.kept_projects().items():
        if name.startswith("oracle/"):
            found[name] = Case(project.put, CODES, single=False)
        elif name.startswith("witness/"):
            found[name] = Case(project.put, ("ALL",), single=True)
    return found


@cache
def _several() -> Counter[str]:
    return Counter(name.partition("/")[0] for name in cases())


def number_of(case: str) -> int:
    """How many changes of a case are tried, if there are so many."""
    return max(LEAST, math.ceil(OF_A_RULE / _several()[case.partition("/")[0]]))


def varied(case: str, most: int | None = None) -> Iterator[Varied]:
    """What is said of the changes of a case, in the order in which they are kept."""
    put, select, single = cases()[case]
    with tempfile.TemporaryDirectory(prefix="trainlint-varied-") as folder:
        root = put(Path(folder).resolve())
        for path, change in chosen(case, root, number_of(case) if most is None else most):
            before = path.read_bytes()
            path.write_text(change.text, encoding="utf-8", newline="")
            file = "" if single else path.relative_to(root).as_posix()
            yield Varied(file, change, said.said_of(root, check_paths([root], select=select)))
            path.write_bytes(before)


def chosen(case: str, root: Path, most: int) -> list[tuple[Path, Change]]:
    """The changes of a case that are tried, all kinds in turn; no text twice."""
    by_kind: dict[str, list[tuple[str, Path, Change]]] = {}
    for path in sorted(root.rglob("*.py")):
        with path.open(encoding="utf-8", newline="") as file:
            text = file.read()
        if not text.isascii() or not _parses(text):
            continue  # columns are bytes to some and characters to others
        for change in changes(text):
            name = f"{case} {path.relative_to(root).as_posix()} {change.name}"
            digest = hashlib.sha256(name.encode()).hexdigest()
            by_kind.setdefault(change.kind, []).append((digest, path, change))
    order = (
        each for turn in zip_longest(*(sorted(several) for several in by_kind.values())) for each in turn if each is not None
    )
    found: dict[str, tuple[Path, Change]] = {}
    for _, path, change in order:
        if len(found) == most:
            break
        if _parses(change.text):
            found.setdefault(change.text, (path, change))
    return list(found.values())


def kept(case: str) -> list[str]:
    """The lines that are kept of a case."""
    code, _, name = case.partition("/")
    return said.kept(FOLDER / f"{code}.txt")[name].splitlines()


def main() -> None:
    """Write what is said today, or show it."""
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(cases()[sys.argv[1]].put(Path(folder)).rglob("*.py")):
                print(f"# ---- {path.name}\n{path.read_text(encoding='utf-8')}")
        for each in varied(sys.argv[1]):
            print(f"==== {each.line}\n{each.change.text}---- says:\n{each.said}")
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[str]] = {}
    for case in cases():
        group, _, name = case.partition("/")
        lines = [f"{_HEAD}{name}", *(each.line for each in varied(case))]
        files.setdefault(group, []).append("".join(f"{line}\n" for line in lines))
    for group, parts in files.items():
        (FOLDER / f"{group}.txt").write_text("".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

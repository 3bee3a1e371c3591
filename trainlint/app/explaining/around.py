"""The statement on a line, what stands around it, and how its places are told."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trainlint.app.engine.workspace import Workspace
from trainlint.app.explaining.text import At, shortened
from trainlint.app.report.style import WIDEST
from trainlint.finding import Spot
from trainlint.ir.sketch import spot_of


class Places:
    """From the parser's spots to places as the user spells them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.spelled: Mapping[str, Path] = workspace.spelled

    def at(self, module: str, spot: Spot) -> At:
        """The place where a spot of a file begins."""
        path = self.spelled.get(module, Path(module))
        source = self.workspace.keep(module)
        if source is None:
            return At(path, None, spot.line, 1)
        span = source.span(spot)
        where = source.cell_of(span.line)
        return At(path, None, span.line, span.column) if where is None else At(path, where[0], where[1], span.column)

    def text(self, module: str, spot: Spot) -> str:
        """The source of a spot, on one line, cut when it is long."""
        source = self.workspace.keep(module)
        if source is None:
            return ""
        span = source.span(spot)
        code = source.code[source.offset(span.line, span.column) : source.offset(span.end_line, span.end_column)]
        return shortened(" ".join(code.split()), WIDEST)


_Def = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LEAVE = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_KINDS = {"AugAssign": "assignment", "AnnAssign": "assignment", "Assign": "assignment", "Expr": "expression", "For": "loop",
          "AsyncFor": "loop", "While": "loop", "If": "branch", "With": "with", "AsyncWith": "with", "FunctionDef": "function",
          "AsyncFunctionDef": "function", "ClassDef": "class", "ImportFrom": "import"}  # fmt: skip


class Test(NamedTuple):
    """What holds around a line: the word for it, the expression (None: nothing is tested) and which way it went."""

    word: str
    expression: ast.expr | None
    arm: bool
    spot: Spot


class Position(NamedTuple):
    """Where a line is: its statement (None: there is none), the function around it, and what holds there, outermost first."""

    statement: ast.stmt | None
    function: _Def | None
    tests: tuple[Test, ...]

    @property
    def kind(self) -> str:
        """What the statement is, in a word."""
        name = type(self.statement).__name__
        return "nothing" if self.statement is None else _KINDS.get(name, name.lower())

    @property
    def lines(self) -> range:
        """The lines of the statement; of one with a body those before it."""
        return range(0) if self.statement is None else header(self.statement)


def header(node: ast.stmt) -> range:
    """The lines of a statement; of one with a body those before it."""
    first = min((node.lineno, *(part.lineno for part in getattr(node, "decorator_list", ()))))
    inner = node.cases[0].pattern if isinstance(node, ast.Match) else next(iter(getattr(node, "body", ())), None)
    if isinstance(inner, (ast.stmt, ast.pattern)):
        return range(first, max(first + 1, _begin(inner)))
    return range(first, (node.end_lineno or node.lineno) + 1)


def _begin(node: ast.stmt | ast.pattern) -> int:
    return int(min((node.lineno, *(part.lineno for part in getattr(node, "decorator_list", ())))))


class Around:
    """Finds positions; ``ends`` says of a call whether it ends the process."""

    def __init__(self, ends: Callable[[ast.Call], bool]) -> None:
        self.ends = ends

    def find(self, tree: ast.Module, line: int) -> Position:
        """The position of a 1-based line."""
        return self._in_block(tree.body, line, None, ())

    def _in_block(self, block: list[ast.stmt], line: int, function: _Def | None, tests: tuple[Test, ...]) -> Position:
        for node in block:
            if line < header(node).start:
                break
            if line <= (node.end_lineno or node.lineno):
                return self._in_statement(node, line, function, tests)
            tests = (*tests, *self._left(node))
        return Position(None, function, tests)

    def _in_statement(self, node: ast.stmt, line: int, function: _Def | None, tests: tuple[Test, ...]) -> Position:
        if line in header(node):
            return Position(node, function, tests)
        if isinstance(node, FUNCTIONS):
            return self._in_block(node.body, line, node, ())
        for part, inner in _parts(node):
            if inner and header(inner[0]).start <= line <= (inner[-1].end_lineno or 0):
                return self._in_block(inner, line, function, (*tests, *part))
        return Position(None, function, tests)  # a line such as `else:`

    def _left(self, node: ast.stmt) -> Iterator[Test]:
        """What holds behind a branch in which some left."""
        if isinstance(node, ast.If) and self._leaves(node.body) != self._leaves(node.orelse):
            yield Test("left", node.test, not self._leaves(node.body), spot_of(node.test))

    def _leaves(self, block: list[ast.stmt]) -> bool:
        last = block[-1] if block else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
            return self.ends(last.value)
        return isinstance(last, _LEAVE)


def _parts(node: ast.stmt) -> Iterator[tuple[tuple[Test, ...], list[ast.stmt]]]:
    """The blocks of a statement, each with what holds in it."""
    spot = Spot(node.lineno, node.col_offset, node.lineno, node.col_offset + 1)
    if isinstance(node, ast.If):
        yield (Test("if", node.test, True, spot_of(node.test)),), node.body
        yield (Test("if", node.test, False, spot_of(node.test)),), node.orelse
    elif isinstance(node, ast.While):
        yield (Test("while", node.test, True, spot_of(node.test)),), node.body
        yield (), node.orelse
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield (Test("for", node.iter, True, spot_of(node.iter)),), node.body
        yield (), node.orelse
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield tuple(Test("with", item.context_expr, True, spot_of(item.context_expr)) for item in node.items), node.body
    elif isinstance(node, ast.Match):
        for case in node.cases:
            yield (Test("case", case.guard, True, spot_of(case.pattern)),), case.body
    elif isinstance(node, ast.ClassDef):
        yield (), node.body
    elif hasattr(node, "handlers"):
        yield from _tried(node, spot)


def _tried(node: Any, spot: Spot) -> Iterator[tuple[tuple[Test, ...], list[ast.stmt]]]:
    """The blocks of a ``try``, of either kind."""
    yield (Test("try", None, True, spot),), node.body
    for handler in node.handlers:
        yield (Test("except", None, True, spot_of(handler)),), handler.body
    yield (), node.orelse
    yield (Test("finally", None, True, spot),), node.finalbody


def expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that are worth telling of, in their order; not those in its body.

    Calls, tests, attributes as a whole and names; the name before an attribute's dot is part of that.
    """
    for child in _own(statement):
        yield from _worth(child)


def called_in(statement: ast.stmt | None) -> set[int]:
    """What is called in a statement, not with which result: the nodes by their ids."""
    return {id(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)} if statement is not None else set()


def _own(statement: ast.AST) -> Iterator[ast.expr]:
    for name, value in ast.iter_fields(statement):
        if name in ("body", "orelse", "finalbody", "handlers", "cases"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.expr):
                yield part
            elif isinstance(part, (ast.withitem, ast.keyword, ast.arguments, ast.arg)):
                yield from _own(part)


def _worth(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)):
        return
    if isinstance(node, ast.Attribute):
        yield node
        inner: ast.expr = node.value
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        if not isinstance(inner, ast.Name):
            yield from _worth(inner)
        elif inner.id == "self":
            return
        return
    if isinstance(node, (ast.Name, ast.Call, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.IfExp, ast.Subscript)):
        yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _worth(child)
        elif isinstance(child, ast.keyword):
            yield from _worth(child.value)
        elif isinstance(child, ast.comprehension):
            yield from _worth(child.iter)
            for test in child.ifs:
                yield from _worth(test)

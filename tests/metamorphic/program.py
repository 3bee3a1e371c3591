"""A small project as trees, with the marks that say which expression and which statements matter in it.

The marks: ``VALUE(expr)`` and ``VALUE2(expr)`` around an expression; the comments ``#: first``, ``#: second`` and ``#: loop``
after a simple statement or the head of a compound one. Neighbours with the same mark are one part.
"""

from __future__ import annotations

import ast
import copy
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

VALUES = ("VALUE", "VALUE2")
MARKS = ("first", "second", "loop")
Function = ast.FunctionDef | ast.AsyncFunctionDef
_ATTRIBUTE = "metamorphic_mark"


class Unfit(Exception):
    """The program has not what a carrier or shape needs; the text says what."""


@dataclass(frozen=True)
class Value:
    """The marked expression.

    ``text`` is it as it stands, ``inner`` as it stands in a function outside, which has ``names`` as parameters. If there are
    none of these, the value is ``closed``: it is made of imports, builtins and constants only; ``basis`` are the imports and
    constants that another file needs to make it. It is ``constant`` if no call is made for it either: it may be made when a file
    is imported.
    """

    text: str
    inner: str
    names: tuple[str, ...]
    closed: bool
    constant: bool
    basis: str

    @property
    def args(self) -> str:
        """What a function that makes the value is called with."""
        return ", ".join(self.names)

    @property
    def params(self) -> str:
        """The parameters of a function that makes the value."""
        return ", ".join(outside(name) for name in self.names)


@dataclass(frozen=True)
class Carried:
    """What a carrier makes: the expression in the place of the value, and what has to be around for it.

    ``before`` stands right before the statement, which stands in the place of ``pass`` in ``around``; ``top`` at the top level of
    the file: imports, and definitions before the statement there that the marked one is in.
    """

    expr: str
    before: str = ""
    around: str = ""
    top: str = ""
    files: dict[str, str] = field(default_factory=dict)


class Part(NamedTuple):
    """Marked statements: those of ``block`` from ``start`` to before ``stop``, and what they are in, from the module inwards."""

    file: str
    owners: tuple[ast.AST, ...]
    block: list[ast.stmt]
    start: int
    stop: int

    @property
    def statements(self) -> list[ast.stmt]:
        """What is marked."""
        return self.block[self.start : self.stop]

    @property
    def module(self) -> ast.Module:
        """The tree of the file."""
        module = self.owners[0]
        assert isinstance(module, ast.Module)
        return module

    @property
    def top(self) -> ast.stmt:
        """The statement of the file's top level that this is, or is in."""
        found = self.owners[1] if len(self.owners) > 1 else self.block[self.start]
        assert isinstance(found, ast.stmt)
        return found

    @property
    def functions(self) -> list[Function]:
        """The functions that this is in, from the outermost one inwards."""
        return [each for each in self.owners if isinstance(each, Function)]

    def replace(self, *statements: ast.stmt) -> None:
        """Put statements in the place of these."""
        self.block[self.start : self.stop] = statements


@dataclass
class Program:
    """The files of a project, path to tree; the first one is the one with the marks."""

    files: dict[str, ast.Module]

    @property
    def main(self) -> str:
        """The path of the file with the marks."""
        return next(iter(self.files))

    def copy(self) -> Program:
        """Another one, to be changed."""
        return copy.deepcopy(self)

    def texts(self) -> dict[str, str]:
        """Path to what is written in it, without the marks."""
        trees = self.copy().files.items()
        return {path: f"{ast.unparse(ast.fix_missing_locations(without_values(tree)))}\n" for path, tree in trees}

    def part(self, mark: str) -> Part:
        """The statements with a mark; raises :class:`Unfit` if there are none."""
        found = part_of(self.main, self.files[self.main], mark)
        if found is None:
            raise Unfit(f"nothing is marked as {mark}")
        return found


def part_of(file: str, module: ast.Module, mark: str) -> Part | None:
    """The statements of a tree with a mark."""
    for owners, block in blocks(module):
        marked = [number for number, each in enumerate(block) if getattr(each, _ATTRIBUTE, None) == mark]
        if marked:
            return Part(file, owners, block, marked[0], marked[-1] + 1)
    return None


def blocks(node: ast.AST, owners: tuple[ast.AST, ...] = ()) -> Iterator[tuple[tuple[ast.AST, ...], list[ast.stmt]]]:
    """Every list of statements in a tree, with what it stands in, from the outermost inwards."""
    owners = (*owners, node)
    for _, held in ast.iter_fields(node):
        if isinstance(held, list) and held and isinstance(held[0], ast.stmt):
            yield owners, held
        for each in held if isinstance(held, list) else [held]:
            if isinstance(each, ast.stmt | ast.excepthandler | ast.match_case):
                yield from blocks(each, owners)


def mark(statement: ast.stmt, name: str | None) -> ast.stmt:
    """Give a statement a mark, or take it away."""
    setattr(statement, _ATTRIBUTE, name)
    return statement


def parsed(text: str) -> ast.Module:
    """The tree of a text, its marks set. Raises ValueError for a mark that is unknown or stands behind no statement."""
    tree = ast.parse(text)
    heads = [(_last_head_line(each), each) for _, block in blocks(tree) for each in block]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or not token.string.startswith("#:"):
            continue
        name = token.string[2:].strip()
        at = [each for line, each in heads if each.lineno <= token.start[0] <= line]
        if name not in MARKS or len(at) != 1:
            raise ValueError(f"line {token.start[0]}: {token.string}")
        mark(at[0], name)
    return tree


def _last_head_line(statement: ast.stmt) -> int:
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not body:
        return statement.end_lineno or statement.lineno
    first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
    return max(statement.lineno, int(first.lineno) - 1)


def value_name(node: ast.AST) -> str | None:
    """``VALUE`` or ``VALUE2`` if the node is such a mark."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in VALUES:
        return node.func.id
    return None


class _Bare(ast.NodeTransformer):
    def __init__(self, but: str) -> None:
        self.but = but

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if value_name(node) not in (None, self.but) else node


def without_values(tree: ast.Module, but: str = "") -> ast.Module:
    """The tree, whose marks of values are taken off, all or all but one; what it was before is no longer of use."""
    bare = _Bare(but).visit(tree)
    assert isinstance(bare, ast.Module)
    return bare


def statements_of(text: str) -> list[ast.stmt]:
    """What a text says, to be put into a tree."""
    return ast.parse(text).body


def add_top(module: ast.Module, text: str, before: ast.stmt | None = None) -> None:
    """Add imports of a text behind those of the module, and its other statements before one of the module (default: likewise)."""
    new = statements_of(text)
    imports = [each for each in new if isinstance(each, ast.Import | ast.ImportFrom)]
    there = {ast.unparse(each) for each in module.body}
    imports = [each for each in imports if ast.unparse(each) not in there]
    at = after_imports(module)
    module.body[at:at] = imports
    at = after_imports(module) if before is None else next(i for i, each in enumerate(module.body) if each is before)
    module.body[at:at] = [each for each in new if not isinstance(each, ast.Import | ast.ImportFrom)]


def after_imports(module: ast.Module) -> int:
    """Where the imports at the head of a module, or its text and ``__future__``, end."""
    at = 0
    for number, each in enumerate(module.body):
        is_text = number == 0 and isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        if not is_text and not isinstance(each, ast.Import | ast.ImportFrom):
            break
        at = number + 1
    return at


def walked(tree: ast.AST) -> Iterator[tuple[str | None, ast.AST]]:
    """All nodes of a tree, each with its own mark."""
    for node in ast.walk(tree):
        yield getattr(node, _ATTRIBUTE, None), node


def outside(name: str) -> str:
    """What a name is called as a parameter of a function outside."""
    return {"self": "owner", "cls": "kind"}.get(name, name)

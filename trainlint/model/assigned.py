"""Which names and attributes of ``self`` a block of statements may bind: what a loop makes uncertain."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def assigned_in(statements: Iterable[ast.stmt]) -> set[str]:
    """Names bound in the statements (nested functions and classes count by their own name only).

    Attributes are returned as ``.name``, whatever their base: a loop that sets ``x.flag`` makes every ``.flag`` uncertain.
    """
    found: set[str] = set()
    _block(statements, found)
    return found


def _block(statements: Iterable[ast.stmt], found: set[str]) -> None:
    for node in statements:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _target(target, found)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            _target(node.target, found)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            _target(node.target, found)
            _block(node.body, found)
            _block(node.orelse, found)
        elif isinstance(node, (ast.If, ast.While)):
            if isinstance(node.test, ast.NamedExpr):
                found.add(node.test.target.id)
            _block(node.body, found)
            _block(node.orelse, found)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    _target(item.optional_vars, found)
            _block(node.body, found)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            _try(node, found)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                _block(case.body, found)


def _try(node: ast.stmt, found: set[str]) -> None:
    assert isinstance(node, ast.Try) or hasattr(node, "handlers")
    _block(node.body, found)  # type: ignore[attr-defined]
    for handler in node.handlers:  # type: ignore[attr-defined]
        _block(handler.body, found)
    _block(node.orelse, found)  # type: ignore[attr-defined]
    _block(node.finalbody, found)  # type: ignore[attr-defined]


def _target(node: ast.expr, found: set[str]) -> None:
    if isinstance(node, ast.Name):
        found.add(node.id)
    elif isinstance(node, ast.Attribute):
        found.add("." + node.attr)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            _target(item, found)
    elif isinstance(node, ast.Starred):
        _target(node.value, found)

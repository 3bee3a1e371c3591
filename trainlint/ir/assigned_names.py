"""Which names and attributes a block of statements may bind: what a loop or a nested function makes uncertain."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any


def assigned_in(statements: Iterable[ast.stmt]) -> tuple[str, ...]:
    """Names bound in the statements (nested functions and classes count by their own name only), in the order of the text.

    Attributes are returned as ``.name``, whatever their base: a loop that sets ``x.flag`` makes every ``.flag`` uncertain.
    """
    found: dict[str, None] = {}
    _block(statements, found)
    return tuple(found)


_BINDING_NOTHING = frozenset((ast.Expr, ast.Return, ast.Raise, ast.Pass, ast.Break, ast.Continue, ast.Assert))
#: Where statements, handlers and cases have others.
_PARTED = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))


def declared_nonlocal(statements: Iterable[ast.stmt]) -> Iterator[ast.Nonlocal]:
    """The ``nonlocal`` statements in a block, those of functions in it too."""
    return (node for node in _statements(statements) if isinstance(node, ast.Nonlocal))


def _statements(statements: Iterable[ast.stmt]) -> Iterator[Any]:
    """The statements of a block and of the blocks in it, and what else has blocks: handlers, cases."""
    waiting: list[Any] = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        parts = vars(node)
        if not _PARTED.isdisjoint(parts):
            waiting += [each for name in _PARTED & parts.keys() for each in parts[name]]


def _block(statements: Iterable[ast.stmt], found: dict[str, None]) -> None:
    for node in statements:
        if type(node) in _BINDING_NOTHING:
            continue
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
            _test(node.test, found)
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
            found[node.name] = None
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(((alias.asname or alias.name).partition(".")[0], None) for alias in node.names)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                captured = (getattr(part, "rest", None) or getattr(part, "name", None) for part in ast.walk(case.pattern))
                found.update((name, None) for name in captured if isinstance(name, str))
                _block(case.body, found)


def _test(node: ast.expr, found: dict[str, None]) -> None:
    """``:=`` where conditions have it: at the left of a comparison, under ``not``, ``and``, ``or``."""
    if isinstance(node, ast.NamedExpr):
        found[node.target.id] = None
    elif isinstance(node, ast.Compare):
        _test(node.left, found)
    elif isinstance(node, ast.UnaryOp):
        _test(node.operand, found)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            _test(value, found)


def _try(node: Any, found: dict[str, None]) -> None:
    _block(node.body, found)
    for handler in node.handlers:
        _block(handler.body, found)
    _block(node.orelse, found)
    _block(node.finalbody, found)


def _target(node: ast.expr, found: dict[str, None]) -> None:
    if isinstance(node, ast.Name):
        found[node.id] = None
    elif isinstance(node, ast.Attribute):
        found["." + node.attr] = None
    elif isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            _target(item, found)
    elif isinstance(node, ast.Starred):
        _target(node.value, found)


def taken_apart(pattern: ast.pattern) -> list[tuple[ast.pattern, str | int | ast.expr | None]]:
    """The patterns in another one, each with the part of the subject that it is compared with.

    That is an attribute by its name, an item by its position or key; None where nobody can say.
    """
    if isinstance(pattern, ast.MatchClass):
        named = zip(pattern.kwd_patterns, pattern.kwd_attrs, strict=True)
        return [*((part, None) for part in pattern.patterns), *named]
    if isinstance(pattern, ast.MatchMapping):
        rest: list[ast.pattern] = [] if pattern.rest is None else [ast.copy_location(ast.MatchStar(pattern.rest), pattern)]
        return [*zip(pattern.patterns, pattern.keys, strict=True), *((part, None) for part in rest)]
    if isinstance(pattern, ast.MatchSequence):
        count = len(pattern.patterns)
        first = next((at for at, part in enumerate(pattern.patterns) if isinstance(part, ast.MatchStar)), count)
        places = [None if at == first else at if at < first else at - count for at in range(count)]
        return [*zip(pattern.patterns, places, strict=True)]
    return []


def names_bound(target: ast.expr) -> tuple[str, ...]:
    """The names a loop binds, first to last; an item such as ``state["epoch"]`` as it is written."""
    if isinstance(target, (ast.Subscript, ast.Attribute)):
        return (ast.unparse(target),)
    if isinstance(target, ast.Name):
        return (target.id,)
    return tuple(node.id for node in ast.walk(target) if isinstance(node, ast.Name))

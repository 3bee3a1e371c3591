"""Which libcst node stands for which kind of ``ast`` node."""

from __future__ import annotations

import libcst as cst

_STRINGS = (cst.SimpleString, cst.ConcatenatedString)

_CLASSES: dict[str, tuple[type[cst.CSTNode], ...]] = {
    "AsyncFor": (cst.For,),
    "AsyncFunctionDef": (cst.FunctionDef,),
    "AsyncWith": (cst.With,),
    "BinOp": (cst.BinaryOperation,),
    "BoolOp": (cst.BooleanOperation,),
    "Compare": (cst.Comparison,),
    "Constant": (*_STRINGS, cst.Integer, cst.Float, cst.Imaginary, cst.Name, cst.Ellipsis),
    "Delete": (cst.Del,),
    "ExceptHandler": (cst.ExceptHandler, cst.ExceptStarHandler),
    "JoinedStr": (cst.FormattedString, cst.ConcatenatedString),
    "Starred": (cst.StarredElement, cst.Arg),
    "UnaryOp": (cst.UnaryOperation,),
    "Yield": (cst.Yield,),
    "YieldFrom": (cst.Yield,),
    "alias": (cst.ImportAlias, cst.ImportStar),
    "arg": (cst.Param,),
    "keyword": (cst.Arg,),
}

COMPOUND = (
    cst.If,
    cst.For,
    cst.While,
    cst.With,
    cst.Try,
    cst.TryStar,
    cst.Match,
    cst.FunctionDef,
    cst.ClassDef,
    cst.ExceptHandler,
)
"""Statements with a block: their ``ast`` span takes in a semicolon after their last statement, libcst's does not."""

_CONSTANT_NAMES = ("True", "False", "None")


def is_kind(node: cst.CSTNode, kind: str) -> bool:
    """Whether ``node`` is what ``ast`` calls ``kind`` ("Call", "AsyncFor", "keyword", ...; "expr": any expression)."""
    classes = _CLASSES.get(kind)
    if kind == "expr":
        return isinstance(node, cst.BaseExpression)
    if classes is None:
        # Most kinds have the same name in both; a kind nobody knows matches nothing.
        return type(node).__name__ == kind and not (kind == "Name" and _is_constant(node)) and not _is_async(node)
    if not isinstance(node, classes):
        return False
    if isinstance(node, cst.Name):
        return _is_constant(node)
    if isinstance(node, cst.Arg):
        return (node.star == "*") if kind == "Starred" else (node.keyword is not None or node.star == "**")
    if isinstance(node, cst.Yield):
        return isinstance(node.value, cst.From) == (kind == "YieldFrom")
    return _is_async(node) or not kind.startswith("Async")


def _is_constant(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value in _CONSTANT_NAMES


def _is_async(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.For, cst.With, cst.FunctionDef)) and node.asynchronous is not None

"""What an f-string is made of: its texts, and its values with the formats that are written in it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from trainlint.ir.nodes import BinOp, Term
from trainlint.ir.terms import Terms


def parts_of_text(node: ast.JoinedStr, terms: Terms, expr: Callable[[ast.expr], Term]) -> tuple[Term, ...]:
    """The parts in order. A value with a written format is as in ``"%04d" % value``; ``expr`` lowers an expression."""
    return tuple(_part(part, terms, expr) for part in node.values)


def _part(part: ast.expr, terms: Terms, expr: Callable[[ast.expr], Term]) -> Term:
    if not isinstance(part, ast.FormattedValue):
        return expr(part)
    value = expr(part.value)
    given = part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else ()
    if len(given) == 1 and isinstance(given[0], ast.Constant) and isinstance(given[0].value, str):
        return terms.make(BinOp, "Mod", terms.const(f"%{given[0].value}"), value)
    return value

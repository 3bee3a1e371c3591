"""The edit that builds an expression anew from parts of the one that stands there."""

from __future__ import annotations

import re

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites.appending import step
from trainlint.sites.changes import Rewrite
from trainlint.sites.names import walk
from trainlint.sites.replacement import put
from trainlint.sites.site import Site

_PLACE = re.compile(r"\{(,?)(\d+)\}")
_ALL = "arguments"


class _NotWritten(Exception):
    """A piece of the expression is not written out there."""


def rewrite(site: Site, change: Rewrite) -> tuple[Edit, ...] | None:
    """Edits for ``Rewrite``; None when a part is not written out, or a comment stands outside of the parts."""
    span = site.source.span(change.spot)
    node = site.tree.expression(span) or _assigned(site.tree.small(span))
    if node is not None and change.around:
        node = _around(site, node)
    if node is None:
        return None
    try:
        spans = [_part(site, node, path) for path in change.paths]
    except _NotWritten:
        return None
    kept = [span for span in spans if span is not None]
    comments = (site.tree.span(part) for part in walk(node) if isinstance(part, cst.Comment))
    if not all(any(span[:2] <= comment[:2] and comment[2:] <= span[2:] for span in kept) for comment in comments):
        return None
    texts = [_text(site, span) if span is not None else "" for span in spans]

    def filled(match: re.Match[str]) -> str:
        text = texts[int(match[2])]
        return f", {text}" if match[1] and text else text

    code = _PLACE.sub(filled, change.code)
    return put(site, site.tree.outer(node), code)


def _around(site: Site, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The operation of which an expression is an operand."""
    for each in site.tree.nodes():
        if isinstance(each, cst.BinaryOperation) and node in (each.left, each.right):
            return each
    return None


def _assigned(statement: cst.BaseSmallStatement | None) -> cst.BaseExpression | None:
    return statement.value if isinstance(statement, (cst.Assign, cst.AnnAssign)) else None


def _part(site: Site, start: cst.BaseExpression, path: tuple[tuple[str, int | str], ...]) -> Span | None:
    """Where the part stands; None when it is empty."""
    node: cst.BaseExpression | None = start
    for kind, key in path:
        if kind == _ALL and isinstance(key, int):
            return _arguments(site, node, key)
        node = _called(node, kind) if kind in ("receiver", "function") else step(node, kind, key)
    if node is None or isinstance(node, cst.GeneratorExp):
        raise _NotWritten
    return site.tree.outer(node)


def _called(node: cst.BaseExpression | None, kind: str) -> cst.BaseExpression | None:
    called = node.func if isinstance(node, cst.Call) else None
    if kind == "function":
        return called
    return called.value if isinstance(called, cst.Attribute) else None


def _arguments(site: Site, node: cst.BaseExpression | None, first: int) -> Span | None:
    if not isinstance(node, cst.Call) or any(isinstance(argument.value, cst.GeneratorExp) for argument in node.args):
        raise _NotWritten
    wanted = node.args[first:]
    return Span(*site.tree.span(wanted[0])[:2], *site.tree.outer(wanted[-1].value)[2:]) if wanted else None


def _text(site: Site, span: Span) -> str:
    lines = list(site.source.lines[span.line - 1 : span.end_line])
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)

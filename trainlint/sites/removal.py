"""Edits that take a whole statement away."""

from __future__ import annotations

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout
from trainlint.sites.changes import RemoveStatement
from trainlint.sites.site import Site
from trainlint.source.text import Source

_NOTHING = "pass"


def remove_statement(site: Site, change: RemoveStatement) -> tuple[Edit, ...] | None:
    """Edits for ``RemoveStatement``; None when other code or a comment stands on its lines."""
    source, span = site.source, site.source.span(change.statement)
    statement = site.tree.small(span)
    if not _stands_alone(statement) or not layout.starts_line(source, span) or layout.rest(source, span) != "":
        return None
    if _has_neighbour(source, span):
        return (layout.delete_lines(source, span.line, span.end_line),)
    return (Edit(span, _NOTHING),)


def _stands_alone(statement: cst.CSTNode | None) -> bool:
    """Whether a statement binds no name and nothing else: an expression, or a value put into one attribute or under one key."""
    if isinstance(statement, cst.Assign):
        return len(statement.targets) == 1 and isinstance(statement.targets[0].target, (cst.Attribute, cst.Subscript))
    return isinstance(statement, cst.Expr)


def _has_neighbour(source: Source, span: Span) -> bool:
    """Whether another statement of the same block is certain: the next line of code is no deeper and no less deep."""
    blanks = layout.indent(source, span.line)
    following = _code(source, range(span.end_line + 1, len(source.lines) + 1))
    if following is not None and layout.indent(source, following) == blanks:
        return True
    before = _code(source, range(span.line - 1, 0, -1))
    if before is None or layout.indent(source, before) != blanks:
        return False
    # The last line of a header may be as deep as what follows it.
    text = layout.line(source, before)
    return ":" not in text and not text.strip().startswith((")", "]", "}"))


def _code(source: Source, numbers: range) -> int | None:
    """The first of some lines that holds more than a comment."""
    for number in numbers:
        text = layout.line(source, number).strip()
        if text and not text.startswith("#"):
            return number
    return None

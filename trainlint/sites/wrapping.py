"""Edits that put a statement under a test that already stands elsewhere in the file."""

from __future__ import annotations

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout, names
from trainlint.sites.changes import Wrap
from trainlint.sites.site import Site

_TEXTS = (cst.SimpleString, cst.FormattedString, cst.TemplatedString)


def wrap(site: Site, change: Wrap) -> tuple[Edit, ...] | None:
    """Edits for ``Wrap``; None for statements that bind a name, share their lines, or for a test of several lines."""
    source, span, test = site.source, site.source.span(change.statement), site.source.span(change.test)
    statement = site.tree.compound(span) or site.tree.small(span)
    if not isinstance(statement, (cst.Expr, cst.With)) or test.line != test.end_line:
        return None
    if not layout.starts_line(source, span) or layout.rest(source, span) is None:
        return None
    if isinstance(statement, cst.With) and any(isinstance(part, (cst.Yield, cst.Return)) for part in names.walk(statement)):
        return None
    code = layout.line(source, test.line)[test.column - 1 : test.end_column - 1]
    blanks, step = layout.indent(source, span.line), layout.unit(source)
    lines = [f"{blanks}if {code}:"]
    inside = {number for text in names.walk(statement) if isinstance(text, _TEXTS) for number in _later(site.tree.span(text))}
    for number in range(span.line, span.end_line + 1):
        text = layout.line(source, number)
        lines.append(text if number in inside or not text.strip() else step + text)
    whole = Span(span.line, 1, span.end_line, len(layout.line(source, span.end_line)) + 1)
    return (Edit(whole, source.newline.join(lines)),)


def _later(span: Span) -> range:
    return range(span.line + 1, span.end_line + 1)

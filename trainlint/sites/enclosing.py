"""Edits that put a ``with`` around a statement."""

from __future__ import annotations

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout, names
from trainlint.sites.changes import Enclose
from trainlint.sites.site import Site


def enclose(site: Site, change: Enclose) -> tuple[Edit, ...] | None:
    """Edits for ``Enclose``; None when no compound statement stands there, or a string in it goes over lines."""
    source, span = site.source, site.source.span(change.statement)
    statement = site.tree.compound(span)
    if statement is None or not layout.starts_line(source, span) or layout.rest(source, span) is None:
        return None
    if any(isinstance(node, (cst.SimpleString, cst.FormattedString)) and _goes_on(site, node) for node in names.walk(statement)):
        return None
    blanks, step = layout.indent(source, span.line), layout.unit(source)
    edits = [Edit(Span(span.line, 1, span.line, 1), f"{blanks}{change.header}{source.newline}{step}")]
    below = range(span.line + 1, span.end_line + 1)
    edits += [Edit(Span(n, 1, n, 1), step) for n in below if layout.line(source, n).strip()]
    return tuple(edits)


def _goes_on(site: Site, text: cst.CSTNode) -> bool:
    """Whether a string goes over lines: another indentation would change its value."""
    span = site.tree.span(text)
    return span.end_line > span.line

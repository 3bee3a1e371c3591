"""Edits that put a new statement beside existing ones."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout
from trainlint.sites.changes import InsertAfter, InsertBefore, InsertFirst
from trainlint.sites.site import Site

_Edits = tuple[Edit, ...] | None


def insert_first(site: Site, change: InsertFirst) -> _Edits:
    """Edits for ``InsertFirst``; None when no block stands there or a docstring shares its line with other code."""
    block = site.tree.compound(site.source.span(change.block))
    body = getattr(block, "body", None)
    if block is None or not isinstance(body, (cst.IndentedBlock, cst.SimpleStatementSuite)) or not body.body:
        return None
    if isinstance(body, cst.SimpleStatementSuite):
        return _into_line(site, block, body, change.code)
    first = body.body[0]
    if _has_docstring(block, first):
        if not isinstance(first, cst.SimpleStatementLine) or len(first.body) > 1:
            return None
        return _below_docstring(site, first, change.code)
    # Directly below the header, above any comment: the comments keep their place above the statement they are about.
    blanks = layout.indent(site.source, _first_line(site, first))
    header = site.tree.span(body.header).line
    return (layout.insert_below(site.source, header, layout.indented(site.source, change.code, blanks)),)


def insert_before(site: Site, change: InsertBefore) -> _Edits:
    """Edits for ``InsertBefore``: above the comments and decorators of the statement."""
    source, span = site.source, site.source.span(change.statement)
    statement = site.tree.compound(span) or site.tree.small(span)
    code = _code(site, change)
    if code is None or statement is None or not layout.starts_line(source, span) or _is_part(site, span):
        return None
    row = layout.first_comment(source, _first_line(site, statement))
    return (layout.insert_above(source, row, layout.indented(source, code, layout.indent(source, span.line))),)


def insert_after(site: Site, change: InsertAfter) -> _Edits:
    """Edits for ``InsertAfter``: below the statement's last line, the comments that close its block included."""
    source, span = site.source, site.source.span(change.statement)
    block, code = site.tree.compound(span), _code(site, change)
    if code is None or (block or site.tree.small(span)) is None or layout.rest(source, span) is None:
        return None
    if not layout.starts_line(source, span) or _is_part(site, span):
        return None
    blanks = layout.indent(source, span.line)
    row = span.end_line if block is None else layout.last_comment(source, span.end_line, blanks)
    return (layout.insert_below(source, row, layout.indented(source, code, blanks)),)


def _code(site: Site, change: InsertBefore | InsertAfter) -> str | None:
    """The lines to insert, with the name that they need; None when the assignment does not bind it."""
    if change.named is None:
        return change.code
    spot, names = change.named
    there = site.at(spot)
    node = there.tree.small(site.source.span(spot)) if there is not None else None
    targets = [target.target for target in node.targets] if isinstance(node, cst.Assign) else []
    bound = {cst.Module(body=()).code_for_node(each) for target in targets for each in _parts(target)}
    name = next((each for each in names if each in bound), None)
    return None if name is None else change.code.format(name)


def _parts(target: cst.BaseAssignTargetExpression) -> Iterator[cst.CSTNode]:
    """What an assignment binds: each part of a tuple."""
    if isinstance(target, (cst.Tuple, cst.List)):
        yield from (element.value for element in target.elements)
    else:
        yield target


def _into_line(site: Site, block: cst.CSTNode, body: cst.SimpleStatementSuite, code: str) -> _Edits:
    """``for x in y: f(x)``: the code behind the colon goes to a line of its own, with its comment."""
    source = site.source
    header = site.tree.span(block)
    blanks = layout.indent(source, header.line) + layout.unit(source)
    start = site.tree.span(body.body[0])
    gap = site.tree.span(body.leading_whitespace)
    new = layout.indented(source, code, blanks)
    if _has_docstring(block, cst.SimpleStatementLine(body=body.body)):
        if len(body.body) > 1 or layout.rest(source, start) is None:
            return None
        return (Edit(gap, source.newline + blanks), layout.insert_below(source, start.end_line, new))
    return (Edit(gap, source.newline + "".join(text + source.newline for text in new) + blanks),)


def _below_docstring(site: Site, docstring: cst.SimpleStatementLine, code: str) -> _Edits:
    source, span = site.source, site.tree.span(docstring)
    blanks = layout.indent(source, span.line)
    return (layout.insert_below(source, span.end_line, layout.indented(source, code, blanks)),)


def _has_docstring(block: cst.CSTNode, first: cst.CSTNode) -> bool:
    if not isinstance(block, (cst.FunctionDef, cst.ClassDef)) or not isinstance(first, cst.SimpleStatementLine):
        return False
    statement = first.body[0]
    return isinstance(statement, cst.Expr) and isinstance(statement.value, (cst.SimpleString, cst.ConcatenatedString))


def _first_line(site: Site, statement: cst.CSTNode) -> int:
    decorators = getattr(statement, "decorators", ())
    return site.tree.span(decorators[0] if decorators else statement).line


def _is_part(site: Site, span: Span) -> bool:
    """Whether an ``elif`` or ``except`` stands at ``span``: nothing can come between it and what precedes it."""
    return layout.line(site.source, span.line)[span.column - 1 :].startswith(("elif", "except"))

"""Edits that insert, remove or surround whole statements.

Edits that put a new statement beside existing ones.

Edits that take a whole statement away.

Edits that put a ``with`` around a statement.

Edits that put a statement under a test that already stands elsewhere in the file.

The edits that let all ranks answer a test together.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from trainlint.edits import layout, names
from trainlint.edits.changes import AnswerTogether, InsertAfter, InsertBefore, InsertFirst, RemoveStatement, Surround, Wrap
from trainlint.edits.site import Site
from trainlint.finding import Edit, Span
from trainlint.source.text import Source

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
    code = _inserted_code(site, change)
    if code is None or statement is None or not layout.starts_line(source, span) or _is_part(site, span):
        return None
    row = layout.first_comment(source, _first_line(site, statement))
    return (layout.insert_above(source, row, layout.indented(source, code, layout.indent(source, span.line))),)


def insert_after(site: Site, change: InsertAfter) -> _Edits:
    """Edits for ``InsertAfter``: below the statement's last line, the comments that close its block included."""
    source, span = site.source, site.source.span(change.statement)
    block, code = site.tree.compound(span), _inserted_code(site, change)
    if code is None or (block or site.tree.small(span)) is None or layout.rest(source, span) is None:
        return None
    if not layout.starts_line(source, span) or _is_part(site, span):
        return None
    blanks = layout.indent(source, span.line)
    row = span.end_line if block is None else layout.last_comment(source, span.end_line, blanks)
    return (layout.insert_below(source, row, layout.indented(source, code, blanks)),)


def _inserted_code(site: Site, change: InsertBefore | InsertAfter) -> str | None:
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
    following = _left_code(source, range(span.end_line + 1, len(source.lines) + 1))
    if following is not None and layout.indent(source, following) == blanks:
        return True
    before = _left_code(source, range(span.line - 1, 0, -1))
    if before is None or layout.indent(source, before) != blanks:
        return False
    # The last line of a header may be as deep as what follows it.
    text = layout.line(source, before)
    return ":" not in text and not text.strip().startswith((")", "]", "}"))


def _left_code(source: Source, numbers: range) -> int | None:
    """The first of some lines that holds more than a comment."""
    for number in numbers:
        text = layout.line(source, number).strip()
        if text and not text.startswith("#"):
            return number
    return None


def surround(site: Site, change: Surround) -> tuple[Edit, ...] | None:
    """Edits for ``Surround``; None when no compound statement stands there, or a string in it goes over lines."""
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


def answer_together(site: Site, change: AnswerTogether) -> tuple[Edit, ...] | None:
    """Edits for ``AnswerTogether``; None when the test is longer than a line or nothing can come before the statement."""
    source, span = site.source, site.source.span(change.test)
    if span.line != span.end_line or site.tree.expression(span) is None:
        return None
    text = layout.line(source, span.line)[span.column - 1 : span.end_column - 1]
    code = f"answers = [None] * {change.library}.get_world_size()\n{change.library}.all_gather_object(answers, bool({text}))"
    above = insert_before(site, InsertBefore(change.applicability, change.message, statement=change.statement, code=code))
    return None if above is None else (*above, Edit(span, f"{change.word}(answers)"))

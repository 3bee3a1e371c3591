"""Edits that move a simple statement out of its ``if``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout, names
from trainlint.sites.changes import Hoist
from trainlint.sites.moved import Moved
from trainlint.sites.site import Site

_Block = cst.If | cst.Else
_MOVABLE = (cst.Expr, cst.Assign, cst.AugAssign, cst.AnnAssign)
_SUSPENDING = (cst.NamedExpr, cst.Await, cst.Yield)


@dataclass(frozen=True)
class _Branch:
    """One branch of the guard: its ``if``, ``elif`` or ``else`` and its statements, those of one line singly."""

    owner: _Block
    statements: Sequence[cst.CSTNode]


def hoist(site: Site, change: Hoist) -> tuple[Edit, ...] | None:
    """Edits for ``Hoist``; None when moving could change which code runs, what it sees, or leave a branch empty."""
    guard = site.tree.compound(site.source.span(change.guard))
    statement = site.tree.small(site.source.span(change.statement))
    if not isinstance(guard, cst.If) or not isinstance(statement, _MOVABLE) or _is_elif(site, guard):
        return None
    if any(isinstance(part, cst.Yield) for part in names.walk(statement)):
        return None
    branches = list(_branches(guard))
    own = next((branch for branch in branches if statement in branch.statements), None)
    if own is None:
        return None
    if len(own.statements) == 1:
        return _hoist_only(site, guard, branches, own, statement)
    if statement is own.statements[-1]:
        return _hoist_last(site, guard, branches, own, statement)
    if statement is own.statements[0]:
        return _hoist_first(site, guard, branches, statement)
    return None


def _hoist_only(
    site: Site, guard: cst.If, branches: list[_Branch], own: _Branch, statement: cst.BaseSmallStatement
) -> tuple[Edit, ...] | None:
    """The statement was all there is: its branch goes, and with the only branch the guard."""
    alone = len(branches) == 1
    if alone and any(isinstance(part, _SUSPENDING) for part in names.walk(guard.test)):
        return None
    if not alone and not (isinstance(own.owner, cst.Else) and _may_follow(branches, own, statement)):
        return None
    if site.tree.span(statement).end_line != site.tree.span(guard).end_line:
        return None
    return _unwrap(site, guard, own, statement)


def _hoist_last(
    site: Site, guard: cst.If, branches: list[_Branch], own: _Branch, statement: cst.BaseSmallStatement
) -> tuple[Edit, ...] | None:
    """The statement follows the whole guard."""
    if not _may_follow(branches, own, statement):
        return None
    source, blanks = site.source, layout.indent(site.source, site.tree.span(guard).line)
    moved = Moved.of(site, statement, blanks)
    if moved is None:
        return None
    end = layout.last_comment(source, site.tree.span(guard).end_line, blanks)
    return moved.to(layout.insert_below(source, end, moved.lines))


def _hoist_first(
    site: Site, guard: cst.If, branches: list[_Branch], statement: cst.BaseSmallStatement
) -> tuple[Edit, ...] | None:
    """The statement precedes the whole guard, so every condition is now evaluated after it."""
    conditions = [branch.owner.test for branch in branches if isinstance(branch.owner, cst.If)]
    changed = names.assigned(statement)
    for condition in conditions:
        if any(isinstance(part, _SUSPENDING) for part in names.walk(condition)) or changed & names.read(condition):
            return None
    span = site.tree.span(guard)
    if not layout.starts_line(site.source, span):
        return None
    above = layout.first_comment(site.source, span.line)
    moved = Moved.of(site, statement, layout.indent(site.source, span.line))
    return None if moved is None else moved.to(layout.insert_above(site.source, above, moved.lines))


def _may_follow(branches: list[_Branch], own: _Branch, statement: cst.BaseSmallStatement) -> bool:
    """Whether every way through the guard comes to its end, and the statement sees there what it saw in its branch."""
    if any(names.leaves(branch.statements) for branch in branches):
        return False
    before = set[str]().union(*(names.assigned(other) for other in own.statements if other is not statement))
    if before & names.read(statement):
        return False
    elsewhere = (other for branch in branches if branch is not own for other in branch.statements)
    # A value that the other branches set for themselves would be overwritten.
    return not names.assigned(statement) & set[str]().union(*(names.assigned(other) for other in elsewhere))


def _unwrap(site: Site, guard: cst.If, own: _Branch, statement: cst.BaseSmallStatement) -> tuple[Edit, ...] | None:
    """Replace the branch, from its ``if`` or ``else`` on, by its statement at the guard's own indentation."""
    source, blanks = site.source, layout.indent(site.source, site.tree.span(guard).line)
    start = site.tree.span(own.owner)
    moved = Moved.of(site, statement, blanks, alone=True)
    if moved is None or not layout.starts_line(source, start):
        return None
    lines = [*(blanks + text for text in _comments_above(site, own, moved)), *moved.lines]
    end = site.tree.span(statement).end_line
    return (Edit(Span(start.line, 1, end, len(layout.line(source, end)) + 1), source.newline.join(lines)),)


def _comments_above(site: Site, own: _Branch, moved: Moved) -> Iterator[str]:
    """The comments between the header and what moves: nobody's comment is lost with the header."""
    body = own.owner.body
    if not isinstance(body, cst.IndentedBlock):
        return
    if body.header.comment is not None:
        yield body.header.comment.value
    for number in range(site.tree.span(body.header).line + 1, moved.first_line):
        text = layout.line(site.source, number).strip(" \t\f")
        if text:
            yield text


def _branches(guard: cst.If) -> Iterator[_Branch]:
    block: _Block | None = guard
    while block is not None:
        yield _Branch(block, tuple(_flat(block.body)))
        block = block.orelse if isinstance(block, cst.If) else None


def _flat(body: cst.BaseSuite) -> Iterator[cst.CSTNode]:
    for part in body.body:
        if isinstance(part, cst.SimpleStatementLine):
            yield from part.body
        else:
            yield part


def _is_elif(site: Site, guard: cst.If) -> bool:
    span = site.tree.span(guard)
    return layout.line(site.source, span.line)[span.column - 1 :].startswith("elif")

"""Edits that move a simple statement past others of its block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from trainlint.finding import Edit, Span, Spot
from trainlint.sites import layout, names
from trainlint.sites.changes import Move
from trainlint.sites.moved import Moved
from trainlint.sites.site import Site

if TYPE_CHECKING:
    from trainlint.source.text import Source

_MOVABLE = (cst.Expr, cst.Assign)
_SEVERAL = 2


def move(site: Site, change: Move) -> tuple[Edit, ...] | None:
    """Edits for ``Move``; None when the two do not stand in one block, or what is passed and what moves know of each other."""
    source = site.source
    moving = site.tree.small(source.span(change.statement))
    target = source.span(change.target)
    if not isinstance(moving, _MOVABLE) or any(isinstance(part, (cst.Yield, cst.Await)) for part in names.walk(moving)):
        return None
    body = _block(site, moving)
    if change.behind and target[:2] < site.tree.span(moving)[:2] and site.tree.span(moving)[2:] <= target[2:]:
        return _out(site, moving, body, target)
    own = next((index for index, each in enumerate(body) if site.tree.span(each) == site.tree.span(moving)), None)
    goal = next((index for index, each in enumerate(body) if _holds(site, each, target)), None)
    up = goal is not None and own is not None and goal < own
    if own is None or goal is None or own == goal or (up == change.behind and not change.inside):
        return None
    passed = body[goal:own] if up else body[own + 1 : goal + 1]
    if names.leaves(list(passed)) or not _strangers(moving, passed, change.anew):
        return None
    if change.inside:
        return _inside(site, moving, target) if change.behind and site.tree.small(target) is not None else None
    last = site.tree.span(body[goal])
    if not layout.starts_line(source, last) or (change.behind and layout.rest(source, last) is None):
        return None
    blanks = layout.indent(source, last.line)
    moved = Moved.of(site, moving, blanks)
    if moved is None:
        return None
    if change.behind:
        compound = not isinstance(body[goal], cst.SimpleStatementLine)
        row = layout.last_comment(source, last.end_line, blanks) if compound else last.end_line
        return moved.to(layout.insert_below(source, row, moved.lines))
    return moved.to(layout.insert_above(source, layout.first_comment(source, last.line), moved.lines))


def _out(site: Site, moving: cst.BaseSmallStatement, body: Sequence[cst.BaseStatement], target: Span) -> tuple[Edit, ...] | None:
    """Behind a ``with`` in which it is the last of several statements."""
    block = site.tree.compound(target)
    if not isinstance(block, cst.With) or len(body) < _SEVERAL or list(block.body.body)[-1] is not body[-1]:
        return None
    if site.tree.span(body[-1]) != site.tree.span(moving):
        return None
    blanks = layout.indent(site.source, target.line)
    moved = Moved.of(site, moving, blanks)
    return None if moved is None else moved.to(layout.insert_below(site.source, site.tree.span(body[-1]).end_line, moved.lines))


def _inside(site: Site, moving: cst.BaseSmallStatement, target: Span) -> tuple[Edit, ...] | None:
    """Right behind a simple statement that has its lines for itself."""
    source = site.source
    if not layout.starts_line(source, target) or layout.rest(source, target) is None:
        return None
    moved = Moved.of(site, moving, layout.indent(source, target.line))
    return None if moved is None else moved.to(layout.insert_below(source, target.end_line, moved.lines))


def stretch(source: Source, change: Move) -> Spot:
    """The stretch of the file that holds the statement and its goal, with all of what is deeper where the goal is."""
    first, last = sorted((change.statement, change.past or change.target))
    if last is change.statement or first.column >= last.column:
        return Spot(*first[:2], *last[2:])
    blanks = layout.indent(source, source.span(first).line)
    row = layout.last_deeper(source, source.span(last).end_line, blanks)
    return Spot(*first[:2], row, len(layout.line(source, row).encode("utf-8", "replace")))


def _block(site: Site, moving: cst.BaseSmallStatement) -> Sequence[cst.BaseStatement]:
    """The statements of the block in which a simple statement has a line for itself."""
    for node in site.tree.nodes():
        body = list(node.body) if isinstance(node, (cst.IndentedBlock, cst.Module)) else []
        if any(isinstance(each, cst.SimpleStatementLine) and list(each.body) == [moving] for each in body):
            return [each for each in body if isinstance(each, cst.BaseStatement)]
    return []


def _holds(site: Site, statement: cst.BaseStatement, span: Span) -> bool:
    """Whether a statement is, or holds, what stands at a span."""
    whole = site.tree.span(statement)
    return whole[:2] <= span[:2] and span[2:] <= whole[2:]


def _strangers(moving: cst.BaseSmallStatement, passed: Sequence[cst.BaseStatement], anew: Sequence[str]) -> bool:
    """Whether neither gives a name a value that the other one reads or gives a value, too, but for those that are meant."""
    mine, others = names.assigned(moving), set[str]().union(*map(names.assigned, passed))
    read = set[str]().union(*map(names.read, passed))
    reads, meant = names.read(moving), set(anew)
    if meant and (_used(moving).isdisjoint(meant) or not mine & meant <= set[str]().union(*map(_used, passed))):
        return False
    return not (others & (reads - meant) or (mine - meant) & (read | others))


def _used(statement: cst.CSTNode) -> set[str]:
    """The names that a statement reads; of an assignment, those of its value."""
    only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else statement
    return names.read(only.value if isinstance(only, cst.Assign) else only)

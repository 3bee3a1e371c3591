"""Edits that move a statement, or a call in it, to another place of its function.

A simple statement on its way to another place: what is taken out where it stood, and its lines for where it goes.

Edits that move a simple statement past others of its block.

Edits that move a simple statement out of its ``if``.

Edits that work out a call above the ``if`` in which it stands, under a name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from trainlint.edits import layout, names
from trainlint.edits.changes import Hoist, HoistValue, Move
from trainlint.edits.site import Site
from trainlint.finding import Edit, Span, Spot

if TYPE_CHECKING:
    from trainlint.source.text import Source


@dataclass(frozen=True)
class Moved:
    """``lines`` are the statement's with its comments, at the new indentation; ``removal`` takes them out of the old place.

    ``first_line`` is the first line of the file that goes along.
    """

    lines: list[str]
    removal: Edit
    first_line: int

    @classmethod
    def of(cls, site: Site, statement: cst.BaseSmallStatement, blanks: str, *, alone: bool = False) -> Moved | None:
        """Take out ``statement`` for a place at indentation ``blanks``; None when it cannot be separated from its neighbours.

        A statement that has its lines for itself takes its comments along: those directly above that speak of
        it, and the one behind it.
        ``alone`` says that it is the only one of its block, also when that block stands behind a colon on one line.
        """
        source, span = site.source, site.tree.span(statement)
        own_lines = layout.starts_line(source, span)
        comment = layout.rest(source, span)
        lines = _reindented(site, statement, layout.indent(source, span.line), blanks)
        if comment is not None and (own_lines or alone):
            if comment:
                lines[-1] += _gap(source.lines[span.end_line - 1], span.end_column) + comment
            first = layout.own_comment(source, span) if own_lines else span.line
            above = [blanks + layout.line(source, number).strip(" \t\f") for number in range(first, span.line)]
            return cls(above + lines, layout.delete_lines(source, first, span.end_line), first)
        removal = _from_shared_line(site, statement)
        return None if removal is None else cls(lines, removal, span.line)

    def to(self, insertion: Edit) -> tuple[Edit, ...]:
        """The edits that make the move, in order; one edit when both touch."""
        first, second = sorted((self.removal, insertion), key=lambda edit: edit.span)
        if first.span[2:] == second.span[:2]:
            return (Edit(Span(*first.span[:2], *second.span[2:]), first.content + second.content),)
        return (first, second)


def _from_shared_line(site: Site, statement: cst.BaseSmallStatement) -> Edit | None:
    """Take ``statement`` out of ``a; b; c``: with the semicolon that separates it from its neighbour."""
    for node in site.tree.nodes():
        if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and statement in node.body:
            position = list(node.body).index(statement)
            if len(node.body) == 1:
                return None
            here = site.tree.span(statement)
            if position == 0:
                after = site.tree.span(node.body[1])
                return Edit(Span(*here[:2], *after[:2]), "")
            before = site.tree.span(node.body[position - 1])
            return Edit(Span(*before[2:], *here[2:]), "")
    return None


def _reindented(site: Site, statement: cst.BaseSmallStatement, old: str, new: str) -> list[str]:
    """The statement's lines at indentation ``new``; the lines of a string are its value and stay as they are."""
    span = site.tree.span(statement)
    inside_strings = {number for text in _strings(statement) for number in _later_lines(site.tree.span(text))}
    lines = []
    for number in range(span.line, span.end_line + 1):
        text = layout.line(site.source, number)
        if number == span.end_line:
            text = text[: span.end_column - 1]
        if number == span.line:
            text = new + text[span.column - 1 :]
        elif number not in inside_strings and text.startswith(old):
            text = new + text[len(old) :]
        lines.append(text)
    return lines


def _strings(statement: cst.CSTNode) -> list[cst.CSTNode]:
    kinds = (cst.SimpleString, cst.FormattedString, cst.TemplatedString)
    return [part for part in names.walk(statement) if isinstance(part, kinds)]


def _later_lines(span: Span) -> range:
    return range(span.line + 1, span.end_line + 1)


def _gap(text: str, column: int) -> str:
    """The blanks before the comment behind ``column``; a semicolon between them goes."""
    tail = text[column - 1 :]
    blanks = tail[: tail.index("#")].replace(";", "")
    return blanks or "  "


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


_Block = cst.If | cst.Else
_HOISTABLE = (cst.Expr, cst.Assign, cst.AugAssign, cst.AnnAssign)
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
    if not isinstance(guard, cst.If) or not isinstance(statement, _HOISTABLE) or _is_elif_branch(site, guard):
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


def _is_elif_branch(site: Site, guard: cst.If) -> bool:
    span = site.tree.span(guard)
    return layout.line(site.source, span.line)[span.column - 1 :].startswith("elif")


_WORD = re.compile(r"\w+")


def hoist_value(site: Site, change: HoistValue) -> tuple[Edit, ...] | None:
    """Edits for ``HoistValue``; None when the call could see other values there, or its place is not simple."""
    guard = site.tree.compound(site.source.span(change.guard))
    place = site.source.span(change.call)
    call = site.tree.find("Call", place)
    if not isinstance(guard, cst.If) or not isinstance(call, cst.Call):
        return None
    own = _statement(guard, call)
    if own is None:
        return None
    before, statement = own
    if getattr(statement, "value", None) is call and isinstance(statement, (cst.Expr, cst.Assign)):
        return hoist(site, Hoist(change.applicability, change.message, change.statement, change.guard))
    name = _fresh(site, change.names)
    changed = set[str]().union(*(names.assigned(other) for other in before))
    own_names = {n.value for part in names.walk(statement) if isinstance(part, (cst.CompFor, cst.Lambda)) for n in _bound(part)}
    if name is None or place.line != place.end_line or (changed | own_names) & names.read(call):
        return None
    if any(isinstance(part, _SUSPENDING) for part in names.walk(call)):
        return None
    start = site.tree.span(guard)
    if not layout.starts_line(site.source, start) or _is_elif_statement(site, start):
        return None
    text = layout.line(site.source, place.line)[place.column - 1 : place.end_column - 1]
    above = layout.first_comment(site.source, start.line)
    insertion = layout.insert_above(site.source, above, [f"{layout.indent(site.source, start.line)}{name} = {text}"])
    return (insertion, Edit(place, name))


def _statement(guard: cst.If, call: cst.Call) -> tuple[Sequence[cst.CSTNode], cst.BaseSmallStatement] | None:
    """The simple statement of the first branch in which a call stands, and those before it; None for any other place."""
    if not isinstance(guard.body, cst.IndentedBlock):
        return None
    before: list[cst.CSTNode] = []
    for line in guard.body.body:
        if not isinstance(line, cst.SimpleStatementLine):
            before.append(line)
            continue
        for small in line.body:
            if any(part is call for part in names.walk(small)):
                return before, small
            before.append(small)
    return None


def _bound(part: cst.CSTNode) -> list[cst.Name]:
    """The names that a comprehension or a lambda binds."""
    target = part.target if isinstance(part, cst.CompFor) else part.params if isinstance(part, cst.Lambda) else part
    return [node for node in names.walk(target) if isinstance(node, cst.Name)]


def _fresh(site: Site, candidates: Sequence[str]) -> str | None:
    """The first of some names that stands nowhere in the file."""
    words = {word for line in site.source.lines for word in _WORD.findall(line)}
    return next((name for name in candidates if name not in words), None)


def _is_elif_statement(site: Site, span: Span) -> bool:
    return layout.line(site.source, span.line)[span.column - 1 :].startswith("elif")

"""Edits that let those who leave early stay for one statement further down in the same block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from trainlint.edits import layout, names
from trainlint.edits.changes import StayFor
from trainlint.edits.moving import Moved
from trainlint.edits.site import Site
from trainlint.finding import Edit, Span, Spot

_OPPOSITES: dict[type[cst.BaseCompOp], str] = {
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
}
_PAIRS = (("==", "!="), ("<", ">="), (">", "<="), ("is", "is not"), ("in", "not in"))
_NEGATED = {left: right for pair in _PAIRS for left, right in (pair, pair[::-1])}
_SIMPLE = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


@dataclass(frozen=True)
class _Block:
    """The statements from the guard to the one that all are to reach: the guard, those between, the last one."""

    site: Site
    guard: cst.If
    inside: Sequence[cst.BaseStatement]
    between: Sequence[cst.BaseStatement]
    awaited: cst.BaseSmallStatement


def stay_for(site: Site, change: StayFor) -> tuple[Edit, ...] | None:
    """Edits for ``StayFor``; None when the shape is not simple."""
    block = _block(site, change)
    if block is None or any(isinstance(part, (cst.Yield, cst.Await)) for part in names.walk(block.awaited)):
        return None
    if change.falls and _is_bare(block.inside[-1]) and _ends_block(site, change.statement):
        edit = _wrapped(block)
        if edit is not None:
            return (edit,)
    return None if change.waits and (block.between or len(block.inside) > 1) else _advanced(block)


def around(change: StayFor) -> Spot:
    """The stretch of the file from the guard to the statement."""
    return Spot(*change.guard[:2], *change.statement[2:])


def _block(site: Site, change: StayFor) -> _Block | None:
    source = site.source
    guard = site.tree.compound(source.span(change.guard))
    awaited = site.tree.small(source.span(change.statement))
    if not isinstance(guard, cst.If) or guard.orelse is not None or not isinstance(awaited, (cst.Expr, cst.Assign)):
        return None
    if not isinstance(guard.body, cst.IndentedBlock) or change.guard.column != change.statement.column:
        return None
    for node in site.tree.nodes():
        body = list(node.body) if isinstance(node, (cst.IndentedBlock, cst.Module)) else []
        if guard in body:
            first = body.index(guard)
            for last in range(first + 1, len(body)):
                line = body[last]
                if isinstance(line, cst.SimpleStatementLine) and list(line.body) == [awaited]:
                    between = [each for each in body[first + 1 : last] if isinstance(each, cst.BaseStatement)]
                    return _Block(site, guard, list(guard.body.body), between, awaited)
    return None


def _is_bare(statement: cst.BaseStatement) -> bool:
    """Whether a line holds nothing but an exit that hands over no value."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    exit_ = statement.body[0]
    if isinstance(exit_, cst.Return):
        return exit_.value is None or (isinstance(exit_.value, cst.Name) and exit_.value.value == "None")
    return isinstance(exit_, cst.Continue)


def _ends_block(site: Site, statement: Spot) -> bool:
    """Whether nothing follows a statement in its block (a ``return`` of nothing may)."""
    source = site.source
    depth = len(layout.indent(source, statement.line))
    if layout.rest(source, source.span(statement)) is None:
        return False
    for number in range(statement.end_line + 1, len(source.lines) + 1):
        text = layout.line(source, number)
        words = text.strip()
        if words and not words.startswith("#") and words not in ("return", "return None", "continue"):
            return len(layout.indent(source, number)) < depth
    return True


# -- an ``if`` around what stands between ------------------------------------------------------------------------------


def _wrapped(block: _Block) -> Edit | None:
    """The exit goes; what stood behind it becomes the other branch, and the statement is reached by all."""
    site, source = block.site, block.site.source
    if names.leaves([*block.inside[:-1], *block.between]):
        return None
    if set[str]().union(*map(names.assigned, (*block.inside, *block.between))) & names.read(block.awaited):
        return None
    exit_line = site.tree.span(block.inside[-1]).line
    first, end = site.tree.span(block.guard).line, site.tree.span(block.guard).end_line
    last = layout.first_comment(source, site.tree.span(block.awaited).line) - 1
    if exit_line != end or layout.rest(source, site.tree.span(block.inside[-1])) or _has_long_strings(block.between):
        return None
    if len(block.inside) == 1 and not block.between:
        return None
    blanks, step = layout.indent(source, first), layout.unit(source)
    lines = [layout.line(source, number) for number in range(first, exit_line)]
    rest = [layout.line(source, number) for number in range(end + 1, last + 1)]
    while rest and not rest[0].strip():
        del rest[0]
    if len(block.inside) == 1:
        test = site.tree.outer(block.guard.test)
        if test.line != test.end_line:
            return None
        negated = _negated(site, block.guard.test)
        head = lines[test.line - first]
        lines[test.line - first] = head[: test.column - 1] + negated + head[test.end_column - 1 :]
    elif block.between:
        lines.append(f"{blanks}else:")
    lines += [step + text if block.between and text.strip() else text for text in rest]
    return Edit(Span(first, 1, last, len(layout.line(source, last)) + 1), source.newline.join(lines))


def _has_long_strings(statements: Sequence[cst.BaseStatement]) -> bool:
    """Whether a string goes over lines, which another indentation would change."""
    for statement in statements:
        for node in names.walk(statement):
            if isinstance(node, cst.SimpleString) and "\n" in node.value:
                return True
            if isinstance(node, cst.FormattedString) and node.start.endswith(('"""', "'''")):
                return True
    return False


def _negated(site: Site, test: cst.BaseExpression) -> str:
    """The text of the opposite of a test that stands on one line."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _text(site, test.expression)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1 and not test.lpar:
        target = test.comparisons[0]
        word = _NEGATED[_OPPOSITES[type(target.operator)]]
        return f"{_text(site, test.left)} {word} {_text(site, target.comparator)}"
    text = _text(site, test)
    return f"not {text}" if isinstance(test, _SIMPLE) or test.lpar else f"not ({text})"


def _text(site: Site, node: cst.BaseExpression) -> str:
    span = site.tree.outer(node)
    return layout.line(site.source, span.line)[span.column - 1 : span.end_column - 1]


# -- the statement before the exit -------------------------------------------------------------------------------------


def _advanced(block: _Block) -> tuple[Edit, ...] | None:
    """The statement moves above the guard."""
    site, source = block.site, block.site.source
    passed = [block.guard, *block.between]
    if set[str]().union(*map(names.assigned, passed)) & names.read(block.awaited):
        return None
    if names.assigned(block.awaited) & set[str]().union(*map(names.read, passed)):
        return None
    line = site.tree.span(block.guard).line
    moved = Moved.of(site, block.awaited, layout.indent(source, line))
    return None if moved is None else moved.to(layout.insert_above(source, layout.first_comment(source, line), moved.lines))

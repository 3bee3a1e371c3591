"""Edits that work out a call above the ``if`` in which it stands, under a name of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout, names
from trainlint.sites.changes import Hoist, HoistValue
from trainlint.sites.hoist import hoist
from trainlint.sites.site import Site

_WORD = re.compile(r"\w+")
_SUSPENDING = (cst.NamedExpr, cst.Await, cst.Yield)


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
    if not layout.starts_line(site.source, start) or _is_elif(site, start):
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


def _is_elif(site: Site, span: Span) -> bool:
    return layout.line(site.source, span.line)[span.column - 1 :].startswith("elif")

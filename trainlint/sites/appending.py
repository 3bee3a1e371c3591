"""The edits that call a method on a part of an expression."""

from __future__ import annotations

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites.changes import AppendCall
from trainlint.sites.site import Site

#: What a dot can follow without parentheses. (A number cannot: its dot is a point.)
_PRIMARIES = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp)
#: Steps that stop where they cannot go on; the others must find what they lead to.
_OPTIONAL = ("left", "right", "then", "else")


def append_call(site: Site, change: AppendCall) -> tuple[Edit, ...] | None:
    """Edits for ``AppendCall``; None when one of the parts is not written out there."""
    span = site.source.span(change.whole)
    start = site.tree.find("Call", span) or site.tree.small(span)
    if start is None:
        return None
    edits: dict[Span, Edit] = {}
    for path in change.paths:
        part = _part(start, path)
        if part is None:
            return None
        for edit in _appended(site, part, change.code):
            edits[edit.span] = edit
    return tuple(sorted(edits.values(), key=lambda edit: edit.span)) or None


def _part(start: cst.CSTNode, path: tuple[tuple[str, int | str], ...]) -> cst.BaseExpression | None:
    node: cst.CSTNode | None = start
    if isinstance(start, (cst.Assign, cst.AugAssign, cst.AnnAssign)):
        node = start.value
    for kind, key in path:
        inner = step(node, kind, key)
        if inner is None:
            if kind in _OPTIONAL:
                break
            return None
        node = inner
    return node if isinstance(node, cst.BaseExpression) else None


def step(node: cst.CSTNode | None, kind: str, key: int | str) -> cst.BaseExpression | None:
    """The part of a node to which one step of a path leads; None when it is not written out there."""
    if kind == "argument" and isinstance(node, cst.Call) and isinstance(key, int):
        positional = [argument for argument in node.args if argument.keyword is None]
        if len(positional) > key and not any(argument.star for argument in positional[: key + 1]):
            return positional[key].value
    elif kind == "keyword" and isinstance(node, cst.Call):
        return next((argument.value for argument in node.args if argument.keyword and argument.keyword.value == key), None)
    elif kind in ("item", "value") and isinstance(node, (cst.List, cst.Tuple, cst.Set, cst.Dict)) and isinstance(key, int):
        element = node.elements[key] if key < len(node.elements) else None
        if isinstance(element, (cst.Element, cst.DictElement)):
            return element.value
    elif kind in ("left", "right") and isinstance(node, cst.BinaryOperation):
        return node.left if kind == "left" else node.right
    elif kind in ("then", "else", "test") and isinstance(node, cst.IfExp):
        return {"then": node.body, "else": node.orelse, "test": node.test}[kind]
    return None


def _appended(site: Site, part: cst.BaseExpression, code: str) -> tuple[Edit, ...]:
    """``.code`` behind the part, which is put in parentheses when it is not already something a dot can follow."""
    span = site.tree.outer(part)
    end = Span(span.end_line, span.end_column, span.end_line, span.end_column)
    if part.lpar or isinstance(part, _PRIMARIES):
        return (Edit(end, f".{code}"),)
    return Edit(Span(span.line, span.column, span.line, span.column), "("), Edit(end, f").{code}")

"""Edits to the keyword arguments of a call."""

from __future__ import annotations

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout
from trainlint.sites.changes import RemoveKeyword, SetKeyword, SwapKeyword
from trainlint.sites.site import Site


def set_keyword(site: Site, change: SetKeyword) -> tuple[Edit, ...] | None:
    """Edits for ``SetKeyword``; None when the call has ``**kwargs`` that may hold the keyword already, or a value that stays."""
    call = site.tree.find("Call", site.source.span(change.call))
    if not isinstance(call, cst.Call):
        return None
    present = _argument(call, change.keyword)
    if present is None and change.position is not None:
        if any(argument.star == "*" for argument in call.args[: change.position + 1]):
            return None
        positional = [argument for argument in call.args if argument.keyword is None and not argument.star]
        present = positional[change.position] if change.position < len(positional) else None
    if present is not None:
        stays = change.over_literals and not _is_literal(present.value)
        return None if stays else (Edit(site.tree.outer(present.value), change.value),)
    if any(argument.star == "**" for argument in call.args):
        return None
    text = f"{change.keyword}{_equals(call)}{change.value}"
    if not call.args:
        end = site.tree.span(call)
        return (Edit(Span(end.end_line, end.end_column - 1, end.end_line, end.end_column - 1), text),)
    last = call.args[-1]
    if isinstance(last.value, cst.GeneratorExp) and not last.value.lpar:
        return _beside_generator(site, last, text)
    return _append(site, call, last, text)


def remove_keyword(site: Site, change: RemoveKeyword) -> tuple[Edit, ...] | None:
    """Edits for ``RemoveKeyword``; None when the call lacks one of them or a comment of another argument would go with it."""
    call = site.tree.find("Call", site.source.span(change.call))
    found = [_argument(call, name) if isinstance(call, cst.Call) else None for name in (change.keyword, *change.also)]
    if not isinstance(call, cst.Call) or None in found:
        return None
    gone = sorted(call.args.index(each) for each in found if each is not None)
    edits: list[Edit] = []
    together: list[int] = []
    for position in gone:
        own = _own_lines(site, call, call.args[position])
        if own is not None:
            edits.append(layout.delete_lines(site.source, *own))
        else:
            together.append(position)
    for first, last in _runs(together):
        span = _without(site, call, first, last)
        if any(_has_comment(site, span, call.args[position]) for position in range(first, last + 1)):
            return None
        edits.append(Edit(span, ""))
    return tuple(edits)


def _runs(positions: list[int]) -> list[tuple[int, int]]:
    """The runs of neighbours among positions in order, each as first and last."""
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and runs[-1][1] == position - 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return runs


def _without(site: Site, call: cst.Call, first: int, last: int) -> Span:
    """What goes with the arguments from one position to another: them and one of the commas around."""
    start, end = site.tree.span(call.args[first]), site.tree.span(call.args[last])
    if last + 1 < len(call.args):
        return Span(*start[:2], *site.tree.span(call.args[last + 1])[:2])
    if first:
        return Span(*site.tree.span(call.args[first - 1])[2:], *end[2:])
    comma = call.args[last].comma
    return Span(*start[:2], *_comma_end(site, comma)) if isinstance(comma, cst.Comma) else Span(*start[:2], *end[2:])


def swap_keyword(site: Site, change: SwapKeyword) -> tuple[Edit, ...] | None:
    """Edits for ``SwapKeyword``; None when the call does not have the keyword."""
    call = site.tree.find("Call", site.source.span(change.call))
    argument = _argument(call, change.keyword) if isinstance(call, cst.Call) else None
    if argument is None or argument.keyword is None:
        return None
    span = Span(*site.tree.span(argument.keyword)[:2], *site.tree.outer(argument.value)[2:])
    return (Edit(span, change.code),)


def _argument(call: cst.Call, keyword: str) -> cst.Arg | None:
    return next((one for one in call.args if one.keyword is not None and one.keyword.value == keyword), None)


def _is_literal(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Name):
        return value.value in ("None", "True", "False")
    return isinstance(value, cst.BaseNumber | cst.SimpleString)


def _equals(call: cst.Call) -> str:
    """The sign between keyword and value as the last keyword of the call has it: some write blanks around it."""
    written = [one.equal for one in call.args if isinstance(one.equal, cst.AssignEqual)]
    around = (written[-1].whitespace_before, written[-1].whitespace_after) if written else ()
    spaced = bool(around) and all(isinstance(each, cst.SimpleWhitespace) and each.value == " " for each in around)
    return " = " if spaced else "="


def _append(site: Site, call: cst.Call, last: cst.Arg, text: str) -> tuple[Edit, ...]:
    """Add ``text`` after the last argument: on a line of its own where the last one has its own."""
    end = site.tree.span(last)[2:]
    comma = last.comma if isinstance(last.comma, cst.Comma) else None
    if comma is not None:
        end = _comma_end(site, comma)
        text += ","
    point = Span(*end, *end)
    separator = [] if comma is not None else [Edit(point, ",")]
    row = site.tree.span(last).line
    if row == site.tree.span(call).line or not layout.starts_line(site.source, site.tree.span(last)):
        return (Edit(point, f" {text}" if comma is not None else f", {text}"),)
    tail = layout.line(site.source, end[0])[end[1] - 1 :].strip(" \t\f")
    line = site.source.newline + layout.indent(site.source, row) + text
    if tail and not tail.startswith("#"):
        return (Edit(point, ("" if comma is not None else ",") + line),)
    if not tail:
        return (Edit(point, ("" if comma is not None else ",") + line),)
    below = layout.insert_below(site.source, end[0], [layout.indent(site.source, row) + text])
    return (*separator, below)


def _beside_generator(site: Site, argument: cst.Arg, text: str) -> tuple[Edit, ...]:
    """``f(x for x in y)``: a generator that is no longer the only argument needs parentheses of its own."""
    span = site.tree.span(argument.value)
    return (Edit(Span(*span[:2], *span[:2]), "("), Edit(Span(*span[2:], *span[2:]), f"), {text}"))


def _comma_end(site: Site, comma: cst.Comma) -> tuple[int, int]:
    """Just behind the comma itself (libcst counts the blanks after it as part of it)."""
    return site.tree.span(comma.whitespace_before)[2], site.tree.span(comma.whitespace_before)[3] + 1


def _own_lines(site: Site, call: cst.Call, argument: cst.Arg) -> tuple[int, int] | None:
    """The first and last line of an argument that shares them with no other code."""
    span = site.tree.span(argument)
    outer = site.tree.span(call)
    if not layout.starts_line(site.source, span) or span.line == outer.line or span.end_line == outer.end_line:
        return None
    tail = layout.line(site.source, span.end_line)[span.end_column - 1 :].strip(" \t\f")
    tail = tail.removeprefix(",").strip(" \t\f")
    return (span.line, span.end_line) if not tail or tail.startswith("#") else None


def _has_comment(site: Site, span: Span, argument: cst.Arg) -> bool:
    here = site.tree.span(argument)
    for node in site.tree.nodes():
        if isinstance(node, cst.Comment):
            place = site.tree.span(node)
            inside = span[:2] <= place[:2] and place[2:] <= span[2:]
            if inside and not (here[:2] <= place[:2] and place[2:] <= here[2:]):
                return True
    return False

"""Edits of expressions: arguments, called methods, replacements, expressions built anew.

Edits to the keyword arguments of a call.

The edits that call a method on a part of an expression.

The edit that puts another expression in the place of one.

The edit that builds an expression anew from parts of the one that stands there.
"""

from __future__ import annotations

import ast
import re
import warnings

import libcst as cst

from trainlint.edits import layout
from trainlint.edits.changes import AppendCall, RemoveKeyword, Replace, Rewrite, SetKeyword, SwapKeyword
from trainlint.edits.names import walk
from trainlint.edits.site import Site
from trainlint.finding import Edit, Span


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
        part = _called_part(start, path)
        if part is None:
            return None
        for edit in _appended(site, part, change.code):
            edits[edit.span] = edit
    return tuple(sorted(edits.values(), key=lambda edit: edit.span)) or None


def _called_part(start: cst.CSTNode, path: tuple[tuple[str, int | str], ...]) -> cst.BaseExpression | None:
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


def replace(site: Site, change: Replace) -> tuple[Edit, ...] | None:
    """Edits for ``Replace``, with parentheses where they are needed; None when the code cannot stand there."""
    span = site.source.span(change.spot)
    return put(site, span, change.code) if site.tree.expression(span) is not None else None


def put(site: Site, span: Span, code: str) -> tuple[Edit, ...] | None:
    """The edit that puts other code in the place of the expression at ``span``; None when the code cannot stand there."""
    code = "\n".join(code.splitlines())
    # Where the site is no more than the expression, its surroundings are unknown: they may bind as an attribute does.
    bare, wrapped = (_meaning(f"{text}.a" if span == site.span else _spliced(site, span, text)) for text in (code, f"({code})"))
    if bare is None and wrapped is None:
        return None
    # Parentheses never show in the tree: where both texts mean the same, none are needed. Where only the bare text can
    # stand (an import, a keyword's name), it is taken.
    chosen = code if bare == wrapped or wrapped is None else f"({code})"
    return (Edit(span, site.source.newline.join(chosen.splitlines())),)


def _spliced(site: Site, span: Span, code: str) -> str:
    """The site's text with ``code`` in the place of ``span``."""
    frame = site.tree.frame
    lines = frame.text.split("\n")
    first, last = frame.to_frame(span.line) - 1, frame.to_frame(span.end_line) - 1
    joined = lines[first][: span.column - 1] + code + lines[last][span.end_column - 1 :]
    return "\n".join([*lines[:first], joined, *lines[last + 1 :]])


def _meaning(text: str) -> str | None:
    """The tree of ``text`` written out, without positions; None when it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_PLACE = re.compile(r"\{(,?)(\d+)\}")
_ALL = "arguments"


class _NotWritten(Exception):
    """A piece of the expression is not written out there."""


def rewrite(site: Site, change: Rewrite) -> tuple[Edit, ...] | None:
    """Edits for ``Rewrite``; None when a part is not written out, or a comment stands outside of the parts."""
    span = site.source.span(change.spot)
    node = site.tree.expression(span) or _assigned(site.tree.small(span))
    if node is not None and change.around:
        node = _around(site, node)
    if node is None:
        return None
    try:
        spans = [_rewritten_part(site, node, path) for path in change.paths]
    except _NotWritten:
        return None
    kept = [span for span in spans if span is not None]
    comments = (site.tree.span(part) for part in walk(node) if isinstance(part, cst.Comment))
    if not all(any(span[:2] <= comment[:2] and comment[2:] <= span[2:] for span in kept) for comment in comments):
        return None
    texts = [_text(site, span) if span is not None else "" for span in spans]
    start = site.tree.outer(node).column - 1

    def filled(match: re.Match[str]) -> str:
        text, place = texts[int(match[2])], spans[int(match[2])]
        if change.code[match.start() - 1 : match.end() + 1] == f"({match[0]})":
            text = _bare(text)
        elif change.code[: match.start()].endswith("-") and not _is_tight(text):
            text = f"({text})"
        if place is not None:
            before = change.code[: match.start()].rpartition("\n")[2]
            text = _aligned(text, place.column - 1, start + len(_PLACE.sub("", before)) - (place.column - 1))
        return f", {text}" if match[1] and text else text

    code = _PLACE.sub(filled, change.code)
    return put(site, site.tree.outer(node), code)


def _aligned(text: str, column: int, shift: int) -> str:
    """The lines of a piece that moves, those that are indented deeper than it began moved along with it."""
    first, *others = text.split("\n")
    if '"""' in text or "'''" in text or shift <= 0:
        return text
    moved = (" " * shift + each if len(each) - len(each.lstrip(" ")) > column else each for each in others)
    return "\n".join((first, *moved))


def _bare(text: str) -> str:
    """An expression that stands alone in parentheses, without those of its own."""
    inner = text[1:-1]
    if not text.startswith("(") or _meaning(text) != _meaning(inner) or isinstance(ast.parse(text, mode="eval").body, ast.Tuple):
        return text
    return inner


def _is_tight(text: str) -> bool:
    """Whether a minus can stand before an expression as it is."""
    body = ast.parse(f"({text})", mode="eval").body
    return _meaning(f"-{text}") == _meaning(f"-({text})") and not isinstance(body, ast.UnaryOp)


def _around(site: Site, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The operation of which an expression is an operand."""
    for each in site.tree.nodes():
        if isinstance(each, cst.BinaryOperation) and node in (each.left, each.right):
            return each
    return None


def _assigned(statement: cst.BaseSmallStatement | None) -> cst.BaseExpression | None:
    return statement.value if isinstance(statement, (cst.Assign, cst.AnnAssign)) else None


def _rewritten_part(site: Site, start: cst.BaseExpression, path: tuple[tuple[str, int | str], ...]) -> Span | None:
    """Where the part stands; None when it is empty."""
    node: cst.BaseExpression | None = start
    for kind, key in path:
        if kind == _ALL and isinstance(key, int):
            return _arguments(site, node, key)
        node = _called(node, kind) if kind in ("receiver", "function") else step(node, kind, key)
    if node is None or isinstance(node, cst.GeneratorExp):
        raise _NotWritten
    return site.tree.outer(node)


def _called(node: cst.BaseExpression | None, kind: str) -> cst.BaseExpression | None:
    called = node.func if isinstance(node, cst.Call) else None
    if kind == "function":
        return called
    return called.value if isinstance(called, cst.Attribute) else None


def _arguments(site: Site, node: cst.BaseExpression | None, first: int) -> Span | None:
    if not isinstance(node, cst.Call) or any(isinstance(argument.value, cst.GeneratorExp) for argument in node.args):
        raise _NotWritten
    wanted = node.args[first:]
    return Span(*site.tree.span(wanted[0])[:2], *site.tree.outer(wanted[-1].value)[2:]) if wanted else None


def _text(site: Site, span: Span) -> str:
    lines = list(site.source.lines[span.line - 1 : span.end_line])
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)

"""A simple statement on its way to another place: what is taken out where it stood, and its lines for where it goes."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from trainlint.finding import Edit, Span
from trainlint.sites import layout, names
from trainlint.sites.site import Site


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

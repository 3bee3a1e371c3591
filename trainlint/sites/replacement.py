"""The edit that puts another expression in the place of one."""

from __future__ import annotations

import ast
import warnings

from trainlint.finding import Edit, Span
from trainlint.sites.changes import Replace
from trainlint.sites.site import Site


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

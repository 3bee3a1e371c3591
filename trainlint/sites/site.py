"""A site: one statement of a file, opened as a libcst tree, where a suspect is confirmed and its repair is built.

libcst is loaded by the first :func:`open_site`, not by importing this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.finding import Edit, Span, Spot
from trainlint.sites.errors import SiteRefused, SiteTooComplex
from trainlint.sites.frames import frames, with_decorators

if TYPE_CHECKING:
    import libcst as cst

    from trainlint.sites.changes import Change
    from trainlint.sites.tree import Tree
    from trainlint.source.text import Source

__all__ = ["Site", "SiteRefused", "SiteTooComplex", "open_site"]


class Site:
    """One opened statement. Made by :func:`open_site`."""

    def __init__(self, source: Source, span: Span, tree: Tree) -> None:
        self.source = source
        self.span = span
        self.tree = tree

    def confirm(self, node: str, spot: Spot) -> bool:
        """Whether a node of ``ast`` kind ``node`` ("Call", "For", "keyword", ...) stands at exactly ``spot``."""
        return self.node(node, spot) is not None

    def node(self, kind: str, spot: Spot) -> cst.CSTNode | None:
        """The libcst node of ``ast`` kind ``kind`` at exactly ``spot``; None when none stands there."""
        span = _span(self.source, spot)
        return None if span is None else self.tree.find(kind, span)

    def edits(self, change: Change) -> tuple[Edit, ...] | None:
        """The text edits that make ``change``, in the file's own style; None when the change is refused.

        A change may concern another statement of the same file: that one is then opened for it.
        The edits do not overlap and are ordered by their place.
        """
        from trainlint.sites.edits import edits

        return edits(self, change)

    def at(self, spot: Spot) -> Site | None:
        """The site in which ``spot`` lies: this one, or one newly opened at ``spot``; None when that is refused."""
        span = _span(self.source, spot)
        if span is None:
            return None
        if _within(span, self.span):
            return self
        try:
            return _open(self.source, span)
        except SiteRefused:
            return None


def open_site(source: Source, statement: Spot) -> Site:
    """Open the statement at ``statement``, or the expression there, from its own lines alone.

    For a node inside an ``elif`` the outermost ``if`` is the better statement, but an ``elif`` can be opened too.
    Raises ``SiteTooComplex`` when the statement is beyond the limits, ``SiteRefused`` when it cannot be parsed,
    would not be given back byte for byte, or when no statement stands there.
    """
    span = _span(source, statement)
    if span is None:
        raise SiteRefused("the statement lies outside the file")
    return _open(source, span)


def _open(source: Source, span: Span) -> Site:
    from trainlint.sites.tree import parse

    refusal: SiteRefused | None = None
    # What looks like decorators may be something else: then the statement alone is tried.
    for extent in dict.fromkeys((with_decorators(source, span), span)):
        for frame in frames(source, extent):
            try:
                return Site(source, extent, parse(frame))
            except SiteTooComplex:
                raise
            except SiteRefused as error:
                refusal = refusal or error
    raise refusal or SiteRefused("no statement stands here")


def _span(source: Source, spot: Spot) -> Span | None:
    """The span of ``spot``; None when the file has no such place, as when it changed since it was analysed."""
    if not 1 <= spot.line <= spot.end_line <= len(source.lines):
        return None
    for line, column in (spot[:2], spot[2:]):
        if not 0 <= column <= len(source.lines[line - 1].encode("utf-8", "replace")):
            return None
    return source.span(spot)


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]

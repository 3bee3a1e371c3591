"""Small files for the tests of sites: made from text, with their nodes found by what they say."""

from __future__ import annotations

import ast
from pathlib import Path

from trainlint.edits.apply import apply_edits
from trainlint.edits.changes import Change, Hoist, InsertFirst
from trainlint.edits.site import Site, open_site
from trainlint.finding import Applicability, Spot
from trainlint.source.text import Source

SAFE = (Applicability.SAFE, "do it")


def source_of(text: str) -> Source:
    """The file whose text is ``text``, line ends as written."""
    return Source.from_bytes(Path("train.py"), text.encode())


def spot_of(source: Source, kind: str, start: str, *, skip: int = 0) -> Spot:
    """The spot of the node of ``kind`` whose text begins with ``start``: the first in the file after ``skip`` others."""
    found = []
    for node in ast.walk(ast.parse(source.code)):
        if type(node).__name__ == kind:
            segment = ast.get_source_segment(source.code, node) or ""
            if segment.startswith(start):
                assert isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.ExceptHandler)
                found.append(Spot(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0))
    return sorted(found)[skip]


def changed(site: Site, change: Change) -> str | None:
    """The file's text after ``change``, None when it is refused."""
    edits = site.edits(change)
    return None if edits is None else apply_edits(site.source.code, edits)


def inserted_first(text: str, kind: str, start: str, code: str = "new()") -> str | None:
    """``text`` with ``code`` first in the block of the statement of ``kind`` that begins with ``start``."""
    source = source_of(text)
    block = spot_of(source, kind, start)
    return changed(open_site(source, block), InsertFirst(*SAFE, block, code))


def hoisted(text: str, statement: str, guard: str = "if ", *, kind: str = "Expr") -> str | None:
    """``text`` with the statement that begins with ``statement`` moved out of the ``if`` that begins with ``guard``."""
    source = source_of(text)
    outer = spot_of(source, "If", guard)
    return changed(open_site(source, outer), Hoist(*SAFE, spot_of(source, kind, statement), outer))

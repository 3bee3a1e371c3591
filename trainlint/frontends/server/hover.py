"""The page of the rule whose finding the mouse is on."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from trainlint.frontends.server.diagnostics import Shown
from trainlint.pages import page_text
from trainlint.report.page import without_expectations


def hover_at(position: types.Position, shown: Sequence[Shown], *, markdown: bool) -> types.Hover | None:
    """The pages of the rules with a finding at this position, each once; None when there is no finding."""
    here = [each for each in shown if _holds(each.diagnostic.range, position)]
    pages = {each.finding.code: page_text(each.finding.code) for each in here}
    text = "\n\n---\n\n".join(without_expectations(page).strip() for page in pages.values() if page is not None)
    if not text:
        return None
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, text), range=here[0].diagnostic.range)


def _holds(area: types.Range, position: types.Position) -> bool:
    start, end = (area.start.line, area.start.character), (area.end.line, area.end.character)
    return start <= (position.line, position.character) <= end

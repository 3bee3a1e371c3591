"""From places in a text to the same places in the text that an editor has made of it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from itertools import takewhile

from trainlint.finding import Edit, Finding, Place, Repair, Span


class Carry:
    """Two texts as lines. What lies before or behind the stretch in which they differ has a place in both."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        shorter = min(len(before), len(after))
        self._head = _equal(before[:shorter], after[:shorter])
        rest = shorter - self._head
        tail = _equal(before[len(before) - rest :][::-1], after[len(after) - rest :][::-1])
        self._tail = len(before) - tail
        self._shift = len(after) - len(before)

    def span(self, span: Span) -> Span | None:
        """The place in the later text; None for one that is touched by what was changed."""
        if span.end_line <= self._head:
            return span
        if span.line > self._tail:
            return span._replace(line=span.line + self._shift, end_line=span.end_line + self._shift)
        return None

    def finding(self, finding: Finding) -> Finding | None:
        """A finding of the later text; None when its own place was changed. Related places and repairs that were are left out."""
        span = self.span(finding.span)
        if span is None:
            return None
        moved = span.line - finding.span.line
        row = None if finding.noqa_row is None else finding.noqa_row + moved
        related = tuple(place for place in (self._place(place, finding) for place in finding.related) if place is not None)
        return dataclasses.replace(
            finding,
            span=span,
            related=related,
            repair=self._repair(finding.repair),
            noqa_row=row,
            honoured=tuple(line + moved for line in finding.honoured),
        )

    def findings(self, findings: Sequence[Finding]) -> list[Finding]:
        """Those of one file's findings that still have a place."""
        carried = map(self.finding, findings)
        return [finding for finding in carried if finding is not None]

    def _place(self, place: Place, finding: Finding) -> Place | None:
        if os.path.abspath(place.path) != os.path.abspath(finding.path):  # noqa: PTH100 - links keep their names
            return place
        span = self.span(place.span)
        return None if span is None else dataclasses.replace(place, span=span)

    def _repair(self, repair: Repair | None) -> Repair | None:
        if repair is None:
            return None
        edits = [(self.span(edit.span), edit.content) for edit in repair.edits]
        moved = tuple(Edit(span, content) for span, content in edits if span is not None)
        return dataclasses.replace(repair, edits=moved) if len(moved) == len(edits) else None


def _equal(some: Sequence[str], others: Sequence[str]) -> int:
    """How many of the first items are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))

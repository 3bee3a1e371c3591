"""The edits that let all ranks answer a test together."""

from __future__ import annotations

from trainlint.finding import Edit
from trainlint.sites import layout
from trainlint.sites.changes import AnswerTogether, InsertBefore
from trainlint.sites.insertion import insert_before
from trainlint.sites.site import Site


def answer_together(site: Site, change: AnswerTogether) -> tuple[Edit, ...] | None:
    """Edits for ``AnswerTogether``; None when the test is longer than a line or nothing can come before the statement."""
    source, span = site.source, site.source.span(change.test)
    if span.line != span.end_line or site.tree.expression(span) is None:
        return None
    text = layout.line(source, span.line)[span.column - 1 : span.end_column - 1]
    code = f"answers = [None] * {change.library}.get_world_size()\n{change.library}.all_gather_object(answers, bool({text}))"
    above = insert_before(site, InsertBefore(change.applicability, change.message, statement=change.statement, code=code))
    return None if above is None else (*above, Edit(span, f"{change.word}(answers)"))

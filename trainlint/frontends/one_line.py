"""A finding in one line, for linters whose messages have no places of their own."""

from __future__ import annotations

from trainlint.finding import Finding
from trainlint.report.places import display_path
from trainlint.report.printable import escape


def text(finding: Finding) -> str:
    """The message, then the places that explain it; safe to print."""
    parts = [escape(finding.message.partition("\n")[0])]
    parts += [f"{escape(display_path(place.path))}:{place.span.line}: {escape(place.message)}" for place in finding.related]
    return "; ".join(parts)

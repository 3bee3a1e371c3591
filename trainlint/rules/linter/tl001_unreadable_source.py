"""TL001 unreadable-source. Found by the engine; its page is rules/linter/TL001-unreadable-source.md."""

from __future__ import annotations

from trainlint.authoring import Level, Rule

RULE = Rule(
    code="TL001",
    name="unreadable-source",
    summary="a file that cannot be decoded or parsed",
    level=Level.ERROR,
    certainty="syntax",
    fix="none",
    needs=(),
    since="0.1",
)

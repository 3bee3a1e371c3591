"""TL002 unused-suppression. Found by the engine; its page is rules/linter/TL002-unused-suppression.md."""

from __future__ import annotations

from trainlint.authoring import Level, Rule

RULE = Rule(
    code="TL002",
    name="unused-suppression",
    summary="a suppression comment that suppresses nothing",
    level=Level.WARNING,
    certainty="syntax",
    fix="safe",
    needs=(),
    since="0.1",
)

"""TL002 unused-suppression. Found by the engine; its page is rules/linter/TL002-unused-suppression.md."""

from __future__ import annotations

from trainlint.authoring import Rule

RULE = Rule.ours(
    code="TL002",
    summary="a suppression comment that suppresses nothing",
    certainty="syntax",
    needs=(),
)

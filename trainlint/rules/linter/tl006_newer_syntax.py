"""TL006 newer-syntax. Found by the engine; its page is rules/linter/TL006-newer-syntax.md."""

from __future__ import annotations

from trainlint.authoring import Level, Rule

RULE = Rule(
    code="TL006",
    name="newer-syntax",
    summary="syntax newer than the Python that runs trainlint",
    level=Level.WARNING,
    certainty="syntax",
    fix="none",
    needs=(),
    since="0.1",
)

"""TL006 newer-syntax. Found by the engine; its page is rules/linter/TL006-newer-syntax.md."""

from __future__ import annotations

from trainlint.authoring import Rule

RULE = Rule.ours(
    code="TL006",
    summary="syntax newer than the Python that runs trainlint",
    certainty="syntax",
    needs=(),
)

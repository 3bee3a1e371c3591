"""TL003 unknown-suppression. Found by the engine; its page is rules/linter/TL003-unknown-suppression.md."""

from __future__ import annotations

from trainlint.authoring import Level, Rule

RULE = Rule(
    code="TL003",
    name="unknown-suppression",
    summary="a suppression comment that names a code that does not exist",
    level=Level.WARNING,
    certainty="syntax",
    fix="none",
    needs=(),
    since="0.1",
)

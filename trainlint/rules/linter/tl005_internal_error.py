"""TL005 internal-error. Found by the engine; its page is rules/linter/TL005-internal-error.md."""

from __future__ import annotations

from trainlint.authoring import Level, Rule

RULE = Rule(
    code="TL005",
    name="internal-error",
    summary="a failure of trainlint itself",
    level=Level.ERROR,
    certainty="syntax",
    fix="none",
    needs=(),
    since="0.1",
)

"""TL004 too-complex. Found by the engine; its page is rules/linter/TL004-too-complex.md."""

from __future__ import annotations

from trainlint.authoring import Level, Rule

RULE = Rule(
    code="TL004",
    name="too-complex",
    summary="a file or statement beyond the limits of size, nesting or time",
    level=Level.WARNING,
    certainty="syntax",
    fix="none",
    needs=(),
    since="0.1",
)

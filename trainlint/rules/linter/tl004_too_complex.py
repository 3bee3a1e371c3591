"""TL004 too-complex. Found by the engine; its page is rules/linter/TL004-too-complex.md."""

from __future__ import annotations

from trainlint.authoring import Rule

RULE = Rule.ours(
    code="TL004",
    summary="a file or statement beyond the limits of size, nesting or time",
    certainty="syntax",
    needs=(),
)

"""TL005 internal-error. Found by the engine; its page is rules/linter/TL005-internal-error.md."""

from __future__ import annotations

from trainlint.authoring import Rule

RULE = Rule.ours(
    code="TL005",
    summary="a failure of trainlint itself",
    certainty="syntax",
    needs=(),
)

"""TL003 unknown-suppression. Found by the engine; its page is rules/linter/TL003-unknown-suppression.md."""

from __future__ import annotations

from trainlint.authoring import Rule

RULE = Rule.ours(
    code="TL003",
    summary="a suppression comment that names a code that does not exist",
    certainty="syntax",
    needs=(),
)

"""TL001 unreadable-source. Found by the engine; its page is rules/linter/TL001-unreadable-source.md."""

from __future__ import annotations

from trainlint.authoring import Rule

RULE = Rule.ours(
    code="TL001",
    summary="a file that cannot be decoded or parsed",
    certainty="syntax",
    needs=(),
)

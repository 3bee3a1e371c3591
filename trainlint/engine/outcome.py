"""What an analysis found."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainlint.finding import Finding


@dataclass
class Analysis:
    """What one pass over the workspace found."""

    findings: list[Finding] = field(default_factory=list)
    #: What comments suppress, each with the 1-based line of its comment.
    silenced: list[tuple[Finding, int]] = field(default_factory=list)
    statistics: dict[str, int] = field(default_factory=dict)
    internal_errors: int = 0

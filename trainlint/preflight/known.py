"""What the checklist knows of the libraries: the names and words of the table ``preflight.evidence``."""

from __future__ import annotations

from trainlint.facts.program import Program


def known(program: Program, key: str) -> list[str]:
    """The names of a key: nothing for a key that the table has not."""
    found: list[str] = program.knowledge.tables["preflight.evidence"].get(key, [])
    return found

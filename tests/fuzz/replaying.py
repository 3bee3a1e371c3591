"""Inputs of the run that is guided by coverage: the first byte says what the others are."""

from __future__ import annotations

from tests.fuzz import documents


def run(data: bytes) -> None:
    """Let trainlint read an input."""
    if data:
        documents.put(documents.KINDS[data[0] % len(documents.KINDS)], data[1:])

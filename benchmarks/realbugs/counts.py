"""From what became of each row to shares: by family, in total, with an interval, and weighted by repository."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from .rows import Row

CLEARED, KEPT, MISSED = "cleared", "not cleared", "missed"
"""Found before and silent after; found before and still said after; not found."""

NOT_THERE = ("no repository", "no commit", "no file", "damaged clone")
"""Why a row could not be judged."""


class Outcome(NamedTuple):
    """What became of a row.

    ``result`` is ``CLEARED``, ``KEPT``, ``MISSED`` (``trouble`` then says what the linter died of, if it did), or one of
    ``NOT_THERE``. ``before``, ``after`` and ``at_fix`` are numbers of findings that name the bug: in its function before the
    repair and after it, and within a few lines of the repaired place.
    """

    row: Row
    result: str
    before: int = 0
    after: int = 0
    at_fix: int = 0
    trouble: str = ""


class Count(NamedTuple):
    """Numbers of rows. From ``judged`` on only decidable ones count; ``undecidable_found`` counts the others that were found.

    ``rows`` = decidable ones and others; ``decidable`` = ``judged`` + ``not_there``; ``judged`` = ``found`` + ``missed``;
    ``found`` holds ``cleared``, and ``missed`` holds ``failed``, those on which the linter crashed or took too long.
    """

    rows: int
    decidable: int
    judged: int
    found: int
    cleared: int
    missed: int
    failed: int
    not_there: int
    undecidable_found: int


def count(outcomes: Iterable[Outcome]) -> Count:
    """Count what became of some rows."""
    every = list(outcomes)
    decidable = [each for each in every if each.row.decidable]
    judged = [each for each in decidable if each.result not in NOT_THERE]
    found = [each for each in judged if each.result != MISSED]
    return Count(
        rows=len(every),
        decidable=len(decidable),
        judged=len(judged),
        found=len(found),
        cleared=sum(each.result == CLEARED for each in found),
        missed=len(judged) - len(found),
        failed=sum(bool(each.trouble) for each in judged),
        not_there=len(decidable) - len(judged),
        undecidable_found=sum(not each.row.decidable and each.result in {CLEARED, KEPT} for each in every),
    )


def by_family(outcomes: Sequence[Outcome]) -> dict[str, Count]:
    """The counts of each family that has a row, in order."""
    families = sorted({each.row.family for each in outcomes})
    return {family: count(each for each in outcomes if each.row.family == family) for family in families}


def by_repository(outcomes: Iterable[Outcome], result: Iterable[str]) -> float | None:
    """The share of decidable, judged rows with one of these results, each repository counting alike; None without any."""
    wanted = set(result)
    shares: dict[str, list[bool]] = {}
    for each in outcomes:
        if each.row.decidable and each.result not in NOT_THERE:
            shares.setdefault(each.row.repo.lower(), []).append(each.result in wanted)
    return sum(sum(each) / len(each) for each in shares.values()) / len(shares) if shares else None


def wilson(part: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % interval of the share ``part / whole``; all of it when there is nothing to go by."""
    if not whole:
        return 0.0, 1.0
    z = 1.959964
    share, more = part / whole, z * z / whole
    middle = (share + more / 2) / (1 + more)
    half = z / (1 + more) * sqrt(share * (1 - share) / whole + more / (4 * whole))
    return max(0.0, middle - half), min(1.0, middle + half)

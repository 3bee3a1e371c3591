"""What the README shows of the results that are kept: ``python -m benchmarks.realbugs.shown`` writes it anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .counts import CLEARED, NOT_THERE
from .linters import known
from .rows import HERE, SCOPES, known_before, read

HALVES = ("practice", "exam")
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"

Results = Mapping[tuple[str, str], Mapping[str, Any]]
"""Linter and half -> what ``--json`` kept."""


def kept() -> Results:
    """The results that are there."""
    paths = {(name, half): HERE / "results" / f"{half}-{name}.json" for name in known() for half in HALVES}
    return {key: json.loads(path.read_text(encoding="utf-8")) for key, path in paths.items() if path.exists()}


def written(readme: str, results: Results) -> str:
    """The README with the tables of the rows and of these results between its markers. ValueError when it has none."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"there is no {BEGIN} … {END}")
    return "\n".join([before + BEGIN, *_halves(), "", *_linters(results), "", *_families(results), END + after])


def _halves() -> Iterator[str]:
    yield f"| half | rows | repositories | decidable | {' | '.join(SCOPES)} |"
    yield "|---" * (4 + len(SCOPES)) + "|"
    for half in HALVES:
        rows, _ = read(HERE / f"{half}.jsonl")
        scopes = (sum(row.scope == scope for row in rows) for scope in SCOPES)
        cells = (half, len(rows), len({row.repo.lower() for row in rows}), sum(row.decidable for row in rows), *scopes)
        yield "| " + " | ".join(map(str, cells)) + " |"


def _linters(results: Results) -> Iterator[str]:
    yield "| linter | half | decidable rows | found | found and cleared | each repository counting alike | of new rows | failed |"
    yield "|---|---|---|---|---|---|---|---|"
    for (name, half), one in results.items():
        total, found, cleared = one["total"], one["found before"], one["found and cleared"]
        weighted = percent(cleared["weighted by repository"])
        version = one["version"].removeprefix(name.partition("-")[0]).strip()
        about = ", ".join(filter(None, (version, one["note"])))
        cells = (
            f"{name} ({about})",
            half,
            total["judged"],
            share(found),
            share(cleared),
            weighted,
            _new(half, one),
            total["failed"],
        )
        yield "| " + " | ".join(map(str, cells)) + " |"


def _new(half: str, one: Mapping[str, Any]) -> str:
    """Found and cleared, of how many decidable ones that nobody knew who built trainlint."""
    if half == "exam":
        return f"{one['total']['cleared']} of {one['total']['judged']}"
    rows, _ = read(HERE / "practice.jsonl")
    new = {row.id for row in rows if row.decidable and not known_before(row.repo)}
    results = [each["result"] for each in one["each"] if each["id"] in new and each["result"] not in NOT_THERE]
    return f"{results.count(CLEARED)} of {len(results)}"


def _families(results: Results) -> Iterator[str]:
    """Found and cleared, of how many decidable ones, by the family of the first code."""
    shown = {key: one for key, one in results.items() if key[0].startswith("trainlint")}
    families = sorted({family for one in shown.values() for family in one["families"]})
    yield f"| family | {' | '.join(f'{name}, {half}' for name, half in shown)} |"
    yield "|---" * (1 + len(shown)) + "|"
    for family in families:
        of = (one["families"].get(family, {"cleared": 0, "judged": 0}) for one in shown.values())
        counts = (f"{each['cleared']} of {each['judged']}" for each in of)
        yield f"| {family} | {' | '.join(counts)} |"


def share(given: Mapping[str, Any]) -> str:
    """A share with its interval, in words."""
    low, high = given["interval"]
    return f"{percent(given['share'])} ({100 * low:.0f} to {100 * high:.0f})"


def percent(value: float | None) -> str:
    """A share in percent, or a dash for none."""
    return "–" if value is None else f"{100 * value:.1f} %"


if __name__ == "__main__":
    README = HERE / "README.md"
    README.write_text(written(README.read_text(encoding="utf-8"), kept()), encoding="utf-8")

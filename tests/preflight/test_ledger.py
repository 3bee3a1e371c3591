"""The verdicts on real entry points, judged by hand: ``dev`` while the checklist was made, ``unseen`` once.

For these two the output was read, and the code where a verdict looked doubtful, so their shares are too good. For ``strict``
each line was looked up in the code, by readers who trusted nothing, on the tree of 52b84e4: 542 right, 94 wrong, 15 unsure. Many
causes were cured after that; what the checklist is worth now shows on entry points that nobody has read yet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trainlint.preflight.items import ITEMS

LEDGER = Path(__file__).parents[1] / "ledger" / "preflight"
#: What only a run answers is right for free: it is counted apart.
ONLY_A_RUN = {"gpus", "memory", "topology", "first-steps", "communication", "versions"}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (LEDGER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def share(entries: list[dict[str, Any]]) -> float:
    return sum(row["right"] for row in entries) / len(entries)


@pytest.mark.parametrize("name", ["dev", "unseen"])
def test_nineteen_of_twenty_verdicts_are_right(name: str) -> None:
    entries = rows(name)
    assert share(entries) >= 0.95
    # Without the lines that no code answers: on what nobody had seen before, a little less.
    assert share([row for row in entries if row["item"] not in ONLY_A_RUN]) >= (0.97 if name == "dev" else 0.94)


@pytest.mark.parametrize("name", ["dev", "unseen"])
def test_each_entry_point_has_each_line_and_wrong_ones_say_what_is_right(name: str) -> None:
    items = {item.name for item, _ in ITEMS}
    jobs: dict[tuple[str, str], set[str]] = {}
    for row in rows(name):
        jobs.setdefault((row["repository"], row["path"]), set()).add(row["item"])
        assert row["right"] or (row["truth"] != row["verdict"] and row["why"])
    assert all(found == items for found in jobs.values())
    assert len(jobs) >= {"dev": 20, "unseen": 9}[name]


def test_no_entry_point_is_in_both() -> None:
    seen, unseen = ({row["repository"] for row in rows(name)} for name in ("dev", "unseen"))
    assert not seen & unseen


def test_strict_readings_are_whole_and_say_why_a_verdict_is_wrong() -> None:
    items = {item.name for item, _ in ITEMS}
    jobs: dict[tuple[str, str], set[str]] = {}
    for row in rows("strict"):
        jobs.setdefault((row["repository"], row["path"]), set()).add(row["item"])
        assert row["right"] is True or row["why"]
    assert len(jobs) == 21
    assert all(found == items for found in jobs.values())

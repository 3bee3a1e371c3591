"""Applies repairs to a small project on disk, whatever their applicability: for pages, which show what a repair makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.sites.apply import apply_edits, select_non_overlapping

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trainlint.finding import Finding, Repair

PASSES = 20


class RepairLoop(RuntimeError):
    """Repairs never came to an end: each pass makes a new finding with a repair."""


def repair_project(root: Path, check: Callable[[Path], list[Finding]]) -> int:
    """Apply the repairs ``check`` offers below ``root`` until none is left; the number of passes. Raises :class:`RepairLoop`."""
    for done in range(PASSES):
        repairs: dict[Path, list[Repair]] = {}
        for finding in check(root):
            if finding.repair is not None:
                repairs.setdefault(finding.path, []).append(finding.repair)
        if not repairs:
            return done
        for path, offered in repairs.items():
            chosen, _later = select_non_overlapping(offered)
            text = path.read_bytes().decode("utf-8")
            path.write_bytes(apply_edits(text, [edit for repair in chosen for edit in repair.edits]).encode("utf-8"))
    raise RepairLoop(f"repairs below {root} do not come to an end")

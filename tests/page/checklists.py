"""A checklist as ``trainlint preflight --output-format json`` prints it."""

from __future__ import annotations

from typing import Any


def line(name: str, verdict: str, group: str = "Code", **more: Any) -> dict[str, Any]:
    """One line of it."""
    made = {
        "name": name,
        "group": group,
        "title": name.capitalize(),
        "verdict": verdict,
        "why": f"Why {name}.",
        "evidence": [],
        "command": None,
        "source": "best-practices",
        "codes": [],
    }
    return {**made, **more}


def place(row: int, message: str = "here", path: str = "train.py") -> dict[str, Any]:
    return {"path": path, "filename": f"/somewhere/{path}", "row": row, "message": message}


def checklist(*lines: dict[str, Any], jobs: int = 1, script: str = "train.py") -> dict[str, Any]:
    """The data of a report; without ``lines`` with one line of each verdict."""
    shown = list(lines) or [
        line("gpus", "unknown", "Hardware", command="nvidia-smi topo -m"),
        line("mixed precision", "seen", evidence=[place(6), place(5, "and `this`")]),
        line("clipping", "missing"),
        line("sampler", "not-needed", "Ranks"),
    ]
    job = {"script": script, "row": 3, "framework": "loop", "distributed": None, "launches": [], "lines": shown, "findings": []}
    return {"version": 1, "jobs": [job] * jobs, "families": [], "findings": [], "problems": []}

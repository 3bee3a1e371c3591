"""The knowledge tables about checkpoints, and what may stand in them (see ``tables.py``)."""

from __future__ import annotations

CHECKPOINTS: dict[str, str] = {
    "checkpoints": "str",
    "checkpoints.taken": "names",
    "checkpoints.words": "names",
    "checkpoints.wrappers": "names",
    "checkpoints.compiled": "names",
    "checkpoints.memory": "names",
    "checkpoints.forgetful": "str",
    "checkpoints.on_cpu": "names",
    "checkpoints.sharded": "str",
    "checkpoints.latest": "names",
    "checkpoints.folders": "names",
    "checkpoints.counters": "names",
    "checkpoints.moves": "names",
    "checkpoints.copies": "names",
    "checkpoints.helpers": "names",
    "checkpoints.memoryless": "names",
    "checkpoints.places": "names",
}

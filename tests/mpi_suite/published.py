"""Figures of others for the programs that the cases here are counterparts of; README.md says where each comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Of so many wrong programs so many were found, of so many correct ones so many were reported all the same."""

    wrong: int
    found: int
    correct: int
    false_alarms: int


PARCOACH_ON_MBI: dict[str, Counts | None] = {
    "order": Counts(552, 552, 601, 0),
    "missing": Counts(24, 24, 24, 0),
    "input": None,
    "point to point": Counts(48, 48, 0, 0),
    "group": Counts(24, 0, 24, 0),
    "root": Counts(8, 0, 0, 0),
    "operator": Counts(4, 0, 0, 0),
    "datatype": Counts(22, 0, 0, 0),
    "invalid argument": Counts(42, 0, 0, 0),
    "never waited for": Counts(12, 0, 0, 0),
    "overwritten": Counts(11, 0, 0, 0),
}
"""PARCOACH's reference outputs for the suite's tag `paper`, by the classes of ``generated.py``."""

MICROBENCHMARKS = dict.fromkeys(range(1, 16), ("found", "found")) | {
    4: ("silent", "silent"),
    11: ("silent", "silent"),
    12: ("false alarm", "false alarm"),
}
"""The verdicts of PARCOACH and of SPMD IR on PARCOACH's microbenchmarks, by number."""

EXTENSION = dict.fromkeys(range(1, 25), ("found", "found")) | {
    **dict.fromkeys((2, 3, 5, 6, 9, 10), ("silent", "silent")),
    **dict.fromkeys((11, 12), ("missed", "missed")),
    **dict.fromkeys((13, 14), ("false alarm", "silent")),
}
"""The same for the programs that the paper on SPMD IR adds."""

OTHERWISE_WITH_TORCH = {"microbenchmarks": {9}, "extension": {12, *range(15, 25)}}
"""Numbers of programs that are wrong with MPI and whose counterparts are right with torch.distributed."""

"""The one import a rule needs; third-party rules use the same."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from trainlint.finding import Applicability, Level, Spot
from trainlint.rules.api import Reason, Rule, Suspect
from trainlint.sites.changes import (
    AppendCall,
    Change,
    Hoist,
    InsertAfter,
    InsertBefore,
    InsertFirst,
    RemoveKeyword,
    Replace,
    SetKeyword,
    StayFor,
    Wrap,
)

if TYPE_CHECKING:
    from trainlint.facts import epochs, naming
    from trainlint.facts.gradients import leaks
    from trainlint.facts.precision import backwards
    from trainlint.facts.program import Program
    from trainlint.facts.xla import recompiled
    from trainlint.spmd import agreement, explain
    from trainlint.spmd.writes import everywhere, races

#: What a rule asks the program. Imported when a rule runs, not when it is declared: most runs wake no rule.
_QUESTIONS = {
    "agreement": "trainlint.spmd.agreement",
    "backwards": "trainlint.facts.precision.backwards",
    "epochs": "trainlint.facts.epochs",
    "everywhere": "trainlint.spmd.writes.everywhere",
    "explain": "trainlint.spmd.explain",
    "naming": "trainlint.facts.naming",
    "races": "trainlint.spmd.writes.races",
    "recompiled": "trainlint.facts.xla.recompiled",
    "leaks": "trainlint.facts.gradients.leaks",
}


def __getattr__(name: str) -> Any:
    if name in _QUESTIONS:
        return importlib.import_module(_QUESTIONS[name])
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


__all__ = [
    "AppendCall",
    "Applicability",
    "Change",
    "Hoist",
    "InsertAfter",
    "InsertBefore",
    "InsertFirst",
    "Level",
    "Program",
    "Reason",
    "RemoveKeyword",
    "Replace",
    "Rule",
    "SetKeyword",
    "Spot",
    "StayFor",
    "Suspect",
    "Wrap",
    "agreement",
    "backwards",
    "epochs",
    "everywhere",
    "explain",
    "leaks",
    "naming",
    "races",
    "recompiled",
]

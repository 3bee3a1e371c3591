"""The one import a rule needs; third-party rules use the same."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from trainlint.finding import Applicability, Level, Spot
from trainlint.rules.api import Reason, Rule, Suspect
from trainlint.sites.changes import (
    AnswerTogether,
    AppendCall,
    Change,
    Hoist,
    HoistValue,
    InsertAfter,
    InsertBefore,
    InsertFirst,
    Move,
    RemoveKeyword,
    Replace,
    SetKeyword,
    StayFor,
    Surround,
    SwapKeyword,
    Together,
    Wrap,
)

if TYPE_CHECKING:
    from trainlint.facts import calls, contexts, epochs, naming, values
    from trainlint.facts.gradients import leaks
    from trainlint.facts.precision import backwards
    from trainlint.facts.program import Program
    from trainlint.facts.steps import clearing, clipping, idling, scalers, scheduling, windows, within_autocast
    from trainlint.facts.xla import recompiled
    from trainlint.spmd import agreement, apart, explain, shuffled, unsharded
    from trainlint.spmd.shards import evening, uneven
    from trainlint.spmd.writes import everywhere, merges, races

#: What a rule asks the program. Imported when a rule runs, not when it is declared: most runs wake no rule.
_QUESTIONS = {
    "agreement": "trainlint.spmd.agreement",
    "apart": "trainlint.spmd.apart",
    "backwards": "trainlint.facts.precision.backwards",
    "calls": "trainlint.facts.calls",
    "clearing": "trainlint.facts.steps.clearing",
    "clipping": "trainlint.facts.steps.clipping",
    "contexts": "trainlint.facts.contexts",
    "epochs": "trainlint.facts.epochs",
    "evening": "trainlint.spmd.shards.evening",
    "everywhere": "trainlint.spmd.writes.everywhere",
    "explain": "trainlint.spmd.explain",
    "naming": "trainlint.facts.naming",
    "idling": "trainlint.facts.steps.idling",
    "merges": "trainlint.spmd.writes.merges",
    "races": "trainlint.spmd.writes.races",
    "recompiled": "trainlint.facts.xla.recompiled",
    "scalers": "trainlint.facts.steps.scalers",
    "scheduling": "trainlint.facts.steps.scheduling",
    "leaks": "trainlint.facts.gradients.leaks",
    "uneven": "trainlint.spmd.shards.uneven",
    "shuffled": "trainlint.spmd.shuffled",
    "unsharded": "trainlint.spmd.unsharded",
    "values": "trainlint.facts.values",
    "windows": "trainlint.facts.steps.windows",
    "within_autocast": "trainlint.facts.steps.within_autocast",
}


def __getattr__(name: str) -> Any:
    if name in _QUESTIONS:
        return importlib.import_module(_QUESTIONS[name])
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


__all__ = [
    "AnswerTogether",
    "AppendCall",
    "Applicability",
    "Change",
    "Hoist",
    "HoistValue",
    "InsertAfter",
    "InsertBefore",
    "InsertFirst",
    "Level",
    "Move",
    "Program",
    "Reason",
    "RemoveKeyword",
    "Replace",
    "Rule",
    "SetKeyword",
    "Spot",
    "StayFor",
    "Surround",
    "Suspect",
    "SwapKeyword",
    "Together",
    "Wrap",
    "agreement",
    "apart",
    "backwards",
    "calls",
    "clearing",
    "clipping",
    "contexts",
    "epochs",
    "evening",
    "everywhere",
    "explain",
    "idling",
    "leaks",
    "merges",
    "naming",
    "races",
    "recompiled",
    "scalers",
    "scheduling",
    "shuffled",
    "uneven",
    "unsharded",
    "values",
    "windows",
    "within_autocast",
]

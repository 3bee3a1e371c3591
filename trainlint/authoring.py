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
    RemoveStatement,
    Replace,
    Rewrite,
    SetKeyword,
    StayFor,
    Surround,
    SwapKeyword,
    Together,
    Wrap,
)

if TYPE_CHECKING:
    from trainlint.facts import (
        anomalies,
        bypassed,
        calls,
        contexts,
        epochs,
        exhausted,
        naming,
        switches,
        unregistered,
        unused_parameters,
        values,
    )
    from trainlint.facts.gradients import chained, leaks
    from trainlint.facts.modes import modes
    from trainlint.facts.numerics import cures, divergences, divided, fed, imprecise, logarithms, zeros
    from trainlint.facts.precision import backwards, halved, needless
    from trainlint.facts.program import Program
    from trainlint.facts.steps import clearing, clipping, idling, reductions, scalers, scheduling, windows, within_autocast
    from trainlint.facts.timing import freeing, intervals, outputs, reads
    from trainlint.facts.xla import recompiled
    from trainlint.spmd import agreement, apart, explain, shuffled, unsharded
    from trainlint.spmd.shards import evening, uneven
    from trainlint.spmd.writes import everywhere, merges, races

#: What a rule asks the program. Imported when a rule runs, not when it is declared: most runs wake no rule.
_QUESTIONS = {
    "agreement": "trainlint.spmd.agreement",
    "anomalies": "trainlint.facts.anomalies",
    "apart": "trainlint.spmd.apart",
    "backwards": "trainlint.facts.precision.backwards",
    "bypassed": "trainlint.facts.bypassed",
    "calls": "trainlint.facts.calls",
    "clearing": "trainlint.facts.steps.clearing",
    "clipping": "trainlint.facts.steps.clipping",
    "chained": "trainlint.facts.gradients.chained",
    "contexts": "trainlint.facts.contexts",
    "cures": "trainlint.facts.numerics.cures",
    "divergences": "trainlint.facts.numerics.divergences",
    "divided": "trainlint.facts.numerics.divided",
    "epochs": "trainlint.facts.epochs",
    "evening": "trainlint.spmd.shards.evening",
    "everywhere": "trainlint.spmd.writes.everywhere",
    "exhausted": "trainlint.facts.exhausted",
    "explain": "trainlint.spmd.explain",
    "fed": "trainlint.facts.numerics.fed",
    "naming": "trainlint.facts.naming",
    "halved": "trainlint.facts.precision.halved",
    "idling": "trainlint.facts.steps.idling",
    "logarithms": "trainlint.facts.numerics.logarithms",
    "merges": "trainlint.spmd.writes.merges",
    "modes": "trainlint.facts.modes.modes",
    "needless": "trainlint.facts.precision.needless",
    "outputs": "trainlint.facts.timing.outputs",
    "freeing": "trainlint.facts.timing.freeing",
    "races": "trainlint.spmd.writes.races",
    "reads": "trainlint.facts.timing.reads",
    "recompiled": "trainlint.facts.xla.recompiled",
    "scalers": "trainlint.facts.steps.scalers",
    "scheduling": "trainlint.facts.steps.scheduling",
    "imprecise": "trainlint.facts.numerics.imprecise",
    "intervals": "trainlint.facts.timing.intervals",
    "leaks": "trainlint.facts.gradients.leaks",
    "switches": "trainlint.facts.switches",
    "reductions": "trainlint.facts.steps.reductions",
    "uneven": "trainlint.spmd.shards.uneven",
    "shuffled": "trainlint.spmd.shuffled",
    "unused_parameters": "trainlint.facts.unused_parameters",
    "unregistered": "trainlint.facts.unregistered",
    "unsharded": "trainlint.spmd.unsharded",
    "values": "trainlint.facts.values",
    "windows": "trainlint.facts.steps.windows",
    "within_autocast": "trainlint.facts.steps.within_autocast",
    "zeros": "trainlint.facts.numerics.zeros",
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
    "RemoveStatement",
    "Replace",
    "Rewrite",
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
    "anomalies",
    "apart",
    "backwards",
    "bypassed",
    "calls",
    "chained",
    "clearing",
    "clipping",
    "contexts",
    "cures",
    "divergences",
    "divided",
    "epochs",
    "evening",
    "everywhere",
    "exhausted",
    "explain",
    "fed",
    "freeing",
    "halved",
    "idling",
    "imprecise",
    "intervals",
    "leaks",
    "logarithms",
    "merges",
    "modes",
    "naming",
    "needless",
    "outputs",
    "races",
    "reads",
    "recompiled",
    "reductions",
    "scalers",
    "scheduling",
    "shuffled",
    "switches",
    "uneven",
    "unregistered",
    "unsharded",
    "unused_parameters",
    "values",
    "windows",
    "within_autocast",
    "zeros",
]

"""The one import a rule needs; third-party rules use the same."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.finding import Applicability, Level, Spot
from trainlint.rules.api import Reason, Rule, Suspect
from trainlint.sites.changes import Change, Hoist, InsertFirst, Replace, SetKeyword

__all__ = [
    "Applicability",
    "Change",
    "Hoist",
    "InsertFirst",
    "Level",
    "Program",
    "Reason",
    "Replace",
    "Rule",
    "SetKeyword",
    "Spot",
    "Suspect",
]

"""The one import a rule needs; third-party rules use the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.finding import Applicability, Level, Spot
from trainlint.rules.api import Reason, Rule, Suspect
from trainlint.sites.changes import (
    Change,
    Hoist,
    InsertAfter,
    InsertBefore,
    InsertFirst,
    RemoveKeyword,
    Replace,
    SetKeyword,
)

if TYPE_CHECKING:
    from trainlint.facts.program import Program

__all__ = [
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
    "Suspect",
]

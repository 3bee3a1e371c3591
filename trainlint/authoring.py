"""The one import a rule needs; third-party rules use the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.edits.changes import (
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
    Rename,
    Replace,
    Rewrite,
    RewriteText,
    SetKeyword,
    StayFor,
    Surround,
    SwapKeyword,
    Together,
    Wrap,
)
from trainlint.finding import Applicability, Level, Spot
from trainlint.rules.api import Reason, Rule, Suspect, at_call, at_place

if TYPE_CHECKING:
    from trainlint.program.program import Program
else:
    Program = "Program"  # rules name it in annotations, which nobody evaluates: it is heavy

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
    "Rename",
    "Replace",
    "Rewrite",
    "RewriteText",
    "Rule",
    "SetKeyword",
    "Spot",
    "StayFor",
    "Surround",
    "Suspect",
    "SwapKeyword",
    "Together",
    "Wrap",
    "at_call",
    "at_place",
]

"""Which words a value is made of: those of its texts, and of the names on the way to where it comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainlint.facts.values import Frame, Other
from trainlint.ir.nodes import Attr, Const, Global, LoopPhi, Param, Term, Unknown

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_MARKS = 10
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


def speaks(text: str, words: frozenset[str]) -> bool:
    """Whether one of these words is in a name or a text."""
    return not words.isdisjoint(word.lower() for word in _WORD.findall(text))


def spelled(program: Program, term: Term, frame: Frame, words: frozenset[str]) -> bool:
    """Whether one of these words is in the texts and names that a value is made of."""
    pending, seen = [(term, frame, 0)], {(term, frame)}
    while pending:
        at, where, depth = pending.pop(0)
        name = at.value if isinstance(at, Const) else at.name if isinstance(at, (Attr, Param, Global, LoopPhi)) else ""
        if isinstance(name, str) and speaks(name, words):
            return True
        values = (value for value in program.values(at, where) if isinstance(value, Other) and value.term is not at)
        parts = at.pieces if isinstance(at, Unknown) else at.subterms()
        behind = [*((value.term, value.frame) for value in values), *((part, where) for part in parts)]
        fresh = [each for each in dict.fromkeys(behind) if each not in seen] if depth < _MARKS else []
        seen.update(fresh)
        pending += [(*each, depth + 1) for each in fresh]
    return False

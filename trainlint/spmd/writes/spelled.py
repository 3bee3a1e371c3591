"""Which words a value is made of: those of its texts, and of the names on the way to where it comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainlint.facts.values import Frame, Other
from trainlint.model.terms import Term, subterms

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_MARKS = 10
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


def speaks(text: str, words: frozenset[str]) -> bool:
    """Whether one of these words is in a name or a text."""
    return not words.isdisjoint(word.lower() for word in _WORD.findall(text))


def spelled(program: Program, term: Term, frame: Frame, words: frozenset[str], depth: int = 0) -> bool:
    """Whether one of these words is in the texts and names that a value is made of."""
    if depth > _MARKS:
        return False
    name = term[2] if term[0] in ("a", "p", "c") else term[1] if term[0] in ("g", "lv") else ""
    if isinstance(name, str) and speaks(name, words):
        return True
    for value in program.values(term, frame):
        if isinstance(value, Other) and value.term is not term and spelled(program, value.term, value.frame, words, depth + 1):
            return True
    parts = program.modules[frame.module].texts.get(term, ()) if term[0] == "v" else subterms(term)
    return any(spelled(program, part, frame, words, depth + 1) for part in parts)

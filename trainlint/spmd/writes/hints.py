"""Names that say that something may be another one in each process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainlint.ir.nodes import Attr, Const, Global, LoopPhi, Nested, Param, Ref, Self, Subscript, Term
from trainlint.ir.terms import parts_through

if TYPE_CHECKING:
    from trainlint.facts.program import Program

#: Words for a rank, be it that of a process or of a matrix.
_RANK = frozenset(("rank", "ranks"))
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


class Hints:
    """Answers for one program, by the words in names."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._hints: dict[str, bool] = {}

    def hints(self, name: str) -> bool:
        """Whether a name says that this may be another one in each process."""
        known = self._hints.get(name)
        if known is None:
            known = self._hints[name] = self.tells(name) or not _words(name).isdisjoint(self.program.knowledge.clock_words)
        return known

    def tells(self, name: str) -> bool:
        """Whether it says so for another reason than that a clock is read."""
        return self.of_rank(name) or not _words(name).isdisjoint(self.program.knowledge.unique_words)

    def of_rank(self, name: str) -> bool:
        """Whether a name says that this may have to do with the rank."""
        words = _words(name)
        told = words & self.program.knowledge.rank_hints
        return bool(told) and not (told <= _RANK and not words.isdisjoint(self.program.knowledge.matrix_words))

    def is_mode(self, condition: Term) -> bool:
        """Whether a test asks for a setting by whose name there are several processes, whichever this one is (``cfg.fsdp``)."""
        known = self.program.knowledge
        names = []
        while isinstance(condition, (Attr, Subscript)):
            if isinstance(condition, Attr):
                names.append(condition.name)
            elif isinstance(condition.key, Const):
                names.append(str(condition.key.value))
            else:
                break
            condition = condition.base
        if not isinstance(condition, (Param, Global, Self, Ref)):
            return False
        names.append(condition.name if not isinstance(condition, Self) else "")
        words = set().union(*(_words(name) for name in names))
        return not words.isdisjoint(known.rank_modes) and (words & known.rank_hints) <= known.rank_modes

    def hinting(self, term: Term, module: str = "", *, clock: bool = True) -> bool:
        """Whether some name in a term does; with its file, also in what unknown values are said to be made of.

        Without ``clock``, names of times do not count.
        """
        hints = self.hints if clock else self.tells
        texts = self.program.modules[module].texts if module else {}
        for part in parts_through(term, lambda each: (*texts.get(each, ()), *each.subterms())):
            if isinstance(part, (Attr, Param)) and hints(part.name):
                return True
            if isinstance(part, (Global, Ref, LoopPhi, Nested)) and hints(part.name):
                return True
        return False


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}

"""Names that say that something may be another one in each process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainlint.model.terms import Term, parts_through, subterms

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
        while condition[0] == "a" or (condition[0] == "sub" and condition[2][0] == "c"):
            names.append(str(condition[2] if condition[0] == "a" else condition[2][2]))
            condition = condition[1]
        if condition[0] not in ("p", "g", "self", "r"):
            return False
        names.append(str(condition[-1]) if condition[0] != "self" else "")
        words = set().union(*(_words(name) for name in names))
        return not words.isdisjoint(known.rank_modes) and (words & known.rank_hints) <= known.rank_modes

    def hinting(self, term: Term, module: str = "", *, clock: bool = True) -> bool:
        """Whether some name in a term does; with its file, also in what unknown values are said to be made of.

        Without ``clock``, names of times do not count.
        """
        hints = self.hints if clock else self.tells
        texts = self.program.modules[module].texts if module else {}
        for part in parts_through(term, lambda each: (*texts.get(each, ()), *subterms(each))):
            if part[0] in ("a", "p") and hints(part[2]):
                return True
            if part[0] in ("g", "r", "lv", "fn") and hints(str(part[1])):
                return True
        return False


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}

"""What a run looks for: the words that rules need in files, and those that say of other files that they matter."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from trainlint.codes import DEFAULT
from trainlint.knowledge import Knowledge
from trainlint.knowledge.words import read, seen_besides
from trainlint.rules import registry
from trainlint.source.triage import Telling


class Interest(NamedTuple):
    """What rules need: kinds of thing by code, words by kind; and what is looked for in the words of files because of that.

    ``reads`` is by code what is looked for in the files beside the Python.
    """

    needs: dict[str, tuple[str, ...]]
    words: dict[str, frozenset[bytes]]
    telling: Telling
    asked: frozenset[bytes]
    reads: dict[str, frozenset[bytes]]

    def codes(self, present: AbstractSet[bytes]) -> list[str]:
        """The rules that have something to ask about when these words are there."""
        kinds = {kind for kind, words in self.words.items() if not words.isdisjoint(present)}
        return [code for code, needs in self.needs.items() if not kinds.isdisjoint(needs)]

    @property
    def read(self) -> frozenset[bytes]:
        """What is looked for in the files beside the Python."""
        return frozenset().union(*self.reads.values())


def interest_of(codes: Collection[str], knowledge: Knowledge) -> Interest:
    """The words that matter: those of the rules, and of all that are on by default, if any is on.

    So a rule alone wakes what it wakes among the others. What it finds hangs on what else is known: a method's name says which
    is meant while no other class that is known has one, a name leads as far as the files that hand it on. What only rules wake
    that are off by default (0 to 12 % more of a repository) is not waited for.
    """
    wanted = registry.needs(codes)
    every = registry.needs(DEFAULT) if any(wanted.values()) else {}
    kinds = set().union(*wanted.values(), *every.values())
    kinds |= seen_besides(kinds)
    words = {need: knowledge.words(need) for need in sorted(kinds)}
    hot = frozenset().union(*words.values())
    telling = Telling(hot, knowledge.beside, *knowledge.loose())
    reads = {
        code: frozenset[bytes]().union(*(read(knowledge, kind) for kind in kinds))
        for code, kinds in registry.reads(codes).items()
    }
    return Interest(wanted, words, telling, hot | knowledge.asked_when_awake(), reads)

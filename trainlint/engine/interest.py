"""What a run looks for: the words that rules need in files, and those that say of other files that they matter."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from trainlint.knowledge import Knowledge
from trainlint.knowledge.words import read
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
    """The words that matter to these rules."""
    wanted = registry.needs(codes)
    words = {need: knowledge.words(need) for need in sorted(set().union(*wanted.values()))}
    hot = frozenset().union(*words.values())
    telling = Telling(hot, knowledge.beside, *knowledge.loose())
    reads = {
        code: frozenset[bytes]().union(*(read(knowledge, kind) for kind in kinds))
        for code, kinds in registry.reads(codes).items()
    }
    return Interest(wanted, words, telling, hot, reads)

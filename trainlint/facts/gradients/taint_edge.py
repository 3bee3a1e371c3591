"""Ways: how a value holds a part of it, from step to step."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.values import Frame
from trainlint.ir.nodes import Term


class Held(NamedTuple):
    """How a value holds a part of it.

    ``sure``: if the value has a graph it comes from this part. ``plain``: no arithmetic lies between. ``whole``: the part
    itself, not an item of it. ``bare``: the value is no container around the part. ``fresh``: no total of earlier rounds.
    ``uncut``: not what a loop takes the part apart into.
    """

    sure: bool = True
    plain: bool = True
    whole: bool = True
    bare: bool = True
    fresh: bool = True
    uncut: bool = True

    def then(self, step: Held) -> Held:
        """The two ways one after the other."""
        return Held(
            self.sure and step.sure,
            self.plain and step.plain,
            self.whole and step.whole,
            self.bare and step.bare,
            self.fresh and step.fresh,
            self.uncut and step.uncut,
        )


class Meeting(NamedTuple):
    """Why a value holds a graph: it shares a part with what a backward pass starts from.

    ``sure`` and ``plain`` as in :class:`Held`; ``container``: the value is no tensor but something that holds one.
    ``row``: the value is what a loop takes out of the term.
    """

    term: Term
    frame: Frame
    sure: bool
    plain: bool
    container: bool
    row: bool


SAME = Held()
ONE_OF = Held(sure=False)
COMPUTED = Held(plain=False)
SUMMED = Held(plain=False, bare=False)
ONE_OPERAND = Held(sure=False, plain=False)
TOTAL = Held(sure=False, plain=False, fresh=False)
ITS = Held(bare=False)
ONE_ITEM = Held(sure=False, bare=False)
ITEM = Held(sure=False, whole=False)
ROW = Held(sure=False, uncut=False)

#: What a value holds: each term with its activation, and how.
Parts = dict[tuple[Term, Frame], Held]

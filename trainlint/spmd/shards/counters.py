"""How often a ``while`` loop goes round on one rank: it is gone through in numbers, round by round.

``i = rank``, ``while i < n``, ``i += world`` goes round as often as ``for i in range(rank, n, world)``. What the names hold
before the first round and how a round changes them is written down (:attr:`trainlint.ir.sketch.Function.carried`).
"""

from __future__ import annotations

from trainlint.facts.values import Frame
from trainlint.ir.nodes import BinOp, Term
from trainlint.ir.sketch import Loop
from trainlint.spmd.counting import deciding
from trainlint.spmd.shards.questions import Amount, Questions

#: Rounds that are gone through.
_MOST_ROUNDS = 4_000


class Counters(Questions):
    """The part of a measurement that goes through them."""

    def rounds(self, loop: Loop, frame: Frame) -> Amount:
        """How many rounds this rank makes of a loop; None when that cannot be said."""
        if loop.kind == "for":
            return self.length(loop.subject, frame)
        names = deciding((loop.subject,), frame)
        saved = self.held
        try:
            held: dict[Term, Amount] = {name: self._number_before(name, frame) for name in names}
            for done in range(_MOST_ROUNDS if names else 0):
                if None in held.values():
                    return None
                self.held = {**saved, **held}
                goes_on = self.truth(loop.subject, frame)
                if not goes_on:
                    return None if goes_on is None else done
                held = {name: self.number(frame.function.carried[name][1], frame) for name in names}
            return None
        finally:
            self.held = saved

    def _number_before(self, name: Term, frame: Frame) -> Amount:
        """What a name holds before the first round; a stride that begins at the rank is the number of ranks."""
        first, last = frame.function.carried[name]
        if isinstance(last, BinOp) and last.op == "Add" and last.left is name and self.differs(first, frame):
            self.settle(first, last.right, frame)
        return self.number(first, frame)

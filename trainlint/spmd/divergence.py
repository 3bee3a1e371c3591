"""What a comparison of ranks finds."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.ir.nodes import Call, Round
from trainlint.spmd.reached import Reached
from trainlint.spmd.trace import Enter, Event, Guard, Invoke, Way, Where


class Divergence(NamedTuple):
    """Some ranks run a collective that the others do not.

    ``call`` is the call, in the function of the guard or outside it, that the others miss; ``event`` what it runs at
    last; ``alone`` that nothing else in the function is balanced with it; ``exit`` how the others left, when they did;
    ``arms`` which example ranks take the arm that leads to the call; ``instead`` what the others run next, if anything.
    ``passed`` is where the others left before a call that would have made it good, whatever decided that.
    Where these are calls: ``reached`` and ``instead_reached`` are the collectives they come to, as they are called there.
    """

    kind: str
    guard: Guard
    arm: bool
    certain: bool
    call: Where
    event: Event | Invoke
    exit: Way | None
    arms: tuple[bool, ...]
    entered: tuple[Enter, ...]
    instead: Event | Invoke | None = None
    alone: bool = True
    reached: Reached | None = None
    instead_reached: Reached | None = None
    passed: Way | None = None

    @property
    def collective(self) -> Event | Invoke:
        """What runs in the end, as far as that is known."""
        return self.reached.event if self.reached is not None else self.event

    @property
    def collective_instead(self) -> Event | Invoke | None:
        """What the others run next in the end, as far as that is known."""
        return self.instead_reached.event if self.instead_reached is not None else self.instead

    @property
    def counts(self) -> bool:
        """Whether ranks part in how often they go through a loop over numbers."""
        condition = self.guard.condition
        return bool(isinstance(condition, Round) and isinstance(condition.condition, Call))

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two reports the same mistake."""
        return (self.kind, self.guard.module, self.guard.spot, self.call.module, self.call.spot)

"""What a comparison of ranks finds, and whether spawned workers make up for it.

Workers: rank 0 calls a function in its arm of a test, and the processes it has started come to the same one by
themselves.

The main process starts the others, tells them what to do (``commands.put("start")``), and does the same itself. Who looks at its
arm alone sees a collective of rank 0; the others meet it in the function that was started.
"""

from __future__ import annotations

from typing import NamedTuple

from trainlint.ir.nodes import Call, Round
from trainlint.program.call_graph import CallGraph
from trainlint.program.indirect_calls import Spawned
from trainlint.program.program import Program, calls_of
from trainlint.program.values import FunctionValue
from trainlint.spmd.opaque_calls import Reached
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


def workers_join(program: Program, divergence: Divergence) -> bool:
    """Whether what only some ranks call here is called by a function, too, that is started as a process."""
    started, index = program.ask(Spawned), program.ask(CallGraph)
    frame = divergence.guard.frame
    here = frame.function
    if any(started.is_started(each.function) for each in frame.active()):
        return False  # those that part are the processes themselves
    called = [node.term for node in calls_of(here) if node.term.site == divergence.call.spot]
    targets = [target for term in called for target in index.targets(term, frame)]
    targets += [enter.target for enter in divergence.entered]
    functions = (target.function for target in targets if isinstance(target, FunctionValue))
    callers = (site.function for function in functions for site in index.callers(function))
    return any(caller is not here and started.is_started(caller) for caller in callers)

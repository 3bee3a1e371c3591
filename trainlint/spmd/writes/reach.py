"""Which ranks come to a call, and whether some alone did something before all of them come."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.communication import Communication
from trainlint.domains.files import Operations
from trainlint.finding import Spot
from trainlint.ir.nodes import And, BoolOp, Call, Term
from trainlint.ir.order import before
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.guards import Guard, guards
from trainlint.program.memo import remembered
from trainlint.program.naming import library_method
from trainlint.program.program import calls_of
from trainlint.program.values import Context, FunctionValue, Library
from trainlint.spmd.symbols import UNKNOWN, WORLD, Something, Varying
from trainlint.spmd.uniform_check import Agreement
from trainlint.spmd.writes.path_uniformity import PathUniformity

if TYPE_CHECKING:
    from trainlint.program.program import Program

_ALL = (True,) * WORLD


class Test(NamedTuple):
    """A test on the rank in the way: its file, its place, its ``if``'s condition and frame."""

    module: str
    spot: Spot
    condition: Term
    frame: Context


class Reach(NamedTuple):
    """Which example ranks may come to a place; ``sure`` is False when something in the way may tell ranks apart unseen."""

    ranks: tuple[bool, ...]
    sure: bool
    tests: tuple[Test, ...] = ()

    def then(self, other: Reach) -> Reach:
        """Both ways, one after the other."""
        ranks = tuple(mine and theirs for mine, theirs in zip(self.ranks, other.ranks, strict=True))
        return Reach(ranks, self.sure and other.sure, (*self.tests, *other.tests))


class Reaching:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.same: PathUniformity = program.ask(PathUniformity)

    @remembered()
    def reach(self, call: Call, frame: Context) -> Reach:
        """Which ranks come to a call from the entry of its function, decorators included."""
        found = self.decorated(frame)
        way = guards(self.program, frame.function).get(call)
        if way is None:
            return found._replace(sure=False)
        for guard in way:
            found = found.then(self._passed(guard, frame))
        return found

    def decorated(self, frame: Context) -> Reach:
        """Which ranks the decorators of a function let in."""
        found = Reach(_ALL, True)
        function = frame.function
        decorators = self.program.ask(Agreement).decorators
        for index, (decorator, spot) in enumerate(zip(function.decorators, function.decorator_spots, strict=False)):
            arms = decorators.arms(frame.module, function, index)
            if arms is not None:
                found = found.then(Reach(arms.ranks, True, (Test(frame.module, spot, decorator, frame),)))
            elif self.same.hinting(decorator):
                found = found._replace(sure=False)
        return found

    def _passed(self, guard: Guard, frame: Context) -> Reach:
        if guard.kind in ("handler", "attempt"):
            return Reach(_ALL, guard.kind == "attempt")
        if guard.kind == "with":
            return Reach(_ALL, not any(self.orders(item, frame) for item, _ in guard.parts))
        states = [[self.truth(condition, frame, rank) for rank in range(WORLD)] for condition, _ in guard.parts]
        wanted = [truth for _, truth in guard.parts]
        holds = [_conjunction([state[rank] for state in states], wanted) for rank in range(WORLD)]
        if len(set(holds)) == 1 and holds[0] is not True and guard.kind == "test" and library_method(self.program, frame):
            return Reach(_ALL, not any(self.same.marked(condition, frame) for condition, _ in guard.parts))  # off, or a setting
        left = guard.kind == "left"
        ranks = tuple((hold is not True) if left else (hold is not False) for hold in holds)
        tests = tuple(
            Test(frame.module, guard.spot, condition, frame)
            for (condition, _), state in zip(guard.parts, states, strict=True)
            if len(set(state)) > 1
        )
        if all(hold is True for hold in holds) and not left and self._told_one(guard, frame):
            return Reach(ranks, False, tests)
        unknown = [hold is None for hold in holds]
        if not any(unknown) or (left and guard.exit in ("raise", "exit") and all(unknown)):
            return Reach(ranks, True, tests)
        if "per-rank" in (word for state in states for word in state):
            return Reach(ranks, False, tests)
        if not all(unknown):
            # One rank surely (not) and others perhaps: fine where a test of the rank keeps the others out altogether.
            return Reach(ranks, not left and not any(hold is True for hold in holds), tests)
        if any(self._partly_of_rank(condition, frame) for condition, _ in guard.parts):
            return Reach(ranks, False, tests)
        harmless = all(
            self.same.harmless(condition, frame) or (truth and not left and self._asks_mode(condition, frame))
            for (condition, truth), state in zip(guard.parts, states, strict=True)
            if state[0] is None
        )
        return Reach(ranks, harmless, tests)

    def _partly_of_rank(self, condition: Term, frame: Context) -> bool:
        """Whether something unknown is joined with a test of the rank: one rank surely passes that, and others perhaps."""
        if not isinstance(condition, BoolOp):
            return False
        return any(
            len({self.truth(part, frame, rank) for rank in range(WORLD)}) > 1 or self._partly_of_rank(part, frame)
            for part in condition.operands
        )

    def _asks_mode(self, condition: Term, frame: Context) -> bool:
        """Whether a test that holds says that there are several processes, and nothing of which one this is."""
        if isinstance(condition, And):
            return all(self.same.harmless(part, frame) or self.same.is_mode(part) for part in condition.operands)
        return self.same.is_mode(condition)

    def truth(self, condition: Term, frame: Context, rank: int) -> bool | str | None:
        """Whether a condition holds on a rank: None when that is unknown, "per-rank" when it is another one on each."""
        value = self.same.peers[rank].value(condition, frame)
        if isinstance(value, Varying):
            return "per-rank"
        if isinstance(value, Something):
            return True
        return None if isinstance(value, UNKNOWN) else bool(value)

    def _told_one(self, guard: Guard, frame: Context) -> bool:
        """Whether a test on the rank holds because one number is handed in as the rank: that is a run of one process."""
        return any(
            self.same.hinting(condition, frame.module) and not self.same.peers[0].evaluate(condition, frame)[1]
            for condition, _ in guard.parts
        )

    def of_first(self, condition: Term, frame: Context) -> bool:
        """Whether a test surely lets rank 0 in and no other."""
        return [self.truth(condition, frame, rank) for rank in range(WORLD)] == [True] + [False] * (WORLD - 1)

    def orders(self, item: Term, frame: Context) -> bool:
        """Whether a context manager may let one rank in before the others, or one at a time; an open file does not."""
        if isinstance(item, Call) and self.program.ask(Operations).of(item, frame) is not None:
            return False
        if self.same.hinting(item):
            return True
        callee = item.callee if isinstance(item, Call) else item
        name = last_name(callee)
        if name is not None and self.same.hints(name):
            return True
        talks = self.program.ask(Communication)
        for value in self.program.values(callee, frame):
            if isinstance(value, Library) and value.name in self.program.knowledge.collectives:
                return True
            if isinstance(value, FunctionValue) and talks.runs(value.function):
                return True
        return False


def _conjunction(states: list[bool | str | None], wanted: list[bool]) -> bool | None:
    """Whether all conditions have the truth they need."""
    found: bool | None = True
    for state, truth in zip(states, wanted, strict=True):
        if state is None or state == "per-rank":
            found = None
        elif state is not truth:
            return False
    return found


def prepared_by_some(program: Program, call: Call, frame: Context, *, waiting: bool = False) -> bool:
    """Whether some ranks alone wait, write or run a function of the project before a call, in its function or its callers.

    ``if rank != 0: barrier()`` lets rank 0 in first; and what rank 0 has fetched before, the others find there.
    ``waiting``: it counts only if they wait, or may do so out of sight.
    """
    current: Context | None = frame
    asked: Call | None = call
    while current is not None and asked is not None:
        for node in calls_of(current.function):
            if (
                before(current.function, node, asked)
                and not all(program.ask(Reaching).reach(node.term, current).ranks)
                and _matters(program, node.term, current, waiting=waiting)
            ):
                return True
        asked, current = current.call, current.caller
    return False


def _matters(program: Program, call: Call, frame: Context, *, waiting: bool) -> bool:
    """Whether a call lets the others wait, does something with files, or may do either out of sight."""
    if not waiting and program.ask(Operations).of(call, frame) is not None:
        return True
    talks = program.ask(Communication)
    return any(
        isinstance(target, FunctionValue) or (isinstance(target, Library) and talks.collective(target))
        for target in program.ask(CallGraph).targets(call, frame)
    )

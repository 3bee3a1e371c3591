"""Comparing the traces of two ranks: walking them side by side to the first place where they communicate differently.

Two ranks that each run something of their own in the arms of a test: more of the same, or different things.

Only what is sure is said: no condition, loop or function that is not looked into may lie before the place where the ranks run
the same again, and on the way from the test both asked the same conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from trainlint.domains.data_parallel.models import EVALUATION
from trainlint.finding import Spot
from trainlint.knowledge import Knowledge
from trainlint.spmd.build import Builder, TooLarge
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.feasibility import WAYS, Ahead, Assigned, Side, of_side, possible
from trainlint.spmd.loops import trip_count
from trainlint.spmd.model_modes import Evaluating, Modes
from trainlint.spmd.opaque_calls import Reached, may_communicate, reached
from trainlint.spmd.paths import (
    Path,
    after,
    ahead,
    behind,
    children,
    fails,
    guards,
    inside,
    joined,
    left_after,
    location,
    operation,
    parted,
    passed_by,
    search,
    skip,
    stands_in,
)
from trainlint.spmd.symbols import WORLD, Data, Uniform
from trainlint.spmd.trace import (
    MARKS,
    Again,
    Core,
    End,
    Event,
    Guard,
    Invoke,
    Leave,
    LoopAt,
    Node,
    Nodes,
    Pick,
    Repeat,
    Way,
    raises,
)

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement


Paths = tuple[Path | None, Path | None]


def extra(a: Node, b: Node, paths: Paths) -> bool | None:
    """Which of two ranks runs more than the other until they run the same again: the left one (True), the right one.

    None when both run something that the other does not, or when that cannot be seen.
    """
    sides = _differing(a, b) if _asked_alike(paths) else None
    if sides is None:
        return None
    left, right = sides
    if _within_arm(right, left):
        return True
    return False if _within_arm(left, right) else None


def mismatch(a: Node, b: Node, paths: Paths, knowledge: Knowledge, *, first: bool = False) -> bool:
    """Whether two ranks surely run different collectives, or the same in another order, from here on.

    ``first``: only what they run next is asked about.
    """
    if not isinstance(a, Event) or not isinstance(b, Event) or not _asked_alike(paths):
        return False
    modules = {event.name.rpartition(".")[0] for event in (a, b)}
    if len(modules) > 1 or not modules <= knowledge.ordered:
        return False
    if first:
        return a.operation != b.operation and a.members == b.members
    sides = _differing(a, b)
    return sides is not None and all(type(step) is str for side in sides for step in side)


def leaves(node: Node) -> bool:
    """Whether a rank leaves by an exit before it comes to a fork, a loop or its end."""
    while isinstance(node, (Event, Invoke, *MARKS)):
        if isinstance(node, Way):
            return True
        node = after(node)
    return False


def _asked_alike(paths: Paths) -> bool:
    """Whether two ranks came here from a test of which each surely took its arm, and asked the same conditions since."""
    parts = parted(*paths)
    if parts is None or not parts[0].certain or not parts[1].certain:
        return False
    asked = [
        {mark.symbol for mark in behind(part, path) if isinstance(mark, Pick)} for part, path in zip(parts, paths, strict=True)
    ]
    return asked[0] == asked[1]


def _differing(a: Node, b: Node) -> tuple[list[object], list[object]] | None:
    """What the two run until they run the same again; None when they do not, or it is not known what they run."""
    (left, end), (right, other_end) = _straight(a), _straight(b)
    if end.core is not other_end.core:
        return None
    while left and right and left[-1] == right[-1]:
        left.pop()
        right.pop()
    return left, right


def _straight(node: Node) -> tuple[list[object], Node]:
    """The operations up to the next fork, loop or end, and that; a function that is not looked into stands for itself."""
    found: list[object] = []
    while True:
        if isinstance(node, Event):
            found.append(node.operation if node.members is None else (node.operation, node.members))
        elif isinstance(node, Invoke):
            found.append(id(node.target.function))
        elif not isinstance(node, MARKS):
            return found, node
        node = after(node)


def _within_arm(few: Sequence[object], many: Sequence[object]) -> bool:
    """Whether the one is the other with some steps left out."""
    rest = iter(many)
    return all(step in rest for step in few)


_MOST_PAIRS = 5_000
#: Calls in calls that are looked into when it is asked whether an opaque call communicates at all.
_LOOKED_INTO = 4
#: Kinds of collectives that run among the ranks that hold a model together, whichever these are.
_OF_MODELS = ("sharded-state", "step")
#: How many of the example ranks take an arm that one rank takes alone, or all others.
_ALONE = (1, WORLD - 1)


#: So many steps of a walk ahead are as much work as one step of a comparison.
_STEPS_OF_A_WALK = 32


class Comparison:
    """Walks pairs of nodes. Each pair is looked at once for each assignment of the conditions still ahead."""

    _left: Builder
    _right: Builder

    def __init__(self, analysis: Agreement, builders: list[Builder], nodes: Nodes, *, twins: bool = False) -> None:
        self.analysis = analysis
        self.twins = twins
        #: Whether two ranks came to where nothing can be said.
        self.unsettled = False
        self.unmatched = False
        self.builders = builders
        self.nodes = nodes
        self._seen: set[tuple[Node, Node, Assigned]] = set()
        self._ahead = Ahead()
        self._found: dict[tuple[object, ...], Divergence] = {}
        self._chosen: Assigned = frozenset()
        self._communicating: dict[tuple[Invoke, Guard, Assigned, bool], bool] = {}
        self._modes = analysis.program.ask(Modes)
        #: Loops at different places that two ranks went through side by side: of the left one, of the right one.
        self._paired: set[tuple[LoopAt, LoopAt]] = set()
        self._evaluating = Evaluating(analysis.program)
        self._leading: dict[tuple[Node, Core, Assigned, bool], bool] = {}
        self._looked_into: dict[tuple[int, Invoke], Node] = {}
        #: The collectives that ranks run at one place each, some at least on some way through.
        self._met_elsewhere: set[Spot] = set()
        self._events: dict[tuple[Node, Assigned], Event | Invoke | None] = {}

    def found(self) -> tuple[Divergence, ...]:
        """The divergences, one for each guard and branch (the first of each)."""
        first: dict[tuple[object, ...], Divergence] = {}
        for divergence in self._found.values():
            branch = (divergence.guard.module, divergence.guard.spot, divergence.arm, divergence.kind)
            known = first.get(branch)
            first[branch] = divergence if known is None else known._replace(alone=False)
        reported = {divergence.guard.spot for divergence in first.values()}
        return tuple(d._replace(alone=False) if self._balanced_elsewhere(d, reported) else d for d in first.values())

    def _balanced_elsewhere(self, divergence: Divergence, reported: set[Spot]) -> bool:
        """Whether another rank test of the function lets ranks communicate apart: moving one of two halves helps nobody.

        So it is where the others run the same in another place, on some way that is open to them.
        """
        if divergence.call.spot in self._met_elsewhere or divergence.event.where.spot in self._met_elsewhere:
            return True
        own = divergence.guard
        tests = {guard for builder in self.builders for guard in builder.arms if guard.frame is own.frame}
        return any(guard.spot not in reported for guard in tests)

    def compare(self, left: Builder, left_root: Node, right: Builder, right_root: Node) -> None:
        """Compare two ranks."""
        self._left, self._right = left, right
        self._seen.clear()
        self._walk(left_root, right_root, None, None, frozenset())

    def _walk(self, a: Node, b: Node, pa: Path | None, pb: Path | None, assigned: Assigned) -> None:
        while True:
            a, pa = joined(a, pa, self._right.rank)
            b, pb = joined(b, pb, self._left.rank)
            if a.core is b.core:
                self._meet(a, b)
                if not self.twins or not any(isinstance(symbol.key, Data) for symbol in a.core.symbols):
                    return
                pa = pb = None  # together again, until the next test on data
            live = self._ahead.of(assigned, a, b) if assigned else assigned
            key = (a, b, live)
            if key in self._seen:
                return
            self._seen.add(key)
            self.analysis.spend(2)
            if len(self._seen) > _MOST_PAIRS:
                raise TooLarge(f"more than {_MOST_PAIRS:,} steps to compare")
            pick = a if isinstance(a, Pick) else b if isinstance(b, Pick) else None
            if pick is not None:
                symbol = Side(pick.symbol, pick is a) if self.twins and isinstance(pick.symbol.key, Data) else pick.symbol
                for value in self._ways(symbol, pick, a, b, assigned):
                    arm = pick.then if value else pick.other
                    if raises(arm):
                        continue  # an error that something unknown brings about: not a way anybody means to go
                    more = assigned | {(symbol, value)}
                    if pick is a:
                        self._walk(arm, b, Path(pick, pa), pb, more)
                    else:
                        self._walk(a, arm, pa, Path(pick, pb), more)
                return
            self._chosen = assigned
            step = self._step(a, b, pa, pb, assigned)
            if step is None:
                return
            a, b = step

    def _ways(self, symbol: Uniform | Side, pick: Pick, a: Node, b: Node, assigned: Assigned) -> tuple[bool, ...]:
        """The ways to go at an unknown condition: the one chosen before; one, where both communicate alike; or both."""
        for chosen, value in assigned:
            if chosen == symbol:
                return (value,)
        if pick.symbol not in a.core.symbols and pick.symbol not in b.core.symbols:
            return (raises(pick.other),)
        if type(symbol) is not Uniform or not assigned:
            return WAYS
        return possible(symbol, assigned)

    def _step(self, a: Node, b: Node, pa: Path | None, pb: Path | None, assigned: Assigned) -> tuple[Node, Node] | None:
        """One step of two nodes that differ; None when nothing is left to compare here."""
        if isinstance(a, (Event, Invoke)) and self._joins(a, b, pa, pb, left=True) and self._record(a, b, pa, pb):
            return after(a), b
        if isinstance(b, (Event, Invoke)) and self._joins(b, a, pb, pa, left=False) and self._record(b, a, pb, pa):
            return a, after(b)
        if isinstance(a, Repeat) and self._only_here(a, b, pa, pb, left=True):
            return after(a), b
        if isinstance(b, Repeat) and self._only_here(b, a, pb, pa, left=False):
            return a, after(b)
        if isinstance(a, Invoke) and isinstance(b, Invoke) and a.target.function is b.target.function:
            return after(a), after(b)
        if isinstance(a, Event) and isinstance(b, Event) and (a.operation, a.members) == (b.operation, b.members):
            self._meet(a, b)
            return after(a), after(b)
        if isinstance(a, Repeat) and isinstance(b, Repeat) and self._as_long(a, b):
            self._paired.add((a.loop, b.loop))
            self._walk(a.body, b.body, pa, pb, assigned)
            return (a.next, b.next) if a.next is not None and b.next is not None else None
        if isinstance(a, Again) or isinstance(b, Again):
            return self._again(a, b, pa, pb)
        if isinstance(a, Repeat) and isinstance(b, Invoke) and self._first(a) is not None:
            return a, self._expanded(self._right, b)
        if isinstance(b, Repeat) and isinstance(a, Invoke) and self._first(b) is not None:
            return self._expanded(self._left, a), b
        if isinstance(a, Repeat) or isinstance(b, Repeat):
            return self._loop(a, b, pa, pb)
        if isinstance(a, Invoke) and (not isinstance(b, End) or self._is_mixed(a)):
            return self._expanded(self._left, a), b
        if isinstance(b, Invoke) and (not isinstance(a, End) or self._is_mixed(b)):
            return a, self._expanded(self._right, b)
        return self._differ(a, b, pa, pb)

    def _is_mixed(self, event: Invoke) -> bool:
        """Whether a call may come to a collective that runs hooks: they communicate where it may not."""
        return self.analysis.collective(event) in self.analysis.hooks.by_runner

    def _meet(self, a: Node, b: Node) -> None:
        """Note that ranks meet, and where, if not at one place."""
        if isinstance(a, Event) and isinstance(b, Event) and a.where != b.where:
            self._met_elsewhere |= {a.where.spot, b.where.spot}

    def _joins(self, node: Node, other: Node, path: Path | None, p_other: Path | None, *, left: bool) -> bool:
        """Whether one rank only has to come to where the other is already, behind the test at which they parted."""
        guards = parted(path, p_other)
        return guards is not None and not inside(guards[1], other, p_other) and self._leads_to(node, other, left)

    def _leads_to(self, node: Node, other: Node, left: bool) -> bool:
        """Whether what the other rank runs from here on is the rest of what the one rank runs."""
        if isinstance(other, (End, Again)):
            return False
        key = (node, other.core, self._chosen, left)
        known = self._leading.get(key)
        if known is None:
            further = ahead(node, partial(children, chosen=of_side(self._chosen, left)))
            next(further)
            known, walked = False, 0
            for child in further:
                walked += 1
                known = child.core is other.core
                if known:
                    break
            self._leading[key] = known
            self.analysis.spend(walked // _STEPS_OF_A_WALK)
        return known

    # -- differences -----------------------------------------------------------------------------------------------

    def _expanded(self, side: Builder, node: Invoke) -> Node:
        """What an opaque call runs, in its place."""
        assert node.next is not None
        function, caller = node.target.function, node.frame.caller
        recursive = function in side.stack or (caller is not None and caller.runs(function))
        if recursive:
            return self.nodes.make(Leave, node.next)  # type: ignore[no-any-return]
        key = (side.rank, node)
        known = self._looked_into.get(key)
        if known is None:
            known = self._looked_into[key] = side.look_into(node.target, node.frame, node.where, node.next, self.nodes.end)
        return known

    def _differ(self, a: Node, b: Node, pa: Path | None, pb: Path | None) -> tuple[Node, Node] | None:
        """An event on one side, another event or the end on the other."""
        if isinstance(a, End) or isinstance(b, End):
            event, other, p_event, p_other = (b, a, pb, pa) if isinstance(a, End) else (a, b, pa, pb)
            if isinstance(event, Invoke) and self._serves(self._right if isinstance(a, End) else self._left, event, p_event):
                return None
            self._record(event, other, p_event, p_other)
            return (a, after(b)) if isinstance(a, End) else (after(a), b)
        left_alone = self._alone(a, b, pa, pb)
        if left_alone is not None and leaves(a if left_alone else b) and self._record_order(a, b, pa, pb):
            return None  # one leaves behind its own, the others go on to theirs
        if left_alone is None:
            left_alone = extra(a, b, (pa, pb))
        if left_alone is None:
            if not self._record_order(a, b, pa, pb):
                self._record_first(a, b, pa, pb)
                self.unmatched = True  # something is wrong, whatever it is
            return None  # each side runs something of its own
        if left_alone:
            self._record(a, b, pa, pb)
            return after(a), b
        self._record(b, a, pb, pa)
        return a, after(b)

    def _alone(self, a: Node, b: Node, pa: Path | None, pb: Path | None) -> bool | None:
        """Whether it is the left one of two different events that the other side has nothing for; None for neither."""
        guard = parted(pa, pb)
        if guard is None:
            return None
        part_a, part_b = guard
        inside_a, inside_b = inside(part_a, a, pa), inside(part_b, b, pb)
        if inside_a != inside_b:
            return inside_a
        if inside_a:
            return None
        left_a, left_b = left_after(part_a, pa), left_after(part_b, pb)
        if (left_a is None) == (left_b is None):
            return None
        return left_b is not None

    def _record(self, event: Node, other: Node, p_event: Path | None, p_other: Path | None) -> bool:
        """Note that one rank runs an event that the other does not; False when no test on the rank explains it."""
        guards = parted(p_event, p_other)
        if guards is None or not isinstance(event, (Event, Invoke)):
            return False
        part, other_part = guards
        if may_communicate(self.analysis.program, other_part):
            return True
        exit_ = left_after(other_part, p_other)
        if isinstance(event, Invoke) and self._may_be_silent(event) and not self._communicates(event, part.guard):
            return True  # what was chosen on the way here decides in the callee, too: it communicates nothing then
        if any(isinstance(mark, Pick) and self._shuts_out(mark, event, part.guard) for mark in behind(part, p_event)):
            return True  # only where the model is sharded, and that is another mode than this call's
        if part.guard.admits and self._optional(event):
            # It communicates in one mode only, and the test lets everybody in for some mode. What it runs besides is looked at.
            return not (isinstance(event, Invoke) and self._is_mixed(event))
        of_job = part.certain or any(part.guard in builder.of_job for builder in self.builders)
        if not of_job and not self.twins and self.analysis.sort(event) in _OF_MODELS:
            return True  # ranks along one axis of a mesh, and a model that the ranks along another hold together
        if self.analysis.collective(event) == EVALUATION and not self._next_differs(other):
            return True  # what it sends is what the next pass of the model leaves out
        if exit_ is None and isinstance(other, End) and fails(p_other):
            return True  # an error that every rank meets
        call, entered = location(part, event, p_event)
        stands_inside = inside(part, event, p_event)
        if isinstance(other, Again) and exit_ is None and not stands_inside:
            return False
        kind = "exit" if exit_ is not None and not stands_inside else "branch"
        arms = tuple(builder.arms.get(part.guard, False) == part.arm for builder in self.builders)
        if isinstance(event, Event) and event.members is not None and len(event.members) > WORLD and sum(arms) not in _ALONE:
            return True  # who is in the groups of these ranks is not known: perhaps they alone
        instead = other if isinstance(other, (Event, Invoke)) else None
        divergence = Divergence(kind, part.guard, part.arm, part.certain, call, event, exit_, arms, entered, instead)
        if divergence.key not in self._found:
            here, there = (self._left, self._right) if self._left.arms.get(part.guard) == part.arm else (self._right, self._left)
            self._found[divergence.key] = divergence._replace(
                reached=self._reached(here, event),
                instead_reached=self._reached(there, instead),
                passed=passed_by(other_part, event, p_other) if exit_ is None and instead is None else None,
            )
        return True

    def _reached(self, side: Builder, event: Event | Invoke | None) -> Reached | None:
        """What a call that is not looked into comes to on one of the two ranks."""
        if not isinstance(event, Invoke):
            return None
        return reached(partial(self._expanded, side), of_side(self._chosen, side is self._left), event)

    def _next_differs(self, other: Node) -> bool:
        """Whether what the other rank runs next is a collective, and no pass of a model; or it has left the job."""
        return other is self.nodes.over or (isinstance(other, (Event, Invoke)) and self.analysis.sort(other) != "step")

    def _record_first(self, a: Node, b: Node, pa: Path | None, pb: Path | None) -> None:
        """Note that the first that two ranks run in the two arms of a test is not the same, whatever follows."""
        parts = parted(pa, pb)
        if parts is not None and inside(parts[0], a, pa) and inside(parts[1], b, pb):
            self._record_order(a, b, pa, pb, first=True)

    def _record_order(self, a: Node, b: Node, pa: Path | None, pb: Path | None, *, first: bool = False) -> bool:
        """Note, if it is so, that two ranks run different collectives in the arms of a test; the first of them is reported."""
        parts = parted(pa, pb)
        if parts is None or not mismatch(a, b, (pa, pb), self.analysis.program.knowledge, first=first):
            return False
        assert isinstance(a, Event)
        assert isinstance(b, Event)
        part = parts[0]
        if a.where.module == b.where.module and b.where.spot < a.where.spot:
            a, b, pa, part = b, a, pb, parts[1]
        call, entered = location(part, a, pa)
        arms = tuple(builder.arms.get(part.guard, False) == part.arm for builder in self.builders)
        divergence = Divergence("order", part.guard, part.arm, part.certain, call, a, None, arms, entered, b)
        self._found.setdefault(divergence.key, divergence)
        return True

    def _shuts_out(self, asked: Pick, event: Event | Invoke, guard: Guard) -> bool:
        """Whether an event is behind a test for sharded models that a call behind a test on the rank does not pass."""
        return self._modes.excludes(asked.symbol, guard) and not any(node is event for node in ahead(asked.other))

    def _may_be_silent(self, call: Invoke) -> bool:
        """Whether anything is known by which an opaque call may communicate nothing."""
        if self._chosen or self._modes.active:
            return True
        return self._evaluating.at(call) or self._evaluating.is_in(call.target.function)

    def _communicates(self, invoke: Invoke, guard: Guard, depth: int = 0, *, evaluates: bool = False) -> bool:
        """Whether an opaque call behind a test runs any collective, as the conditions were chosen on the way to it."""
        evaluates = evaluates or self._evaluating.at(invoke)
        key = (invoke, guard, self._chosen, evaluates)
        known = self._communicating.get(key)
        if known is None:
            self._communicating[key] = True  # a call into its own recursion
            sides = (self._left, self._right)
            known = depth >= _LOOKED_INTO or any(self._runs(side, invoke, guard, depth, evaluates) for side in sides)
            self._communicating[key] = known
        return known

    def _runs(self, side: Builder, invoke: Invoke, guard: Guard, depth: int, evaluates: bool) -> bool:
        assert invoke.next is not None
        body = self._expanded(side, invoke)
        if isinstance(body, Leave):
            return True  # not looked into
        chosen: dict[Uniform | Side, bool] = {symbol: False for symbol in body.symbols if self._modes.excludes(symbol, guard)}
        if evaluates:
            chosen.update((symbol, False) for symbol in body.symbols if self._evaluating.asks(symbol))
        chosen.update(self._chosen)
        return any(
            (isinstance(node, Event) and node.members is None)
            or (isinstance(node, Invoke) and self._communicates(node, guard, depth + 1, evaluates=evaluates))
            for node in ahead(body, partial(children, chosen=chosen), {id(invoke.next)})
        )

    def _optional(self, event: Event | Invoke) -> bool:
        """Whether the collective behind an event communicates in some modes of its framework only."""
        return self.analysis.collective(event) in self.analysis.program.knowledge.optional

    def _as_long(self, a: Repeat, b: Repeat) -> bool:
        """Whether two loops have the same number of rounds."""
        if a.loop == b.loop:
            return True
        if self._first(a, self._chosen) is None or self._first(b, self._chosen) is None:
            return False
        count = trip_count(self._left, a.loop)
        return count is not None and count == trip_count(self._right, b.loop)

    def _again(self, a: Node, b: Node, pa: Path | None, pb: Path | None) -> tuple[Node, Node] | None:
        """One rank at least has come to the end of a round."""
        if isinstance(a, Again) and isinstance(b, Again):
            return None if a.loop == b.loop or (a.loop, b.loop) in self._paired else self._other_loops(a, b)
        at_left = isinstance(a, Again)
        ends, other = (a, b) if at_left else (b, a)
        side, p_ends, p_other = (self._left, pa, pb) if at_left else (self._right, pb, pa)
        assert isinstance(ends, Again)
        if self._comes_again(side, ends, other):
            return None
        left = self._tried_again(side, ends)
        if left is not None:
            return (left, other) if at_left else (other, left)
        if isinstance(other, (Event, Invoke)) and self._record(other, ends, p_other, p_ends):
            return (ends, after(other)) if at_left else (after(other), ends)  # through with this round
        again = side.repeats[ends.loop]  # the loop once more
        if self._left_it(again, other, p_ends, p_other):
            return None
        return (again, other) if at_left else (other, again)

    def _left_it(self, loop: Repeat, other: Node, path: Path | None, p_other: Path | None) -> bool:
        """Note, if it is so, that a rank left a loop by its own test, and runs behind it what the others run in the next round.

        What they run there looks as if they met; but the one comes to it once, the others as often as there are rounds left.
        So it is where a loop has no end for the others, and the one that left it is through.
        """
        parts = parted(path, p_other)
        first = self._first(loop, self._chosen)
        if parts is None or first is None or operation(first) is None:
            return False
        ended = isinstance(other, End) and loop.next is None and stands_in(loop.loop, parts[1].guard)
        if not ended and operation(first) != operation(other):
            return False
        if left_after(parts[1], p_other) is None or inside(parts[1], other, p_other):
            return False
        return self._record(first, other, self._path_to(loop.body, first, path), p_other)

    def _other_loops(self, a: Again, b: Again) -> tuple[Node, Node] | None:
        left, right = self._left.repeats[a.loop], self._right.repeats[b.loop]
        if _within_trace(b.loop, a.loop) and right.next is not None:
            return a, right.next  # one is through with the round around, the other is still in a loop of it
        if _within_trace(a.loop, b.loop) and left.next is not None:
            return left.next, b
        if self._first(left) is None and self._first(right) is None and left.next is not None and right.next is not None:
            return left.next, right.next
        return None

    def _tried_again(self, side: Builder, again: Again) -> Node | None:
        """What comes after a loop in which nobody communicates, and which is left by success or by an error only."""
        loop = side.repeats[again.loop]
        fails = loop.next is None or raises(loop.next)
        return loop.after if fails and self._first(loop) is None else None

    def _comes_again(self, side: Builder, again: Again, other: Node) -> bool:
        """Whether one rank, in an endless loop, comes round to what the other waits in: it only tried once more."""
        loop = side.repeats[again.loop]
        first = self._first(loop) if loop.next is None else None
        return first is not None and operation(first) is not None and operation(first) == operation(other)

    def _loop(self, a: Node, b: Node, pa: Path | None, pb: Path | None) -> tuple[Node, Node] | None:
        """One rank is at a loop that the other is not at."""
        for node, other, at_left in ((a, b, True), (b, a, False)):
            if isinstance(node, Repeat) and self._first(node, self._chosen) is None:
                if node.next is None:
                    return None
                return (node.next, other) if at_left else (other, node.next)
        first_a = self._first(a, self._chosen) if isinstance(a, Repeat) else a
        first_b = self._first(b, self._chosen) if isinstance(b, Repeat) else b
        if first_a is None or first_b is None or (isinstance(a, Repeat) and isinstance(b, Repeat)):
            return None
        if operation(first_a) is not None and operation(first_a) == operation(first_b):
            self.unsettled = True
            return None  # how often the loop runs decides; nothing can be said
        if self._turns_up_again(a, b) and self._begins_with(self._left, first_a) == self._begins_with(self._right, first_b):
            self.unsettled = True
            return None  # how often the loop runs decides; nothing can be said
        event, other, p_event, p_other = (first_a, first_b, pa, pb) if isinstance(a, Repeat) else (first_b, first_a, pb, pa)
        loop = a if isinstance(a, Repeat) else b
        assert isinstance(loop, Repeat)
        if _serves_requests(loop) and isinstance(other, End) and not guards(p_event, loop):
            return None  # a server: it waits for requests that come from elsewhere
        path = self._path_to(loop.body, event, p_event)
        self._record(event, other, path, p_other)
        following = loop.next
        if following is None or isinstance(other, End):
            return None
        return (following, other) if loop is a else (other, following)

    def _only_here(self, loop: Repeat, other: Node, path: Path | None, p_other: Path | None, *, left: bool) -> bool:
        """Note, if it is so, that a rank goes through a loop in its arm of a test, before it comes to where the other is."""
        parts = parted(path, p_other)
        event = self._first(loop, self._chosen)
        if parts is None or event is None or loop.next is None:
            return False
        part, other_part = parts
        around = stands_in(loop.loop, part.guard)
        way = self._path_to(loop.body, event, path)
        if around or not inside(part, event, way):
            return False
        first = self._first(other, self._chosen)
        p_first = self._path_to(other.body, first, p_other) if isinstance(other, Repeat) and first is not None else p_other
        if first is not None and inside(other_part, first, p_first):
            return False
        through = isinstance(other, Again) and any(node is other for node in ahead(loop))  # with this round
        joins = through or self._leads_to(loop, other, left)
        return joins and self._record(event, other, way, p_other)

    def _serves(self, side: Builder, call: Invoke, path: Path | None) -> bool:
        """Whether a function is such a server: an endless loop around what it waits in."""
        loop, way = skip(self._expanded(side, call), path)
        return isinstance(loop, Repeat) and _serves_requests(loop) and self._first(loop) is not None and not guards(way, loop)

    def _first(self, loop: Node, assigned: Assigned = frozenset()) -> Event | Invoke | None:
        """The first collective in a loop's body, if any; where it is entered, as conditions were chosen on the way to it."""
        if not isinstance(loop, Repeat):
            return loop if isinstance(loop, (Event, Invoke)) else None
        chosen = {symbol: way for symbol, way in assigned if symbol in loop.body.symbols}
        key = (loop, frozenset(chosen.items()))
        if key not in self._events:
            stops = {id(loop.after)} | ({id(loop.next)} if loop.next is not None else set())
            self._events[key] = search(loop.body, stops, chosen)
        return self._events[key]

    def _turns_up_again(self, a: Node, b: Node) -> bool:
        """Whether the rank that is not at a loop comes to it later: both make as many rounds of it."""
        loop, other = (a, b) if isinstance(a, Repeat) else (b, a)
        return isinstance(loop, Repeat) and any(isinstance(node, Repeat) and node.loop == loop.loop for node in ahead(other))

    def _begins_with(self, side: Builder, event: Node) -> str | None:
        """The operation that one rank runs first in an event, which may be a call; None where that is not known."""
        while isinstance(event, Invoke):
            assert event.next is not None
            first = search(self._expanded(side, event), {id(event.next)}, dict(self._chosen))
            if first is None:
                return None
            event = first
        return operation(event)

    def _path_to(self, node: Node, event: Node, path: Path | None) -> Path | None:
        """The marks on the way from a node to an event behind it."""
        queue: list[tuple[Node, Path | None]] = [(node, path)]
        seen: set[int] = set()
        while queue:
            current, way = queue.pop(0)
            if current is event:
                return way
            if id(current) in seen:
                continue
            seen.add(id(current))
            inner = Path(current, way) if isinstance(current, MARKS) else way
            queue.extend((child, inner) for child in children(current))
        return path


def _within_trace(inner: LoopAt, outer: LoopAt) -> bool:
    """Whether a loop stands in another one, in one activation."""
    return inner.frame is outer.frame and stands_in(outer, inner)


def _serves_requests(loop: Repeat) -> bool:
    """Whether a loop has no end of its own; that of a generator is left by whoever draws from it."""
    return loop.next is None and not loop.loop.frame.function.generator

"""Where two ranks are at loops: at the end of a round, at different loops, or one at a loop and the other not."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from trainlint.spmd.paths import Path, after, ahead, children, guards, inside, left_after, operation, parted, search, skip
from trainlint.spmd.trace import MARKS, Again, End, Event, Invoke, LoopAt, Node, Repeat, raises

if TYPE_CHECKING:
    from trainlint.spmd.assigned import Assigned
    from trainlint.spmd.build import Builder

#: Calls in calls that are looked into for the first collective in them.
_DEEPEST = 3


class Rounds:
    """The part of :class:`trainlint.spmd.compare.Comparison` that knows loops."""

    _left: Builder
    _right: Builder
    _chosen: Assigned
    #: Whether two ranks came to where nothing can be said.
    unsettled: bool
    #: Loops at different places that two ranks went through side by side: of the left one, of the right one.
    _paired: set[tuple[LoopAt, LoopAt]]
    _events: dict[tuple[Node, Assigned], Event | Invoke | None]

    @abstractmethod
    def _record(self, event: Node, other: Node, p_event: Path | None, p_other: Path | None) -> bool:
        """Note that one rank runs an event that the other does not."""

    @abstractmethod
    def _leads_to(self, node: Node, other: Node, left: bool) -> bool:
        """Whether what the other rank runs from here on is the rest of what the one rank runs."""

    @abstractmethod
    def _expanded(self, side: Builder, node: Invoke) -> Node:
        """What an opaque call runs, in its place."""

    def _as_long(self, a: Repeat, b: Repeat) -> bool:
        """Whether two loops have the same number of rounds."""
        if a.loop == b.loop:
            return True
        if self._first(a, self._chosen) is None or self._first(b, self._chosen) is None:
            return False
        length = self._left.length(a.loop)
        return length is not None and length == self._right.length(b.loop)

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
        ended = isinstance(other, End) and loop.next is None and loop.loop.spot.holds(parts[1].guard.spot)
        if not ended and operation(first) != operation(other):
            return False
        if left_after(parts[1], p_other) is None or inside(parts[1], other, p_other):
            return False
        return self._record(first, other, self._path_to(loop.body, first, path), p_other)

    def _other_loops(self, a: Again, b: Again) -> tuple[Node, Node] | None:
        left, right = self._left.repeats[a.loop], self._right.repeats[b.loop]
        if _within(b.loop, a.loop) and right.next is not None:
            return a, right.next  # one is through with the round around, the other is still in a loop of it
        if _within(a.loop, b.loop) and left.next is not None:
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
        around = loop.loop.module == part.guard.module and loop.loop.spot.holds(part.guard.spot)
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
        for _ in range(_DEEPEST):
            if not isinstance(event, Invoke):
                break
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


def _within(inner: LoopAt, outer: LoopAt) -> bool:
    """Whether a loop stands in another one, in one activation."""
    return inner.module == outer.module and inner.frame is outer.frame and outer.spot.holds(inner.spot)


def _serves_requests(loop: Repeat) -> bool:
    """Whether a loop has no end of its own; that of a generator is left by whoever draws from it."""
    return loop.next is None and not loop.loop.frame.function.generator

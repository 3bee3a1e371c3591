"""The way a rank went through its trace: where two ranks parted, how one left, where a call stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, NamedTuple

from trainlint.ir.order import before, is_step, within
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.spmd.feasibility import WAYS, possible
from trainlint.spmd.trace import MARKS, Enter, Event, Guard, Invoke, Leave, LoopAt, Node, Part, Pick, Repeat, Way, Where

_NOTHING: Mapping[Any, bool] = {}


class Path(NamedTuple):
    """The marks that a rank passed, and the unknown conditions; latest first."""

    mark: Node
    before: Path | None


def skip(node: Node, path: Path | None) -> tuple[Node, Path | None]:
    """The next node that is no mark, and the path with the marks before it."""
    while isinstance(node, MARKS):
        path = Path(node, path)
        node = after(node)
    return node, path


def joined(node: Node, path: Path | None, rank: int) -> tuple[Node, Path | None]:
    """The next node that is no mark, and no collective of a group to which the other rank does not belong."""
    node, path = skip(node, path)
    while isinstance(node, Event) and node.members is not None and rank not in node.members:
        node, path = skip(after(node), path)
    return node, path


def after(node: Node) -> Node:
    """What follows a node that is not the last."""
    assert node.next is not None
    return node.next


def children(node: Node, chosen: Mapping[Any, bool] = _NOTHING) -> tuple[Node, ...]:
    """The nodes that may follow a node, as conditions were ``chosen``."""
    if isinstance(node, Pick):
        if node.symbol in chosen:
            return (node.then if chosen[node.symbol] else node.other,)
        arms = node.then, node.other
        ways = possible(node.symbol, chosen.items())
        return tuple([arm for arm, way in zip(arms, WAYS, strict=True) if way in ways]) or arms
    if isinstance(node, Repeat):
        return (node.body,) if node.next is None else (node.body, node.next)
    return (node.next,) if node.next is not None else ()


def ahead(
    root: Node, follow: Callable[[Node], tuple[Node, ...]] = children, stops: AbstractSet[int] = frozenset()
) -> Iterator[Node]:
    """A node and all nodes behind it, the nearest first, each once; ``follow`` says what comes behind one.

    It is not looked at the nodes in ``stops`` (by id), and not past them.
    """
    if id(root) in stops:
        return
    seen = {*stops, id(root)}
    queue = [root]
    for node in queue:
        yield node
        for child in follow(node):
            if id(child) not in seen:
                seen.add(id(child))
                queue.append(child)


def search(node: Node, stops: set[int], chosen: Mapping[Any, bool] = _NOTHING) -> Event | Invoke | None:
    """The first collective ahead of a node, not looking past the nodes in ``stops`` (by id), as conditions were ``chosen``.

    One that is among some ranks only is none of all.
    """
    for current in ahead(node, partial(children, chosen=chosen), stops):
        if isinstance(current, Invoke) or (isinstance(current, Event) and current.members is None):
            return current
    return None


def talks(root: Node) -> bool:
    """Whether any collective is ahead."""
    return search(root, set()) is not None


def operation(node: Node) -> str | None:
    """The operation of an event, None for everything else."""
    return node.operation if isinstance(node, Event) else None


def marks(path: Path | None) -> list[Node]:
    """The marks of a path, first to last."""
    found = []
    while path is not None:
        found.append(path.mark)
        path = path.before
    found.reverse()
    return found


def parted(pa: Path | None, pb: Path | None) -> tuple[Part, Part] | None:
    """The latest test on the rank at which the two went different ways."""
    others = {mark.guard: mark for mark in marks(pb) if isinstance(mark, Part)}
    for mark in reversed(marks(pa)):
        if isinstance(mark, Part):
            other = others.get(mark.guard)
            if other is not None and other.arm != mark.arm:
                return mark, other
    return _parted_in_rounds(marks(pa), marks(pb))


def _parted_in_rounds(one: list[Node], other: list[Node]) -> tuple[Part, Part] | None:
    """The latest round of a loop that is gone through in which the two went different ways, at a test that both asked then."""
    passed: dict[Guard, list[Part]] = {}
    for mark in other:
        if isinstance(mark, Part):
            passed.setdefault(mark.guard, []).append(mark)
    found: tuple[Part, Part] | None = None
    seen: dict[Guard, int] = {}
    for mark in one:
        if isinstance(mark, Part):
            number = seen[mark.guard] = seen.get(mark.guard, -1) + 1
            then = passed.get(mark.guard, [])
            if number < len(then) and then[number].arm != mark.arm:
                found = mark, then[number]
    return found


def behind(part: Part, path: Path | None) -> list[Node]:
    """The marks after (the last passing of) a test."""
    passed = marks(path)
    for index in range(len(passed) - 1, -1, -1):
        if passed[index] is part:
            return passed[index + 1 :]
    return []


def left_after(part: Part, path: Path | None) -> Way | None:
    """How a rank left, when it did so because of a test: by an exit in the arm that it took."""
    entered: list[Enter] = []
    for mark in behind(part, path):
        if isinstance(mark, Enter):
            entered.append(mark)
        elif isinstance(mark, Leave):
            if not entered:
                return None
            entered.pop()
        elif isinstance(mark, Way) and (not entered or mark.kind in ("raise", "exit")):
            place = entered[0].where if entered else mark.where
            return mark if stands_in(part.guard, place) else None
    return None


def passed_by(part: Part, event: Node, path: Path | None) -> Way | None:
    """Where a rank left the function of a test, before a call in it of the collective that it misses."""
    found: Way | None = None
    depth = 0
    for mark in behind(part, path):
        if isinstance(mark, (Enter, Leave)):
            depth += 1 if isinstance(mark, Enter) else -1
        elif isinstance(mark, Way) and depth == 0:
            found = mark
    if found is None or not isinstance(event, Event) or found.where.module != part.guard.module:
        return None
    last = event.name.rpartition(".")[2]
    function, left = part.guard.frame.function, found.where.spot
    calls = (call for call in of_kind(function, CallStep) if last_name(call.term.callee) == last)
    return found if any(before(function, left, call) and call.term.site != event.where.spot for call in calls) else None


def guards(path: Path | None, loop: Repeat) -> bool:
    """Whether the loop's own condition is the test on the rank (``while rank != 0``)."""
    while path is not None and isinstance(path.mark, (Enter, Leave, Pick)):
        path = path.before
    return path is not None and isinstance(path.mark, Part) and path.mark.guard.spot == loop.loop.spot


def fails(path: Path | None) -> bool:
    """Whether the rank's last step was to raise or to end the process."""
    while path is not None and isinstance(path.mark, (Enter, Leave, Pick)):
        path = path.before
    return path is not None and isinstance(path.mark, Way) and path.mark.kind in ("raise", "exit")


def location(part: Part, event: Event | Invoke, path: Path | None) -> tuple[Where, tuple[Enter, ...]]:
    """The call to report: the outermost one, counted from the test, that leads to the event; and the calls inside it."""
    stack: list[Enter] = []
    for mark in behind(part, path):
        if isinstance(mark, Enter):
            stack.append(mark)
        elif isinstance(mark, Leave) and stack:
            stack.pop()
    return (stack[0].where if stack else event.where), tuple(stack)


def inside(part: Part, event: Node, path: Path | None) -> bool:
    """Whether the event (or the call that leads to it) stands in the ``if`` of the test."""
    if not isinstance(event, (Event, Invoke)):
        return False
    call, _ = location(part, event, path)
    return stands_in(part.guard, call)


def stands_in(outer: Guard | LoopAt, inner: Where | Guard | LoopAt) -> bool:
    """Whether something is what a test or a loop stands for, or runs in its arms, or in its rounds."""
    function = outer.frame.function
    if inner.module != outer.module:
        return False
    if outer.spot == function.spot:  # what a decorator lets in
        return is_step(function, inner.spot)
    return inner.spot == outer.spot or within(function, outer.spot, inner.spot)


def asks_rank(body: Node, end: Node) -> bool:
    """Whether the rank decides something in the body of a loop: then others may go round again."""
    return any(isinstance(node, Part) for node in ahead(body, stops={id(end)}))

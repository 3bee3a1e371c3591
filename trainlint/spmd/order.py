"""Two ranks that each run something of their own in the arms of a test: more of the same, or different things.

Only what is sure is said: no condition, loop or function that is not looked into may lie before the place where the ranks run
the same again, and on the way from the test both asked the same conditions.
"""

from __future__ import annotations

from collections.abc import Sequence

from trainlint.knowledge import Knowledge
from trainlint.spmd.paths import Path, after, behind, parted
from trainlint.spmd.trace import MARKS, Event, Invoke, Node, Pick, Way

#: Events that are looked at in one arm.
_MOST = 50


Paths = tuple[Path | None, Path | None]


def extra(a: Node, b: Node, paths: Paths) -> bool | None:
    """Which of two ranks runs more than the other until they run the same again: the left one (True), the right one.

    None when both run something that the other does not, or when that cannot be seen.
    """
    sides = _differing(a, b) if _asked_alike(paths) else None
    if sides is None:
        return None
    left, right = sides
    if _within(right, left):
        return True
    return False if _within(left, right) else None


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
    if end is None or other_end is None or end.core is not other_end.core:
        return None
    while left and right and left[-1] == right[-1]:
        left.pop()
        right.pop()
    return left, right


def _straight(node: Node) -> tuple[list[object], Node | None]:
    """The operations up to the next fork, loop or end, and that; a function that is not looked into stands for itself."""
    found: list[object] = []
    while len(found) < _MOST:
        if isinstance(node, Event):
            found.append(node.operation if node.members is None else (node.operation, node.members))
        elif isinstance(node, Invoke):
            found.append(id(node.target.function))
        elif not isinstance(node, MARKS):
            return found, node
        node = after(node)
    return found, None


def _within(few: Sequence[object], many: Sequence[object]) -> bool:
    """Whether the one is the other with some steps left out."""
    rest = iter(many)
    return all(step in rest for step in few)

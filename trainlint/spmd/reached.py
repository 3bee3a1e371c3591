"""Which collective does an opaque call come to, as it is called here? What it runs is looked into, the nearest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from trainlint.spmd.paths import children
from trainlint.spmd.trace import Enter, Event, Invoke, Leave, Node

#: Calls that are looked into before the search is given up.
_MOST = 40


class Reached(NamedTuple):
    """A collective that a call comes to, and the calls from that one down to it."""

    event: Event
    entered: tuple[Enter, ...]


def reached(expand: Callable[[Invoke], Node], chosen: Mapping[Any, bool], call: Invoke) -> Reached | None:
    """The collective of all ranks behind the fewest calls, as unknown conditions were ``chosen``; None when none was found."""
    queue: list[tuple[Invoke, tuple[Enter, ...]]] = [(call, ())]
    for number, (invoke, entered) in enumerate(queue):
        if number >= _MOST:
            break
        body = expand(invoke)
        if isinstance(body, Leave):
            continue  # a recursion, or too deep
        found: list[Reached] = []
        for node, inner in _behind(body, invoke, chosen):
            if isinstance(node, Event):
                if node.members is None:
                    found.append(Reached(node, entered + inner))
            elif node is not call and len(queue) < _MOST:
                queue.append((node, entered + inner))
        if found:
            return min(found, key=lambda one: len(one.entered))
    return None


def _behind(body: Node, invoke: Invoke, chosen: Mapping[Any, bool]) -> Iterator[tuple[Event | Invoke, tuple[Enter, ...]]]:
    """What may run in a body, up to its end, each once and with the calls that it is inside of."""
    assert invoke.next is not None
    seen = {id(invoke.next), id(body)}
    queue: list[tuple[Node, tuple[Enter, ...]]] = [(body, ())]
    for node, entered in queue:
        if isinstance(node, (Event, Invoke)):
            yield node, entered
        inside = entered
        if isinstance(node, Enter):
            inside = (*entered, node)
        elif isinstance(node, Leave):
            inside = entered[:-1]
        for child in children(node, chosen):
            if id(child) not in seen:
                seen.add(id(child))
                queue.append((child, inside))

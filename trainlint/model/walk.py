"""Walking a sketch: every statement of a block and of the blocks in it."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.model.sketch import Block, Exit, Function, If, Loop, Statement, Try, With


def statements_of(function: Function) -> tuple[Statement, ...]:
    """All statements of a function, as :func:`walk` finds them; walked once and kept, since every question goes over them."""
    if function.flat is None:
        function.flat = tuple(walk(function.body))
    return function.flat


def walk(block: Block) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it, in order. Without recursion: an ``elif`` is a level each."""
    pending = list(reversed(block))
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (If, Loop)):
            pending += node.orelse[::-1]
            pending += node.body[::-1]
        elif isinstance(node, With):
            pending += node.body[::-1]
        elif isinstance(node, Try):
            for part in (node.final, node.orelse, *reversed(node.handlers), node.body):
                pending += part[::-1]


def is_assertion(node: If) -> bool:
    """Whether a branch was written as ``assert``: what raises in it is the whole statement."""
    return not node.body and len(node.orelse) == 1 and isinstance(node.orelse[0], Exit) and node.orelse[0].spot == node.spot

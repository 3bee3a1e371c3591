"""Regions: walks through a block and the blocks in it that know where they are, and which blocks are gone into."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple, TypeVar

from trainlint.ir.sketch import Bind, Block, Choice, Exit, If, Loop, Statement, Try, With
from trainlint.ir.walk import blocks_of, effects

#: What has blocks that run something.
Region = If | Loop | With | Try
REGIONS = frozenset((If, Loop, With, Try))
_Known = TypeVar("_Known")


class Arm(NamedTuple):
    """A block of a region: the region, and the number of the block, as :func:`~trainlint.ir.walk.blocks_of` has them."""

    region: Region
    number: int

    @property
    def block(self) -> Block:
        """The block itself."""
        return blocks_of(self.region)[self.number]

    def is_same(self, other: Arm) -> bool:
        """Whether it is this very block: others may say the same."""
        return self.region is other.region and self.number == other.number

    @property
    def is_repeated(self) -> bool:
        """Whether it is what a loop runs in each round."""
        return type(self.region) is Loop and self.number == 0

    @property
    def is_handler(self) -> bool:
        """Whether it is run where a ``try`` failed."""
        return type(self.region) is Try and 0 < self.number <= len(self.region.handlers)


#: The blocks around a statement, outermost first.
Around = tuple[Arm, ...]


def threaded(
    block: Block,
    known: _Known,
    inside: Callable[[_Known, Region, int], _Known],
    behind: Callable[[_Known, Statement], _Known] | None = None,
) -> Iterator[tuple[Statement, _Known]]:
    """The statements of a block and of the blocks in it, in order, each with what is known where it begins.

    ``inside`` says what is known at the head of a region's block, by its number; ``behind`` what is known behind a statement
    in its own block, if anything follows it there. Without recursion: an ``elif`` is a level each.
    """
    pending = [(effects(block), 0, known)]
    while pending:
        steps, start, known = pending.pop()
        end = len(steps) - 1
        for index in range(start, len(steps)):
            node = steps[index]
            yield node, known
            if type(node) in REGIONS:
                if index < end:
                    pending.append((steps, index + 1, known if behind is None else behind(known, node)))
                inner = [(effects(part), 0, inside(known, node, number)) for number, part in enumerate(blocks_of(node)) if part]  # type: ignore[arg-type]
                pending += reversed(inner)
                break
            if behind is not None and index < end:
                known = behind(known, node)


def placed(block: Block) -> Iterator[tuple[Statement, Around]]:
    """The statements of a block and of the blocks in it, in order, each with the blocks around it."""
    return threaded(block, (), lambda around, region, number: (*around, Arm(region, number)))


def is_ahead(one: Around, other: Around) -> bool:
    """Whether what stands in some blocks comes first for what stands behind it in others.

    Not so in another arm of a test, nor in a loop that the latter is not in: that may have no round.
    """
    left = [arm for arm in one if not any(arm.is_same(each) for each in other)]
    apart = any(arm.region is each.region for arm in left for each in other if type(arm.region) is If)
    return not apart and not any(arm.is_repeated for arm in left)


class Entered(NamedTuple):
    """What of a region may run: these blocks. ``instead``: they surely run, and are all that there is of it.

    ``ends``: nothing behind the region is asked about.
    """

    blocks: tuple[Block, ...]
    instead: bool = False
    ends: bool = False


def reachable(block: Block, enter: Callable[[Region | Choice], Entered | None]) -> Generator[Statement, None, bool]:
    """The statements of a block and of the blocks in it that may run, in order, up to where a way out is certain.

    ``enter`` says what of a region may run; None: it is passed by, and what stands behind it as well if an arm ends in a way
    out. Returns whether control comes to the end of the block.
    """
    for node in block:
        if isinstance(node, (If, Choice, Loop, With, Try)):
            entered = enter(node)
            if entered is None:
                if any(isinstance(each, Exit) for part in blocks_of(node) for each in part):
                    return False
                continue
            if not entered.instead:
                yield node
            for part in entered.blocks:
                goes_on = yield from reachable(part, enter)
                if entered.instead and not goes_on:
                    return False
            if entered.ends:
                return False
        elif not isinstance(node, Bind):
            yield node
            if isinstance(node, Exit):
                return False
    return True

"""Walking a sketch: every statement of a block and of the blocks in it.

And regions: walks that know where they are, and which blocks are gone into.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import NamedTuple, TypeVar

from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Term
from trainlint.ir.sketch import (
    SILENT,
    Bind,
    Block,
    CallStep,
    Choice,
    Exit,
    Function,
    If,
    Keep,
    Loop,
    Statement,
    Store,
    Try,
    With,
    Yield,
)

_NESTING = frozenset((If, Choice, Loop, With, Try))
Kind = TypeVar("Kind", CallStep, Store, Keep, Bind, If, Choice, Loop, Try, With, Exit, Yield)


def statements_of(function: Function) -> tuple[Statement, ...]:
    """All statements of a function but those that only bind names, as :func:`walk` finds them; walked once and kept."""
    if function.flat is None:
        _sort(function)
    return function.flat or ()


def step_spot(node: Statement) -> Spot:
    """Where a step stands: of a call, that itself, and not its statement."""
    return node.term.site if isinstance(node, CallStep) else node.spot


def of_kind(function: Function, kind: type[Kind]) -> tuple[Kind, ...]:
    """The statements of one class (:class:`Call`, :class:`If` ...) of a function, in order; sorted once and kept.

    Most questions are about one kind of statement, and there are dozens of questions.
    """
    places, found = function.kinds or _sort(function)
    place = places.get(kind)
    return () if place is None else found[place]  # type: ignore[return-value]  # the key has the kind


#: By the classes of statements, in order of appearance, the place of each: most functions have one of a few such lists.
_PLACES: dict[tuple[type, ...], dict[type, int]] = {}


def _sort(function: Function) -> tuple[dict[type, int], tuple[tuple[Statement, ...], ...]]:
    """Walk a function once, for all that ask about its statements: see :func:`of_kind`."""
    kinds: defaultdict[type, list[Statement]] = defaultdict(list)
    nodes = walk_all(function.body)
    for node in nodes:
        kinds[type(node)].append(node)
    function.flat = tuple(nodes) if SILENT.isdisjoint(kinds) else effects(nodes)
    classes = tuple(kinds)
    places = _PLACES.get(classes)
    if places is None:
        places = _PLACES[classes] = {each: place for place, each in enumerate(classes)}
    function.kinds = sorted_now = places, tuple(map(tuple, kinds.values()))
    return sorted_now


def effects(block: Iterable[Statement]) -> Block:
    """What a block runs: without the steps that only bind names."""
    return tuple([node for node in block if type(node) not in SILENT])


def walk(block: Block) -> list[Statement]:
    """All statements of a block and of the blocks in it, in order, but those that only bind names."""
    return [node for node in walk_all(block) if type(node) not in SILENT]


def stored(function: Function) -> list[Term]:
    """The values that a function puts into names of others, attributes and items."""
    return [*(node.value for node in of_kind(function, Store)), *(node.value for node in of_kind(function, Keep))]


def choices(function: Function) -> tuple[Choice, ...]:
    """The branches of a function that only choose values, where they ask about one."""
    return tuple([node for node in of_kind(function, Choice) if node.asks])


def tests_of(function: Function) -> tuple[If | Choice, ...]:
    """All branches of a function that ask about something: those that run something, and those that only choose values."""
    return (*of_kind(function, If), *choices(function))


def walk_all(block: Block) -> list[Statement]:
    """All statements of a block and of the blocks in it, in order. Without recursion: an ``elif`` is a level each."""
    found: list[Statement] = []
    pending = [iter(block)]
    while pending:
        for node in pending[-1]:
            found.append(node)
            if type(node) in _NESTING:
                if isinstance(node, (If, Choice, Loop)):
                    if node.orelse:
                        pending.append(iter(node.orelse))
                    pending.append(iter(node.body))
                else:
                    pending += [iter(part) for part in reversed(blocks_of(node))]
                break
        else:
            pending.pop()
    return found


def blocks_of(node: Statement) -> tuple[Block, ...]:
    """The blocks of a statement, in the order in which they are written."""
    if isinstance(node, (If, Choice, Loop)):
        return node.body, node.orelse
    if isinstance(node, With):
        return (node.body,)
    if isinstance(node, Try):
        return node.body, *node.handlers, node.orelse, node.final
    return ()


def behind(block: Block, statement: Statement) -> Block:
    """What follows a statement in the block in which it stands, that block or one in it; nothing where it is not in sight."""
    pending = [block]
    while pending:
        current = pending.pop()
        for index, node in enumerate(current):
            if node is statement:
                return current[index + 1 :]
            pending += blocks_of(node)
    return ()


def roots(node: Statement) -> Iterator[Term]:
    """The terms of a statement that are worked out where it begins."""
    if isinstance(node, CallStep):
        yield node.term
    elif isinstance(node, If):
        yield node.condition
    elif isinstance(node, Loop):
        yield node.subject
    elif isinstance(node, With):
        yield from node.items
    elif isinstance(node, (Store, Keep)):
        yield node.value
        if isinstance(node.target, Access):
            yield from node.target.subterms()
    elif isinstance(node, (Exit, Yield)) and node.value is not None:
        yield node.value


def ends_early(block: Block) -> bool:
    """Whether a block ends with a way out: what follows its test runs on the other arm only."""
    return bool(block) and isinstance(block[-1], Exit)


def hides_nothing(attempt: Try) -> bool:
    """Whether all handlers of a ``try`` raise in the end: whatever fails in it fails."""
    lasts = [handler[-1] if handler else None for handler in attempt.handlers]
    return all(isinstance(last, Exit) and last.kind == "raise" for last in lasts)


def is_assertion(node: If) -> bool:
    """Whether a branch was written as ``assert``: what raises in it is the whole statement."""
    return not node.body and len(node.orelse) == 1 and isinstance(node.orelse[0], Exit) and node.orelse[0].spot == node.spot


def is_abstract(function: Function) -> bool:
    """Whether a function does nothing, or nothing but raise: it stands for what derived classes do."""
    last = function.body[-1] if function.body else None
    raises = isinstance(last, Exit) and last.kind == "raise"
    return last is None or (raises and not any(isinstance(node, If) for node in function.body))


# -- regions -----------------------------------------------------------------------------------------------------------

#: What has blocks that run something.
Region = If | Loop | With | Try
REGIONS = frozenset((If, Loop, With, Try))
_Known = TypeVar("_Known")


class Arm(NamedTuple):
    """A block of a region: the region, and the number of the block, as :func:`blocks_of` has them."""

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

    Branches that only choose values are among them where they ask about one (:attr:`Choice.asks`). ``inside`` says what is
    known at the head of a region's block, by its number; ``behind`` what is known behind a statement in its own block, if
    anything follows it there. Without recursion: an ``elif`` is a level each.
    """
    pending = [(_asking(block), 0, known)]
    while pending:
        steps, start, known = pending.pop()
        end = len(steps) - 1
        for index in range(start, len(steps)):
            node = steps[index]
            yield node, known
            if type(node) in REGIONS:
                if index < end:
                    pending.append((steps, index + 1, known if behind is None else behind(known, node)))
                inner = [(_asking(part), 0, inside(known, node, number)) for number, part in enumerate(blocks_of(node)) if part]  # type: ignore[arg-type]
                pending += reversed(inner)
                break
            if behind is not None and index < end:
                known = behind(known, node)


def _asking(block: Block) -> Block:
    """What a block runs, and the branches in it that ask about a value to choose one."""
    return tuple([node for node in block if type(node) not in SILENT or (isinstance(node, Choice) and node.asks)])


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

"""Files that rank 0 writes and other ranks read, with nothing between at which they wait; how to let them wait.

How a program that is being repaired lets all ranks wait: by a call that it can make at that place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.files import Operation, Operations
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import Block, CallStep, Exit, If, Loop, Statement, With
from trainlint.ir.walk import blocks_of, effects, statements_of
from trainlint.program.call_graph import CallSite
from trainlint.program.naming import names_of, reference
from trainlint.program.values import Context, LibraryObject
from trainlint.spmd.symbols import LOCAL, WORLD
from trainlint.spmd.writes.jobs import Jobs, Member
from trainlint.spmd.writes.path_uniformity import PathUniformity
from trainlint.spmd.writes.paths import Places
from trainlint.spmd.writes.reach import Reach, Test
from trainlint.spmd.writes.readers import Reader, Reading

if TYPE_CHECKING:
    from trainlint.program.program import Program


def barrier_call(program: Program, frame: Context, guard: If) -> str | None:
    """The source of a call that waits for all ranks, behind ``guard``; None when no name in sight leads to one."""
    knowledge = program.knowledge
    for node in statements_of(frame.function):
        if type(node) is not CallStep or not before(frame.function, node, guard):
            continue
        for value in program.values(node.term, frame):
            method = knowledge.barriers.get(value.name) if isinstance(value, LibraryObject) else None
            if isinstance(value, LibraryObject) and method is not None:
                for naming in names_of(program, frame, value):
                    if naming.always:
                        return f"{naming.text}.{method}()"
    for name, method in knowledge.barriers.items():
        if "." in method:
            text = reference(method, program.modules[frame.module])
            if text is not None and name in knowledge.jobs:
                return f"{text}()"
    return None


_KINDS = ("write", "make")
_FIRST = (
    tuple(rank == 0 for rank in range(WORLD)),
    tuple(rank % LOCAL == 0 for rank in range(WORLD)),
)


class Race(NamedTuple):
    """A write by rank 0 (``site``) under a test, and the first use of the same place by another rank behind it."""

    site: CallSite
    frame: Context
    operation: Operation
    member: Member
    test: Test
    guard: If | None
    reading: Reading


class Position(NamedTuple):
    """A place in a function's sketch: the blocks that lead to it, outermost first, each with the index of the statement.

    Index -1 is the place before the first statement of a block.
    """

    way: tuple[tuple[Block, int, bool], ...]

    @property
    def statement(self) -> Statement:
        """The statement that stands there."""
        block, index, _ = self.way[-1]
        return block[index]


def races(program: Program) -> Iterator[Race]:
    """Every write of one rank that another rank reads without having waited, once."""
    asked = program.ask(Jobs)
    seen: set[Term] = set()
    for site in program.ask(Operations).sites(*_KINDS):
        call = site.call.term
        if call in seen or not asked.may_join(site.function):
            continue
        seen.add(call)
        alone = program.ask(Operations).of(call, program.frame(site.module, site.function))
        if alone is None or alone.kind not in _KINDS:
            continue
        for frame in asked.frames(site.module, site.function):
            found = _race(program, site, frame)
            if found is not None:
                yield found
                break


def _race(program: Program, site: CallSite, frame: Context) -> Race | None:
    call = site.call.term
    if not any(map(_is_of_one, program.ask(Jobs).ways(call, frame))):
        return None  # asked first, since who else comes there is dear to know
    member = program.ask(Jobs).member(call, frame)
    if member is None or not member.reach.sure or not _is_of_one(member.reach):
        return None
    operation = program.ask(Operations).of(call, frame)
    if operation is None or operation.kind not in _KINDS or operation.path is None:
        return None
    same = program.ask(PathUniformity)
    if not same.same(operation.path, frame) or same.marked(operation.path, frame):
        return None
    test = member.reach.tests[0]
    for place in Places(program).alternatives(operation.path, frame):
        reading, guard = _behind(program, site, member, test, operation, place)
        if reading is not None:
            return Race(site, frame, operation, member, test, guard, reading)
    return None


def _is_of_one(way: Reach) -> bool:
    """Whether a test keeps all ranks but the first out."""
    return way.ranks in _FIRST and bool(way.tests)


def _behind(
    program: Program,
    site: CallSite,
    member: Member,
    test: Test,
    operation: Operation,
    place: tuple[Hashable, ...],
) -> tuple[Reading | None, If | None]:
    """The first use behind the test by a rank that it keeps out, along the functions up to where all ranks run."""
    reader = Reader(program, operation, place, site.call.term)
    current = test.frame
    position = _at_test(test)
    guard = position.statement if position is not None and isinstance(position.statement, If) else None
    if position is None and test.spot not in current.function.decorator_spots:
        return None, None
    while True:
        if position is not None:
            outcome = after(reader, position, current, first=current is test.frame and guard is not None)
            if isinstance(outcome, Reading):
                return outcome, guard
            if outcome == "stop":
                return None, None
        if current is member.frame or current.caller is None or current.call is None:
            return None, None
        position = at_entry(current)
        current = current.caller
        if position is None:
            return None, None


def after(reader: Reader, position: Position, frame: Context, *, first: bool) -> str | Reading:
    """What the rank meets from a position on: the statement itself (a test), then what follows it, outwards."""
    if first:
        outcome = reader.statement(position.statement, frame)
        if outcome in ("stop", "end") or isinstance(outcome, Reading):
            return outcome
        if outcome == "return":
            return "on"
        skip = outcome == "loop"
    elif isinstance(position.statement, Exit) and position.way[-1][1] >= 0:
        skip = position.statement.kind in ("break", "continue")
        if position.statement.kind == "return":
            return "on"
    else:
        skip = False
    for block, index, in_loop in reversed(position.way):
        if not skip:
            outcome = reader.block(block[index + 1 :], frame)
            if outcome in ("stop", "end") or isinstance(outcome, Reading):
                return outcome
            if outcome == "return":
                return "on"
            skip = outcome == "loop"
        if in_loop:
            skip = False
    return "on"


def _at_test(test: Test) -> Position | None:
    """Where a test or a way out stands in its function."""

    def fits(node: Statement) -> bool:
        return (type(node) is If and node.test == test.spot) or (type(node) is Exit and node.spot == test.spot)

    return _find(test.frame.function.body, fits, ())


def at_call(frame: Context, call: Call) -> Position | None:
    """Where a call stands in its function."""
    return _find(frame.function.body, lambda node: type(node) is CallStep and node.term is call, ())


def at_entry(frame: Context) -> Position | None:
    """Where an activation was called, in the function that called it; of an ``__enter__``, before the body of its ``with``."""
    caller, call = frame.caller, frame.call
    if caller is None or call is None:
        return None
    if frame.function.name == "__enter__":
        entered = _find(caller.function.body, lambda node: type(node) is With and any(call is item for item in node.items), ())
        if entered is not None and isinstance(entered.statement, With):
            return Position((*entered.way, (entered.statement.body, -1, False)))
    return at_call(caller, call)


def _find(
    block: Block, fits: Callable[[Statement], bool], way: tuple[tuple[Block, int, bool], ...], *, in_loop: bool = False
) -> Position | None:
    for index, node in enumerate(block):
        here = (*way, (block, index, in_loop))
        if fits(node):
            return Position(here)
        for inner in blocks_of(node):
            found = _find(inner, fits, here, in_loop=isinstance(node, Loop) and inner is node.body)
            if found is not None:
                return found
    return None


def barrier(program: Program, race: Race) -> tuple[Spot, str] | None:
    """The plain ``if`` behind which all ranks can wait, and the call by which they do; None where that is not so simple."""
    guard = race.guard
    member = race.member
    if guard is None or effects(guard.orelse) or race.test.module != race.site.module or not member.joins:
        return None
    if race.test.frame is not member.frame or before(member.frame.function, guard, member.spot):
        return None
    if any(type(node) is Exit for node in guard.body):
        return None

    code = barrier_call(program, member.frame, guard)
    return None if code is None else (guard.spot, code)

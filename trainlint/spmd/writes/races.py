"""Files that rank 0 writes and other ranks read, with nothing between at which they wait; how to let them wait.

How a program that is being repaired lets all ranks wait: by a call that it can make at that place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from trainlint.domains.files import Operation, Operations
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Exit, If, Statement, With
from trainlint.ir.walk import effects, of_kind, statements_of
from trainlint.program.call_graph import CallSite
from trainlint.program.naming import names_of, reference
from trainlint.program.program import calls_of
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


def races(program: Program) -> Iterator[Race]:
    """Every write of one rank that another rank reads without having waited, once."""
    return once_each(program, _KINDS, _race)


_Found = TypeVar("_Found")


def once_each(
    program: Program, kinds: tuple[str, ...], of: Callable[[Program, CallSite, Context], _Found | None]
) -> Iterator[_Found]:
    """What is found of the operations on files of some kinds that may stand in a job, once of each."""
    asked = program.ask(Jobs)
    seen: set[Term] = set()
    for site in program.ask(Operations).sites(*kinds):
        call = site.call.term
        if call in seen or not asked.may_join(site.function):
            continue
        seen.add(call)
        alone = program.ask(Operations).of(call, program.frame(site.module, site.function))
        if alone is None or alone.kind not in kinds:
            continue
        for frame in asked.frames(site.module, site.function):
            found = of(program, site, frame)
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
    begin = _at_test(test)
    guard = begin if isinstance(begin, If) else None
    if begin is None and test.spot not in current.function.decorator_spots:
        return None, None
    while True:
        outcome = reader.after(begin, current) if begin is not None else True
        if isinstance(outcome, Reading):
            return outcome, guard
        if not outcome or current is member.frame or current.caller is None:
            return None, None
        begin = at_entry(current)
        current = current.caller
        if begin is None:
            return None, None


def _at_test(test: Test) -> Statement | None:
    """The statement of a test, or of a way out, in its function."""
    for node in statements_of(test.frame.function):
        if test.spot == (node.test if type(node) is If else node.spot if type(node) is Exit else None):
            return node
    return None


def at_call(frame: Context, call: Call) -> Statement | None:
    """Where a call stands in its function."""
    return next((node for node in calls_of(frame.function) if node.term is call), None)


def at_entry(frame: Context) -> Statement | None:
    """Where an activation was called, in the function that called it; of an ``__enter__``, its ``with``."""
    if frame.caller is None or frame.call is None:
        return None
    around = of_kind(frame.caller.function, With) if frame.function.name == "__enter__" else ()
    entered = (node for node in around if any(frame.call is item for item in node.items))
    return next(entered, None) or at_call(frame.caller, frame.call)


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

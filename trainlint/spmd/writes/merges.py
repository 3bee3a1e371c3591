"""Parts that each rank writes for itself, and that one rank reads, all of them, without having waited for the others."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.files import PATH, Operation, Operations
from trainlint.ir.nodes import Attr, Call, Const, Element, Select, Term, Tuple
from trainlint.ir.order import within
from trainlint.ir.sketch import Loop
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallSite
from trainlint.program.loops import is_range
from trainlint.program.values import Context, Library
from trainlint.spmd.symbols import UNKNOWN
from trainlint.spmd.writes.jobs import Jobs
from trainlint.spmd.writes.path_uniformity import PathUniformity
from trainlint.spmd.writes.paths import Places
from trainlint.spmd.writes.races import at_call, at_entry, once_each
from trainlint.spmd.writes.readers import Reader, Reading

if TYPE_CHECKING:
    from trainlint.program.program import Program

#: In the name of a place: the rank, and what counts the ranks.
_RANK = ("rank",)
_COUNTED = ("counted",)
#: Names of things of which nobody knows what they are made of.
_LEAVES = ("term", "p", "a", "of", "g", "r", "sub")
#: Who puts the parts together: rank 0 as a rule, else the last one, or all of them.
_READERS = (0, 3)


class Merge(NamedTuple):
    """A write by every rank (``site``) at a path of its own, and where one of them, ``rank``, reads the paths of all."""

    site: CallSite
    operation: Operation
    rank: int
    reading: Reading


class Templates(Places):
    """Names places as :class:`Places` does, with the rank, and what counts, in them told apart from all else."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.same: PathUniformity = program.ask(PathUniformity)

    def _parts(self, term: Term, frame: Context, depth: int) -> tuple[Hashable, ...]:
        if (
            isinstance(term, Call)
            and isinstance(term.callee, Attr)
            and term.callee.name == "format"
            and isinstance(term.callee.base, Const)
            and not term.kwargs
        ):
            return (("format", term.callee.base.value, *(self._parts(given, frame, depth + 1) for given in term.args)),)
        if isinstance(term, Select):
            return self._chosen(term, frame, depth + 1)
        if isinstance(term, Tuple):  # behind a ``%``
            return (("tuple", *(self._parts(item, frame, depth + 1) for item in term.items)),)
        found = super()._parts(term, frame, depth)
        only = found[0] if len(found) == 1 else None
        if type(only) is tuple and only[0] in _LEAVES:
            if self._is_rank(term, frame):
                return (_RANK,)
            if isinstance(term, Element) and is_range(self.program, term.of, frame):
                return (_COUNTED,)
        return found

    def _is_rank(self, term: Term, frame: Context) -> bool:
        """Whether a term is the rank, or the number of this process within its group, which has a name by convention."""
        if self.same.differs(term, frame):
            return True
        name = term.name if isinstance(term, Attr) else None
        return name in self.program.knowledge.conventions and isinstance(self.same.peers[0].value(term, frame), UNKNOWN)

    def _chosen(self, term: Select, frame: Context, depth: int) -> tuple[Hashable, ...]:
        """Of two names the one with the rank in it, where the same one is chosen on all ranks: there are several ranks."""
        if self.same.differs(term.test, frame):
            return (("term", id(term), frame),)
        arms = [self._parts(arm, frame, depth) for arm in term.arms]
        return next((arm for arm in arms if _has_rank(arm)), None) or next((arm for arm in arms if _has(arm, _COUNTED)), arms[0])


class Merger(Reader):
    """Follows the rank that puts the parts together, up to where it reads a part of another rank."""

    def __init__(self, program: Program, operation: Operation, place: tuple[Hashable, ...], write: Term, rank: int) -> None:
        super().__init__(program, operation, place, write, rank)
        self.places: Templates = Templates(program)

    def _call(self, call: Call, frame: Context) -> str | Reading | None:
        listing = self._listing(call, frame)
        return listing if listing is not None else super()._call(call, frame)

    def _listing(self, call: Call, frame: Context) -> Reading | None:
        """A search for files with a pattern that fits the names of the parts: ``glob.glob("out/part_*.pt")``."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self.program.knowledge.listings and call.args:
                callee = call.callee
                folder = callee.base if isinstance(callee, Attr) and value.name.startswith(PATH + ".") else None
                before = self.places.parts(folder, frame) if folder is not None else ()
                asked = (*before, *self.places.parts(call.args[0], frame))
                if asked[:-1] == self.place[:-1] and _matches(asked[-1:], self.place[-1]):
                    return Reading(frame.module, call.site, value.name.rpartition(".")[2])
        return None

    def _use(self, operation: Operation, call: Call, frame: Context) -> str | Reading:
        if operation.path is None or operation.kind != "read" or not _fits(self.place, self.places.parts(operation.path, frame)):
            return "on"
        return Reading(frame.module, call.site, operation.name.rpartition(".")[2])


def merges(program: Program) -> Iterator[Merge]:
    """Every write of a part that one rank reads without having waited for who writes it, once."""
    return once_each(program, ("write",), _merge)


def _merge(program: Program, site: CallSite, frame: Context) -> Merge | None:
    operation = program.ask(Operations).of(site.call.term, frame)
    if operation is None or operation.kind != "write" or operation.path is None:
        return None
    place = Templates(program).parts(operation.path, frame)
    if not _has_rank(place):
        return None
    member = program.ask(Jobs).member(site.call.term, frame)
    if member is None or not member.reach.sure or not all(member.reach.ranks):
        return None
    for rank in _READERS:
        reading = _behind(program, operation, place, site.call.term, frame, rank)
        if reading is not None:
            return Merge(site, operation, rank, reading)
    return None


def _behind(
    program: Program, operation: Operation, place: tuple[Hashable, ...], write: Call, frame: Context, rank: int
) -> Reading | None:
    """The first part of another rank that a rank reads behind its write, in the function and in those that called it."""
    reader = Merger(program, operation, place, write, rank)
    current, begin = frame, at_call(frame, write)
    while True:
        outcome = reader.after(begin, current) if begin is not None else False
        if isinstance(outcome, Reading):
            return None if _looks_again(program, outcome) else outcome
        if not outcome or current.caller is None:
            return None
        begin, current = at_entry(current), current.caller


def _looks_again(program: Program, reading: Reading) -> bool:
    """Whether the files are looked for in a ``while`` loop: until all of them are there."""
    functions = program.modules[reading.module].functions.values()
    return any(loop.kind == "while" and within(each, loop, reading.spot) for each in functions for loop in of_kind(each, Loop))


def _has_rank(part: Hashable) -> bool:
    return _has(part, _RANK)


def _has(part: Hashable, wanted: Hashable) -> bool:
    return part == wanted or (type(part) is tuple and any(_has(inner, wanted) for inner in part))


def _fits(mine: Hashable, theirs: Hashable) -> bool:
    """Whether a place that is read is that of a part, with what counts the ranks where the rank was."""
    if mine == _RANK:
        return theirs == _COUNTED
    if type(mine) is tuple and type(theirs) is tuple:
        return len(mine) == len(theirs) and all(_fits(a, b) for a, b in zip(mine, theirs, strict=True))
    return mine == theirs


def _matches(pattern: tuple[Hashable, ...], name: Hashable) -> bool:
    """Whether a pattern begins as the name of a part does, up to the rank, and has its first ``*`` there."""
    if len(pattern) != 1 or type(name) is not tuple or name[0] != "text":
        return False
    asked = pattern[0]
    parts = asked[1:] if type(asked) is tuple and asked[0] == "text" else ((asked,),)
    for index, (theirs, mine) in enumerate(zip(parts, name[1:], strict=False)):
        if theirs != mine:
            begin, star, _ = _written(theirs).partition("*")
            follows = name[index + 2] if len(name) > index + 2 else None
            return bool(star and begin) and begin == _written(mine) and _has_rank(follows)
    return False


def _written(part: Hashable) -> str:
    """The text of a part that is written out; nothing for any other."""
    only = part[0] if type(part) is tuple and len(part) == 1 else None
    return str(only[1]) if type(only) is tuple and only[0] == "c" else ""

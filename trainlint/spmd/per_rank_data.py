"""Whether what is read or drawn is a rank's own: files, samples, batches, and the rounds that they decide.

Whether a loop over a loader draws other batches on each rank (``apart``), or the same ones on all of them
(``alike``).

Whether what is read is a rank's own: another file, or another sample, than what the other ranks read.

What all ranks read is there for all of them or for none, and damaged for all of them or for none: an error about it parts
nobody. So a read that fails is evidence only where the rank is in its path, by proof (:meth:`Evaluator.differs`) of some part
of it, or where the path is drawn from the rank's share of the data.

Loops that go round as often as data of the rank's own says: ``range(n)`` with such an ``n``, a dict whose keys it
drew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from trainlint.domains.batch_sizes import Batches
from trainlint.ir.nodes import Attr, Call, Const, Element, Global, Nested, NestedClass, Param, Ref, Self, Subscript, Term, Unknown
from trainlint.ir.sketch import Loop
from trainlint.ir.terms import parts_through
from trainlint.program.heap import dict_viewed
from trainlint.program.loops import Loops, is_range
from trainlint.program.origins import origin
from trainlint.program.sources import reached
from trainlint.program.stores import Contents
from trainlint.program.values import Argument, Context, Instance, Library, LibraryObject
from trainlint.spmd.seeds import Seeds
from trainlint.spmd.symbols import Data, Uniform, data_in
from trainlint.spmd.unsharded import Shares, is_whole

if TYPE_CHECKING:
    from trainlint.program.program import Program
    from trainlint.spmd.twin_values import TwinEvaluator

APART, ALIKE = "apart", "alike"
_SHARDING = "distributed-sampler"


def batches_of_loader(program: Program, subject: Term, frame: Context) -> str:
    """``apart`` or ``alike``, by all loaders that a loop may go over; empty where that is not known."""
    asked = program.ask(Loops)
    if any(True for _ in asked.prepared(subject, frame)):
        return APART
    loaders = list(asked.iterated(subject, frame))
    if not loaders:
        return ""
    if all(_splits(program, loader) for loader in loaders):
        return APART
    return ALIKE if all(_is_alike(program, loader) for loader in loaders) else ""


def _splits(program: Program, loader: LibraryObject | Instance) -> bool:
    """Whether a loader has a sampler that gives each rank a share."""
    asked = program.ask(Loops)
    library = asked.library(loader, "loader")
    if library is None or loader.call is None:
        return False
    given = program.ask(Batches).given(loader, "sampler", library)
    return given.known and bool(given.values) and all(asked.library(value, _SHARDING) for value in given.values)


def _is_alike(program: Program, loader: LibraryObject | Instance) -> bool:
    """Whether a loader hands out all of its data, in order, and nothing says that the data is the rank's own."""
    batches, asked = program.ask(Batches), program.ask(Shares)
    library = program.ask(Loops).library(loader, "loader")
    if library is None or loader.call is None or loader.frame is None or not is_whole(program, program.ask(Loops), loader):
        return False
    order = batches.given(loader, "shuffle", library)
    data = batches.given(loader, "dataset", library)
    if not (order.absent or order.constants() == [False]) or not data.known or data.term is None:
        return False
    return not asked.of_rank(data.term, loader.frame) and not asked.touched(data.term, loader.frame, loader.call)


def drawn_in(term: Term) -> list[Element]:
    """The items of loops from which a value is computed, as far as its term says."""
    parts = parts_through(term, lambda each: () if isinstance(each, Element) else each.subterms())
    return [each for each in parts if isinstance(each, Element)]


#: Kinds of terms that have no rank in them.
_PLAIN = (Const, Ref, Nested, NestedClass, Self)
#: Kinds of terms that stand for something else: what was stored, or bound at the top level. It counts if it is one thing.
_HELD = (Attr, Global)


class OwnPaths:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.differs = program.ask(Seeds).differs

    def is_own(self, term: Term, frame: Context) -> bool:
        """Whether ranks surely have different values here, by some part of what they are computed from."""
        return any(self._differs(each.term, each.frame) for each in reached(self.program, term, frame, self._computed_from))

    def _differs(self, term: Term, frame: Context) -> bool:
        if isinstance(term, _PLAIN):
            return False
        drawn = isinstance(term, Element) and batches_of_loader(self.program, term.of, frame) == APART
        return drawn or self.differs(term, frame)

    def _computed_from(self, term: Term, frame: Context) -> list[Argument] | None:
        """The parts of an expression, and what the one value was made from that it holds."""
        if isinstance(term, Param):
            return None
        parts = () if isinstance(term, _PLAIN) else term.pieces if isinstance(term, Unknown) else term.subterms()
        made = [origin(self.program, term, frame)] if isinstance(term, _HELD) else []
        return [*made, *(Argument(part, frame) for part in parts)]


class Asks(Protocol):
    """Who builds the trace of a twin."""

    program: Program
    evaluator: TwinEvaluator


def own_rounds(asking: Asks, loop: Loop, frame: Context) -> Uniform | None:
    """The condition that a rank goes round once more than another, where its own data says how often."""
    if loop.kind != "for":
        return None
    for term in _numbers(asking.program, loop.subject, frame):
        data = data_in(asking.evaluator.value(term, frame)) if not isinstance(term, Const) else None
        if data is not None and not data.size and not data.raw:
            return Uniform(Data((loop.subject, "rounds", frame), data.source))
    return None


def _numbers(program: Program, subject: Term, frame: Context) -> Iterator[Term]:
    """What says how many rounds there are: the bounds of a range, the keys that were set in a dict of the function."""
    if isinstance(subject, Call) and is_range(program, subject, frame):
        yield from subject.args
        return
    known = program.ask(Contents).changes(frame.function)
    base = _dict_of(program, subject, frame)
    for changed, changes in known.items():
        if changed is base:
            yield from (change.key for change in changes if change.key is not None and change.how == "set")
        elif isinstance(changed, Subscript) and changed.base is base:
            yield changed.key  # ``found[key].append(value)``


def _dict_of(program: Program, subject: Term, frame: Context) -> Term:
    """The container behind ``found.items()``, ``sorted(found)``."""
    while isinstance(subject, Call):
        viewed = dict_viewed(program.knowledge.views, subject)
        if viewed is not None:
            subject = viewed
        elif subject.args and any(
            isinstance(value, Library) and value.name in program.knowledge.drains
            for value in program.values(subject.callee, frame)
        ):
            subject = subject.args[0]
        else:
            break
    return subject

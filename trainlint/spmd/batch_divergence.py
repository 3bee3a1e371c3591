"""Whether a loop over a loader draws other batches on each rank (``apart``), or the same ones on all of them (``alike``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.loops import Loops
from trainlint.facts.values import Frame, Instance, Made
from trainlint.facts.xla.batches import Batches
from trainlint.ir.nodes import Element, Term
from trainlint.spmd.shares import Shares
from trainlint.spmd.unsharded import is_whole

if TYPE_CHECKING:
    from trainlint.facts.program import Program

APART, ALIKE = "apart", "alike"
_SHARDING = "distributed-sampler"
#: Parts of a call in which a loop's item is looked for.
_MOST = 200


def dealt(program: Program, subject: Term, frame: Frame) -> str:
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


def _splits(program: Program, loader: Made | Instance) -> bool:
    """Whether a loader has a sampler that gives each rank a share."""
    asked = program.ask(Loops)
    library = asked.library(loader, "loader")
    if library is None or loader.call is None:
        return False
    given = program.ask(Batches).given(loader, "sampler", library)
    return given.known and bool(given.values) and all(asked.library(value, _SHARDING) for value in given.values)


def _is_alike(program: Program, loader: Made | Instance) -> bool:
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
    found: list[Element] = []
    pending, seen = [term], {term}
    while pending and len(seen) < _MOST:
        current = pending.pop()
        if isinstance(current, Element):
            found.append(current)
            continue
        fresh = [part for part in current.subterms() if part not in seen]
        seen.update(fresh)
        pending += fresh
    return found

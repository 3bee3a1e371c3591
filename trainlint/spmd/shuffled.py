"""Data that each rank puts in an order of its own before it takes its part: some samples are seen twice, others never.

Ranks that each take "their" part of a list must mean the same list. It is followed back from where it is split (a slice or
an item by the rank, a distributed sampler, a library's call) to where its order was drawn; the generator that drew it must
begin alike on all ranks (see :mod:`trainlint.spmd.seeds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.epochs import shuffles
from trainlint.facts.loops import Loops
from trainlint.facts.naming import reference
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr
from trainlint.spmd.orders import Drawn, Orders
from trainlint.spmd.seeds import Beginning, Seeded, Seeds, is_test
from trainlint.spmd.splits import Split, sampler_calls, splits

_SAMPLER, _PREPARED = "distributed-sampler", "prepared"
_SEED, _DATASET = "seed", "dataset"


class PerRankOrder(NamedTuple):
    """A shuffle whose result differs from rank to rank, and where it is split; a sampler that does both has no ``split``."""

    drawn: Drawn
    seeded: Seeded
    split: Split | None

    @property
    def by_rank(self) -> bool:
        """Whether the generator is seeded by the rank; otherwise nothing seeds it."""
        return self.seeded.how is Beginning.PER_RANK


def per_rank_orders(program: Program) -> Iterator[PerRankOrder]:
    """Every shuffle that is not the same on all ranks though its result is split among them, once."""
    seen: set[tuple[str, Spot]] = set()
    for found in (*_samplers(program), *_splits(program)):
        key = (found.drawn.frame.module, found.drawn.call.site)
        if key not in seen and not is_test(found.drawn.frame.module):
            seen.add(key)
            yield found


# -- samplers with a seed of their own ---------------------------------------------------------------------------------


def _samplers(program: Program) -> Iterator[PerRankOrder]:
    """Shuffling distributed samplers whose seed depends on the rank."""
    asked, begin = program.ask(Loops), program.ask(Seeds)
    for site, frame, sampler in sampler_calls(program):
        term = asked.argument(sampler, _SEED)
        if term is not None and shuffles(program, asked, sampler) and begin.differs(term, frame):
            drawn = Drawn(site.call.term, site.call.statement, frame, sampler.name)
            yield PerRankOrder(drawn, Seeded(Beginning.PER_RANK), None)


# -- what is split -----------------------------------------------------------------------------------------------------


def _splits(program: Program) -> Iterator[PerRankOrder]:
    drawing = _drawing_files(program)
    if not drawing:
        return
    follow = program.ask(Orders)
    for split in splits(program, drawing):
        for drawn in follow.behind(split.data, split.frame, split.taken):
            if _rank_is_asked(program, drawn):
                continue
            seeded = _begins(program, drawn)
            if seeded.how is not Beginning.ALIKE:
                yield PerRankOrder(drawn, seeded, split)


def _drawing_files(program: Program) -> set[str]:
    """The files in which something goes by the name of a shuffle."""
    follow = program.ask(Orders)
    return {site.module for name in follow.names for site in follow.index.sites.get(name, ()) if not is_test(site.module)}


# -- judging a shuffle -------------------------------------------------------------------------------------------------


def _rank_is_asked(program: Program, drawn: Drawn) -> bool:
    """Whether a test on the rank decides if the shuffle runs: somebody thought of ranks there."""
    frame: Frame | None = drawn.frame
    call = drawn.call
    while frame is not None:
        tests = program.ask_of(surroundings, frame.function).of(call).tests
        if any(program.ask(Seeds).differs(test, frame) for test, _ in tests):
            return True
        if frame.call is None:
            return False
        call, frame = frame.call, frame.caller
    return False


def _begins(program: Program, drawn: Drawn) -> Seeded:
    """How the generator that draws an order begins."""
    knowledge, begin = program.knowledge, program.ask(Seeds)
    call, frame = drawn.call, drawn.frame
    family = knowledge.shuffles[drawn.name]
    if family == "own":
        return begin.of_generator(call.callee.base, frame) if isinstance(call.callee, Attr) else Seeded(Beginning.ALIKE)
    given = [value for name, value in call.kwargs if name in knowledge.seeded_by]
    signature = knowledge.signatures.get(drawn.name, [])
    given += [value for name, value in zip(signature, call.args, strict=False) if name in knowledge.seeded_by]
    if any(name is None for name, _ in call.kwargs):
        return Seeded(Beginning.ALIKE)
    if given:
        found = begin.of_generator(given[0], frame)
        if found.how is not Beginning.ENTROPY or found.spot is not None:
            return found
    return begin.of_process(family, frame.module)


def generator_code(program: Program, found: PerRankOrder) -> tuple[str, str] | None:
    """The keyword and its value, in names of the shuffle's file, that give a shuffle one seed; None when it takes none."""
    keyword, _, value = program.knowledge.seeded_as.get(found.drawn.name, "").partition("=")
    if not value:
        return None
    dotted, bracket, rest = value.partition("(")
    if not bracket:
        return keyword, value
    named = reference(dotted, program.modules[found.drawn.frame.module])
    return (keyword, f"{named}({rest}") if named is not None else None

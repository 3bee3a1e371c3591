"""Data that each rank puts in an order of its own before it takes its part: some samples are seen twice, others never.

Ranks that each take "their" part of a list must mean the same list. It is followed back from where it is split (a slice or
an item by the rank, a distributed sampler, a library's call) to where its order was drawn; the generator that drew it must
begin alike on all ranks (see :mod:`trainlint.spmd.seeds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.epochs import shuffles
from trainlint.facts.loops import loops
from trainlint.facts.naming import reference
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library, Made
from trainlint.finding import Spot
from trainlint.model.terms import Term, subterms
from trainlint.model.walk import statements_of
from trainlint.spmd.orders import Drawn, orders
from trainlint.spmd.seeds import Beginning, Seeded, is_test, seeds

_SAMPLER, _PREPARED = "distributed-sampler", "prepared"
_SEED, _DATASET = "seed", "dataset"


class Split(NamedTuple):
    """A place, ``spot`` in ``module``, where each rank takes its part of ``data``; ``taken`` is where that is used first."""

    data: Term
    frame: Frame
    spot: Spot
    module: str
    taken: Spot


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
        key = (found.drawn.frame.module, found.drawn.call[4])
        if key not in seen and not is_test(found.drawn.frame.module):
            seen.add(key)
            yield found


# -- samplers with a seed of their own ---------------------------------------------------------------------------------


def _samplers(program: Program) -> Iterator[PerRankOrder]:
    """Shuffling distributed samplers whose seed depends on the rank."""
    asked, begin = loops(program), seeds(program)
    for site, frame, sampler in _sampler_calls(program):
        term = asked.argument(sampler, _SEED)
        if term is not None and shuffles(program, asked, sampler) and begin.differs(term, frame):
            drawn = Drawn(site.call.term, site.call.statement, frame, sampler.name)
            yield PerRankOrder(drawn, Seeded(Beginning.PER_RANK), None)


def _sampler_calls(program: Program) -> Iterator[tuple[CallSite, Frame, Made]]:
    asked = loops(program)
    names = {name.rpartition(".")[2] for name, kind in program.knowledge.kinds.items() if kind == _SAMPLER}
    for site in [site for name in sorted(names) for site in asked.index.sites_named(name)]:
        for frame in activations(program, site.module, site.function):
            for target in asked.index.targets(site.call.term, frame):
                if isinstance(target, Library) and program.knowledge.kinds.get(target.name) == _SAMPLER:
                    yield site, frame, Made(target.name, site.call.term, frame)


# -- what is split -----------------------------------------------------------------------------------------------------


def _splits(program: Program) -> Iterator[PerRankOrder]:
    drawing = _drawing_files(program)
    if not drawing:
        return
    components = {program.component(path) for path in drawing}
    follow = orders(program)
    for split in (*_sampled(program, components), *_prepared(program, components), *_sliced(program, drawing)):
        for drawn in follow.behind(split.data, split.frame, split.taken):
            if _rank_is_asked(program, drawn):
                continue
            seeded = _begins(program, drawn)
            if seeded.how is not Beginning.ALIKE:
                yield PerRankOrder(drawn, seeded, split)


def _drawing_files(program: Program) -> set[str]:
    """The files in which something goes by the name of a shuffle."""
    follow = orders(program)
    return {site.module for name in follow.names for site in follow.index.sites.get(name, ()) if not is_test(site.module)}


def _sampled(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets that distributed samplers split."""
    asked = loops(program)
    for site, frame, sampler in _sampler_calls(program):
        data = asked.argument(sampler, _DATASET)
        if data is None or program.component(site.module) not in components or is_test(site.module):
            continue
        if orders(program).runs(site.call.term, frame):
            yield Split(data, frame, site.call.term[4], site.module, site.call.term[4])


def _prepared(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets of the loaders that a library's ``prepare`` splits."""
    asked = loops(program)
    names = {name.rpartition(".")[2] for name, kind in program.knowledge.kinds.items() if kind == _PREPARED}
    for site in [site for name in sorted(names) for site in asked.index.sites_named(name)]:
        if program.component(site.module) not in components or is_test(site.module):
            continue
        for frame in activations(program, site.module, site.function):
            targets = asked.index.targets(site.call.term, frame)
            if not any(isinstance(t, Library) and program.knowledge.kinds.get(t.name) == _PREPARED for t in targets):
                continue
            for loader in (loader for argument in site.call.term[2] for loader in asked.iterated(argument, frame)):
                data = asked.argument(loader, _DATASET, asked.library(loader, "loader"))
                if data is not None and loader.frame is not None and loader.call is not None:
                    yield Split(data, loader.frame, site.call.term[4], site.module, loader.call[4])


def _sliced(program: Program, drawing: set[str]) -> Iterator[Split]:
    """Slices, items and calls by which the functions of these files, and what they are told, take a rank's part."""
    for path in sorted(drawing):
        for function in program.modules[path].functions.values():
            places = [found for node in statements_of(function) for found in _parts(node)]
            if places:
                for frame in activations(program, path, function):
                    for term, spot in places:
                        data = _taken(program, term, frame)
                        if data is not None:
                            yield Split(data, frame, spot, path, spot)


def _parts(node: tuple[object, ...]) -> Iterator[tuple[Term, Spot]]:
    """The items, slices and calls in a statement that may take a rank's part, each with the statement's place."""
    statement = getattr(node, "statement", None) or getattr(node, "spot", None)
    if not isinstance(statement, Spot):
        return
    pending = [term for term in node if isinstance(term, Term)]
    seen: set[Term] = set()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        if term[0] == "sub" and term[2][0] != "c":
            yield term, statement
        elif term[0] == "call" and (term[2] or term[3]):
            yield term, term[4]
        pending += subterms(term)


def _taken(program: Program, term: Term, frame: Frame) -> Term | None:
    """The data of which a term takes the rank's part; None when it does no such thing."""
    begin, shares = seeds(program), program.knowledge.shares
    if term[0] == "sub":
        base, key = term[1], term[2]
        if key[0] == "slice":
            return base if any(begin.differs(bound, frame) for bound in key[1:]) else None
        if base[0] == "call" and base[2] and _library(program, base, frame, "item") and begin.differs(key, frame):
            return base[2][0]  # type: ignore[no-any-return]
        return None
    name = last_name(term[1])
    told = (*term[2], *(value for _, value in term[3]))
    if term[1][0] == "a" and shares.get(name or "") == "method":
        return term[1][1] if any(begin.differs(argument, frame) for argument in told) else None
    if term[2] and _library(program, term, frame, "call"):
        return term[2][0] if any(begin.differs(argument, frame) for argument in told[1:]) else None
    return None


def _library(program: Program, call: Term, frame: Frame, how: str) -> bool:
    """Whether a call is one of a library that splits data in this way."""
    shares = program.knowledge.shares
    name = last_name(call[1])
    if not any(known.rpartition(".")[2] == name for known, word in shares.items() if word == how):
        return False
    return any(isinstance(v, Library) and shares.get(v.name) == how for v in program.values(call[1], frame))


# -- judging a shuffle -------------------------------------------------------------------------------------------------


def _rank_is_asked(program: Program, drawn: Drawn) -> bool:
    """Whether a test on the rank decides if the shuffle runs: somebody thought of ranks there."""
    frame: Frame | None = drawn.frame
    call = drawn.call
    while frame is not None:
        tests = surroundings(program, frame.function).of(call).tests
        if any(seeds(program).differs(test, frame) for test, _ in tests):
            return True
        if frame.call is None:
            return False
        call, frame = frame.call, frame.caller
    return False


def _begins(program: Program, drawn: Drawn) -> Seeded:
    """How the generator that draws an order begins."""
    knowledge, begin = program.knowledge, seeds(program)
    call, frame = drawn.call, drawn.frame
    family = knowledge.shuffles[drawn.name]
    if family == "own":
        return begin.of_generator(call[1][1], frame)
    given = [value for name, value in call[3] if name in knowledge.seeded_by]
    signature = knowledge.signatures.get(drawn.name, [])
    given += [value for name, value in zip(signature, call[2], strict=False) if name in knowledge.seeded_by]
    if any(name is None for name, _ in call[3]):
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

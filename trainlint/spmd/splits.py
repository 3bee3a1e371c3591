"""Where data is split among the ranks: samplers, what a library prepares or trains on, slices and items by the rank."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made, Other, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Entered,
    List,
    Not,
    Or,
    Select,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Statement
from trainlint.ir.walk import statements_of
from trainlint.spmd.orders import Orders
from trainlint.spmd.seeds import Seeds, is_test

_SAMPLER, _PREPARED, _TRAINER = "distributed-sampler", "prepared", "trainer"
_DATASET = "dataset"
#: Terms with parts in which something may be taken.
_COMPOUND = frozenset((Attr, Call, Subscript, BinOp, Compare, Not, And, Or, Select, Tuple, List, Set, Dict, Element, Entered))
_RANKS = ("rank", "local_rank", "world", "main")


class Split(NamedTuple):
    """A place, ``spot`` in ``module``, where each rank takes its part of ``data``; ``taken`` is where that is used first."""

    data: Term
    frame: Frame
    spot: Spot
    module: str
    taken: Spot


def splits(program: Program, drawing: Collection[str]) -> Iterator[Split]:
    """All splits of data that something in the files ``drawing`` may have shuffled."""
    components = {program.component(path) for path in drawing}
    yield from _sampled(program, components)
    yield from _prepared(program, components)
    yield from _trained(program, components)
    yield from _sliced(program, drawing)


def sampler_calls(program: Program) -> Iterator[tuple[CallSite, Frame, Made]]:
    """The calls that make a distributed sampler, in each activation."""
    asked = program.ask(Loops)
    names = {name.rpartition(".")[2] for name, kind in program.knowledge.kinds.items() if kind == _SAMPLER}
    for site in [site for name in sorted(names) for site in asked.index.sites_named(name)]:
        for frame in activations(program, site.module, site.function):
            for target in asked.index.targets(site.call.term, frame):
                if isinstance(target, Library) and program.knowledge.kinds.get(target.name) == _SAMPLER:
                    yield site, frame, Made(target.name, site.call.term, frame)


def _sampled(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets that distributed samplers split."""
    asked = program.ask(Loops)
    for site, frame, sampler in sampler_calls(program):
        data = asked.argument(sampler, _DATASET)
        if data is None or program.component(site.module) not in components or is_test(site.module):
            continue
        if program.ask(Orders).runs(site.call.term, frame):
            yield Split(data, frame, site.call.term.site, site.module, site.call.term.site)


def _prepared(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets of the loaders that a library's ``prepare`` splits."""
    asked = program.ask(Loops)
    names = {name.rpartition(".")[2] for name, kind in program.knowledge.kinds.items() if kind == _PREPARED}
    for site in [site for name in sorted(names) for site in asked.index.sites_named(name)]:
        if program.component(site.module) not in components or is_test(site.module):
            continue
        for frame in activations(program, site.module, site.function):
            targets = asked.index.targets(site.call.term, frame)
            if not any(isinstance(t, Library) and program.knowledge.kinds.get(t.name) == _PREPARED for t in targets):
                continue
            for loader in (loader for argument in site.call.term.args for loader in asked.iterated(argument, frame)):
                data = asked.argument(loader, _DATASET, asked.library(loader, "loader"))
                if data is not None and loader.frame is not None and loader.call is not None:
                    yield Split(data, loader.frame, site.call.term.site, site.module, loader.call.site)


def _trained(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets that a trainer of a library is made with, in projects that know of ranks."""
    asked, shares = program.ask(Loops), program.knowledge.shares
    names = {name.rpartition(".")[2] for name, word in shares.items() if word == _TRAINER}
    names |= {cls.name for module in program.modules.values() for cls in module.classes.values() if _ends(cls.bases, names)}
    for site in [site for name in sorted(names) for site in asked.index.sites_named(name)]:
        if program.component(site.module) not in components or is_test(site.module) or not _knows_ranks(program, site.module):
            continue
        for frame in activations(program, site.module, site.function):
            if any(_is_trainer(program, value) for value in program.values(site.call.term, frame)):
                for data, where in _given(program, site.call.term, frame):
                    yield Split(data, where, site.call.term.site, site.module, site.call.term.site)


def _ends(bases: tuple[Term, ...], names: set[str]) -> bool:
    return any(last_name(base) in names for base in bases)


def _is_trainer(program: Program, value: Value) -> bool:
    shares = program.knowledge.shares
    if isinstance(value, Made):
        return shares.get(value.name) == _TRAINER
    above = program.lineage(ClassValue(value.module, value.cls)) if isinstance(value, Instance) else ()
    return any(isinstance(cls, Library) and shares.get(cls.name) == _TRAINER for cls in above)


def _given(program: Program, call: Call, frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """The datasets among the keywords of a call, also those of ``**dict(train_dataset=…)``."""
    wanted = program.knowledge.shares_given
    for name, term in call.kwargs:
        if name in wanted:
            yield term, frame
        elif name is None:
            for value in program.values(term, frame):
                if isinstance(value, Made) and value.call is not None and value.frame is not None:
                    yield from ((inner, value.frame) for key, inner in value.call.kwargs if key in wanted)
                elif isinstance(value, Other) and isinstance(value.term, Dict):
                    yield from (
                        (inner, value.frame) for key, inner in value.term.items if isinstance(key, Const) and key.value in wanted
                    )


def _knows_ranks(program: Program, module: str) -> bool:
    """Whether a project is one for several processes: it asks for a rank somewhere, or keeps one under its usual name."""
    knowledge = program.knowledge
    asking = {
        name.rpartition(".")[2] for name, word in knowledge.ranks.items() if word in ("rank", "local_rank", "world", "main")
    }
    known = {name for name, word in knowledge.conventions.items() if word in ("rank", "local_rank")}
    sites = (site for name in asking for site in program.ask(Loops).index.sites.get(name, ()))
    if any(program.together(site.module, module) for site in sites):
        return True
    return any(not known.isdisjoint(names.names) for path, names in program.modules.items() if program.together(path, module))


def _sliced(program: Program, drawing: Collection[str]) -> Iterator[Split]:
    """Slices, items and calls by which the functions of these files, and what they are told, take a rank's part."""
    names = frozenset(name.rpartition(".")[2] for name, word in program.knowledge.shares.items() if word != _TRAINER)
    for path in sorted(drawing):
        for function in program.modules[path].functions.values():
            seen: set[Term] = set()
            places = [found for node in statements_of(function) for found in _parts(node, names, seen)]
            if places:
                for frame in activations(program, path, function):
                    for term, spot in places:
                        data = _taken(program, term, frame)
                        if data is not None:
                            yield Split(data, frame, spot, path, spot)


def _parts(node: Statement, names: frozenset[str], seen: set[Term]) -> Iterator[tuple[Subscript | Call, Spot]]:
    """The items, slices and calls in a statement that may take a rank's part, each with a place to show for it.

    Statements of a function share their terms: what was ``seen`` in an earlier one is not looked into again.
    """
    pending = [term for term in node if isinstance(term, Term)]
    while pending:
        term = pending.pop()
        if type(term) not in _COMPOUND or term in seen:
            continue
        seen.add(term)
        if isinstance(term, Subscript):
            sliced = isinstance(term.key, Slice) and any(not isinstance(bound, Const) for bound in term.key.bounds)
            if sliced or (isinstance(term.base, Call) and last_name(term.base.callee) in names):
                yield term, node.statement if isinstance(node, CallStep) else node.spot
        elif isinstance(term, Call) and last_name(term.callee) in names:
            yield term, term.site
        pending += term.subterms()


def _taken(program: Program, term: Subscript | Call, frame: Frame) -> Term | None:
    """The data of which a term takes the rank's part; None when it does no such thing."""
    begin, shares = program.ask(Seeds), program.knowledge.shares
    if isinstance(term, Subscript):
        base, key = term.base, term.key
        if isinstance(key, Slice):
            # All prefixes (`order[:count]`) hold the first items: how many are taken may differ, that is no part of each rank.
            return base if any(begin.differs(bound, frame) for bound in (key.lower, key.step)) else None
        if isinstance(base, Call) and base.args and _library(program, base, frame, "item") and begin.differs(key, frame):
            return base.args[0]
        return None
    name = last_name(term.callee)
    told = (*term.args, *(value for _, value in term.kwargs))
    if isinstance(term.callee, Attr) and shares.get(name or "") == "method":
        return term.callee.base if any(begin.differs(argument, frame) for argument in told) else None
    if term.args and _library(program, term, frame, "call"):
        return term.args[0] if any(begin.differs(argument, frame) for argument in told[1:]) else None
    return None


def _library(program: Program, call: Call, frame: Frame, how: str) -> bool:
    """Whether a call is one of a library that splits data in this way."""
    shares = program.knowledge.shares
    name = last_name(call.callee)
    if not any(known.rpartition(".")[2] == name for known, word in shares.items() if word == how):
        return False
    return any(isinstance(v, Library) and shares.get(v.name) == how for v in program.values(call.callee, frame))

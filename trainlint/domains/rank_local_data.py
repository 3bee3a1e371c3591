"""Data that a rank has for itself: its batches, what is computed from them, its clock; and where ranks make it equal.

That a value differs from rank to rank is proved, never guessed:

* a loss that a parallel model is trained with, or one whose gradients are averaged by hand: its ranks train together because
  each has other batches;
* a batch that a loop over a loader draws, in a function in which a parallel model is trained;
* what the ranks combine afterwards (``all_reduce``, ``gather``): nobody averages what is equal everywhere;
* what the table ``data`` lists: clocks, memory in use.

It ends where the ranks meet. What a collective returns is unknown here, hence equal. Most collectives change their argument,
though: ``all_reduce(flag)`` makes ``flag`` equal, whatever it was computed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from trainlint.domains.autograd.backward import Backward
from trainlint.domains.autograd.graphs import Graphs
from trainlint.domains.communication import Communication
from trainlint.domains.data_parallel.gradient_averaging import averaged_by_hand
from trainlint.domains.data_parallel.models import Parallel
from trainlint.domains.nn.modules import is_module
from trainlint.finding import Spot
from trainlint.ir.bindings import held_in_rounds
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Invert,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.order import before, order
from trainlint.ir.sketch import Function
from trainlint.ir.terms import closure, parts_through
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import reached
from trainlint.program.stores import Contents
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library, LibraryObject, names_class


class Source(NamedTuple):
    """Where a rank gets data of its own: a word (``loss``, ``combined``, one of the table ``data``) and the place, if known."""

    word: str
    module: str
    spot: Spot | None


#: The losses where there are none, and what ranks combine where that is nothing.
_NOTHING: Mapping[tuple[Term, Context], Source] = {}
_UNCOMBINED: Mapping[Term, Spot] = {}


class RankLocalData:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.parallel = program.ask(Parallel)
        #: The functions (by id) that train a model whose gradients the ranks average themselves.
        self.by_hand = program.ask(averaged_by_hand)
        #: Whether a parallel model is trained anywhere.
        self.trained = bool(program.ask(Communication).unnamed) or bool(self.by_hand)
        #: The tests for files that were met, by their place.
        self.looked_for: dict[tuple[str, Spot | None], tuple[Term, Context]] = {}

    def loss(self, term: Term, frame: Context) -> Source | None:
        """What a term is if a parallel model is trained with it, or with what is made of it."""
        known = self.losses(frame)
        return known.get((term, frame)) if known else None

    @remembered(_NOTHING)
    def losses(self, frame: Context) -> Mapping[tuple[Term, Context], Source]:
        """The losses of an activation that a parallel model is trained with, and what they are made of."""
        return dict(self._losses_of(frame)) if self.trained else _NOTHING

    def _losses_of(self, frame: Context) -> Iterator[tuple[tuple[Term, Context], Source]]:
        for root in self.program.ask(Backward).roots(frame):
            by_hand = id(frame.function) in self.by_hand
            if by_hand or self.parallel.trained(root.term, root.frame):
                source = Source("loss", root.frame.module, root.spot)
                yield (root.term, root.frame), source
                for part in self.program.ask(Graphs).held(root.term, root.frame):
                    if by_hand or self.parallel.trained(*part):
                        yield part, source

    def combined(self, term: Term, frame: Context) -> Source | None:
        """What a term is if it looks at the numbers of a tensor that the ranks combine in its function."""
        if not isinstance(term, (Call, Subscript)):
            return None
        known = self.combinations(frame)
        whole = self._looked_at(term) if known else None
        spot = known.get(whole) if whole is not None else None
        return None if spot is None else Source("combined", frame.module, spot)

    @remembered(_UNCOMBINED)
    def combinations(self, frame: Context) -> Mapping[Term, Spot]:
        """The values of an activation of which the ranks combine something, and by which call."""
        return dict(self._combinations(frame))

    def _combinations(self, frame: Context) -> Iterator[tuple[Term, Spot]]:
        leads = self._leads()
        for node in calls_of(frame.function):
            if last_name(node.term.callee) in leads:
                for given in self._given_to_combine(node.term, frame):
                    for part in parts_through(given, partial(_numbers_in, function=frame.function)):
                        yield part, node.term.site

    def _given_to_combine(self, call: Call, frame: Context) -> Iterator[Term]:
        """What a call hands to a collective that puts together what the ranks have."""
        knowledge = self.program.knowledge
        for target in self.index.targets(call, frame):
            if isinstance(target, Library):
                if target.name in knowledge.collectives and target.name.rpartition(".")[2] in knowledge.combines:
                    yield from call.args[1:2] if target.name in knowledge.fills else call.args[:1]
                return
            if isinstance(target, FunctionValue):
                names = self._combined_parameters(target)
                given = self.program.enter(target, call, frame).arguments if names else {}
                for bound in (given.get(name) for name in names):
                    if isinstance(bound, Argument) and bound.frame is frame:
                        yield bound.term
                return

    def _combined_parameters(self, target: FunctionValue) -> frozenset[str]:
        """The parameters of a function of the project of which the ranks combine something in it."""
        return _parameters_among(self.combinations(self.program.frame(target.module, target.function)), target.function)

    def _looked_at(self, term: Call | Subscript) -> Term | None:
        """The tensor at whose numbers a term looks: ``x`` of ``x.sum()``, ``torch.isnan(x)``, ``x[mask]``."""
        statistics = self.program.knowledge.statistics
        if isinstance(term, Subscript):
            key = term.key
            is_mask = isinstance(key, (Compare, Invert)) or (isinstance(key, Call) and last_name(key.callee) in statistics)
            return term.base if is_mask else None
        if isinstance(term.callee, Attr):
            return term.callee.base if term.callee.name in statistics else None
        named = isinstance(term.callee, Ref) and self.program.knowledge.canonical(term.callee.name) in statistics
        return term.args[0] if named and term.args else None

    def is_model(self, term: Term, frame: Context) -> bool:
        """Whether a term is a model, or a layer, that this process has for itself."""
        if isinstance(term, (Const, Ref)):
            return False
        knowledge = self.program.knowledge
        for value in self.program.values(term, frame):
            if isinstance(value, LibraryObject):
                package = value.name.rpartition(".")[0]
                if package in knowledge.layers and names_class(value.name) and value.name not in knowledge.parallel:
                    return True
            elif isinstance(value, Instance) and is_module(self.program, value):
                return True
        return False

    # -- errors ----------------------------------------------------------------------------------------------------

    def fails_alone(self, kinds: Term | None, frame: Context) -> bool:
        """Whether a handler catches what may happen to one rank alone in the pass of a model: there is no memory left, say."""
        if kinds is None:
            return True
        parts = kinds.items if isinstance(kinds, Tuple) else (kinds,)
        values = (value for part in parts for value in self.program.values(part, frame))
        return any(isinstance(value, Library) and value.name in self.program.knowledge.failures for value in values)

    # -- where ranks meet ------------------------------------------------------------------------------------------

    def equal(self, term: Term, frame: Context, number: float | None = None, *, filled: bool = False) -> bool:
        """Whether a collective changed a part of a term in its function (up to the step of a number, if one is given).

        ``filled``: a part that can be written to (no number can: ``all_gather_object(all_ranks, rank)`` leaves ``rank``).
        """
        met = self._met(frame)
        if number is not None:
            steps = order(frame.function).steps
            met = tuple((part, at) for part, at in met if steps[at] <= number)
        changed = {part for part, at in met if not self._set_after(part, at, frame)}
        if not changed:
            return False
        parts = (part for part in closure((term,), given_in) if part in changed)
        return any(not filled or self.is_filled(part, frame) for part in parts)

    def _set_after(self, part: Term, at: Spot, frame: Context) -> bool:
        """Whether the function puts something into a thing after ranks met over it: what it holds then is asked elsewhere."""
        changes = self.program.ask(Contents).changes(frame.function).get(part, ())
        return bool(changes) and all(before(frame.function, at, change.step) for change in changes)

    def is_filled(self, term: Term, frame: Context) -> bool:
        """Whether a term is a tensor or container that is made here, or by a caller; of two values, whether one of them is."""
        return any(self._is_made(each.term, each.frame) for each in reached(self.program, term, frame, self._part_of))

    def _part_of(self, term: Term, frame: Context) -> list[Argument] | None:
        """What a view, an item or the result of a method is of."""
        if isinstance(term, (Param, Select)):
            return None
        if isinstance(term, Call):
            method = term.callee if isinstance(term.callee, Attr) and not self._is_made(term, frame) else None
            same = method is not None and method.name in self.program.knowledge.same
            return [Argument(method.base, frame)] if method is not None and same else []
        whole = term.left if isinstance(term, BinOp) else term.parts[0] if isinstance(term, (Access, Invert)) else None
        return [] if whole is None else [Argument(whole, frame)]

    def _is_made(self, term: Term, frame: Context) -> bool:
        values = self.program.values(term.callee, frame) if isinstance(term, Call) else ()
        filled = self.program.knowledge.filled
        return isinstance(term, (List, Dict)) or any(isinstance(each, Library) and each.name in filled for each in values)

    def met_over(self, term: Term, frame: Context) -> list[Spot]:
        """The calls of collectives that change a value."""
        return [at for part, at in self._met(frame) if part is term]

    @remembered(())
    def _met(self, frame: Context) -> tuple[tuple[Term, Spot], ...]:
        """What the calls of an activation make equal, and where they are."""
        return tuple(self._meetings(frame))

    def _meetings(self, frame: Context) -> Iterator[tuple[Term, Spot]]:
        """What the calls of a function make equal, and where they are."""
        leads = self._leads()
        for node in calls_of(frame.function):
            call = node.term
            if last_name(call.callee) in leads:
                for part in self._changes(call, frame):
                    yield part, call.site

    @remembered()
    def _leads(self) -> set[str]:
        """The names of collectives and of functions that may hand on to one what they are given."""
        found = set(self.program.knowledge.collective_names)
        queue: Iterable[str] = self.index.names & found
        while queue:
            sites = [site for name in queue for site in self.index.sites_named(name)]
            queue = [n for n in {site.function.name for site in sites if site.function.parameters} if n not in found]
            found.update(queue)
        return found

    def _changes(self, call: Call, frame: Context) -> Iterator[Term]:
        arguments = (*call.args, *(value for _, value in call.kwargs))
        for target in self.index.targets(call, frame):
            if isinstance(target, Library):
                if self._changes_arguments(target.name):
                    for argument in arguments[:1] if target.name in self.program.knowledge.fills else arguments:
                        yield from self._storage(argument)
                return
            if isinstance(target, FunctionValue):
                changed = self._parameters(target)
                if changed:
                    given = self.program.enter(target, call, frame).arguments
                    terms = (getattr(given.get(name), "term", None) for name in changed)
                    for term in terms:
                        if term is not None:
                            yield from self._storage(term)
                return

    def _storage(self, term: Term) -> Iterator[Term]:
        """What a change of a value changes: itself, the items of a display, what it is a view of."""
        if not isinstance(term, (Const, Ref, Nested, NestedClass, Compare, Not)):
            yield term
        if isinstance(term, SequenceDisplay):
            for item in term.items:
                yield from self._storage(item)
        whole = self.program.ask(Contents).storage(term)
        if whole is not term:
            yield from self._storage(whole)

    def _changes_arguments(self, name: str) -> bool:
        """Whether a collective changes what it is given: not one that wraps a model, or saves it."""
        knowledge = self.program.knowledge
        if name not in knowledge.collectives or name in knowledge.parallel or name in knowledge.collective_kinds:
            return False
        if name in knowledge.collects:
            return False  # one rank has the result, or each another one
        return not names_class(name)

    def _parameters(self, target: FunctionValue) -> frozenset[str]:
        """The parameters that a function of the project hands to a collective, which changes them."""
        met = self._met(self.program.frame(target.module, target.function))
        return _parameters_among((part for part, _ in met), target.function)


def _numbers_in(term: Term, function: Function) -> list[Term]:
    """The values whose numbers are in a value: no device that it is on, no name that it is kept under."""
    parts: list[Term] = []
    if isinstance(term, Call):
        parts = [*term.args, *([term.callee.base] if isinstance(term.callee, Attr) else [])]
    elif isinstance(term, Subscript):
        parts = [term.base]
    elif isinstance(term, LoopPhi):
        parts = [value for value in (held_in_rounds(function).get(term.name),) if value is not None]
    elif isinstance(term, (BinOp, Select, SequenceDisplay)):
        parts = term.subterms()
    return [part for part in parts if not isinstance(part, (Const, Ref))]


def _parameters_among(terms: Iterable[Term], function: Function) -> frozenset[str]:
    """The names of a function's parameters that are among some terms."""
    return frozenset(each.name for each in terms if isinstance(each, Param) and each.function == function.qualname)


def given_in(term: Term) -> list[Term]:
    """The parts of a term, of a call what it is given; not what is called, but the object that has the method."""
    parts = term.subterms()
    if not isinstance(term, Call):
        return parts
    return [term.callee.base, *parts[1:]] if isinstance(term.callee, Attr) else parts[1:]


def names_of(function: Function) -> frozenset[str]:
    """The last names of what a function calls."""
    return frozenset(name for name in (last_name(node.term.callee) for node in calls_of(function)) if name is not None)

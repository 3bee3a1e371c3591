"""Parameters of optimizers: whose they took when they were constructed, and which of these models are replicas.

Whose parameters an optimizer took, or a wrapper that averages gradients, when it was made.

Which optimizers and schedulers change a model of which every rank has a replica, or a part.

So it is if the optimizer took parameters of a model that is wrapped, sharded or prepared for several ranks, before
or after that, or where the ranks average its gradients themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from trainlint.domains.data_parallel.gradient_averaging import averaged_by_hand
from trainlint.domains.data_parallel.models import KINDS, Parallel
from trainlint.flow.events import Event
from trainlint.flow.objects import Thing, Things
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    ItemDisplay,
    List,
    Param,
    Ref,
    Select,
    Self,
    Star,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.terms import dotted_name, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.arguments import item_given
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.memo import remembered
from trainlint.program.object_identity import Identities, Key
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, Library, LibraryObject

#: What hands on parameters, or some of them, as they are.
_HANDS_ON = frozenset(("filter", "list", "tuple", "iter", "chain", "set", "dict"))
#: What hands out the values of a dict, and what puts further items into a list.
_VIEWS = frozenset(("items", "values"))
_ADDS = frozenset(("append", "extend"))
_PARAMETERS = "params"
_TRAINABLE = "requires_grad"
_GROUPS = "param_groups"
#: Items of a group that are no parameters.
_RATES = ("lr", "weight_decay", "momentum", "betas")


class Taken(NamedTuple):
    """What took parameters: the call, its activation, and the models (or parts of models) whose parameters it was given.

    ``bases`` are these models as the function writes them.
    """

    node: CallStep
    frame: Context
    keys: frozenset[Key]
    bases: tuple[Term, ...]
    kind: str


class Takers:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        sites = program.ask(CallGraph).sites
        handed = (site for name in self.knowledge.hands_parameters for site in sites.get(name, ()))
        self._handing_out = {id(site.function) for site in handed}

    @remembered()
    def all(self, *, some: bool = False) -> list[Taken]:
        """Every optimizer that is seen to be made of a model's parameters, and every model that is wrapped for several ranks.

        ``some``: also where the parameters are only some of the model's, by a test on their names or shapes.
        """
        taking = (
            self._taken(node, frame, some=some)
            for module, function, nodes in self._taking()
            for frame in calling_contexts(self.program, module, function)
            for node in nodes
        )
        return [found for found in taking if found is not None]

    @remembered()
    def _taking(self) -> list[tuple[str, Function, list[CallStep]]]:
        """The functions with calls that may take parameters, and these."""
        found: list[tuple[str, Function, list[CallStep]]] = []
        for module, function in self.program.functions():
            hands_out = id(function) in self._handing_out
            nodes = [node for node in calls_of(function) if self._may_take(node.term, hands_out=hands_out)]
            if nodes:
                found.append((module, function, nodes))
        return found

    def _may_take(self, call: Call, *, hands_out: bool) -> bool:
        """Whether a call may make an optimizer or a wrapper: it is imported as one, or is given what hands out parameters."""
        given = call.args[0] if call.args else dict(call.kwargs).get(_PARAMETERS)
        callee = call.callee
        if given is None or (last_name(callee) or "") in self.knowledge.hands_parameters:
            return False
        if isinstance(callee, Ref) or (isinstance(callee, Attr) and isinstance(callee.base, (Ref, Attr))):
            return self._is_known(callee)
        if isinstance(given, Star) or isinstance(callee, (Subscript, Element)):
            return not isinstance(given, Const)  # a registry or a table says what is made
        if not hands_out:
            return False
        names = self.knowledge.hands_parameters
        return any(
            isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in names for part in parts_of(given)
        )

    @remembered()
    def _is_known(self, callee: Term) -> bool:
        """Whether what is imported is an optimizer of a library, a wrapper, or something of the project."""
        dotted = dotted_name(callee)
        if dotted is None:
            return False
        name = self.knowledge.canonical(dotted)
        kind, word = self.knowledge.optimizer_kind(name), self.knowledge.parallel.get(name)
        return kind == "optimizer" or word == "ddp" or self._is_own(dotted)

    def _is_own(self, dotted: str) -> bool:
        """Whether something of the project goes by this name: its class may be derived from an optimizer."""
        return dotted.rpartition(".")[2] in self.program.class_names()

    def _taken(self, node: CallStep, frame: Context, *, some: bool) -> Taken | None:
        kind = self._kind(node.term, frame)
        if kind is None:
            return None
        bases = [_first(node, frame)] if kind == "wrapper" else self.given(node, frame, some=some)
        keys = frozenset(key for base, where in bases for key in self.program.ask(Identities).of(base, where))
        own = tuple(base for base, where in bases if where is frame)
        return Taken(node, frame, keys, own, kind) if keys else None

    def given(self, node: CallStep, frame: Context, *, some: bool = True) -> list[tuple[Term, Context]]:
        """The models whose parameters (``some`` of them, or all) a call is given that makes an optimizer."""
        return list(self.bases(*_first(node, frame), some=some))

    def _kind(self, call: Call, frame: Context) -> str | None:
        """Whether a call makes an "optimizer" or a "wrapper"."""
        thing = self.program.ask(Things).of(call, frame)
        made = thing.made
        if made is None or any(each.call is not call for each in made):
            return None
        if thing.sure and thing.kind == "optimizer":
            return "optimizer"
        return "wrapper" if self.knowledge.parallel.get(getattr(made[0], "name", "")) == "ddp" and call.args else None

    def bases(self, term: Term, frame: Context, *, some: bool = False) -> Iterator[tuple[Term, Context]]:
        """The models whose parameters a term stands for: all of them, or those that are to be trained; ``some``: any of them."""
        for each, where in reached(self.program, term, frame, partial(self._collected, some)):
            model = self._model_handing_out(each)
            if model is not None:
                yield model, where

    def _model_handing_out(self, term: Term) -> Term | None:
        """The model whose parameters a call hands out."""
        method = term.callee if isinstance(term, Call) and isinstance(term.callee, Attr) else None
        return method.base if method is not None and method.name in self.knowledge.hands_parameters else None

    def _collected(self, some: bool, term: Term, frame: Context) -> list[Argument] | None:
        """What parameters are put together of, or picked from; None for what is given or returned by somebody else."""
        if isinstance(term, Param):
            return None if isinstance(frame.given(term), Argument) else []
        if isinstance(term, (Attr, Global)):
            return None
        parts: Iterable[Term] = ()
        if not isinstance(term, Call):
            parts = (*_parts(term, some=some), *_added(term, frame.function, some=some))
        elif self._model_handing_out(term) is not None:
            parts = ()
        elif last_name(term.callee) in _HANDS_ON:
            parts = term.args
        elif some and isinstance(term.callee, Attr) and term.callee.name in _VIEWS:
            parts = (term.callee.base,)
        elif any(isinstance(given, (Param, Attr, Self, Global, Call)) for given in term.args):
            return None
        return [Argument(part, frame) for part in parts]


def _first(node: CallStep, frame: Context) -> tuple[Term, Context]:
    """What a call is given first; behind a star what the caller passes."""
    given: Term = node.term.args[0] if node.term.args else dict(node.term.kwargs)[_PARAMETERS]
    if isinstance(given, Star):
        return item_given(Subscript.new(given.of, Const.new("int", 0)), frame) or Argument(given, frame)
    return given, frame


def _parts(term: Term, *, some: bool) -> Iterator[Term]:
    """What a list, a dict that is a group, a choice, a sum or a comprehension takes parameters from."""
    if isinstance(term, ItemDisplay) and type(term.items) is tuple:
        yield from term.items
    elif isinstance(term, Dict):
        yield from (value for key, value in term.items if key is not None and isinstance(key, Const) and key.value == _PARAMETERS)
    elif isinstance(term, Select) or (isinstance(term, BinOp) and term.op == "Add"):
        yield from term.arms if isinstance(term, Select) else term.sides
    elif isinstance(term, Star) or (isinstance(term, Comprehension) and (some or all(_asks_only(test) for test in term.tests))):
        yield term.of


def _added(term: Term, function: Function, *, some: bool) -> Iterator[Term]:
    """What a list is filled with (``weights.append(p)``), and what one round of a loop hands out.

    All of that, or ``some``: what a test picks whose other arm puts the rest into another list is all, between them.
    """
    if isinstance(term, (Element, Subscript)):
        yield from (term.stem,) if some or isinstance(term, Element) or isinstance(term.base, Element) else ()
    elif isinstance(term, List) and any(_adds_to(node.term, term) for node in calls_of(function)):
        fills = [
            (node.term, set(conditions(led)))
            for node, led in walk_tested(function.body)
            if isinstance(node, CallStep) and isinstance(node.term.callee, Attr) and node.term.callee.name in _ADDS
        ]
        sorted_by = {(test, not holds) for _, led in fills for test, holds in led}
        for call, led in fills:
            if _adds_to(call, term):
                whole = all(_asks_only(test) or (test, holds) in sorted_by for test, holds in led)
                yield from call.args if some or whole else ()


def _adds_to(call: Call, things: Term) -> bool:
    """Whether a call puts something into a list."""
    return isinstance(call.callee, Attr) and call.callee.base is things and call.callee.name in _ADDS


def _asks_only(test: Term) -> bool:
    """Whether a test asks only whether something is to be trained."""
    return any(isinstance(part, Attr) and part.name == _TRAINABLE for part in parts_of(test)) and isinstance(
        test, (Attr, Compare)
    )


def regrouped(function: Function) -> bool:
    """Whether a function changes an optimizer's groups by hand."""
    written = [*(node.target for node in of_kind(function, Store)), *(node.target for node in of_kind(function, Keep))]
    written += [
        node.term.callee for node in calls_of(function) if isinstance(node.term.callee, Attr) and node.term.callee.name != "step"
    ]
    groups = [part for target in written for part in parts_of(target) if isinstance(part, Attr) and part.name == _GROUPS]
    rates = [t for t in written if isinstance(t, Subscript) and isinstance(t.key, Const) and t.key.value in _RATES]
    return bool(groups) and not rates


_OPTIMIZER = "optimizer"


class Replicas:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.by_hand = program.ask(averaged_by_hand)
        self._optimizers: dict[Term, list[Taken]] | None = None

    @property
    def active(self) -> bool:
        """Whether there can be such models at all."""
        return self.program.ask(Parallel).active or bool(self.by_hand)

    def changed_by(self, event: Event) -> frozenset[Term]:
        """The calls that made the optimizer of a step (or of a scheduler's), if it changes such a model; else nothing."""
        thing = event.thing
        if thing is None or not thing.sure:
            return frozenset()
        optimizers = self._made(thing) if thing.kind == _OPTIMIZER else self._of_scheduler(thing)
        if not optimizers:
            return frozenset()
        if id(event.frame.function) in self.by_hand or all(self._is_shared(made) for made in optimizers):
            return optimizers
        return frozenset()

    def _made(self, thing: Thing) -> frozenset[Term]:
        return frozenset(value.call for value in thing.made or () if value.call is not None)

    def _of_scheduler(self, thing: Thing) -> frozenset[Term]:
        """The calls that made the optimizers that schedulers were given."""
        found: set[Term] = set()
        for made in thing.made or ():
            if made.call is None or made.frame is None or not made.call.args:
                return frozenset()
            given = self.program.ask(Things).of(made.call.args[0], made.frame)
            if given.kind != _OPTIMIZER:
                return frozenset()
            found |= self._made(given)
        return frozenset(found)

    def _is_shared(self, made: Term) -> bool:
        """Whether an optimizer, by the call that made it, took parameters of a model that is on several ranks."""
        if self._optimizers is None:
            self._optimizers = {}
            for taken in self.program.ask(Takers).all(some=True):
                if taken.kind == _OPTIMIZER:
                    self._optimizers.setdefault(taken.node.term, []).append(taken)
        known = self._optimizers.get(made, ())
        kinds = self.program.ask(Parallel).kinds
        return any(taken.keys & self._models() or any(kinds(base, taken.frame) for base in taken.bases) for taken in known)

    @remembered()
    def _models(self) -> frozenset[Key]:
        """The models that something wraps, shards or prepares."""
        found: set[Key] = set()
        table = self.program.knowledge.parallel
        for last in sorted({name.rpartition(".")[2] for name, word in table.items() if word in KINDS}):
            for site in self.program.ask(CallGraph).sites_named(last):
                for frame in contexts_at(self.program, site):
                    values = self.program.values(site.call.term.callee, frame)
                    if any(isinstance(value, (Library, LibraryObject)) and table.get(value.name) in KINDS for value in values):
                        given = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
                        found.update(key for term in given for key in self.program.ask(Identities).of(term, frame))
        return frozenset(found)

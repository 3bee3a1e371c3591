"""Which calls shard a model, or wrap it for DDP, and which model, in each activation: what all rules on this ask.

Two models of one factory are two: a model is known by the activation in which it was constructed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from trainlint.domains.data_parallel.models import SHARDED
from trainlint.finding import Spot
from trainlint.flow.path_condition import Assumed, assume
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Access, Attr, Call, Element, Global, Param, Ref, Self, Term
from trainlint.ir.sketch import CallStep, Function
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import At, contexts_at, path
from trainlint.program.memo import remembered
from trainlint.program.object_identity import NOTHING, Allocation, Identities, Key, Keys, ObjectOf, Part, root_of
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject


class Models(Identities):
    """Answers for one program."""

    chooses = False

    def key(self, call: Call, frame: Context) -> Allocation:
        """The key of what a call makes."""
        return Allocation(frame.module, call.site, _way(frame))

    def _made(self, call: Call, frame: Context) -> Keys:
        """What a function makes that needs nothing of its caller is made once for each call all the same."""
        found = super()._made(call, frame)
        inside = {value.function for value in self.program.values(call.callee, frame) if isinstance(value, FunctionValue)}
        return frozenset(self._by_call(key, call, frame, inside) for key in found)

    def _by_call(self, key: Key, call: Call, frame: Context, functions: set[Function]) -> Key:
        """The key with the way to this call, if it is of what one of these functions makes and does not say for which caller."""
        maker = self.makers.get(key)
        if maker is None or not isinstance(key, Allocation) or key.way or getattr(maker.frame, "function", None) not in functions:
            return key
        found = Allocation(key.module, key.site, ((frame.module, call.site), *_way(frame)))
        self.makers.setdefault(found, maker)
        return found

    def meant(self, term: Term, frame: Context) -> Keys:
        """The models that a term may stand for. An object of which only its class is known is what its method is called on."""
        keys = self.of(term, frame)
        caller, call = frame.caller, frame.call
        known = frozenset(key for key in keys if not isinstance(root_of(key), ObjectOf))
        if caller is None or call is None or not isinstance(call.callee, Attr) or known == keys:
            return keys
        whole = self.of(call.callee.base, caller)
        return known.union(*(_put(key, whole) for key in keys - known))


def _way(frame: Context) -> tuple[tuple[str, Spot], ...]:
    """The calls that lead to an activation, innermost first."""
    found = []
    at: Context | None = frame
    while at is not None and at.call is not None and at.caller is not None:
        found.append((at.caller.module, at.call.site))
        at = at.caller
    return tuple(found)


def _put(key: Key, whole: Keys) -> Keys:
    """A part of an object as the same part of other models."""
    if not isinstance(key, Part):
        return whole or frozenset({key})
    return frozenset(Part(other, key.name) for other in _put(key.whole, whole))


def same(key: Key, other: Key) -> bool:
    """Whether two keys may be of one model."""
    if isinstance(key, Part) and isinstance(other, Part):
        return key.name == other.name and same(key.whole, other.whole)
    if isinstance(key, Allocation) and isinstance(other, Allocation):
        ways = zip(key.way, other.way, strict=False)
        return (key.module, key.site) == (other.module, other.site) and all(one == two for one, two in ways)
    return key == other


def covers(one: Keys, other: Keys) -> bool:
    """Whether one model is the other, or one of them is a part of the other."""
    return any(_within(key, each) or _within(each, key) for key in one for each in other)


def related(one: Keys, other: Keys) -> bool:
    """Whether two are one model, or parts of one."""
    return any(same(root_of(key), root_of(each)) for key in one for each in other)


def _within(key: Key, whole: Key) -> bool:
    while not same(key, whole):
        if not isinstance(key, Part):
            return False
        key = key.whole
    return True


_BUILTIN = "builtins."
#: How the wrappers call what they are given, where it is given by name.
_NAMES = ("module", "model")


class Sharding(NamedTuple):
    """A call that shards a model in one activation: by what (``name``), which kind, which model.

    ``keys`` are those of the model; without any, ``inside`` are those of what it was taken out of: one of its layers.
    """

    site: CallSite
    frame: Context
    name: str
    kind: str
    base: Term
    keys: Keys
    inside: Keys

    @property
    def at(self) -> At:
        """The place."""
        return At(self.frame, self.site.call.term.site)


class Shardings:
    """Answers for one program, on wrappers of some ``kinds`` (of :mod:`~trainlint.domains.data_parallel.models`)."""

    def __init__(self, program: Program, kinds: frozenset[str] = SHARDED) -> None:
        self.program = program
        self.kinds = kinds
        self.knowledge = program.knowledge

    @remembered()
    def all(self) -> list[Sharding]:
        """Every call that shards, in every activation of the function around it; tests of software are left out."""
        return list(self._found())

    def _found(self) -> Iterator[Sharding]:
        words = {name.rpartition(".")[2] for name, kind in self.knowledge.parallel.items() if kind in self.kinds}
        seen: set[Term] = set()
        for word in sorted(words):
            for site in self.program.ask(CallGraph).sites_named(word):
                if site.call.term not in seen:
                    seen.add(site.call.term)
                    yield from self._at(site)

    def _at(self, site: CallSite) -> Iterator[Sharding]:
        base = _given(site.call.term)
        name = self.library(site.call.term, self.program.frame(site.module, site.function))
        if base is None or name is None or tests_software(self.program, site.module, site.function):
            return
        for frame in contexts_at(self.program, site):
            keys = self.program.ask(Models).meant(base, frame)
            inside = NOTHING if keys else self._inside(base, frame)
            yield Sharding(site, frame, name, self.knowledge.parallel[name], base, keys, inside)

    def library(self, call: Call, frame: Context) -> str | None:
        """The wrapper or function of a library that a call certainly is, if it shards."""
        names = {value.name if isinstance(value, Library) else "" for value in self.program.values(call.callee, frame)}
        name = names.pop() if len(names) == 1 else ""
        return name if self.knowledge.parallel.get(name) in self.kinds else None

    def _inside(self, base: Term, frame: Context) -> Keys:
        """The model that a layer was taken out of: ``for block in model.blocks``, ``model.layers[i]``, ``model.modules()``."""
        return next((keys for keys in self.around(base, frame) if not all(self._is_container(key) for key in keys)), NOTHING)

    def around(self, base: Term, frame: Context) -> Iterator[Keys]:
        """All that something was taken out of, inner things first, that is known."""
        for term, where in islice(reached(self.program, base, frame, self._taken_out_of), 1, None):
            keys = self.program.ask(Models).meant(term, where) if isinstance(term, (Param, Attr, Global, Call, Self)) else NOTHING
            if keys:
                yield keys

    def _taken_out_of(self, term: Term, frame: Context) -> list[Argument]:
        """What an item or an attribute is of, what a method is called on, what ``enumerate`` goes over."""
        if isinstance(term, Param):
            given = frame.given(term)
            return [given] if isinstance(given, Argument) else []
        if isinstance(term, (Element, Access)):
            return [Argument(term.stem, frame)]
        if not isinstance(term, Call):
            return []
        if isinstance(term.callee, Attr):
            return [Argument(term.callee.base, frame)]
        goes_over = isinstance(term.callee, Ref) and term.callee.name.startswith(_BUILTIN)
        return [Argument(given, frame) for given in term.args[:1]] if goes_over else []

    def _is_container(self, key: Key) -> bool:
        """Whether a key is that of a list of layers, or of something handed out by a method."""
        made = self.program.ask(Models).makers.get(key)
        return isinstance(made, LibraryObject) and made.name.startswith(_BUILTIN)


def agree(program: Program, *places: At) -> bool:
    """Whether the tests around some places, and around the calls that lead to them, may all come out so in one run."""
    assumed: Assumed = {}
    for place in places:
        for here in path(place):
            for test, arm in tests_around(here):
                further = assume(program, assumed, test, arm, here.frame)
                if further is None:
                    return False
                assumed = further
    return True


def tests_around(place: At) -> Iterator[tuple[Term, bool]]:
    """The tests that lead to a place in its function, each with its arm."""
    for node, led in walk_tested(place.frame.function.body):
        if isinstance(node, CallStep) and node.term.site == place.spot:
            yield from conditions(led)
            return


def _given(call: Call) -> Term | None:
    if call.args:
        first: Term = call.args[0]
        return first
    named = dict(call.kwargs)
    return next((named[name] for name in _NAMES if name in named), None)


def replicas(program: Program) -> Shardings:
    """The same of models that each rank has a copy of, whose gradients are averaged."""
    return Shardings(program, frozenset(("ddp",)))

"""Which calls shard a model, or wrap it for DDP, and which model, in each activation: the question that all rules on this ask.

A model is sharded where a library's wrapper is made around it, or where a function shards it in place (table ``parallel``). Its
parts may be sharded before, one by one. What is sharded has a key of :mod:`~trainlint.facts.sharding.models`, so that the call is
found again from an optimizer, a state dict or a clip in whatever function, file or class these stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import NOTHING, Key, Keys
from trainlint.facts.order import At, path
from trainlint.facts.program import Program
from trainlint.facts.sharding.models import Models
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.path_condition import Assumed, assume
from trainlint.facts.values import Bound, Frame, Library, Made
from trainlint.facts.wrapped import SHARDED
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Access, Attr, Call, Element, Global, Param, Ref, Self, Term
from trainlint.ir.sketch import CallStep

_MOST_FRAMES = 6
#: Steps from a layer to the model that it was taken out of.
_LONGEST = 8
_BUILTIN = "builtins."
#: How the wrappers call what they are given, where it is given by name.
_NAMES = ("module", "model")


class Sharding(NamedTuple):
    """A call that shards a model in one activation: by what (``name``), which kind, which model.

    ``keys`` are those of the model; without any, ``inside`` are those of what it was taken out of: one of its layers.
    """

    site: CallSite
    frame: Frame
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
    """Answers for one program, on wrappers of some ``kinds`` (of :mod:`~trainlint.facts.wrapped`)."""

    def __init__(self, program: Program, kinds: frozenset[str] = SHARDED) -> None:
        self.program = program
        self.kinds = kinds
        self.knowledge = program.knowledge
        self._all: list[Sharding] | None = None

    def all(self) -> list[Sharding]:
        """Every call that shards, in every activation of the function around it; tests of software are left out."""
        if self._all is None:
            self._all = list(self._found())
        return self._all

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
        for frame in activations(self.program, site.module, site.function)[:_MOST_FRAMES]:
            keys = self.program.ask(Models).meant(base, frame)
            inside = NOTHING if keys else self._inside(base, frame)
            yield Sharding(site, frame, name, self.knowledge.parallel[name], base, keys, inside)

    def library(self, call: Call, frame: Frame) -> str | None:
        """The wrapper or function of a library that a call certainly is, if it shards."""
        names = {value.name if isinstance(value, Library) else "" for value in self.program.values(call.callee, frame)}
        name = names.pop() if len(names) == 1 else ""
        return name if self.knowledge.parallel.get(name) in self.kinds else None

    def _inside(self, base: Term, frame: Frame) -> Keys:
        """The model that a layer was taken out of: ``for block in model.blocks``, ``model.layers[i]``, ``model.modules()``."""
        term = base
        for _ in range(_LONGEST):
            bound = frame.given(term) if isinstance(term, Param) else None
            if isinstance(bound, Bound):
                term, frame = bound.term, bound.frame
                continue
            if not isinstance(term, (Element, Access, Call)):
                return NOTHING
            if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name.startswith(_BUILTIN) and term.args:
                term = term.args[0]  # enumerate(model.layers), reversed(…)
            elif isinstance(term, Call):
                if not isinstance(term.callee, Attr):
                    return NOTHING
                term = term.callee.base
            else:
                term = term.stem
            keys = self.program.ask(Models).meant(term, frame) if isinstance(term, (Param, Attr, Global, Call, Self)) else NOTHING
            if keys and not all(self._is_container(key) for key in keys):
                return keys
        return NOTHING

    def _is_container(self, key: Key) -> bool:
        """Whether a key is that of a list of layers, or of something handed out by a method."""
        made = self.program.ask(Models).makers.get(key)
        return isinstance(made, Made) and made.name.startswith(_BUILTIN)


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

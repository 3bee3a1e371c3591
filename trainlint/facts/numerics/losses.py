"""Where a loss of a library is computed, of what, and what it takes that for.

``F.cross_entropy(x, y)``, ``criterion(x, y)`` where ``criterion`` is an ``nn.CrossEntropyLoss()`` that some caller made, and the
one in a loss class of the project. What a configuration chooses among several kinds is each of them, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.numerics.last_operation import GIVEN, Heads, argument
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Value
from trainlint.ir.nodes import VARIABLES, Attr, Call, Term
from trainlint.ir.sketch import Function

#: Activations looked at for one function.
_MOST = 12


class Loss(NamedTuple):
    """One computation of a loss in one activation. ``name`` is the library's, ``word`` what it takes ``given`` for.

    ``made`` is the call that made it, for a loss that is an object. ``others`` are the words of what else may be called there
    (None: no loss that is known): it is chosen by a configuration.
    """

    site: CallSite
    frame: Frame
    name: str
    word: str
    given: Term
    made: Made | None
    others: frozenset[str | None] = frozenset()


class Losses:
    """The losses of a program; found once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._sites = list(self._named())
        self.found = list(self._losses())

    def _named(self) -> Iterator[CallSite]:
        """Calls of what goes by the name of a loss."""
        seen: set[int] = set()
        names = dict.fromkeys(name.rpartition(".")[2] for name in self.knowledge.expecting)
        for name in names:
            for site in self.index.sites_named(name):
                if id(site.call) not in seen:
                    seen.add(id(site.call))
                    yield site
        for site in self.index.results:
            maker = last_name(self._made(site.call.term.callee)) or ""
            if id(site.call) not in seen and (maker in names or self._speaks(maker)):
                seen.add(id(site.call))
                yield site
        for name, sites in self.index.sites.items():
            if self._speaks(name):
                for site in sites:
                    if isinstance(site.call.term.callee, VARIABLES) and site.call.term.args and id(site.call) not in seen:
                        seen.add(id(site.call))
                        yield site

    def _speaks(self, name: str) -> bool:
        return any(word in name.lower() for word in self.knowledge.loss_words)

    def _made(self, term: Term) -> Term:
        """What ``nn.CrossEntropyLoss().cuda()`` is made with."""
        while isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.knowledge.fluent:
            term = term.callee.base
        return term

    def _losses(self) -> Iterator[Loss]:
        for site in self._sites:
            given = argument(site.call.term, 0, GIVEN)
            if given is None:
                continue  # it makes a loss, and computes none
            for frame in self.frames(site.module, site.function):
                named = self._named_by(site.call.term, frame)
                for word, (name, made) in named.items():
                    if word is not None:
                        yield Loss(site, frame, name, word, given, made, frozenset(named) - {word})

    def frames(self, module: str, function: Function) -> list[Frame]:
        """The activations of a function; of a ``forward`` also those in which its object is called."""
        found = activations(self.program, module, function)
        if function.cls is not None and function.name in self.knowledge.runs_model:
            entered = [frame for site in self._callers(function) for frame in self._entered(site, function)]
            found = entered[:_MOST] or found
        return found[:_MOST]

    def _callers(self, function: Function) -> Iterator[CallSite]:
        """Calls that may run an object's ``forward``: by the names of its class, or of what somebody calls his loss."""
        yield from dict.fromkeys((*self.index.objects_called(function), *self._sites))

    def _entered(self, site: CallSite, function: Function) -> Iterator[Frame]:
        if site.function is function:
            return
        for caller in activations(self.program, site.module, site.function):
            for target in self.index.targets(site.call.term, caller):
                if isinstance(target, FunctionValue) and target.function is function and not caller.runs(function):
                    yield self.program.enter(target, site.call.term, caller)

    def _named_by(self, call: Call, frame: Frame) -> dict[str | None, tuple[str, Made | None]]:
        """The losses that may be called, one for each word; under None what is none that is known."""
        found: dict[str | None, tuple[str, Made | None]] = {}
        for value in self.program.ask(Heads).callees(call.callee, frame):
            one = self._loss(value, call)
            if one is None:
                found.setdefault(None, ("", None))
            else:
                found.setdefault(self.knowledge.expecting[one[0]], one)
        return found

    def _loss(self, value: Value, call: Call) -> tuple[str, Made | None] | None:
        known = isinstance(value, (Library, Made)) and value.name in self.knowledge.expecting
        if isinstance(value, Library) and known and not value.name.rpartition(".")[2][0].isupper():
            return value.name, None
        if isinstance(value, Made) and known and value.call is not call:
            return value.name, value
        if isinstance(value, Instance):
            cls = ClassValue(value.module, value.cls)
            if self.program.method(cls, "forward") is None:
                above = (one.name for one in self.program.lineage(cls) if isinstance(one, Library))
                name = next((name for name in above if name in self.knowledge.expecting), None)
                return (name, None) if name is not None else None
        return None

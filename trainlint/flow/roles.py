"""Roles: what a thing of which no class is known is in a training step, by what is done with it, or by what it is called.

An object with ``step()`` and ``zero_grad()`` is an optimizer, one that scales a loss and steps something is a scaler, whatever
their names are. A name is asked only where nothing is done that tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TypeVar

from trainlint.ir.nodes import Access, Asserted, Attr, BinOp, Call, Const, Element, Entered, Param, Select, Self, Subscript, Term
from trainlint.ir.terms import parts_of
from trainlint.knowledge import Knowledge
from trainlint.program.call_graph import CallGraph, CallSite, called, last_name
from trainlint.program.leading import Leading
from trainlint.program.naming import words_in
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, FunctionValue, LibraryObject

#: Words up to this length count only as a whole: `opt`.
_SHORT = 4
#: What a scaler is handed an optimizer by.
_STEPS = ("step", "unscale_")
#: Kinds that are stepped beside an optimizer; that which is told a metric stands for both where one may be chosen.
SCHEDULERS = frozenset(("scheduler", "plateau"))

_T = TypeVar("_T")
_Key = tuple[str, Term]
#: Which item of a whole is meant, outermost container first; None: nobody knows which.
_Way = tuple[object, ...]


class Roles:
    """Answers for one program, by the calls of methods that tell."""

    def __init__(self, program: Program) -> None:
        self.program = program
        told = frozenset(method for methods in program.knowledge.shown_roles for method in methods.split())
        self._telling = told | program.knowledge.called_models
        #: The telling methods that are called on the items of each thing, and the things that step them.
        self._methods: dict[_Key, dict[_Way, set[str]]] | None = None
        self._losses: set[_Key] | None = None
        self._forward: frozenset[_Key] | None = None
        self._alone: frozenset[_Key] | None = None
        self._stepped: dict[_Key, dict[_Way, list[_Key]]] = {}

    def shown(self, *things: _Key) -> str:
        """What is done with a thing makes of it (table ``optimizers.roles``): "optimizer", "scaler" ... or "unknown".

        The terms, each with its file, stand for one thing.
        """
        role = self._by_methods(things)
        if role != "unknown":
            return role
        holders = [holder for thing in things for several in _fitting(self._stepped, thing) for holder in several]
        return "optimizer" if any(self._by_methods((holder,)) == "scaler" for holder in holders) else "unknown"

    def is_model(self, *things: _Key) -> bool:
        """Whether what is called as a function is a model: methods of models are, too (table ``accelerators.called``)."""
        return not self._done(things).isdisjoint(self.program.knowledge.called_models)

    def is_loss(self, path: str, call: Call) -> bool:
        """Whether what a call returns is differentiated, alone or as a part of a sum: it computes a loss."""
        if self._losses is None:
            sites = self.program.ask(CallGraph).sites
            names = sorted(self.program.knowledge.backward)
            self._losses = {
                (site.module, loss) for name in names for site in sites.get(name, ()) for loss in _losses(site.call.term)
            }
        return (path, call) in self._losses

    def is_forward(self, path: str, call: Call) -> bool:
        """Whether what a call returns goes into what is differentiated: it is a part of a forward pass, whatever it is called."""
        if self._forward is None:
            self._forward = self._forward_calls()
        return (path, call) in self._forward

    def is_stepped_alone(self, *things: _Key) -> bool:
        """Whether a function that differentiates a loss steps this and nothing else: so this applies the gradients."""
        if self._alone is None:
            self._alone = frozenset(self._stepped_alone())
        return not self._alone.isdisjoint(things)

    def _forward_calls(self) -> frozenset[_Key]:
        """The calls whose results are read where a loss is computed, also in the functions of the project that compute it."""
        index, program = self.program.ask(CallGraph), self.program
        pending = [
            (site.module, site.function, part)
            for name in sorted(self.program.knowledge.backward)
            for site in index.sites.get(name, ())
            for part in _differentiated(site.call.term)
        ]
        found: set[_Key] = set()
        while pending:
            module, function, term = pending.pop()
            for call in (part for part in parts_of(term) if isinstance(part, Call) and (module, part) not in found):
                found.add((module, call))
                for target in index.targets(call, program.frame(module, function)):
                    if isinstance(target, FunctionValue):
                        pending += [(target.module, target.function, each) for each in program.returns(target.function)]
        return frozenset(found)

    def _stepped_alone(self) -> Iterator[_Key]:
        """What stands for the optimizer of each function with a backward pass that steps one thing only.

        A scheduler beside it counts for none: it was made for its optimizer.
        """
        index = self.program.ask(CallGraph)
        names = sorted(name for name, word in self.program.knowledge.step_calls.items() if word == "step" and "." not in name)
        steps: dict[int, list[CallSite]] = {}
        for name in names:
            for site in index.sites.get(name, ()):
                steps.setdefault(id(site.function), []).append(site)
        stepping = (site.function for sites in steps.values() for site in sites)
        leading = self.program.ask(Leading).by_name(functions=stepping).names
        for site in (each for name in self.program.knowledge.backward for each in index.sites.get(name, ())):
            backward = site.call.term
            if not isinstance(backward.callee, Attr) or (backward.args and not self._is_library(backward.callee.base, site)):
                continue
            frame = self.program.frame(site.module, site.function)
            stepped = set[Term | None]()
            for each in steps.get(id(site.function), ()):
                schedulers = self._schedulers(each.call.term, frame)
                for path, made in schedulers:
                    given = dict(made.kwargs).get("optimizer") or next(iter(made.args), None)
                    if isinstance(given, (Param, Attr)):
                        yield path, given
                if not schedulers:
                    stepped.add(self._receiver(each.call.term, frame))
            calls = [node.term for node in calls_of(site.function)]
            methods = (call.callee for call in calls if isinstance(call.callee, Attr))
            emptied = {method.base for method in methods if clears_gradients(self.program.knowledge, method.name)}
            others = {last_name(call.callee) for call in calls}.difference(names)
            if len(stepped) == 1 and others.isdisjoint(leading) and (only := stepped.pop()) is not None and emptied <= {only}:
                yield site.module, only

    def _is_library(self, term: Term, site: CallSite) -> bool:
        """Whether a thing was made by a library: ``accelerator.backward(loss)``."""
        values = self.program.values(term, self.program.frame(site.module, site.function))
        return all(isinstance(value, LibraryObject) for value in values)

    def _schedulers(self, step: Call, frame: Context) -> list[tuple[str, Call]]:
        """The calls, each with its file, that made the scheduler which a call steps; none where that may be anything else."""
        values = self.program.values(step.callee.base, frame) if isinstance(step.callee, Attr) else ()
        kind_of = self.program.knowledge.optimizer_kind
        made = [value for value in values if isinstance(value, LibraryObject) and kind_of(value.name) in SCHEDULERS]
        calls = [(each.frame.module, each.call) for each in made if each.frame is not None and each.call is not None]
        return calls if len(made) == len(values) else []

    def _receiver(self, step: Call, frame: Context) -> Term | None:
        """What a call without arguments steps; None for a part of something out of sight, which may do more than that."""
        thing = step.callee.base if isinstance(step.callee, Attr) and not step.args and not step.kwargs else None
        if isinstance(thing, Param) or (isinstance(thing, Attr) and isinstance(thing.base, Self)):
            return thing
        whole = thing.base if isinstance(thing, Subscript) and isinstance(thing.key, Const) else None
        values = self.program.values(whole, frame) if isinstance(whole, Call) else ()
        return thing if any(isinstance(value, LibraryObject) for value in values) else None

    def _done(self, things: tuple[_Key, ...]) -> set[str]:
        """The telling methods that are called on a thing."""
        if self._methods is None:
            self._methods = self._read()
        return {method for thing in things for methods in _fitting(self._methods, thing) for method in methods}

    def _by_methods(self, things: tuple[_Key, ...]) -> str:
        return shown_by(self.program.knowledge, self._done(things))

    def _read(self) -> dict[_Key, dict[_Way, set[str]]]:
        found: dict[_Key, dict[_Way, set[str]]] = {}
        for site, method, receiver in self._calls():
            whole = whole_of(receiver, keyed=False)
            found.setdefault((site.module, whole), {}).setdefault(_way(receiver, whole), set()).add(method)
            given = site.call.term.args
            if method in _STEPS and len(given) == 1:
                whole = whole_of(given[0], keyed=False)
                stepped = self._stepped.setdefault((site.module, whole), {})
                stepped.setdefault(_way(given[0], whole), []).append((site.module, receiver))
        return found

    def _calls(self) -> Iterator[tuple[CallSite, str, Term]]:
        sites = self.program.ask(CallGraph).sites
        for method in sorted(self._telling):
            for site in sites.get(method, ()):
                callee = site.call.term.callee
                if isinstance(callee, Attr) and callee.name == method:
                    yield site, method, callee.base


def _fitting(known: Mapping[_Key, Mapping[_Way, _T]], thing: _Key) -> Iterator[_T]:
    """What is known of a thing, and of what may be it: of ``model, optimizer = prepare(…)`` neither is the other."""
    path, term = thing
    whole = whole_of(term, keyed=False)
    mine = _way(term, whole)
    for way, found in known.get((path, whole), {}).items():
        if all(one == other or None in (one, other) for one, other in zip(mine, way, strict=False)):
            yield found


def _way(term: Term, whole: Term) -> _Way:
    """Which item of a whole a term is."""
    keys: list[object] = []
    while term is not whole and isinstance(term, (Subscript, Element, Entered, Asserted)):
        if isinstance(term, (Subscript, Element)):
            key = term.key.value if isinstance(term, Subscript) and isinstance(term.key, Const) else None
            keys.append(key if type(key) is int and key >= 0 else None)
        term = term.value if isinstance(term, Asserted) else term.stem
    return tuple(reversed(keys))


def shown_by(knowledge: Knowledge, methods: AbstractSet[str]) -> str:
    """The role of what has these methods, or on which they are called (table ``optimizers.roles``): the most that fit count."""
    roles = knowledge.shown_roles.items() if methods else ()
    fitting = [(len(said), role) for each, role in roles if not set(said := each.split()) - methods]
    return max(fitting, key=lambda each: each[0])[1] if fitting else "unknown"


def is_of_gradient(knowledge: Knowledge, term: Term) -> bool:
    """Whether something is the gradient of a parameter, or taken from one: ``p.grad.data``."""
    while isinstance(term, (Access, Call)):
        if isinstance(term, Attr) and term.name in knowledge.gradient_attributes:
            return True
        term = term.stem
    return False


def clears_gradients(knowledge: Knowledge, name: str) -> bool:
    """Whether a method or function of this name empties gradients: one of the tables, or one that is named after one."""
    return any(map(name.__contains__, knowledge.clearing))


def _differentiated(backward: Call) -> list[Term]:
    """What a backward pass differentiates: what it is handed, or called on."""
    callee = backward.callee
    return [*backward.args[:1]] or ([callee.base] if isinstance(callee, Attr) else [])


def _losses(backward: Call) -> Iterator[Call]:
    """The calls whose results are added up to what a backward pass differentiates."""
    pending = _differentiated(backward)
    while pending:
        term = pending.pop()
        if isinstance(term, BinOp):
            pending += term.sides
        elif isinstance(term, Select):
            pending += term.arms
        elif isinstance(term, Call):
            yield term
            pending += term.args[:1] if last_name(term.callee) == "scale" else ()
            pending += (term.callee.base,) if isinstance(term.callee, Attr) else ()


def named(knowledge: Knowledge, term: Term) -> str:
    """What somebody calls a thing, where nothing else is known: "optimizer", "scaler", "scheduler" ... or "unknown".

    What is drawn from several lists, one behind the other (``dense + sparse``), is what is in each of them.
    """
    whole = whole_of(term)
    if isinstance(whole, Select) or (isinstance(whole, BinOp) and whole.op == "Add"):
        kinds = {
            named(knowledge, part)
            for part in (whole.arms if isinstance(whole, Select) else whole.sides)
            if not isinstance(part, Const)
        }
        return kinds.pop() if len(kinds) == 1 else "unknown"
    return _kind_by_name(knowledge, name_of(term))


@lru_cache(maxsize=4096)
def _kind_by_name(knowledge: Knowledge, name: str) -> str:
    bare = name.lower().replace("_", "")
    if any(word in bare for word in knowledge.scaling_words):
        return "scaler"
    words = words_in(name)
    for word, kind in knowledge.step_names.items():
        if word in words or f"{word}s" in words or (len(word) > _SHORT and word in bare):
            return kind
    return "unknown"


def name_of(term: Term) -> str:
    """The name by which a term goes; of an item or of what a loop hands out, that of the whole."""
    term = whole_of(term)
    if isinstance(term, Select):
        names = {name_of(part) for part in term.arms if not isinstance(part, Const)}
        return names.pop() if len(names) == 1 else ""
    return called(term)


def whole_of(term: Term, *, keyed: bool = True) -> Term:
    """Of an item, or of what a loop hands out, what it is one of.

    Without ``keyed`` an item under a name (``parts["optimizer"]``) is a thing of its own.
    """
    while isinstance(term, (Subscript, Element, Entered, Asserted)):
        if not keyed and isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
            break
        term = term.value if isinstance(term, Asserted) else term.stem
    return term

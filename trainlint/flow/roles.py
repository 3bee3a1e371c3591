"""Roles: what a thing of which no class is known is in a training step, by what is done with it, or by what it is called.

An object with ``step()`` and ``zero_grad()`` is an optimizer, one that scales a loss and steps something is a scaler, whatever
their names are. A name is asked only where nothing is done that tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trainlint.ir.nodes import Asserted, Attr, BinOp, Call, Const, Element, Entered, Select, Subscript, Term
from trainlint.knowledge import Knowledge
from trainlint.program.call_graph import CallGraph, CallSite, called, last_name
from trainlint.program.program import Program

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
#: Words up to this length count only as a whole: `opt`.
_SHORT = 4
#: What a scaler is handed an optimizer by.
_STEPS = ("step", "unscale_")

_Key = tuple[str, Term]


class Roles:
    """Answers for one program, by the calls of methods that tell."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._roles = [(frozenset(methods.split()), role) for methods, role in program.knowledge.shown_roles.items()]
        self._roles.sort(key=lambda each: -len(each[0]))
        self._telling = frozenset(program.knowledge.called_models).union(*(methods for methods, _ in self._roles))
        self._methods: dict[_Key, set[str]] | None = None
        self._losses: set[_Key] | None = None
        self._stepped: dict[_Key, list[_Key]] = {}

    def shown(self, *things: _Key) -> str:
        """What is done with a thing makes of it (table ``optimizers.roles``): "optimizer", "scaler" ... or "unknown".

        The terms, each with its file, stand for one thing.
        """
        role = self._by_methods(things)
        if role != "unknown":
            return role
        holders = [holder for path, term in things for holder in self._stepped.get((path, _whole(term)), ())]
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

    def _done(self, things: tuple[_Key, ...]) -> set[str]:
        """The telling methods that are called on a thing."""
        if self._methods is None:
            self._methods = self._read()
        done: set[str] = set()
        for path, term in things:
            done |= self._methods.get((path, _whole(term)), set())
        return done

    def _by_methods(self, things: tuple[_Key, ...]) -> str:
        done = self._done(things)
        return next((role for methods, role in self._roles if methods <= done), "unknown") if done else "unknown"

    def _read(self) -> dict[_Key, set[str]]:
        """The telling methods that are called on each thing."""
        found: dict[_Key, set[str]] = {}
        for site, method, receiver in self._calls():
            key = (site.module, _whole(receiver))
            found.setdefault(key, set()).add(method)
            given = site.call.term.args
            if method in _STEPS and len(given) == 1:
                self._stepped.setdefault((site.module, _whole(given[0])), []).append(key)
        return found

    def _calls(self) -> Iterator[tuple[CallSite, str, Term]]:
        sites = self.program.ask(CallGraph).sites
        for method in sorted(self._telling):
            for site in sites.get(method, ()):
                callee = site.call.term.callee
                if isinstance(callee, Attr) and callee.name == method:
                    yield site, method, callee.base


def _losses(backward: Call) -> Iterator[Call]:
    """The calls whose results are added up to what a backward pass differentiates."""
    callee = backward.callee
    pending: list[Term] = [*backward.args[:1]] or ([callee.base] if isinstance(callee, Attr) else [])
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


def _whole(term: Term) -> Term:
    """Of several things that are stepped one after the other, all of them: what is done with one is done with each."""
    while isinstance(term, (Element, Asserted)) or (
        isinstance(term, Subscript) and not (isinstance(term.key, Const) and isinstance(term.key.value, str))
    ):
        term = term.value if isinstance(term, Asserted) else term.stem
    return term


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
    name = name_of(term)
    bare = name.lower().replace("_", "")
    if any(word in bare for word in knowledge.scaling_words):
        return "scaler"
    words = {part.lower() for part in _PARTS.findall(name)}
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


def whole_of(term: Term) -> Term:
    """Of an item, or of what a loop hands out, what it is one of."""
    while isinstance(term, (Subscript, Element, Entered, Asserted)):
        term = term.value if isinstance(term, Asserted) else term.stem
    return term

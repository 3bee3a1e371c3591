"""What a program reads out of loaded checkpoints: the keys, and how sure it is to find them there."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.checkpoints.origins import Origins
from trainlint.facts.contexts import activations
from trainlint.facts.def_use import Uses
from trainlint.facts.program import Program
from trainlint.facts.values import Made
from trainlint.finding import Spot
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import (
    Attr,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    ItemDisplay,
    LoopPhi,
    Param,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Loop, Statement, Store, Try
from trainlint.ir.terms import mentions
from trainlint.ir.walk import of_kind, statements_of

_MOST_FRAMES = 4
#: Methods of a dict that go over all that is in it.
_GOES_OVER = frozenset(("keys", "values", "items", "update", "copy"))


class Read(NamedTuple):
    """An item read from what a load handed back; ``sure``: without asking whether it is there.

    ``spot`` is where it is first used, ``node`` the parser's class of what stands there. ``base`` is what it is an item of.
    """

    module: str
    function: Function
    key: str
    term: Term
    load: Made
    sure: bool
    spot: Spot
    node: str
    base: Term


class Reads:
    """The reads of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words = program.knowledge.tables["checkpoints"]
        self.all: list[Read] = []
        #: Every text that is used as a key, by file: what might be read or asked for, of whatever.
        self.keys: dict[str, set[str]] = {}
        for path in self._near_loads():
            for term, places in program.ask(Uses).glance(path).of.items():
                if isinstance(term, Const) and isinstance(term.value, str):
                    if any(isinstance(parent, Term) and _is_asking(parent, term) for parent, _ in places):
                        self.keys.setdefault(path, set()).add(term.value)
                    continue
                found = program.ask(Origins).read_key(term)
                if found is not None:
                    self.all += self._reads(path, term, *found, places[0][1])

    def _near_loads(self) -> list[str]:
        """The files that belong together with one in which something is loaded."""
        names = {name.rpartition(".")[2] for name, word in self.words.items() if word == "load"}
        sites = [site for name in names for site in self.program.ask(CallGraph).sites_named(name)]
        known = [
            site
            for site in sites
            if self.words.get(self.program.knowledge.canonical(dotted_name(site.call.term.callee) or "")) == "load"
        ]
        components = {self.program.component(site.module) for site in known}
        return [path for path in self.program.modules if self.program.component(path) in components]

    def _reads(self, path: str, term: Term, base: Term, key: str, function: Function) -> list[Read]:
        if not isinstance(base, (Call, Param, Attr, Global, LoopPhi, Select)):
            return []
        asked = self.program.ask(Origins)
        frames = (
            activations(self.program, path, function)[:_MOST_FRAMES]
            if isinstance(base, Param)
            else [self.program.frame(path, function)]
        )
        loads = dict.fromkeys(load for frame in frames if (load := asked.loaded(base, frame)) is not None)
        if not loads:
            return []
        sure = isinstance(term, Subscript) and not self._is_asked(path, function, key)
        spot, node = _place(function, term) or (function.spot, "")
        return [Read(path, function, key, term, load, sure and bool(node), spot, node, base) for load in loads]

    def _is_asked(self, path: str, function: Function, key: str) -> bool:
        """Whether a function asks for a key before it reads it, or is ready for it to be missing."""
        if of_kind(function, Try):
            return True
        for const, places in self.program.ask(Uses).parents(path).of.items():
            if (
                isinstance(const, Const)
                and const.type == "str"
                and const.value == key
                and any(
                    isinstance(parent, Compare) and parent.op in ("In", "NotIn") and where is function
                    for parent, where in places
                    if isinstance(parent, Term)
                )
            ):
                return True
        return False

    def is_open(self, load: Made) -> bool:
        """Whether what was loaded is gone over as a whole, or handed to somebody out of sight."""
        assert load.call is not None
        assert load.frame is not None
        for parent, _ in self.program.ask(Uses).parents(load.frame.module).of.get(load.call, ()):
            if isinstance(parent, Attr) and parent.name in _GOES_OVER:
                return True
            if isinstance(parent, (Dict, SequenceDisplay, Element)):
                return True
            if isinstance(parent, Loop):
                return True
        return False


def _is_asking(parent: Term, key: Term) -> bool:
    """Whether a text stands where a key does."""
    if isinstance(parent, Subscript):
        return parent.key is key
    if isinstance(parent, Call):
        return key in parent.args
    return isinstance(parent, (Compare, ItemDisplay, Select))


def _place(function: Function, term: Term) -> tuple[Spot, str] | None:
    """Where an item is first used, and what stands there."""
    for node in statements_of(function):
        if any(mentions(root, term) for root in _roots(node)):
            if isinstance(node, CallStep):
                return node.term.site, "Call"
            if isinstance(node, (Store, Keep)):
                return node.spot, node.kind
            return node.spot, "Return" if isinstance(node, Exit) else "For"
    return None


def _roots(node: Statement) -> tuple[Term, ...]:
    if isinstance(node, CallStep):
        return (node.term,)
    if isinstance(node, (Store, Keep)):
        return (node.value,)
    if isinstance(node, Exit) and node.kind == "return" and node.value is not None:
        return (node.value,)
    if isinstance(node, Loop) and node.kind == "for":
        return (node.subject,)
    return ()

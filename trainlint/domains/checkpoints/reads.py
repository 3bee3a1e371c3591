"""Reads: which keys a program reads out of loaded checkpoints, and which constants, items or counters a number was.

Where a number comes from: the constants, items and loop counters that a counter may have been, followed through
attributes.

``args.start_epoch`` is set in one place and read in another. Which object ``args`` is nobody can say, but what is
put under a name like that anywhere around is what it may hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    ItemDisplay,
    List,
    LoopPhi,
    Not,
    Param,
    Select,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Loop, Statement, Store, Try
from trainlint.ir.terms import dotted_name, mentions
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.contexts import calling_contexts
from trainlint.program.def_use import Uses
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program
from trainlint.program.values import Argument, ClassValue, Context, Instance, LibraryObject, Unresolved

_GETS = frozenset(("get", "pop"))


class Origin(NamedTuple):
    """One thing a number may have been.

    ``shifted`` is what was added to it, None if nobody knows how much; ``store``: where it was put into an attribute.
    """

    term: Term
    frame: Context
    shifted: int | None
    store: Spot | None


class Origins:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[str, list[tuple[str, Function, Store]]] = {}
        for path, function in program.functions():
            for node in of_kind(function, Store):
                if isinstance(node.target, Attr):
                    self._stores.setdefault(node.target.name, []).append((path, function, node))

    def of(self, term: Term, frame: Context) -> list[Origin]:
        """What a term may have been."""
        return list(dict.fromkeys(self._of(Origin(term, frame, 0, None), set())))

    def stored(self, name: str) -> list[tuple[Function, Store]]:
        """What is put under the name of an attribute, each in its function."""
        return [(function, node) for _, function, node in self._stores.get(name, ())]

    def _of(self, at: Origin, seen: set[Origin | Spot | tuple[Spot, int | None]]) -> Iterator[Origin]:
        if at in seen:
            return
        seen.add(at)
        term, frame = at.term, at.frame
        if isinstance(term, (Select, BoolOp)):
            for part in term.arms if isinstance(term, Select) else term.operands:
                yield from self._of(at._replace(term=part), seen)
        elif isinstance(term, BinOp) and term.op in ("Add", "Sub") and Const in (type(term.left), type(term.right)):
            part = term.left if isinstance(term.right, Const) else term.right
            yield from self._of(at._replace(term=part, shifted=_sum(at.shifted, term)), seen)
        elif isinstance(term, Param) and isinstance(frame.given(term), Argument):
            bound = frame.given(term)
            assert isinstance(bound, Argument)
            yield from self._of(at._replace(term=bound.term, frame=bound.frame), seen)
        elif isinstance(term, Attr) and term.name in self._stores:
            yield from self._stored(at, term, seen)
        else:
            yield from self._valued(at, seen)

    def _stored(self, at: Origin, attribute: Attr, seen: set[Origin | Spot | tuple[Spot, int | None]]) -> Iterator[Origin]:
        stores = [each for each in self._stores[attribute.name] if self.program.together(each[0], at.frame.module)]
        for path, function, node in stores:
            adds = node.kind == "AugAssign"  # to what it was
            shifted = None if adds else at.shifted
            if (node.spot, shifted) in seen:
                continue
            if node.spot in seen:  # around a circle, on which more is added each time
                shifted = None
            seen.update((node.spot, (node.spot, shifted)))
            value = node.target if adds else node.value
            for frame in self._storing(attribute, at.frame, path, function):
                yield from self._of(Origin(value, frame, shifted, node.spot), seen)

    def _storing(self, attribute: Attr, frame: Context, path: str, function: Function) -> list[Context]:
        """The activations in which a function stores an attribute: those of the very objects, where it is a method of theirs."""
        owners = (value for value in self.program.values(attribute.base, frame) if isinstance(value, Instance))
        found: list[Context] = []
        for owner in owners:
            stores = self.program.stores(ClassValue(owner.module, owner.cls), attribute.name)
            if any(method is function for _, method, _ in stores):
                alone = self.program.instance_frame(owner, path, function)
                found += (alone.call is None and self.program.constructed.activations(owner, function)) or [alone]
        return found or [self.program.frame(path, function)]

    def _valued(self, at: Origin, seen: set[Origin | Spot | tuple[Spot, int | None]]) -> Iterator[Origin]:
        for value in self.program.values(at.term, at.frame):
            if isinstance(value, Unresolved) and value.term is not at.term:
                yield from self._of(at._replace(term=value.term, frame=value.frame), seen)
            elif isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                yield at._replace(term=value.call, frame=value.frame)
            else:
                yield at

    def read_key(self, term: Term, frame: Context) -> tuple[Term, str] | None:
        """Of an item of something under a text, or ``get`` of one: what it is an item of, and the key."""
        item = _item(term)
        key = reaching_definition(self.program, item[1], frame).term if item is not None else None
        return (item[0], key.value) if item is not None and isinstance(key, Const) and isinstance(key.value, str) else None

    def loaded(self, term: Term, frame: Context) -> LibraryObject | None:
        """The first call that loads a checkpoint, where a term is what one hands back."""
        return next(self.loads(term, frame), None)

    def loads(self, term: Term, frame: Context) -> Iterator[LibraryObject]:
        """The calls that load a checkpoint of which a term is what one hands back: those of all arms of a test."""
        words = self.program.knowledge.tables["checkpoints"]
        for value in self.program.values(term, frame):
            if isinstance(value, LibraryObject) and words.get(value.name) == "load" and value.call is not None:
                yield value


def _sum(before: int | None, added: BinOp) -> int | None:
    """What was added to a number in all."""
    number = added.right.value if isinstance(added.right, Const) else added.left.value if isinstance(added.left, Const) else None
    if before is None or type(number) is not int or (added.op == "Sub" and not isinstance(added.right, Const)):
        return None
    return before + (number if added.op == "Add" else -number)


def _item(term: Term) -> tuple[Term, Term] | None:
    """Of an item, or ``get`` of one: what it is an item of, and under what."""
    if isinstance(term, Subscript):
        return term.base, term.key
    if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in _GETS and term.args:
        return term.callee.base, term.args[0]
    return None


#: What no text is, whatever made it.
_NO_TEXTS = frozenset((Slice, Tuple, List, BinOp, Compare, Not))
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
    load: LibraryObject
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
                elif isinstance(term, (Subscript, Call)) and (found := _item(term)) is not None:
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

    def _reads(self, path: str, term: Term, base: Term, given: Term, function: Function) -> list[Read]:
        if not isinstance(base, (Call, Param, Attr, Global, LoopPhi, Select)) or type(given) in _NO_TEXTS:
            return []
        if isinstance(given, Const) and not isinstance(given.value, str):
            return []
        asked = self.program.ask(Origins)
        frames = (
            calling_contexts(self.program, path, function) if isinstance(base, Param) else [self.program.frame(path, function)]
        )
        loads = dict.fromkeys(load for frame in frames for load in asked.loads(base, frame))
        named = reaching_definition(self.program, given, frames[0]).term if loads else given
        if not loads or not isinstance(named, Const) or not isinstance(named.value, str):
            return []
        key = named.value
        self.keys.setdefault(path, set()).add(key)
        sure = isinstance(term, Subscript) and not self._is_asked(path, function, key)
        spot, node = _place(function, term) or (function.spot, "")
        return [Read(path, function, key, term, load, sure and bool(node), spot, node, base) for load in loads]

    def _is_asked(self, path: str, function: Function, key: str) -> bool:
        """Whether a function asks for a key before it reads it, or is ready for it to be missing."""
        return bool(of_kind(function, Try)) or (id(function), key) in self.program.ask_of(_asked_for, path)

    def is_open(self, load: LibraryObject) -> bool:
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


def _asked_for(program: Program, path: str) -> frozenset[tuple[int, str]]:
    """The texts of which functions of a file (by their id) ask whether something has them."""
    places = program.ask(Uses).parents(path).of
    return frozenset(
        (id(where), text.value)
        for text in places
        if isinstance(text, Const) and isinstance(text.value, str) and text.type == "str"
        for parent, where in places[text]
        if isinstance(parent, Compare) and parent.op in ("In", "NotIn")
    )


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

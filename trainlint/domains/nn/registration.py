"""Parameters that an optimizer never sees: modules kept in plain containers, and generators of parameters consumed twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.train_mode.mode_dependence import Moded
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Tests, meet, positive, tests_in
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Collected,
    Comprehension,
    Const,
    Dict,
    Display,
    Element,
    ItemDisplay,
    List,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Slice,
    Star,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import before, within
from trainlint.ir.sketch import Block, CallStep, Function, If, Keep, Loop, Store, Try, Yield
from trainlint.ir.terms import dotted_name, is_super, parts_of, parts_through
from trainlint.ir.walk import Around, ends_early, of_kind, placed, roots, statements_of, stored
from trainlint.program.call_graph import CallGraph, CallSite, methods_of
from trainlint.program.def_use import Uses
from trainlint.program.heap import CONSTRUCTS
from trainlint.program.memo import remembered
from trainlint.program.origins import allocation, reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import arguments_of, innermost
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Value

#: How a list is put together from others.
_JOINS = frozenset(("Add", "Mult"))
#: Methods that lists have in common with containers that register.
_SHARED = frozenset(("append", "extend", "insert", "items", "keys", "values"))
#: Those that hand out what is in a dict.
_VIEWS = frozenset(("items", "values"))
_BUILTINS = "builtins."
#: What a module keeps its parts under: who mentions it registers them by hand.
_TABLES = frozenset(("_modules", "_parameters"))


class Body(NamedTuple):
    """A method of a module, or a function that one hands the module to; ``own`` are the parameters that are it there."""

    function: Function
    frame: Context
    own: frozenset[str] | None = None

    def is_own(self, term: Term) -> bool:
        """Whether a term is the module."""
        if self.own is None:
            return isinstance(term, Self)
        return isinstance(term, Param) and term.function == self.function.qualname and term.name in self.own


class Item(NamedTuple):
    """Something that a container holds: its term, where that is put there; ``call`` is the call that does, if one does."""

    term: Term
    frame: Context
    call: Call | None = None


class Kept(NamedTuple):
    """A container of a module: the statement that assigns it, its items with weights, whether it is a dict, and of parameters.

    ``becomes`` says that a container that registers can be put in its place, ``hidden`` that it is one thing in brackets, as some
    hide a module on purpose, ``moded`` that its items have no weights, but compute something else in training.
    """

    module: str
    name: str
    function: Function
    store: Store
    items: tuple[Item, ...]
    keyed: bool
    of_parameters: bool
    becomes: bool = False
    hidden: bool = False
    moded: bool = False

    @property
    def empty(self) -> bool:
        """Whether it is written down with nothing in it."""
        return isinstance(self.store.value, (List, Dict)) and not self.store.value.items


class Unregistered:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._cared_for: set[str] | None = None

    def kept(self) -> Iterator[Kept]:
        """All such containers, by file and class."""
        for path, module in self.program.modules.items():
            for cls in module.classes.values():
                value = ClassValue(path, cls)
                if not self._registers(value):
                    continue
                bodies = self._bodies(path, [module.functions[name] for name in cls.methods.values()])
                if any(of_kind(body.function, Store) for body in bodies):
                    yield from self._of_class(value, bodies)

    def _bodies(self, path: str, methods: list[Function]) -> list[Body]:
        """The methods of a module, and the functions to which they hand the module, each as the first of them runs it."""
        found = {id(method): Body(method, self.program.frame(path, method)) for method in methods}
        pending = list(found.values())
        while pending:
            body = pending.pop()
            for node in calls_of(body.function):
                call = node.term
                if not any(body.is_own(given) for given in (*call.args, *(value for _, value in call.kwargs))):
                    continue
                for target in self.program.ask(CallGraph).targets(call, body.frame):
                    if not isinstance(target, FunctionValue) or id(target.function) in found or body.frame.runs(target.function):
                        continue
                    inner = self.program.enter(target, call, body.frame)
                    handed = {name: each for name, each in inner.arguments.items() if isinstance(each, Argument)}
                    own = frozenset(name for name, each in handed.items() if each.frame is body.frame and body.is_own(each.term))
                    found[id(target.function)] = Body(target.function, inner, own)
                    pending.append(found[id(target.function)])
        return list(found.values())

    def _registers(self, cls: ClassValue) -> bool:
        return any(isinstance(base, Library) and base.name in self.knowledge.registers for base in self.program.lineage(cls))

    def _of_class(self, cls: ClassValue, bodies: list[Body]) -> Iterator[Kept]:
        by_hand: bool | None = None
        for body in bodies:
            for store in of_kind(body.function, Store):
                target = store.target
                if not isinstance(target, Attr) or not body.is_own(target.base):
                    continue
                made = self._written(store.value, body.frame)
                if not self._is_container(made.term):
                    continue
                items = tuple(self._items(store, made, bodies))
                found = [item for item in items if self._made_here(item, bodies)]
                if not found:
                    continue
                hidden = len(items) == 1 and items[0].call is None and isinstance(made.term, ItemDisplay)
                if hidden and not self._is_gone_through(store, bodies):
                    continue
                moded = not any(self._is_weighty(item) for item in found)
                if by_hand is None and not moded:
                    by_hand = self._is_by_hand(cls, bodies)
                of_parameters = all(self._is_parameter(item) for item in found)
                keyed = isinstance(made.term, Dict) or self._drawn_by_key(made.term)
                kept = Kept(
                    body.frame.module, target.name, body.function, store, tuple(found), keyed, of_parameters, hidden=hidden
                )
                kept = kept._replace(moded=moded)
                cared_for = self._is_switched(cls) if moded else by_hand
                if not cared_for and not (self._is_registered(cls, kept, bodies) or self._is_picked_from(cls, kept, bodies)):
                    yield kept._replace(becomes=self._becomes(kept, items, bodies))

    # -- what is in a container --------------------------------------------------------------------------------------

    def _written(self, value: Term, frame: Context) -> Argument:
        """Where a container is written down: a name that a loop binds is one that is filled where it stands."""
        here = isinstance(value, (Display, LoopPhi, Comprehension))
        return Argument(value, frame) if here else reaching_definition(self.program, value, frame)

    def _is_container(self, value: Term) -> bool:
        if isinstance(value, BinOp) and value.op in _JOINS:
            return any(self._is_container(part) for part in value.sides)
        return isinstance(value, (Display, LoopPhi, Comprehension))

    def _is_gone_through(self, store: Store, bodies: list[Body]) -> bool:
        """Whether a loop goes over the container: who hides one thing in it takes that out."""
        return any(self._is_it(loop.subject, store, body) for body in bodies for loop in of_kind(body.function, Loop))

    def _drawn_by_key(self, value: Term) -> bool:
        return isinstance(value, Comprehension) and value.key is not None

    def _items(self, store: Store, made: Argument, bodies: list[Body]) -> Iterator[Item]:
        """What the container holds when it is assigned, and what is put into it."""
        yield from (Item(term, made.frame) for term in self._inside(made.term))
        for body in bodies:
            same = any(each is store for each in of_kind(body.function, Store))
            for call in calls_of(body.function):
                callee = call.term.callee
                if isinstance(callee, Attr) and self._is_it(callee.base, store, body, same=same):
                    for term in self._put(call.term, callee.name):
                        yield from (Item(inner, body.frame, call.term) for inner in self._flat(term))
            for keep in of_kind(body.function, Keep):
                if isinstance(keep.target, Subscript) and self._is_it(keep.target.base, store, body, same=same):
                    yield from (Item(inner, body.frame) for inner in self._flat(keep.value))
                elif isinstance(keep.target, (LoopPhi, Attr)) and self._is_it(keep.target, store, body, same=same):
                    yield from (Item(inner, body.frame) for inner in self._inside(keep.value))

    def _is_it(self, term: Term, store: Store, body: Body, *, same: bool = False) -> bool:
        """Whether a term is the container: by its attribute, or, in the method that made it, as it was made (or drawn)."""
        if isinstance(term, Attr) and body.is_own(term.base):
            return isinstance(store.target, Attr) and term.name == store.target.name
        carried = isinstance(term, LoopPhi) and isinstance(store.value, LoopPhi) and term.place == store.value.place
        return same and (carried or (term is store.value and isinstance(term, (Display, Unknown, Call))))

    def _put(self, call: Call, method: str) -> list[Term]:
        """What a method puts into the object it is called on."""
        where = self.knowledge.gathers.get(method, "").rstrip("?")
        if where == "all":
            return list(call.args[:1])
        return [call.args[int(where)]] if where.isdigit() and len(call.args) > int(where) else []

    def _inside(self, value: Term) -> Iterator[Term]:
        """The items of what is written down as a container."""
        if isinstance(value, Comprehension):
            yield from self._flat(value.item)
        elif isinstance(value, Dict):
            for _, item in value.items:
                yield from self._flat(item)
        elif isinstance(value, ItemDisplay) and type(value.items) is tuple:
            for item in value.items:
                yield from self._flat(item)
        elif isinstance(value, BinOp) and value.op in _JOINS:
            for part in value.sides:
                yield from self._inside(part)

    def _flat(self, term: Term) -> Iterator[Term]:
        """An item, or the items of a container that is one."""
        if isinstance(term, (Display, Collected)):
            yield from self._inside(term)
        else:
            yield term

    # -- what an item is -------------------------------------------------------------------------------------------

    def _made_here(self, item: Item, bodies: list[Body]) -> bool:
        """Whether an item has weights, was made for the container, and is not an attribute as well."""
        if not isinstance(item.term, Call):
            return False  # handed over by somebody, or an attribute: who made it may have registered it
        for body in bodies:
            if any(store.value is item.term for store in of_kind(body.function, Store)):
                return False
        if any(item.term in call.term.args for call in calls_of(item.frame.function) if call.term is not item.call):
            return False  # something else is done with it
        values = self.program.values(item.term, item.frame)
        return bool(values) and all(self.has_weights(value) or self._has_modes(value) for value in values)

    def _is_weighty(self, item: Item) -> bool:
        return any(self.has_weights(value) for value in self.program.values(item.term, item.frame))

    def _has_modes(self, value: Value) -> bool:
        """Whether something is a module that drops in training: ``eval()`` has to reach it."""
        if isinstance(value, Instance) and not self._registers(ClassValue(value.module, value.cls)):
            return False
        return isinstance(value, (Instance, LibraryObject)) and self.program.ask(Moded).of_object(value) is True

    def _is_parameter(self, item: Item) -> bool:
        values = self.program.values(item.term, item.frame)
        return all(isinstance(value, LibraryObject) and value.name == self.knowledge.written["parameter"] for value in values)

    def has_weights(self, value: Value) -> bool:
        """Whether something is a parameter, or a module in which one is seen to be made."""
        return any(self._is_weighted(each) for each in innermost(self.program, [value], self._layers_of))

    def _layers_of(self, value: Value) -> list[Argument] | None:
        """What is made for a library's container of layers."""
        if not isinstance(value, LibraryObject) or value.name in self.knowledge.weights:
            return None
        holds = self.knowledge.kinds.get(value.name) == "layers"
        return [given for given in arguments_of(value) if isinstance(given.term, Call)] if holds else None

    def _is_weighted(self, value: Value) -> bool:
        if isinstance(value, LibraryObject):
            return value.name in self.knowledge.weights
        if not isinstance(value, Instance):
            return False
        return self._class_has_weights(ClassValue(value.module, value.cls))

    @remembered(False)
    def _class_has_weights(self, cls: ClassValue) -> bool:
        if not self._registers(cls):
            return False
        for module, method in methods_of(self.program, cls):
            frame = self.program.frame(module, method)
            made = (value for call in calls_of(method) for value in self.program.values(call.term, frame))
            if any(self.has_weights(value) for value in made):
                return True
        return False

    # -- who else takes care ---------------------------------------------------------------------------------------

    def _is_by_hand(self, cls: ClassValue, bodies: list[Body]) -> bool:
        """Whether a class registers things itself, hands out its parameters itself, or freezes some."""
        named = self.knowledge.parts_by_hand
        if any(self.program.method(cls, name) is not None for name in (*named, *self.knowledge.parallel_parts)):
            return True
        for method in (body.function for body in bodies):
            for call in calls_of(method):
                callee = call.term.callee
                name = callee.name if isinstance(callee, (Attr, Ref)) else ""
                if name in self.knowledge.registered_by_hand or (name in named and not _is_own(callee)):
                    return True
                if any(isinstance(part, Attr) and part.name in _TABLES for part in parts_of(call.term)):
                    return True
            for store in of_kind(method, Store):
                if isinstance(store.target, Attr) and store.target.name in (*self.knowledge.freezes, *_TABLES):
                    return True
        return False

    def _is_switched(self, cls: ClassValue) -> bool:
        """Whether a class sets the mode of what it holds itself."""
        switches = (*self.knowledge.evaluates, *self.knowledge.ends_evaluation)
        return any(self.program.method(cls, name) is not None for name in switches)

    def _is_registered(self, cls: ClassValue, kept: Kept, bodies: list[Body]) -> bool:
        """Whether the container is handed to something that may register it, or somebody asks its items for their parameters."""
        if kept.name in self._asked_by_hand():
            return True
        bound = self.program.stores(cls, kept.name)
        made = (self._written(value, self.program.frame(path, function)).term for path, function, value in bound)
        if any(not isinstance(value, Const) and not self._is_container(value) for value in made):
            return True  # it does not stay a container: it may be made into one that registers
        return any(self._is_handed_on(kept, body) for body in bodies) or self._is_looked_up(kept, bodies)

    def _is_picked_from(self, cls: ClassValue, kept: Kept, bodies: list[Body]) -> bool:
        """Whether the constructor takes an item out, and nothing reads the container later: the other items are dropped."""
        items = [item.term for item in kept.items]
        filling = [kept.store.value, *(item.call for item in kept.items)]
        roots_in = (
            (body, node, root)
            for body in bodies
            if self._constructs(body.function)
            for node in statements_of(body.function)
            if not (isinstance(node, (Store, Keep)) and self._holds(node.target, kept, body))
            for root in roots(node)
            if not any(root is each for each in filling)
        )
        picks = (
            any(part is item for item in items) or self._holds(part, kept, body)
            for body, node, root in roots_in
            for part in parts_of(root)
            if part is not root or not isinstance(node, CallStep)
        )
        if not any(picks):
            return False
        own = {each.cls.qualname for each in self.program.lineage(cls) if isinstance(each, ClassValue)}
        return all(
            self._constructs(function)
            for index in map(self.program.ask(Uses).glance, self.program.modules)
            for term in index.named(kept.name)
            if not (isinstance(term, Attr) and isinstance(term.base, Self) and term.base.cls not in own)
            for _, function in index.of[term]
        )

    def _holds(self, part: Term, kept: Kept, body: Body) -> bool:
        """Whether a term is an item of the container."""
        same = body.function is kept.function
        return isinstance(part, Subscript) and self._is_it(part.base, kept.store, body, same=same)

    @remembered(False)
    def _constructs(self, function: Function) -> bool:
        """Whether a function runs only while an object is constructed."""
        callers = self.program.ask(CallGraph).callers(function)
        return function.name in CONSTRUCTS or (bool(callers) and all(self._constructs(site.function) for site in callers))

    def _is_looked_up(self, kept: Kept, bodies: list[Body]) -> bool:
        """Whether an attribute gets what a method takes out of the container: ``self.net = self._choose(name)``."""
        index = self.program.ask(CallGraph)
        choosing = [body.function for body in bodies if self._is_taken_out([*self.program.returns(body.function)], kept, body)]
        made = (
            (store.value, body.frame)
            for body in bodies
            for store in of_kind(body.function, Store)
            if isinstance(store.target, Attr) and isinstance(store.value, Call)
        )
        targets = (each for call, frame in made if choosing and isinstance(call, Call) for each in index.targets(call, frame))
        return any(isinstance(each, FunctionValue) and each.function in choosing for each in targets)

    def _is_handed_on(self, kept: Kept, body: Body) -> bool:
        """Whether the container goes to what is no function of the language, or what is taken out of it into another one."""
        same = body.function is kept.function
        for call in calls_of(body.function):
            given = [*call.term.args, *(value for _, value in call.term.kwargs)]
            whole = [part for term in given for part in _wholes(term.of if isinstance(term, Star) else term)]
            named = [value.name for value in self.program.values(call.term.callee, body.frame) if isinstance(value, Library)]
            if any(self._is_it(term, kept.store, body, same=same) for term in whole):
                if not named or not all(name.startswith(_BUILTINS) for name in named):
                    return True
            elif self._takes_in(call.term, named) and self._is_taken_out(given, kept, body):
                return True
        others = (keep for keep in of_kind(body.function, Keep) if not self._is_it(keep.target, kept.store, body, same=same))
        return any(isinstance(keep.target, LoopPhi) and self._is_taken_out([keep.value], kept, body) for keep in others)

    def _takes_in(self, call: Call, named: list[str]) -> bool:
        """Whether a call makes a container of layers, or puts something into one, or into a list."""
        if any(name in self.knowledge.tables["registers.containers"]["names"] for name in named):
            return True
        return isinstance(call.callee, Attr) and call.callee.name in self.knowledge.gathers

    def _is_taken_out(self, given: list[Term], kept: Kept, body: Body) -> bool:
        """Whether one of some values is, or holds, something of the container: an item, or all of them."""
        same = body.function is kept.function
        return any(self._is_it(part, kept.store, body, same=same) for term in given for part in _holdings(term))

    def _asked_by_hand(self) -> set[str]:
        """The attributes whose items somebody asks for their parameters, wherever that is."""
        if self._cared_for is None:
            self._cared_for = set()
            index = self.program.ask(CallGraph)
            for method in (*self.knowledge.parts_by_hand, *self.knowledge.parallel_parts):
                for site in index.sites_named(method):
                    callee = site.call.term.callee
                    if isinstance(callee, Attr):
                        self._cared_for.update(part.name for part in parts_of(callee.base) if isinstance(part, Attr))
        return self._cared_for

    # -- what it can become ----------------------------------------------------------------------------------------

    def _becomes(self, kept: Kept, items: tuple[Item, ...], bodies: list[Body]) -> bool:
        """Whether a container that registers can stand in its place: for modules alone, and for what is done with it."""
        value = kept.store.value
        if isinstance(value, Dict):
            if not all(isinstance(key, Const) and isinstance(key.value, str) and "." not in key.value for key, _ in value.items):
                return False
        elif not isinstance(value, SequenceDisplay) and (kept.keyed or not isinstance(value, Comprehension)):
            return False
        frame = self.program.frame(kept.module, kept.function)
        if len(items) > len(kept.items) and not all(self._is_module(item.term, frame) for item in items):
            return False
        if kept.function.name == "__init__":
            begun = (
                call
                for call in calls_of(kept.function)
                if isinstance(call.term.callee, Attr) and call.term.callee.name == "__init__"
            )
            if not any(before(kept.function, call, kept.store) for call in begun):
                return False  # nothing can be registered before the module is set up
        for body in bodies:
            for call in calls_of(body.function):
                callee = call.term.callee
                if (
                    isinstance(callee, Attr)
                    and callee.name not in _SHARED
                    and self._is_it(callee.base, kept.store, body, same=body.function is kept.function)
                ):
                    return False
            if any(
                isinstance(keep.target, Subscript) and self._is_it(keep.target.base, kept.store, body)
                for keep in of_kind(body.function, Keep)
            ):
                return False
        return not any(isinstance(item.term, Display) for item in items)

    def _is_module(self, term: Term, frame: Context) -> bool:
        values = self.program.values(term, frame) if isinstance(term, Call) else ()
        return bool(values) and all(
            (isinstance(value, LibraryObject) and value.name.startswith(self.knowledge.written["layers"]))
            or (isinstance(value, Instance) and self._registers(ClassValue(value.module, value.cls)))
            for value in values
        )


def _wholes(term: Term) -> Iterator[Term]:
    """A term, and what it is a copy or a sum of."""
    yield term
    if isinstance(term, BinOp) and term.op in _JOINS:
        for part in term.sides:
            yield from _wholes(part)
    elif isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name.startswith(_BUILTINS) and term.args:
        yield from _wholes(term.args[0])
    elif isinstance(term, Subscript) and isinstance(term.key, (Slice, Unknown)):
        yield from _wholes(term.base)


def _holdings(term: Term) -> Iterator[Term]:
    """A term, what stands in it or is taken out of it, and no result of a call but those that only hand items out."""
    pending = [term]
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, Comprehension):
            pending += (part.of, part.item)
        elif isinstance(part, Call):
            is_view = isinstance(part.callee, Attr) and part.callee.name in _VIEWS
            pending += [part.callee.base] if isinstance(part.callee, Attr) and is_view else []
            pending += part.args if isinstance(part.callee, Ref) and part.callee.name.startswith(_BUILTINS) else ()
        elif isinstance(part, Subscript):
            pending.append(part.base)
        elif isinstance(part, (Element, Star)):
            pending.append(part.of)
        elif isinstance(part, Display) or (isinstance(part, BinOp) and part.op in _JOINS):
            pending += part.subterms()


def _is_own(callee: Term) -> bool:
    """Whether a method is called on the object itself: that is about all that it has registered."""
    return isinstance(callee, Attr) and (isinstance(callee.base, Self) or is_super(callee.base))


def unregistered(program: Program) -> Iterator[Kept]:
    """The containers of modules that hold unregistered weights."""
    yield from program.ask(Unregistered).kept()


class Use(NamedTuple):
    """What goes through a generator: where, under which tests, in which loops; ``last``: behind it the function may end."""

    module: str
    spot: Spot
    tests: Tests
    loops: tuple[Spot, ...]
    last: bool
    function: Function


class Exhausted(NamedTuple):
    """A generator (the call that makes it), and the two uses of it; one that is in a loop is both."""

    module: str
    made: Call
    first: tuple[str, Spot]
    second: tuple[str, Spot]
    statement: Spot


class _Uses:
    """The uses of one value in an activation and in what is handed it there, in the order in which they run."""

    def __init__(self, program: Program, frame: Context, wanted: Argument, made: Call) -> None:
        self.program = program
        self.wanted = wanted
        self.made = made
        self.found: list[Use] = []
        self.made_in: tuple[Spot, ...] = ()
        #: Whether a function of the project is handed it.
        self.lent = False
        self._block(frame.function.body, frame, (), (), last=False)

    def _block(self, block: Block, frame: Context, tests: Tests, loops: tuple[Spot, ...], *, last: bool) -> None:
        for node, around in placed(block):
            made = isinstance(node, CallStep) and node.term is self.made
            way = None
            if isinstance(node, CallStep) and not made:
                way = self._handed(node.term, frame)
            elif isinstance(node, Loop):
                way = self._way_to(node.subject, frame)
            if way is None and not made:
                continue
            inside = (*loops, *(arm.region.spot for arm in around if arm.is_repeated))
            led, ends = (*tests, *tests_in(around), *(way or ())), last or _may_end(around)
            if made:
                self.made_in = inside
            elif isinstance(node, CallStep):
                self._call(node.term, frame, led, inside, last=ends)
            else:
                self.found.append(Use(frame.module, node.spot, led, inside, ends, frame.function))

    def _way_to(self, term: Term, frame: Context) -> Tests | None:
        """By which answers to tests a term is the value: it may be bound anew in one arm. None where it is not."""
        if isinstance(term, Select):
            arms = [(self._way_to(arm, frame), holds) for arm, holds in zip(term.arms, (True, False), strict=True)]
            ways = [(*way, positive(term.test, holds=holds)) for way, holds in arms if way is not None]
            if len(ways) == 1:
                return ways[0]
        is_wanted = term is self.made or (type(term) is not Const and allocation(self.program, term, frame) == self.wanted)
        return () if is_wanted else None

    def _handed(self, call: Call, frame: Context) -> Tests | None:
        given = [*call.args, *(value for _, value in call.kwargs)]
        groups = [item for term in given if isinstance(term, List) and type(term.items) is tuple for item in term.items]
        given += [value for term in (*given, *groups) if isinstance(term, Dict) for _, value in term.items]
        return next((way for way in (self._way_to(term, frame) for term in given) if way is not None), None)

    def _call(self, call: Call, frame: Context, tests: Tests, loops: tuple[Spot, ...], *, last: bool) -> None:
        """A call that is handed the value: a library's goes through it, a function of the project does with it what it does."""
        values = self.program.values(call.callee, frame)
        named = [value.name for value in values if isinstance(value, Library)]
        looks = any(name in self.program.knowledge.looks_at for name in named)
        if named and len(named) == len(values) and not looks:
            self.found.append(Use(frame.module, call.site, tests, loops, last, frame.function))
        before_it, ways = self.found, list[list[Use]]()
        for target in self.program.ask(CallGraph).targets(call, frame):
            self.found = []
            if isinstance(target, FunctionValue) and not frame.runs(target.function):
                self.lent = True
                inner = self.program.enter(target, call, frame)
                self._block(target.function.body, inner, tests, loops, last=last)
            ways.append(self.found)
        one_of = len(values) > 1 and bool(ways)  # which one runs is not known: as often as any does
        self.found = [*before_it, *(min(ways, key=len) if one_of else (use for way in ways for use in way))]


def _may_end(around: Around) -> bool:
    """Whether the function may end behind what stands in these blocks."""
    return any(
        ends_early(arm.block) if isinstance(arm.region, If) else isinstance(arm.region, Try) and bool(arm.region.handlers)
        for arm in around
    )


def exhausted(program: Program) -> Iterator[Exhausted]:
    """Each generator of parameters that is gone through twice."""
    index = program.ask(CallGraph)
    seen: set[Term] = set()
    for name in sorted(program.knowledge.handed_out_once):
        for site in index.sites_named(name.rpartition(".")[2]):
            if _is_generator(program, site.module, site.function, site.call.term, name):
                for each in (site, *_returning(program, site)):
                    found = _twice(program, site, each) if each.call.term not in seen else None
                    if found is not None:
                        seen.add(each.call.term)
                        yield found


def _returning(program: Program, made: CallSite) -> Iterator[CallSite]:
    """The calls of functions that hand out what a call makes, and no list of it: each makes one of its own."""
    found = {made: None}
    waiting = [made]
    while waiting:
        site = waiting.pop(0)
        entered = {node.value for node in of_kind(site.function, Yield)} if site.function.generator else set[Term | None]()
        if site.call.term in entered or {*program.returns(site.function)} == {site.call.term}:
            above = [each for each in program.ask(CallGraph).callers(site.function) if each not in found]
            found.update(dict.fromkeys(above))
            waiting += above
            yield from above


def _is_generator(program: Program, module: str, function: Function, call: Call, name: str) -> bool:
    """Whether a call makes a generator, or an iterator over one (``filter``)."""
    values = program.values(call.callee, program.frame(module, function))
    if "." in name:
        makers = program.knowledge.handed_out_once
        inner = any(isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in makers for part in call.args)
        return inner and bool(values) and all(isinstance(value, Library) and value.name == name for value in values)
    if not isinstance(call.callee, Attr):
        return False
    methods = [value.function for value in values if isinstance(value, FunctionValue)]
    methods = methods or [method for _, method in program.methods_named(name, module)]
    return all(method.generator for method in methods)


def _twice(program: Program, maker: CallSite, site: CallSite) -> Exhausted | None:
    """Two uses of what a call makes, or of what it has from the function that makes it."""
    made, frame = site.call.term, program.frame(site.module, site.function)
    wanted = Argument(made, frame)
    if site is not maker:
        wanted = allocation(program, made, frame)
        inner = [each for each in program.ask(CallGraph).targets(made, frame) if isinstance(each, FunctionValue)]
        if inner and inner[0].function.generator:  # a context manager: what it hands to the block
            wanted = Argument(maker.call.term, program.enter(inner[0], made, frame))
    uses = _Uses(program, frame, wanted, made)
    for number, use in enumerate(uses.found):
        if len(use.loops) > len(uses.made_in) and use.loops[: len(uses.made_in)] == uses.made_in and not use.last:
            return Exhausted(site.module, made, use[:2], use[:2], site.call.statement)
        for later in uses.found[number + 1 :]:
            if _both(use, later):
                return Exhausted(site.module, made, use[:2], later[:2], site.call.statement)
    sure = next((use for use in uses.found if not use.tests and not use.loops), None)
    elsewhere = (
        sure is not None and site.function.name == "__init__" and (site is not maker or uses.lent or _is_kept(program, site))
    )
    others = _other_methods(program, site, wanted) if elsewhere else iter(())
    return next(
        (Exhausted(site.module, made, sure[:2], use[:2], site.call.statement) for use in others if sure is not None), None
    )


def _both(use: Use, later: Use) -> bool:
    """Whether two uses run in one go: not in two arms of a test, and not behind a way out."""
    if use.last or (use.function is later.function and within(use.function, use.spot, later.spot)):
        return False
    return meet(use.tests, later.tests)


def _is_kept(program: Program, site: CallSite) -> bool:
    """Whether a function puts anywhere what a call makes, or hands it to a method: what others make of it is something else."""

    def inside(term: Term) -> list[Term]:
        name = program.knowledge.canonical(dotted_name(term.callee) or "") if isinstance(term, Call) else None
        return term.subterms() if name is None or name in program.knowledge.transparent else []

    calls = [call.term for call in calls_of(site.function) if isinstance(call.term.callee, Attr)]
    put = (*stored(site.function), *(part for call in calls for part in call.subterms()[1:]))
    return any(part is site.call.term for value in put for part in parts_through(value, inside))


def _other_methods(program: Program, site: CallSite, wanted: Argument) -> Iterator[Use]:
    """The uses in other methods of the object whose ``__init__`` makes it."""
    cls = program.modules[site.module].classes.get(site.function.cls or "")
    for name in cls.methods.values() if cls is not None else ():
        method = program.modules[site.module].functions[name]
        if method is not site.function:
            yield from _Uses(program, program.frame(site.module, method), wanted, site.call.term).found

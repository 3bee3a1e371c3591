"""Def-use: what is done with an object, wherever it goes, and of what the terms of a file are parts.

The methods that are called on it, the attributes that are read, and whether it gets out of sight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from trainlint.ir.bindings import bindings, carried_values, ever_held, values_of
from trainlint.ir.nodes import (
    LITERALS,
    Asserted,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Display,
    Element,
    Entered,
    Global,
    ItemDisplay,
    Kwargs,
    LoopPhi,
    Not,
    Param,
    Ref,
    Select,
    Self,
    Star,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import in_block, loops_around
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Module, Statement, Store, Try, With, Yield
from trainlint.ir.terms import LEAVES, dotted_name, is_call_of, mentions, root_of
from trainlint.ir.walk import of_kind, roots, statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.callables import getters
from trainlint.program.contexts import own_then_called
from trainlint.program.handed_back import is_unknown, likely_arms
from trainlint.program.heap import bundled, fields_of, only_holds
from trainlint.program.loops import Loops
from trainlint.program.program import Program, calls_of
from trainlint.program.values import (
    WIDEST,
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

#: Of so many files all that each term is a part of is kept, whoever asked for it.
_FEW = 100
#: A term or statement of which something is a part, and the function in which that is.
_Place = tuple[Term | Statement, Function]

Kind = TypeVar("Kind", bound=Unknown)


class UseIndex:
    """Of one file: what each term is a part of, with the function and the statement in which that is."""

    def __init__(self, module: Module, getting: Collection[str]) -> None:
        self._getting = getting
        self._named: dict[str, list[tuple[int, Term]]] | None = None
        self._parameters: dict[tuple[str, str], list[Param]] | None = None
        # There are as many places as parts: one object is the place of all parts of a term, and a list is for several only.
        self.of: dict[Term, Sequence[_Place]] = {}
        for function in module.functions.values():
            seen: set[Term] = set()
            for node in statements_of(function):
                here = ((node, function),)
                for root in roots(node):
                    if root in self.of:
                        self._note(root, here)
                    else:
                        self.of[root] = here
                    self._below(root, function, seen)

    def named(self, name: str, *, got: bool = False) -> list[Term]:
        """Names and attributes of which this is the last part, in order; ``got``: calls that get one of any name, too."""
        if self._named is None:
            self._named = {}
            for number, term in enumerate(self.of):
                if isinstance(term, (Attr, Global, Ref)):
                    self._named.setdefault(term.name.rpartition(".")[2], []).append((number, term))
                elif is_call_of(term, *self._getting):
                    self._named.setdefault("", []).append((number, term))
        return [term for _, term in sorted((*self._named.get(name, ()), *(self._named.get("", ()) if got else ())))]

    def parameters(self) -> dict[tuple[str, str], list[Param]]:
        """What stands for each parameter, by its function and its name."""
        if self._parameters is None:
            self._parameters = {}
            for term in self.of:
                if isinstance(term, Param):
                    self._parameters.setdefault((term.function, term.name), []).append(term)
        return self._parameters

    def _below(self, root: Term, function: Function, seen: set[Term]) -> None:
        pending, places = [root], self.of
        while pending:
            term = pending.pop()
            if term in seen:
                continue
            seen.add(term)
            here = ((term, function),)
            for part in term.subterms():
                if part in places:
                    self._note(part, here)
                else:
                    places[part] = here
                if type(part) not in LEAVES and part not in seen:
                    pending.append(part)

    def _note(self, part: Term, here: tuple[_Place]) -> None:
        """A part that is one of something else, too."""
        known = self.of[part]
        if type(known) is list:
            known.append(here[0])
        else:
            self.of[part] = [*known, *here]


def made_in(function: Function, kind: type[Kind]) -> Iterator[Kind]:
    """The values of one kind that are made in a function, also for others of them, and for what its names hold."""
    if function.unknowns is None:
        function.unknowns = tuple(_unknowns(function))
    return (each for each in function.unknowns if isinstance(each, kind))


def _unknowns(function: Function) -> Iterator[Unknown]:
    pending = [term for node in statements_of(function) for term in roots(node)]
    pending += [*values_of(function), *function.defaults.values(), *function.decorators]
    pending += carried_values(function)
    seen: set[Term] = set()
    while pending:
        term = pending.pop()
        if term not in seen:
            seen.add(term)
            pending += term.made_of()
            if isinstance(term, Unknown):
                yield term


#: Questions about a thing that change nothing.
_ASKS = frozenset(f"builtins.{name}" for name in ("print", "len", "isinstance", "type", "repr", "str", "id", "bool", "hasattr"))
_GETS = "builtins.getattr"


class Use(NamedTuple):
    """All that is done: names of methods and attributes that are used of the thing, and whether it may go out of sight.

    ``given`` are the dotted names of libraries' functions and classes that are handed it; of a callee that nobody knows, its
    name with ``()``. ``classes`` are those whose objects hold it, ``functions`` those in which something of it is used.
    ``shared``: it has a name at the top level of a file that trains nothing when it is run; who imports that may use it, too.
    """

    methods: frozenset[str]
    escapes: bool
    given: frozenset[str]
    classes: tuple[ClassValue, ...]
    functions: tuple[tuple[str, Function], ...]
    shared: bool = False

    @property
    def to_libraries(self) -> bool:
        """Whether a function or class of a library is handed it."""
        return any(not name.endswith("()") for name in self.given)


class Uses:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._parents: dict[str, UseIndex] = {}
        self._carried: dict[str, dict[Term, list[Term]]] = {}
        self._of_classes: dict[Context, tuple[Context, ...]] = {}

    def parents(self, path: str) -> UseIndex:
        """The parents of the terms of a file."""
        known = self._parents.get(path)
        if known is None:
            known = self._parents[path] = self.glance(path)
        return known

    def glance(self, path: str) -> UseIndex:
        """The same for who goes over all files: what nobody has asked for is not kept of many: 100 MB of a million lines."""
        known = self._parents.get(path) or UseIndex(self.program.modules[path], (_GETS, *self.program.ask(getters)))
        if len(self.program.modules) <= _FEW:
            self._parents[path] = known
        return known

    def of(self, path: str, function: Function, node: CallStep, *, named: bool = False, called: bool = False) -> Use:
        """What is done with what a call of a function makes.

        ``named``: an attribute is taken to be asked for by its name, but for the file of its class. ``called``: that the thing
        itself is called, as models are, does not let it out of sight.
        """
        following = _Following(self, path, function, node.term, named=named, called=called)
        following.escapes = is_lost(function, node)
        return following.all()

    def carried(self, path: str) -> Mapping[Term, Sequence[Term]]:
        """Of one file: in what a term goes on that it is no part of, names that loops bind, parameters, comprehensions."""
        known = self._carried.get(path)
        if known is None:
            known = self._carried[path] = {}
            for term, other in self._carries(path):
                known.setdefault(term, []).append(other)
        return known

    def _carries(self, path: str) -> Iterator[tuple[Term, Term]]:
        named: dict[str, list[Term]] = {}
        parameters = self.parents(path).parameters()
        for term in self.parents(path).of:
            if isinstance(term, LoopPhi):
                named.setdefault(term.name, []).append(term)
        for function in self.program.modules[path].functions.values():
            for phi, held in function.phis.items():
                for end in (*held.looped, *([] if held.entry is None else [held.entry])):
                    yield from ((part, phi) for part in _one_of(end))
            for name, value in bindings(function):
                yield from ((value, other) for other in named.get(name, ()) if value is not other)
            for name, default in function.defaults.items():
                yield from ((default, each) for each in parameters.get((function.qualname, name), ())[-1:])
            for each in made_in(function, Unknown):
                if isinstance(each, (Comprehension, Star)):
                    yield from ((part, each) for part in each.made_of() if not isinstance(part, Const))

    def of_classes(self, frame: Context) -> tuple[Context, ...]:
        """A function on its own; where it is a method, or stands in one, also as one of an object of each derived class."""
        owner = frame.owner()
        if frame.caller is not None or not isinstance(owner, Instance) or owner.call is not None:
            return (frame,)
        known = self._of_classes.get(frame)
        if known is None:
            derived = self.program.derived(ClassValue(owner.module, owner.cls))
            known = self._of_classes[frame] = (frame, *(_run_by(frame, Instance(*each)) for each in derived))
        return known

    def receivers(self, name: str) -> frozenset[Call]:
        """The calls that made the objects of which a method of this name is called somewhere, as values say it."""
        return self.program.ask_of(_receivers, name)


def _run_by(frame: Context, owner: Instance) -> Context:
    """A function on its own, run by this object."""
    outer = None if frame.closure is None else _run_by(frame.closure, owner)
    return Context(frame.module, frame.function, receiver=owner if frame.receiver is not None else None, closure=outer)


def _receivers(program: Program, name: str) -> frozenset[Call]:
    found: set[Call] = set()
    for site in program.ask(CallGraph).sites_named(name):
        callee = site.call.term.callee
        if isinstance(callee, Attr):
            own, *called = own_then_called(program, site)
            frames = (*program.ask(Uses).of_classes(own), *called)
            values = (value for frame in frames for value in program.values(callee.base, frame))
            made = (value.call for value in values if isinstance(value, (LibraryObject, Instance)))
            found.update(call for call in made if call is not None)
    return frozenset(found)


class _Following:
    """One object on its way: forwards through what it may be or be in, as the values of these (:meth:`Program.values`) say.

    What stands for it, and what holds it, goes the same way: by the edges of the program, whoever calls. At each place its values
    decide which of both it is there, or whether it is something else.
    """

    def __init__(self, uses: Uses, path: str, function: Function, made: Call, *, named: bool, called: bool) -> None:
        self.uses = uses
        self.named = named
        self.called = called
        self.program = uses.program
        self.index = uses.program.ask(CallGraph)
        self.made = made
        self.kinds = {type(value) for value in self.program.values(made, self.program.frame(path, function))}
        self.pending: list[tuple[str, Term]] = [(path, made)]
        self.seen: set[tuple[str, Term]] = {(path, made)}
        self.methods: set[str] = set()
        self.given: set[str] = set()
        self.classes: list[ClassValue] = []
        self.functions: dict[tuple[str, Function], None] = {}
        self.attributes: set[tuple[str, str]] = set()
        self.applied: set[Function] = set()
        self.decorators: set[str] = set()
        self.escapes = False
        self.shared = False

    def all(self) -> Use:
        """Follow it to the end, or until it is out of sight."""
        while self.pending and not self.escapes:
            self._goes_by(*self.pending.pop())
        classes, functions = tuple(self.classes), tuple(self.functions)
        return Use(frozenset(self.methods), self.escapes, frozenset(self.given), classes, functions, self.shared)

    def _also(self, path: str, term: Term) -> None:
        if (path, term) not in self.seen:
            self.seen.add((path, term))
            self.pending.append((path, term))

    def _goes_by(self, path: str, term: Term) -> None:
        module = self.program.modules[path]
        for top, held in module.names.items():
            if held is term or _is_one_of(held, term):
                self._global(path, top)
        for cls in module.classes.values():
            for name, bound in cls.attributes.items():
                if bound is term:
                    self._kept(ClassValue(path, cls), name, of_class=True)
        for other in self.uses.carried(path).get(term, ()):
            self._also(path, other)
        for parent, function in self.uses.parents(path).of.get(term, ()):
            frame = self.program.frame(path, function)
            may_be = self._is_perhaps(term, frame)
            if may_be or self._holds_perhaps(term, frame):
                if isinstance(parent, Term):
                    self._inside(term, parent, frame, may_be)
                else:
                    self._stands(term, parent, frame)

    # -- what it is at a place -------------------------------------------------------------------------------------

    def _values(self, term: Term, frame: Context) -> list[Value]:
        """What a term may stand for; in a method, of whatever class the object is."""
        return [value for where in self.uses.of_classes(frame) for value in self.program.values(term, where)]

    def _is_perhaps(self, term: Term, frame: Context) -> bool:
        """Whether a term may be the object: where it is one of more than are told apart, it may be any of their kind."""
        values = self._values(term, frame)
        many = len(values) >= WIDEST and not self.kinds.isdisjoint(map(type, values))
        return many or any(self._may_be(value) for value in values)

    def _holds_perhaps(self, term: Term, frame: Context) -> bool:
        return any(self._may_hold(value) for value in self._values(term, frame))

    def _may_be(self, value: Value) -> bool:
        """Whether a value is the object, or nobody knows what it is."""
        if isinstance(value, (LibraryObject, Instance)):
            return value.call is self.made or (value.call is None and type(value) in self.kinds)
        if not isinstance(value, Unresolved) or isinstance(value.term, LITERALS) or self.program.propagation.holds(value):
            return False
        return not isinstance(value.term, Call) or not bundled(self.program, value.term, value.frame)

    def _may_hold(self, value: Value) -> bool:
        """Whether a value is something that may have the object in it."""
        if isinstance(value, LibraryObject):
            known = self.program.knowledge
            return value.name in known.callables or value.name in known.bundles or self.program.propagation.holds(value)
        return isinstance(value, (Instance, FunctionValue)) or (
            isinstance(value, Unresolved) and not isinstance(value.term, Const)
        )

    # -- where it stands -------------------------------------------------------------------------------------------

    def _stands(self, term: Term, node: Statement, frame: Context) -> None:
        """A statement that is about the thing itself."""
        path, function = frame.module, frame.function
        if isinstance(node, (CallStep, If)):
            return
        if isinstance(node, (Exit, Yield)):
            if isinstance(node, Yield) or node.kind == "return":
                self._returned(path, function)
            else:
                self.escapes = True
        elif isinstance(node, (Store, Keep)):
            target = node.target
            if node.value is not term:
                if isinstance(target, Attr) and target.base is term and self._is_perhaps(term, frame):
                    self.methods.add(target.name)
            elif isinstance(node, Keep) and (isinstance(target, Subscript) or node.kind == "AugAssign"):
                self._put(target.base if isinstance(target, Subscript) else target, frame)
            elif isinstance(target, Attr):
                self._attribute(target, frame)
            elif isinstance(target, Global):
                self._global(path, target.name)
            elif isinstance(target, LoopPhi):
                self._also(path, target)
            else:
                self.escapes = True
        elif self._is_it(term, frame):
            self.escapes = True

    def _inside(self, term: Term, parent: Term, frame: Context, may_be: bool) -> None:
        """A larger expression in which it stands."""
        if isinstance(parent, Attr):
            if may_be:
                self.methods.add(parent.name)
                self.functions[frame.module, frame.function] = None
            if not self._is_it(term, frame):
                self._also(frame.module, parent)
        elif isinstance(parent, Call):
            if parent.callee is term:
                self.escapes = self.escapes or (may_be and not self.called and self._is_it(term, frame))
                self._also(frame.module, parent)
            self._handed(term, parent, frame)
        elif isinstance(parent, (Compare, Not)) or (isinstance(parent, Select) and parent.test is term):
            return
        elif isinstance(parent, (Select, BoolOp, Asserted, Display, Subscript, Element, Entered, BinOp)):
            self._also(frame.module, parent)
        else:
            self.escapes = True

    def _is_it(self, term: Term, frame: Context) -> bool:
        """Whether something is the object and nothing else, so that its parts are not the object."""
        values = self._values(term, frame)
        return all(isinstance(value, (LibraryObject, Instance)) and value.call is self.made for value in values)

    # -- where it goes ---------------------------------------------------------------------------------------------

    def _global(self, path: str, name: str) -> None:
        """A name of the top level: used by the functions of its file, and by files that take it out of that."""
        whole = self.program.modules[path].functions["<module>"]
        if not self.program.ask(Loops).says(path, whole, whole.body, self.program.knowledge.training):
            self.shared = True
        for other in self._beside(path):
            for term in self.uses.parents(other).named(name):
                if isinstance(term, Attr) and isinstance(term.base, Self):
                    continue  # an object's own attribute, which no file is
                if other == path or not isinstance(term, Global) or self.program.modules[other].stars:
                    self._also(other, term)

    def _put(self, container: Term, frame: Context) -> None:
        """Something is put into a container: whoever has the container has it, where the container was constructed and here."""
        while True:
            self._also(frame.module, container)
            if not isinstance(container, (Subscript, Element)):
                break
            container = container.stem
        for value in self.program.values(container, frame):
            if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                self._also(value.frame.module, value.call)
                self.escapes = self.escapes or not self.program.propagation.holds(value)
            elif isinstance(value, Instance):
                self._in_object(ClassValue(value.module, value.cls), value.call, value.frame)
            elif isinstance(value, Unresolved) and isinstance(value.term, Param):
                self._put_by_callers(value.term, value.frame)
            elif isinstance(value, Unresolved) and self.program.propagation.holds(value):
                self._also(value.frame.module, value.term)
            else:
                self.escapes = True

    def _put_by_callers(self, parameter: Param, frame: Context) -> None:
        holder = frame.holder(parameter.function)
        sites = self.index.callers(holder.function) if holder is not None else []
        self.escapes = self.escapes or not sites
        for site in sites:
            caller = self.program.frame(site.module, site.function)
            for target in self.index.targets(site.call.term, caller):
                if isinstance(target, FunctionValue) and holder is not None and target.function is holder.function:
                    bound = self.program.enter(target, site.call.term, caller).arguments.get(parameter.name)
                    if isinstance(bound, Argument) and (bound.frame.module, bound.term) not in self.seen:
                        self._put(bound.term, bound.frame)

    def _in_object(self, cls: ClassValue, call: Call | None, frame: Context | None) -> None:
        """Objects of a class of the project are indexed like containers: what that puts into them its methods are given."""
        if call is not None and frame is not None:
            self._also(frame.module, call)
        method = self.program.method(cls, "__setitem__")
        if method is None:
            self.escapes = self.escapes or not self._is_container(cls)
            return
        for name in method[1].parameters[2:3]:
            self._parameter(method[0], method[1], name)

    def _parameter(self, path: str, function: Function, name: str) -> None:
        for other in self.uses.parents(path).parameters().get((function.qualname, name), ()):
            self._also(path, other)

    def _handed(self, term: Term, call: Call, frame: Context) -> None:
        if self._takes_its_place(term, call, frame):
            return
        given = term in call.args or any(value is term for _, value in call.kwargs)
        targets = self.index.targets(call, frame)
        callee = call.callee
        inside = any(isinstance(target, FunctionValue) for target in targets)
        if given and not inside and isinstance(callee, Attr) and callee.name in self.program.propagation.flows:
            self._also(frame.module, call)
            if callee.name in self.program.propagation.fills:
                self._put(callee.base, frame)
            return
        if isinstance(callee, Param) and callee.function in self.decorators:
            self._also(frame.module, call)
        elif not targets and given:
            values = self.program.values(callee, frame)
            if any(self._may_hold(value) for value in values if isinstance(value, LibraryObject)):
                self._also(frame.module, call)
            elif not self._is_field(term, call, frame):
                self.given.add(f"{last_name(callee) or ''}()")
        for target in targets:
            if isinstance(target, FunctionValue):
                self._enters(target, term, call, frame, given)
            elif given:
                self._handed_to_library(target.name, call, frame)

    def _handed_to_library(self, name: str, call: Call, frame: Context) -> None:
        """A function of a library: what it gives may be or hold the object, what it calls is given it (``map``)."""
        known = self.program.knowledge
        if any(name in each for each in (self.program.propagation.flows, known.transparent, known.callables, known.entered)):
            self._also(frame.module, call)
            if name in self.program.propagation.into:
                self._put(call.args[self.program.propagation.into[name]], frame)
            if name in known.callables:
                return
            for given in call.args:
                for value in self.program.values(given, frame):
                    if isinstance(value, FunctionValue):
                        self.applied.add(value.function)
                        for parameter in value.function.parameters:
                            self._parameter(value.module, value.function, parameter)
        elif name not in _ASKS:
            self.given.add(name)

    def _enters(self, target: FunctionValue, term: Term, call: Call, frame: Context, given: bool) -> None:
        """A function of the project: parameters that are given what is followed are followed."""
        function = target.function
        if frame.runs(function):
            return
        inner = self.program.enter(target, call, frame)
        passed = [name for name, bound in inner.arguments.items() if self._is_followed(bound)]
        for name in passed:
            self._parameter(target.module, function, name)
        rest = any(self._is_followed(bound) for bound in inner.rest or ())
        if rest and function.variadic is not None:
            self._also(target.module, function.variadic)
        surplus = any(self._is_followed(bound) for bound in inner.surplus.values())
        for other in self.uses.parents(target.module).of if surplus else ():
            if isinstance(other, Kwargs) and other.function == function.qualname:
                self._also(target.module, other)
        spread = isinstance(term, Star) and inner.rest is None
        self.escapes = self.escapes or (given and (spread or not (passed or rest or surplus)))
        self._decorated(target)

    def _is_followed(self, bound: Argument | Value) -> bool:
        if not isinstance(bound, Argument):
            return False
        path, term = bound.frame.module, bound.term
        taken = isinstance(term, Subscript) and (path, term.base) in self.seen  # out of what is passed on (``**parts``)
        if not taken and (path, term) not in self.seen:
            return False
        return self._is_perhaps(*bound) or self._holds_perhaps(*bound)

    def _decorated(self, target: FunctionValue) -> None:
        """What stands around a function gets what that is given: functions that decorators of the project return."""
        module = self.program.modules[target.module]
        outer = module.functions.get(target.function.outer or "<module>", module.functions["<module>"])
        around = self.program.frame(target.module, outer)
        for value in [value for each in target.function.decorators for value in self.program.values(each, around)]:
            inner = self.program.frame(value.module, value.function) if isinstance(value, FunctionValue) else None
            if isinstance(value, FunctionValue):
                self.decorators.add(value.function.qualname)
            results = self.program.returns(value.function) if isinstance(value, FunctionValue) else ()
            for result in [each for term in results if inner is not None for each in self.program.values(term, inner)]:
                if isinstance(result, FunctionValue):
                    self.applied.add(result.function)
                    for name in result.function.parameters:
                        self._parameter(result.module, result.function, name)
                    if result.function.variadic is not None:
                        self._also(result.module, result.function.variadic)
                elif not (isinstance(result, Unresolved) and isinstance(result.term, Param)):
                    self.escapes = True
            self.escapes = self.escapes or not isinstance(value, (FunctionValue, Library, LibraryObject))

    def _takes_its_place(self, term: Term, call: Call, frame: Context) -> bool:
        """Whether an unknown call hands the thing back, under a test, to the name or the attribute that holds it."""
        parents = self.uses.parents(frame.module).of
        for parent, _ in parents.get(call, ()):
            if isinstance(parent, Select) and likely_arms(self.program, parent, frame) == (term,):
                return True
            if isinstance(parent, Store) and is_unknown(self.program, call, frame):
                others = (each for each, _ in parents.get(term, ()))
                if any(isinstance(each, Store) and each.target is parent.target for each in others):
                    return True
        return False

    def _returned(self, path: str, function: Function) -> None:
        """What a function returns or yields: the calls that run it; of a property its name; of what Python calls, the object."""
        cls = self.program.modules[path].classes.get(function.cls or "")
        own = ClassValue(path, cls) if cls is not None else None
        if own is not None and not self._is_plain(own):
            self.escapes = True
        elif own is not None and function.kind == "property":
            self._kept(own, function.name)
        elif own is not None and function.name.startswith("__"):
            for name in sorted(self.index.derived_names(own.cls.name)):
                for site in self.index.sites_named(name):
                    self._also(site.module, site.call.term)
        else:
            sites = self.index.callers(function)
            if own is not None:  # perhaps of an object that is known by what it can do (a protocol, a base class)
                sites = list(dict.fromkeys((*sites, *self.index.sites_named(function.name))))
            at = [(site.call.term, self.program.frame(site.module, site.function)) for site in sites]
            takers = [(call, where) for call, where in at if self._is_perhaps(call, where) or self._holds_perhaps(call, where)]
            self.escapes = self.escapes or not (takers or function in self.applied)
            for call, where in takers:
                self._also(where.module, call)

    # -- attributes ------------------------------------------------------------------------------------------------

    def _attribute(self, target: Attr, frame: Context) -> None:
        """An attribute holds it, of the object itself or of another one of the project, or of a class, which is global."""
        values = self.program.values(target.base, frame)
        if isinstance(target.base, Self):
            cls = self.program.modules[frame.module].classes.get(target.base.cls)
            values = () if cls is None else (Instance(frame.module, cls),)
        if not values or not all(isinstance(value, (Instance, ClassValue)) for value in values):
            self.escapes = True
            return
        for value in values:
            assert isinstance(value, (Instance, ClassValue))
            self._kept(ClassValue(value.module, value.cls), target.name, of_class=isinstance(value, ClassValue))

    def _kept(self, own: ClassValue, name: str, *, of_class: bool = False) -> None:
        """Objects of a class keep it, or the class: all attributes of that name count, but of objects of unrelated classes."""
        path = own.module
        if not self._is_plain(own):
            self.escapes = True
            return
        if (path, name) in self.attributes:
            return
        self.attributes.add((path, name))
        if of_class:
            self.shared = True
        else:
            self.classes.append(own)
        getting = self.program.ask(getters)
        for other in self._beside(path):
            for term in self.uses.parents(other).named(name, got=True):
                if isinstance(term, Attr):
                    if self._may_be_of(term.base, other, own):
                        self._also(other, term)
                elif is_call_of(term, _GETS) and len(term.args) > 1 and not self._is_of_library(term.args[0], other):
                    unknown = not self._is_listed(term.args[1], name, own) and (not self.named or other == path)
                    self.escapes = self.escapes or (unknown and not _delegates(term.args[1]))
                    if _names(term.args[1], name):
                        self._also(other, term)
                elif is_call_of(term, *getting) and any(_names(given, name) for given in term.args):
                    self._also(other, term)

    def _is_listed(self, given: Term, name: str, own: ClassValue) -> bool:
        """Whether a name is written down, or one of a list that is, which the object keeps as it is: then it is not ``name``."""
        if not isinstance(given, Element) or not isinstance(given.of, Attr) or not isinstance(given.of.base, Self):
            return isinstance(given, Const)
        kept = given.of.name
        lists = [stored for cls in (own, *self.program.derived(own)) for _, _, stored in self.program.stores(cls, kept)]
        written = all(
            isinstance(each, ItemDisplay) and all(isinstance(item, Const) and item.value != name for item in each.items)
            for each in lists
        )
        parents = [self.uses.parents(other) for other in self._beside(own.module)] if lists and written else []
        uses = ((place, term) for index in parents for term in index.named(kept) for place, _ in index.of[term])
        return bool(parents) and all(
            isinstance(place, (Element, Loop)) or (isinstance(place, Store) and place.target is term) for place, term in uses
        )

    def _is_of_library(self, term: Term, path: str) -> bool:
        """Whether something is a module or class of a library, which has no attribute of the project."""
        found = self.program.lookup(path, term.name) if isinstance(term, Ref) else None
        return isinstance(found, Library) and not found.name.startswith("<project>")

    def _is_field(self, term: Term, call: Call, frame: Context) -> bool:
        """Whether it becomes a field of an object of the project that only holds it, which goes on with it."""
        made = self.program.values(call.callee, frame)
        if made and all(isinstance(value, ClassValue) and self._is_container(value) for value in made):
            self._also(frame.module, call)
            return True
        if not only_holds(self.program, call, frame):
            return False
        for value in made:
            if not isinstance(value, ClassValue) or not self._is_plain(value):
                return False
            fields = zip(fields_of(self.program, value), call.args, strict=False)
            names = [name for name, given in (*fields, *call.kwargs) if given is term and name is not None]
            if not names:
                return False
            self._also(frame.module, call)
            for name in names:
                self._kept(value, name)
        return bool(made)

    def _beside(self, path: str) -> Iterable[str]:
        """The files that belong together with one."""
        return [other for other in self.program.modules if self.program.together(path, other)]

    def _may_be_of(self, base: Term, path: str, own: ClassValue) -> bool:
        if not isinstance(base, Self):
            return True
        cls = self.program.modules[path].classes.get(str(base.cls))
        if cls is None:
            return True
        other = ClassValue(path, cls)
        return own in self.program.lineage(other) or other in self.program.lineage(own)

    def _is_plain(self, cls: ClassValue) -> bool:
        """Whether no library may use what an object of a class has: it is derived from none, or from a container."""
        known = self.program.knowledge
        above = {each.name for each in self.program.lineage(cls) if isinstance(each, Library)}
        return above <= known.plain_bases | known.module_bases | self.program.propagation.flows.keys()

    def _is_container(self, cls: ClassValue) -> bool:
        """Whether a class is derived from a container of a library, and constructed as that is."""
        above = (each.name for each in self.program.lineage(cls) if isinstance(each, Library))
        return self.program.method(cls, "__init__") is None and any(name in self.program.propagation.flows for name in above)


def is_comprehension(node: Loop) -> bool:
    """Whether a loop is that of a comprehension."""
    return node.kind == "for" and not node.names


def is_lost(function: Function, node: CallStep) -> bool:
    """Whether a name may hold the thing behind a test or a loop, and the sketch says no more of it than that it holds something.

    That is so where another arm does not bind the name. What stands in a statement of its own nobody holds.
    """
    if any(is_comprehension(each) for each in loops_around(function, node.term)):
        return True
    regions = [each for each in statements_of(function) if isinstance(each, (If, Loop, Try, With))]
    led = any(node.statement == each.spot or in_block(function, (each,), node) for each in regions)
    if node.statement == node.term.site or not led:
        return False
    if any(mentions(term, node.term) for term in ever_held(function)):
        return False
    stored = [store.value for store in of_kind(function, Store)]
    stored += [each.value for each in of_kind(function, Exit) if each.value is not None]
    return not any(value is node.term or _is_one_of(value, node.term) for value in stored)


def _delegates(name: Term) -> bool:
    """Whether a name is what ``__getattr__`` is asked for: it is read where that is written."""
    return isinstance(name, Param) and name.function.rpartition(".")[2] == "__getattr__"


def _names(given: Term, name: str) -> bool:
    """Whether a written path of attributes has this name in it."""
    return isinstance(given, Const) and isinstance(given.value, str) and name in given.value.split(".")


def _is_one_of(whole: Term, part: Term) -> bool:
    return isinstance(whole, (Select, BoolOp)) and any(each is part for each in whole.subterms())


def _one_of(whole: Term) -> list[Term]:
    """A term, and what it may be one of."""
    return [whole, *(whole.subterms() if isinstance(whole, (Select, BoolOp)) else ())]


def made_by(program: Program) -> tuple[tuple[str, Function, CallStep, str], ...]:
    """Every call of a library's class or function that makes an optimizer or a scheduler: file, function, call, kind."""
    return tuple(_made_by(program))


def _made_by(program: Program) -> Iterator[tuple[str, Function, CallStep, str]]:
    knowledge = program.knowledge
    for path, function in program.functions():
        for node in calls_of(function):
            callee = node.term.callee
            if _is_of(callee, knowledge.optimizer_packages):
                dotted = dotted_name(callee)
                names = [] if dotted is None else [knowledge.canonical(dotted)]
            elif isinstance(callee, (Subscript, Call)) and (node.term.args or node.term.kwargs):  # one out of a table
                values = program.values(callee, program.frame(path, function))
                names = [value.name if isinstance(value, Library) else "" for value in values]
            else:
                continue
            if not (node.term.args or node.term.kwargs):
                continue
            kinds = set(map(knowledge.optimizer_kind, names))
            kind = kinds.pop() if len(kinds) == 1 else None
            if kind is not None:
                yield path, function, node, kind


def _is_of(callee: Term, libraries: Collection[str]) -> bool:
    """Whether something is imported from one of these packages, or an attribute of that."""
    root = root_of(callee)
    return isinstance(root, Ref) and root.name.partition(".")[0] in libraries

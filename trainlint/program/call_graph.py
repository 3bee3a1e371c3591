"""Who calls what: call sites by name, callees resolved on demand.

Calls are also those of ``functools.partial`` objects, of what a library calls in its own time, and those that name no
function: the methods that the language itself calls (``len(x)``, ``with``, ``for``), and what a loader iterates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple, TypeGuard

from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Or,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.terms import closure, is_call_of, parts_of, root_of
from trainlint.ir.walk import of_kind
from trainlint.program.callables import joined, partial_of, run_by
from trainlint.program.heap import fields_declared, held_by
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.scopes import is_rebound
from trainlint.program.software_tests import tests_software
from trainlint.program.stores import KeyedStores, key_of
from trainlint.program.values import (
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


def called_elsewhere(program: Program, value: Value) -> Iterator[tuple[Function, Context]]:
    """What runs when somebody out of sight calls a value: each function of the project, in an activation of it.

    A loader calls the ``collate_fn`` that it is given so, for example: its arguments are not known.
    """
    if isinstance(value, FunctionValue):
        frame = program.frame(value.module, value.function)
        if value.receiver is not None or value.closure is not None:
            receiver = value.receiver if value.receiver is not None else frame.receiver
            frame = Context(value.module, value.function, receiver=receiver, closure=value.closure or frame.closure)
        yield value.function, frame
        return
    if isinstance(value, Instance):
        method = program.method(ClassValue(value.module, value.cls), "__call__")
        if method is not None:
            yield method[1], program.instance_frame(value, *method)
        return
    partial = partial_of(value)
    for inner in program.values(partial.callee, partial.frame) if partial is not None else ():
        if isinstance(inner, FunctionValue) and partial is not None:
            yield inner.function, program.enter(inner, partial.applied, partial.frame)


#: What iterates an object, by its own name: ``next(sampler.__iter__())``.
ITER = "__iter__"
#: Shapes (table ``iterates``) of calls whose items are those of an argument; how many of them are looked through.
_HANDED_ON, _WRAPPED = ("same", "indexed", "zipped"), 4
#: What iterates an object.
_ITERATES = ("__iter__", "__next__")
#: The parameters by which a loader is given what draws its items in the process that iterates it.
_DRAWS = ("sampler", "batch_sampler")


def implicit_callees(program: Program, method: str, call: Call, frame: Context, wanted: set[int]) -> Iterator[FunctionValue]:
    """The methods (of those that are ``wanted``, by id) that ``len(x)`` and its like run of the objects they are handed."""
    for given in call.args:
        for owner in iterated(program, given, frame) if method in _ITERATES else _objects(program, given, frame):
            found = method_of(program, owner, method)
            if found is not None and id(found.function) in wanted:
                yield found


def _objects(program: Program, given: Term, frame: Context) -> Iterator[Instance]:
    """The objects of the project that a term stands for; what a library made of one (``list(x)``) is none."""
    if isinstance(given, Attr) and _keeps_items(program, given, frame):
        return
    if not isinstance(given, Call) or not any(isinstance(value, Library) for value in program.values(given.callee, frame)):
        yield from (value for value in program.values(given, frame) if isinstance(value, Instance))


def chained(program: Program, term: Term) -> Term | None:
    """What a method is called on that returns the object itself: the model in ``model.to(device)``."""
    if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in program.knowledge.fluent:
        return term.callee.base
    return None


def method_of(program: Program, owner: Instance, name: str) -> FunctionValue | None:
    """A method of an object."""
    found = program.method(ClassValue(owner.module, owner.cls), name)
    return FunctionValue(found[0], found[1], owner) if found is not None else None


class Managed(NamedTuple):
    """What one context manager of the project runs: a generator around its ``yield``, or two methods of an object."""

    generator: FunctionValue | None
    enter: FunctionValue | None = None
    leave: FunctionValue | None = None

    @property
    def begins(self) -> FunctionValue | None:
        """What runs when it is entered."""
        return self.generator or self.enter

    def frames(self, program: Program, item: Term, frame: Context) -> list[Context]:
        """The activations of all that it runs in a ``with`` on this term."""
        if self.generator is not None and isinstance(item, Call):
            return [program.enter(self.generator, item, frame)]
        sides = (each for each in (self.enter, self.leave) if each is not None)
        return [
            program.instance_frame(each.receiver, each.module, each.function)
            for each in sides
            if isinstance(each.receiver, Instance)
        ]


def iterated(program: Program, subject: Term, frame: Context, depth: int = 0) -> Iterator[Instance]:
    """The objects of the project that a loop over ``subject`` draws from: itself, behind ``enumerate``, a loader's sampler."""
    if isinstance(subject, Call) and depth < _WRAPPED:
        for callee in program.values(subject.callee, frame):
            if isinstance(callee, Library) and callee.name in program.knowledge.drains:
                return
            if isinstance(callee, Library) and program.knowledge.iterates.get(callee.name) in _HANDED_ON:
                for given in subject.args if program.knowledge.iterates[callee.name] == "zipped" else subject.args[:1]:
                    yield from iterated(program, given, frame, depth + 1)
                return
    bound = frame.given(subject) if isinstance(subject, Param) and depth < _WRAPPED else None
    if isinstance(bound, Argument):
        yield from iterated(program, bound.term, bound.frame, depth + 1)
        return
    if isinstance(subject, Attr) and _keeps_items(program, subject, frame):
        return
    values = program.values(subject, frame)
    if key_of(subject) is not None and all(isinstance(value, Unresolved) for value in values):
        values = program.ask(KeyedStores).under(subject, frame.module)
    for value in values:
        if isinstance(value, Instance):
            yield value
        elif isinstance(value, LibraryObject) and depth < _WRAPPED and program.knowledge.kinds.get(value.name) == "loader":
            yield from _drawn(program, value, depth)


def _keeps_items(program: Program, attribute: Attr, frame: Context) -> bool:
    """Whether an attribute holds what was drawn from something, once and for all (``self.items = list(source)``)."""
    for owner in program.values(attribute.base, frame):
        if isinstance(owner, Instance):
            for module, function, value in program.stores(ClassValue(owner.module, owner.cls), attribute.name):
                callees = program.values(value.callee, program.frame(module, function)) if isinstance(value, Call) else ()
                if any(isinstance(callee, Library) and callee.name in program.knowledge.drains for callee in callees):
                    return True
    return False


def _drawn(program: Program, loader: LibraryObject, depth: int) -> Iterator[Instance]:
    """The sampler of a loader."""
    if loader.call is None or loader.frame is None:
        return
    signature = program.knowledge.signatures.get(loader.name, [])
    for name in _DRAWS:
        given = next((value for key, value in loader.call.kwargs if key == name), None)
        if given is None and name in signature and len(loader.call.args) > signature.index(name):
            given = loader.call.args[signature.index(name)]
        if given is not None and not isinstance(given, Const):
            yield from iterated(program, given, loader.frame, depth + 1)


#: What a function is called that is handed to another one, without being called.
_HANDED = frozenset((Global, Nested, Ref))
#: Arguments that are no function, and hold none.
_NOTHING = frozenset((Const, Attr, Param, Call, *UNKNOWNS, LoopPhi, Self, Element, Subscript, Compare, BinOp, Kwargs))


class CallSite(NamedTuple):
    """One call in the program."""

    module: str
    function: Function
    call: CallStep


def methods_of(program: Program, cls: ClassValue) -> Iterator[tuple[str, Function]]:
    """The methods that a class of the project has, its own and those of its bases, also those that are overridden."""
    for each in program.lineage(cls):
        if isinstance(each, ClassValue):
            functions = program.modules[each.module].functions
            yield from ((each.module, functions[name]) for name in each.cls.methods.values())


_NAMED = frozenset((Attr, Param, Ref, Global))


def last_name(term: Term) -> str | None:
    """The last part of a callee's name: ``barrier`` for ``dist.barrier``."""
    if type(term) in _NAMED:  # most are
        return term.name.rpartition(".")[2]  # type: ignore[attr-defined, no-any-return]  # these have one
    kind = type(term)
    if kind is Call:
        return last_name(term.callee)  # type: ignore[attr-defined]  # it is a call
    if kind is Nested or kind is NestedClass:
        return term.name.rpartition(".")[2].rstrip("'")  # type: ignore[attr-defined, no-any-return]
    return None


def called(term: Term) -> str:
    """The last part of a name, also of one that a loop changes; empty for what has none."""
    return term.name if isinstance(term, LoopPhi) else last_name(term) or ""


#: The method that a call of an object runs.
_CALLED = "__call__"
_CONSTRUCTORS = ("__init__", "__post_init__")
#: How many calls up it is asked what the object is whose method is called.
_GIVEN = 2
#: What a ``with`` runs of an object.
SIDES = ("__enter__", "__exit__")
#: The methods that a call of an object runs: the first that it has.
_RUN = ("__call__", "forward")
#: Kinds of callees that are one thing, whatever happens.
_PLAIN = frozenset((Ref, Global, Attr, Param, Self, Nested))
#: Of these, those that are what their name says.
BY_NAME = frozenset((Ref, Global, Attr))


#: Callees that say themselves what is called; and what may hold a function, and is nothing else.
_SAYS = frozenset((Ref, Nested, NestedClass, Param, Self))
_HOLDS = frozenset((List, Tuple, Dict, Select, Or, And))
_MENTIONS = _HOLDS | {Ref}
#: What may stand for something that goes by a name.
_MEANS = frozenset((Call, Attr, Ref, Global, Nested, NestedClass, Select, Or, And))
#: What an attribute is set to by who makes it there.
_MADE = (Const, BinOp, Compare)


def _is_passed_on(value: Term) -> bool:
    """Whether something that is stored may be a function that somebody else passed, and not what is constructed there."""
    if isinstance(value, Call):
        return not isinstance(value.callee, Ref) or last_name(value.callee) == "field"
    return not isinstance(value, _MADE)


def _gets(term: Term) -> TypeGuard[Call]:
    """Whether this is ``getattr(thing, name)`` of a name that is not written there."""
    return is_call_of(term, "builtins.getattr") and len(term.args) > 1 and not isinstance(term.args[1], Const)


def is_own_call(program: Program, call: Call, frame: Context) -> bool:
    """Whether a function or method of the project runs, for all that is known of the callee."""
    return any(isinstance(value, FunctionValue) for value in program.values(call.callee, frame))


class CallGraph:
    """The call sites of a program by the callee's last name, and questions about callees."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sites: dict[str, list[CallSite]] = {}
        self.aliases: dict[str, set[str]] = {}
        self.handed: dict[str, list[CallSite]] = {}
        #: Calls of an item of something: no name says what is called.
        self.items: list[CallSite] = []
        #: Calls of what a call returned: ``chosen(HOOKS, key)(path)``; the names of functions in dicts, or returned.
        self.results: list[CallSite] = []
        #: Calls of what a function was given: ``scaler(loss, optimizer)``.
        self.given: list[CallSite] = []
        #: Functions (by id) that call what has no name of its own: a parameter, an item, what a call returned.
        self.nameless: set[int] = set()
        self.shelved: set[str] = set()
        #: The attributes in which functions keep what they are given, or an item: it may be called so (``self.hook = hook``).
        self.kept: set[str] = set()
        #: Functions by the name of a function that is the default of a parameter of theirs: file, function, parameter, default.
        self.defaults: dict[str, list[tuple[str, Function, str, Term]]] = {}
        #: Files that speak of a function of a library without calling it, by the last part of its name.
        self._passed_on: dict[str, set[str]] | None = None
        #: By file: what its functions pass, return, keep or have as a default, where that may be a function of a library.
        self._handing: dict[str, list[Term]] = {}
        #: By file: the calls whose callee no name says, each with what it may run of libraries, by the last part of the name.
        self._nameless: dict[str, list[tuple[CallSite, set[str]]]] = {}
        self._chosen: dict[int, list[CallSite]] | None = None
        self._handed_to: set[str] | None = None
        #: Calls of the attribute of something whose name is not written there: ``getattr(callback, hook)(trainer)``.
        self._by_key: list[CallSite] = []
        self._hooks: dict[Call, list[Attr]] | None = None
        self._derived: dict[str, list[str]] | None = None
        #: Methods (by id) that a function of the language may run and that matter: ``len(data)`` is a call of such a ``__len__``.
        self.asked: set[int] = set()
        self.protocols = program.knowledge.protocols
        #: What makes a callable that calls another one first, by the last part of the name.
        makes = program.knowledge.callables.items()
        self.partials = {name.rpartition(".")[2] for name, does in makes if does in ("calls", "binds")}
        self._modules: dict[Function, str] = {}
        for path, function in program.functions():
            self._modules[function] = path
            self._read(function, path)
        for module in program.modules.values():
            for name, term in module.names.items():
                self._alias(name, term)
                if isinstance(term, Dict):
                    self.shelved.update(last_name(value) or "" for _, value in term.items if value is not None)
            for cls in module.classes.values():
                for name, term in cls.attributes.items():
                    if isinstance(term, Call) and last_name(term.callee) in self.partials:
                        self._alias(name, term)

    def _read(self, function: Function, path: str) -> None:
        handing = self._handing.setdefault(path, [])
        for call in calls_of(function):
            self._index(path, function, call, handing)
        for parameter, default in function.defaults.items():
            handing.append(default)
            if isinstance(default, (Global, Nested)):
                self.defaults.setdefault(default.name.rpartition(".")[2], []).append((path, function, parameter, default))
        for node in of_kind(function, Store):
            assert isinstance(node.target, (Attr, Global, LoopPhi))
            handing.append(node.value)
            self._alias(node.target.name, node.value)
            if isinstance(node.target, Attr) and isinstance(node.value, (Param, Subscript)):
                self.kept.add(node.target.name)
            elif isinstance(node.value, SequenceDisplay):  # ``self.steps = (self.forward, self.update)``
                own = (each for each in node.value.values if isinstance(each, Attr) and isinstance(each.base, Self))
                self.shelved.update(each.name for each in own)
        handing += [node.value for node in of_kind(function, Keep) if type(node.value) in _MENTIONS]
        for value in self.program.returns(function):
            handing.append(value)
            if type(value) in _HANDED:
                self.shelved.add(last_name(value) or "")
        if function.kind == "property":
            self.kept.add(function.name)

    def _index(self, path: str, function: Function, call: CallStep, handing: list[Term]) -> None:
        term = call.term
        kind = type(term.callee)
        name = term.callee.name if isinstance(term.callee, Attr) else last_name(term.callee)
        site = CallSite(path, function, call)
        if name is not None:
            self._sites.setdefault(name, []).append(site)
        for given in term.args:
            if type(given) not in _NOTHING:
                handing.append(given)
                self._hand(given, site)
        for _, given in term.kwargs:
            if type(given) not in _NOTHING:
                handing.append(given)
                self._hand(given, site)
        if kind not in BY_NAME:
            self.nameless.add(id(function))
            if kind is Self:  # ``cls()`` makes an object of the class
                of_class = function.cls if function.kind == "classmethod" else None
                self._sites.setdefault(_CALLED if of_class is None else of_class.rpartition(".")[2], []).append(site)
            elif kind is Param:
                self.given.append(site)
        if kind in _PLAIN:
            return
        if isinstance(term.callee, (Subscript, Element)):
            self.items.append(site)
        elif isinstance(term.callee, Call):
            self.results.append(site)
            if _gets(term.callee):
                self._by_key.append(site)
            if held_by(self.program.knowledge.hands_out, term.callee) is not None:
                self.items.append(site)
        self._index_arms(site, name)

    def _index_arms(self, site: CallSite, name: str | None) -> None:
        """A call of one of several things is one of each."""
        whole = site.call.term.callee
        for callee in self.alternatives(whole):
            other = last_name(callee)
            if other is not None and other != name:
                self._sites.setdefault(other, []).append(site)
            if isinstance(callee, Call) and callee is not whole:
                self.results.append(site)

    def _hand(self, given: Term, site: CallSite) -> None:
        for part in given.items if isinstance(given, SequenceDisplay) and type(given.items) is tuple else self._handed(given):
            if type(part) in _HANDED:
                self.handed.setdefault(last_name(part) or "", []).append(site)

    def _handed(self, given: Term) -> Iterable[Term]:
        """What may be handed over: one thing, or one of several."""
        return self.alternatives(given) if isinstance(given, (Select, BoolOp)) else (given,)

    def alternatives(self, term: Term) -> Iterator[Term]:
        """What a term may name: each arm of a choice; of a partial, the function."""
        if isinstance(term, (Select, BoolOp)):
            for part in term.arms if isinstance(term, Select) else term.operands:
                yield from self.alternatives(part)
        elif isinstance(term, Call) and term.args and last_name(term.callee) in self.partials:
            yield from self.alternatives(term.args[0])
        elif _gets(term) and self._hooks:
            yield from self._hooks.get(term, (term,))
        else:
            yield term

    def _alias(self, name: str, value: Term) -> None:
        if type(value) not in _MEANS:
            return
        for part in self.alternatives(value):
            meaning = last_name(part)
            if meaning is not None and meaning != name and not isinstance(part, Param):
                self.aliases.setdefault(meaning, set()).add(name)

    @cached_property
    def sites(self) -> dict[str, list[CallSite]]:
        """Call sites by the last part of the name that they call, hooks among them by all names that are said for them."""
        if self._hooks is None:
            self._name_hooks()
        return self._sites

    @cached_property
    def names(self) -> frozenset[str]:
        """The names by which something is called or handed over, or that stand for something else: of others nothing is found."""
        return frozenset((*self.sites, *self.aliases, *self.handed))

    def sites_named(self, name: str) -> Iterator[CallSite]:
        """Call sites that go by this name, or by a name that was bound to it."""
        if name not in self.aliases:
            yield from self.sites.get(name, ())
            return
        for spelling in self.spellings(name):
            yield from self.sites.get(spelling, ())

    def _name_hooks(self) -> None:
        """Put the calls of ``getattr(callback, hook)`` under the names that those who call their functions say."""
        from trainlint.program.contexts import named_contexts

        hooks = self._hooks = dict[Call, list[Attr]]()
        for site in self._by_key:
            callee = site.call.term.callee
            assert isinstance(callee, Call)
            key, frames = callee.args[1], [self.program.frame(site.module, site.function)]
            if not isinstance(key, Element):  # ``for name in ORDER: getattr(self, name)()``
                if any(isinstance(part, (Call, Element, Subscript)) for part in parts_of(key)):
                    continue  # what is worked out is nothing that a caller says
                frames = named_contexts(self.program, site.module, site.function, _GIVEN)
            for value in [each for frame in frames for each in self.program.values(key, frame)]:
                name = value.term.value if isinstance(value, Unresolved) and isinstance(value.term, Const) else None
                hook = Attr.new(callee.args[0], name) if isinstance(name, str) else None
                if hook is not None and hook not in hooks.setdefault(callee, []):
                    hooks[callee].append(hook)
                    self._sites.setdefault(hook.name, []).append(site)

    def spellings(self, name: str) -> Iterator[str]:
        """A name, and the names that were bound to it."""
        if name not in self.aliases:
            yield name
            return
        yield from closure((name,), lambda each: self.aliases.get(each, ()))

    def sites_reaching(self, name: str) -> Iterator[CallSite]:
        """Call sites that go by this name, and those that may call what a library has by it, whatever they call it themselves.

        What they call is for ``targets`` to say.
        """
        seen: set[Call] = set()
        for site in (*self.sites_named(name), *self._called_without_name(name)):
            if site.call.term not in seen:
                seen.add(site.call.term)
                yield site

    def runs_of(self, names: Collection[str]) -> Iterator[tuple[CallSite, str]]:
        """The calls that run one of these functions of libraries and nothing else, whatever they call it; with its name."""
        lasts = sorted({name.rpartition(".")[2] for name in names})
        sites = {site.call.term: site for last in lasts for site in self.sites_reaching(last)}
        for call, site in sites.items():
            values = self.program.values(call.callee, self.program.frame(site.module, site.function))
            if len(values) == 1 and isinstance(values[0], Library) and values[0].name in names:
                yield site, values[0].name

    def passed_on(self, last: str) -> Collection[str]:
        """The files in which a function of a library, whose name ends so, is passed on, returned, kept or a default."""
        if self._passed_on is None:
            self._passed_on = self._mentions()
        return self._passed_on.get(last, ())

    def _called_without_name(self, last: str) -> Iterator[CallSite]:
        """Calls that may run a function of a library, taken out of an object, a container, or what a call returned."""
        together = {self.program.component(path) for path in self.passed_on(last)}
        for path in self.program.modules if together else ():
            if self.program.component(path) in together:
                yield from (site for site, runs in self._nameless_in(path) if last in runs)

    def _nameless_in(self, path: str) -> list[tuple[CallSite, set[str]]]:
        known = self._nameless.get(path)
        if known is None:
            known = self._nameless[path] = []
            for function in self.program.modules[path].functions.values():
                frame = self.program.frame(path, function)
                for call in calls_of(function):
                    if self._says_nothing(call.term.callee, path):
                        runs = (each for each in self.targets(call.term, frame) if isinstance(each, Library))
                        known.append((CallSite(path, function, call), {each.name.rpartition(".")[2] for each in runs}))
        return known

    def _says_nothing(self, callee: Term, path: str) -> bool:
        """Whether a callee may be a function of another name: what is taken out of something, or bound by several functions."""
        if isinstance(callee, Global):
            return is_rebound(self.program, path, callee.name)
        return callee.name in self._kept() if isinstance(callee, Attr) else type(callee) not in _SAYS

    @remembered()
    def _kept(self) -> frozenset[str]:
        """The attributes under which something is kept that was not made there: what may be a function that somebody passed."""
        found: set[str] = set()
        for _, function in self.program.functions():
            stores = of_kind(function, Store)
            found.update(node.target.name for node in stores if isinstance(node.target, Attr) and _is_passed_on(node.value))
            if function.kind == "property":
                found.add(function.name)
            for call in calls_of(function):
                found.update(fields_declared(self.program, call.term))
        for module in self.program.modules.values():
            for cls in module.classes.values():
                found.update(cls.fields)
                found.update(name for name, value in cls.attributes.items() if value is None or _is_passed_on(value))
        return frozenset(found)

    def _mentions(self) -> dict[str, set[str]]:
        """Where what libraries have is passed, returned, kept or a default, by the last part of its name."""
        found: dict[str, set[str]] = {}
        for path, module in self.program.modules.items():
            imported = {(taken.name, taken.dotted) for taken in module.taken}
            terms = (
                term for name, term in module.names.items() if not isinstance(term, Ref) or (name, term.name) not in imported
            )
            pending = [*terms, *self._handing.get(path, ())]
            for cls in module.classes.values():
                pending += cls.attributes.values()
            pending = [term for term in pending if type(term) in _MENTIONS]
            while pending:
                term = pending.pop()
                if isinstance(term, Ref):
                    found.setdefault(term.name.rpartition(".")[2], set()).add(path)
                elif type(term) in _HOLDS:
                    pending += term.subterms()
        self._handing.clear()  # nobody asks again
        return found

    def targets(self, call: Call, frame: Context) -> list[FunctionValue | Library]:
        """What a call runs: functions of the project (for a class its ``__init__``), or library names."""
        found: list[FunctionValue | Library] = []
        for value in self.program.values(call.callee, frame):
            if isinstance(value, (FunctionValue, Library)) and not self.asked:  # by far the most often
                found.append(value)
            else:
                found.extend(self._runs(value, call, frame))
        return found

    def _runs(self, value: Value, call: Call, frame: Context) -> Iterator[FunctionValue | Library]:
        program = self.program
        if isinstance(value, (FunctionValue, Library)):
            yield value
            if self.asked and isinstance(value, Library) and value.name in self.protocols:
                yield from implicit_callees(program, self.protocols[value.name], call, frame, self.asked)
        elif isinstance(value, Unresolved):
            if self.asked and isinstance(call.callee, Attr) and call.callee.name == ITER:  # of an object that a container holds
                owners = iterated(program, call.callee.base, frame)
                yield from (method for method in (method_of(program, owner, ITER) for owner in owners) if method is not None)
        elif isinstance(value, ClassValue):
            method = self._constructor(value)
            if method is not None:
                yield FunctionValue(method[0], method[1], Instance(value.module, value.cls, call, frame))
        elif isinstance(value, (Instance, LibraryObject)):
            for target, given in run_by(program, value, _RUN):
                if isinstance(target, (FunctionValue, Library)):
                    yield target
                elif isinstance(target, ClassValue) and (method := self._constructor(target)) is not None:
                    made = Instance(target.module, target.cls, *(joined(program, given, call, frame) or ()))
                    yield FunctionValue(method[0], method[1], made, given=given)

    def _constructor(self, cls: ClassValue) -> tuple[str, Function] | None:
        """The method of a class that constructs its objects; of a dataclass what completes them."""
        own = self.program.method(cls, "__init__")
        return self.program.method(cls, "__post_init__") if own is None and cls.cls.fields else own

    @remembered([])
    def callers(self, function: Function) -> list[CallSite]:
        """The call sites that run a function (for ``__init__``: that construct its class or a class derived from it).

        Tests of software call with stand-ins, and what they call is there for others: they only count for what is tests itself.
        """
        names = self.names_of(function)
        found = (site for name in names for site in self._runners(name).get(id(function), ()))
        known = list(dict.fromkeys(found))
        known += [site for site in self.choosers(function) if site not in known]
        if function.name in SIDES:
            sites = self.candidates(function)
            known += [site for site in sites if site not in known and self._entered_at(site, function)]
        return self._in_earnest(known, function)

    def _in_earnest(self, sites: list[CallSite], function: Function) -> list[CallSite]:
        """Those of the call sites that are no tests of what they call."""
        tests = {id(site.function) for site in sites if tests_software(self.program, site.module, site.function)}
        if not tests or id(function) in tests or tests_software(self.program, self.module_of(function), function):
            return sites
        return [site for site in sites if id(site.function) not in tests]

    @remembered([])
    def named_callers(self, function: Function) -> list[CallSite]:
        """The call sites that run a function by its name, as far as the functions of the sites say so themselves."""
        found = (site for name in self.names_of(function) for site in self._named_runners(name).get(id(function), ()))
        return self._in_earnest(list(dict.fromkeys(found)), function)

    @remembered({})
    def _named_runners(self, name: str) -> dict[int, list[CallSite]]:
        return self._run_by(self.sites_named(name))

    @remembered({})
    def _runners(self, name: str) -> dict[int, list[CallSite]]:
        """Of the call sites with this name, those that run each function (by its id)."""
        return self._run_by(self.sites_named(name), name)

    def choosers(self, function: Function) -> list[CallSite]:
        """The calls that run a function without its name: one of a dict, one that was returned, or one that an object keeps."""
        if not self.may_be_chosen(function):
            return []
        if self._chosen is None:
            self._chosen = self._run_by(self._choosing(), _CALLED)
        return self._chosen.get(id(function), [])

    def may_be_chosen(self, function: Function) -> bool:
        """Whether a function of this name is put, handed or kept somewhere, and may be run without its name."""
        name = function.name
        kept = name in self.shelved or name in self.handed or name in self.defaults
        return kept or name == _CALLED or bool(function.decorators)  # a decorator may keep it

    def chosen_in(self, functions: Collection[int]) -> set[int]:
        """The functions (by id) that some functions (by id) run without naming them."""
        return set(self._run_by(site for site in self._choosing() if id(site.function) in functions))

    def names_called_in(self, functions: Iterable[Function], only: Callable[[Call], bool] | None = None) -> set[str]:
        """The names by which some functions call something, as they are written there; ``only``: in such calls."""
        calls = (call.term for function in functions for call in calls_of(function))
        callees = [call.callee for call in calls if only is None or only(call)]
        named = ((callee,) if type(callee) in BY_NAME else (callee, *self.alternatives(callee)) for callee in callees)
        return {last_name(each) or "" for each in chain.from_iterable(named)}

    def _choosing(self) -> list[CallSite]:
        """The calls that do not name what they run."""
        named = (site for name in sorted(self.kept) for site in self.sites.get(name, ()))
        return [*self.items, *self.results, *self.given, *(site for site in named if isinstance(site.call.term.callee, Attr))]

    def _run_by(self, sites: Iterable[CallSite], name: str | None = None) -> dict[int, list[CallSite]]:
        """The call sites that run each function; of a method of that name as those say who call the function of the site."""
        from trainlint.program.contexts import named_contexts

        known: dict[int, list[CallSite]] = {}
        for site in sites:
            targets = self.targets(site.call.term, self.program.frame(site.module, site.function))
            callee = site.call.term.callee
            if not targets and name is not None and (isinstance(callee, (Attr, Element, Param)) or _gets(callee)):
                root = root_of(callee.args[0] if isinstance(callee, Call) else callee)
                given = isinstance(root, (Param, Self, Element)) and bool(self.program.methods_named(name, site.module))
                given = given or (name == _CALLED and isinstance(callee, Param) and self._is_handed_function(site.function))
                frames = named_contexts(self.program, site.module, site.function, _GIVEN) if given else ()
                targets = [target for frame in frames for target in self.targets(site.call.term, frame)]
                if not targets and isinstance(callee, Element) and isinstance(root_of(callee.of), Self):
                    frames = self._of_objects(site)
                    targets = [target for frame in frames for target in self.targets(site.call.term, frame)]
            for found in dict.fromkeys(id(target.function) for target in targets if isinstance(target, FunctionValue)):
                known.setdefault(found, []).append(site)
        return known

    def _is_handed_function(self, function: Function) -> bool:
        """Whether a function is called by a name by which something is handed a function of the project: ``run(step, batch)``."""
        if self._handed_to is None:
            own = {each.name for each in self._modules if each.cls is None}
            sites = (site for name, sites in self.handed.items() if name in own for site in sites)
            self._handed_to = {last_name(site.call.term.callee) or "" for site in sites}
        return function.name in self._handed_to

    def _of_objects(self, site: CallSite) -> list[Context]:
        """The activations of a method with the objects of its class, as they are constructed."""
        made: list[Instance] = []
        for name in sorted(self.derived_names((site.function.cls or "").rpartition(".")[2])):
            for where in islice(self.sites_named(name), _GIVEN):
                frame = self.program.frame(where.module, where.function)
                values = self.program.values(where.call.term, frame)
                made += [value for value in values if isinstance(value, Instance)]
        return [self.program.instance_frame(each, site.module, site.function) for each in made]

    def _entered_at(self, site: CallSite, function: Function) -> bool:
        return self.enters(site.call.term, self.program.frame(site.module, site.function), function)

    def enters(self, call: Call, frame: Context, function: Function) -> bool:
        """Whether a call makes an object whose ``__enter__`` or ``__exit__`` is this function (``with Guard():``)."""
        sides = (side for each in self.managed(call, frame) for side in (each.enter, each.leave))
        return any(side is not None and side.function is function for side in sides)

    def managed(self, item: Term, frame: Context) -> Iterator[Managed]:
        """What a ``with`` on this term runs, once for each manager of the project that it may be."""
        for target in self.targets(item, frame) if isinstance(item, Call) else ():
            if isinstance(target, FunctionValue) and target.function.generator:
                yield Managed(target)
        for value in self.program.values(item, frame):
            if isinstance(value, Instance):
                yield Managed(None, *(method_of(self.program, value, name) for name in SIDES))

    def candidates(self, function: Function) -> Iterator[CallSite]:
        """Call sites that may run a function, by name only."""
        for name in self.names_of(function):
            yield from self.sites_named(name)

    def names_of(self, function: Function) -> list[str]:
        """The names under which a function may be called."""
        if id(function) in self.asked:
            name = function.name
            return [name, *(said.rpartition(".")[2] for said, method in self.protocols.items() if method == name)]
        return self.called_as(function)

    def called_as(self, function: Function) -> list[str]:
        """The names by which a program itself calls a function."""
        name = function.name
        if name not in (*_CONSTRUCTORS, *SIDES) or function.cls is None:
            # What another function returned is called, too: ``synced(save)(path)``.
            outer = function.outer.rpartition(".")[2] if function.outer is not None else name
            return list(dict.fromkeys((name, outer)))
        return ["__init__", *sorted(self.derived_names(function.cls.rpartition(".")[2]))]

    def module_of(self, function: Function) -> str:
        """The file in which a function stands."""
        return self._modules[function]

    def objects_called(self, function: Function) -> Iterator[CallSite]:
        """Call sites that may call an object and so its ``forward`` or ``__call__``, by the names of its class only.

        Also of one that was moved: ``net = Net().cuda()``, ``net(x)``.
        """
        if function.cls is None or function.name not in ("forward", "__call__"):
            return
        for name in sorted(self.derived_names(function.cls.rpartition(".")[2])):
            yield from self.sites_named(name)
            yield from self._moved.get(name, ())

    @cached_property
    def _moved(self) -> dict[str, list[CallSite]]:
        """The calls of objects that a method returned which returns its object, by what made them."""
        found: dict[str, list[CallSite]] = {}
        for site in self.results:
            made, before = site.call.term.callee, chained(self.program, site.call.term.callee)
            while before is not None:
                made, before = before, chained(self.program, before)
            if made is not site.call.term.callee:
                found.setdefault(last_name(made) or "", []).append(site)
        return found

    def derived_names(self, own: str) -> set[str]:
        """The name of a class, and those of the classes that are derived from it."""
        if self._derived is None:
            self._derived = {}
            for module in self.program.modules.values():
                for cls in module.classes.values():
                    for base in cls.bases:
                        self._derived.setdefault(last_name(base) or "", []).append(cls.name)
        derived = self._derived
        return set(closure((own,), lambda name: derived.get(name, ())))


def only_carries(program: Program, call: Call, frame: Context, function: Function) -> bool:
    """Whether a call gives back a function that it is handed, or makes an object of the project: it does not wrap it."""
    return all(
        isinstance(made, Instance) or (isinstance(made, FunctionValue) and made.function is function)
        for made in program.values(call, frame)
    )

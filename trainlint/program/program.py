"""The linked program: modules, names, classes and values across files.

A term is followed to the values that it can stand for: through names, parameters, attributes, calls and items.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, TypeVar

from trainlint.config.target import ANY_VERSION, Target
from trainlint.documents.document import Documents
from trainlint.ir.control_dependence import Led
from trainlint.ir.nodes import (
    VARIABLES,
    And,
    Asserted,
    Attr,
    BoolOp,
    Call,
    Display,
    Element,
    Entered,
    Global,
    LoopPhi,
    Nested,
    NestedClass,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Module, Store, Try
from trainlint.ir.terms import Sayings, Terms, is_closed, is_none, is_super
from trainlint.ir.walk import is_abstract, of_kind
from trainlint.knowledge import Knowledge
from trainlint.program.arguments import ConstructorArguments, activation, gathered, item_given, kwargs_lookup
from trainlint.program.callables import descriptor, itself, of_function, of_library, results, taken
from trainlint.program.constant_branch import alternatives, led_by_parameters, may_run, returned
from trainlint.program.handed_back import likely
from trainlint.program.heap import MEMBER, field, holds_none, is_enumeration, kept_under, made_by_factory, member_with
from trainlint.program.imports import Components, ModuleFinder, described, hides, imported
from trainlint.program.library_types import Attributes, ExternalTypes, inherited, part_of_model
from trainlint.program.propagation import Propagation
from trainlint.program.scopes import entered_values, global_values, is_rebound, rebound_in, shared_values
from trainlint.program.values import (
    DEEPEST_CALL,
    MOST,
    WIDEST,
    Argument,
    ClassValue,
    Context,
    Cut,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    ModuleValue,
    Unresolved,
    Value,
    leave_unheld,
)

_Answer = TypeVar("_Answer")
_About = TypeVar("_About")

#: How many steps a value is followed (names, calls, attributes) before it counts as unknown: what the stack has room for.
DEEPEST = 1_000
TOO_FAR = f"a value is followed through {DEEPEST} names, calls and attributes"


class Program:
    """All lowered modules of a run. Everything asked of it is computed when first asked and then kept."""

    #: Called whenever it looks into functions or calls; may raise what ends the run.
    checkpoint: Callable[[], None] = staticmethod(lambda: None)

    def __init__(
        self,
        modules: Mapping[str, Module],
        finder: ModuleFinder,
        knowledge: Knowledge,
        outside: ExternalTypes | None = None,
        target: Target = ANY_VERSION,
    ) -> None:
        self.target = target
        self.modules = modules
        self._listed: tuple[Mapping[str, Module], list[tuple[str, Function]]] | None = None
        self.finder = finder
        self.knowledge = knowledge
        self.receiving = frozenset(knowledge.receivers.values())
        self.attributes = Attributes(knowledge, outside)
        self.closed: dict[Term, bool] = {}
        self.constructed = ConstructorArguments(self)
        self.propagation = Propagation(self)
        self._frames: dict[tuple[str, str], Context] = {}
        #: The frames of functions that were made of others (:mod:`~trainlint.program.inlining`).
        self.rewritten: dict[Function, Context] = {}
        self._lookups: dict[tuple[str, str], Value] = {}
        self._entered: dict[tuple[FunctionValue, Term, Context], Context] = {}
        self._bound: dict[tuple[int, Instance], Context] = {}
        self._returns: dict[int, list[Term]] = {}
        self._led: dict[int, dict[tuple[str, Term], list[Led]]] = {}
        self._stores: dict[tuple[str, str], dict[str, list[tuple[Function, Term]]]] = {}
        self._bases: dict[tuple[str, str], tuple[Value, ...]] = {}
        self._together: dict[tuple[str, str], list[tuple[str, Function]]] | None = None
        self._lineages: dict[tuple[str, str], tuple[ClassValue | Library, ...]] = {}
        self._resolving = 0
        #: What was not followed to its end, so that it can be said.
        self.cuts: dict[Cut, None] = {}
        #: How many activations were entered, and asked about, since somebody looked whether it takes too much room.
        self.unseen = 0
        self._derived: dict[int, list[ClassValue]] | None = None
        self._stored: dict[tuple[int, str], list[tuple[str, Function, Term]]] = {}
        self._class_names: frozenset[str] | None = None
        self._components: Components | None = None
        self._packages: dict[str, frozenset[str]] | None = None
        #: Terms that stand in no file.
        self.terms = Terms()
        #: Which expressions say the same, wherever they stand.
        self.sayings = Sayings()
        #: What was asked so far: by the question the answer, or the answers by what it was asked about.
        self.analyses: dict[Callable[..., object], Any] = {}
        #: By the name that answers go by (:attr:`Context.answers`): the class that found them, which can do so again, and the
        #: activations in which they are kept.
        self.remembering: dict[str, tuple[type, list[Context]]] = {}
        #: The files beside the Python.
        self.documents = Documents({}, lambda _: None)

    def ask(self, question: Callable[[Program], _Answer]) -> _Answer:
        """What an analysis (a class, or a function) says of this program: made when first asked for, and then kept."""
        try:
            return self.analyses[question]  # type: ignore[no-any-return]  # the answers of all questions are kept together
        except KeyError:
            answer = self.analyses[question] = question(self)
        return answer

    def answers(self) -> Collection[object]:
        """All that was asked for so far and is kept."""
        return self.analyses.values()

    def ask_of(self, question: Callable[[Program, _About], _Answer], about: _About) -> _Answer:
        """What a question says of one thing, a file, a function or a tuple of such: made when first asked for, and then kept."""
        try:
            return self.analyses[question][about]  # type: ignore[no-any-return]
        except KeyError:
            answers = self.analyses.setdefault(question, {})
        answer = answers[about] = question(self, about)
        return answer

    def shared(self) -> dict[str, Any]:
        """What another reading of the same program has in common with this one: all but what was asked."""
        return {name: value for name, value in vars(self).items() if name != "analyses"}

    def class_names(self) -> frozenset[str]:
        """What the project's own classes are called."""
        if self._class_names is None:
            names = (name for module in self.modules.values() for name in module.classes)
            self._class_names = frozenset(name.rpartition(".")[2] for name in names)
        return self._class_names

    # -- functions and frames --------------------------------------------------------------------------------------

    def functions(self) -> Sequence[tuple[str, Function]]:
        """Every function of every module (the top levels of files among them), with its module's path."""
        self.checkpoint()
        if self._listed is None or self._listed[0] is not self.modules:  # not of a part of the files
            listed = [(path, function) for path, module in self.modules.items() for function in module.functions.values()]
            self._listed = self.modules, listed
        return self._listed[1]

    def frame(self, module: str, function: Function) -> Context:
        """The function on its own: nothing known of its arguments."""
        key = (module, function.qualname)
        frame = self.rewritten.get(function) or self._frames.get(key)
        if frame is None:
            closure = None
            if function.outer is not None:
                outer = self.modules[module].functions.get(function.outer)
                closure = self.frame(module, outer) if outer is not None else None
            receiver: Value | None = None
            if function.cls is not None and function.kind != "static":
                cls = self.modules[module].classes.get(function.cls)
                if cls is not None:
                    receiver = ClassValue(module, cls) if function.kind == "classmethod" else Instance(module, cls)
            frame = self._frames[key] = Context(module, function, receiver=receiver, closure=closure, cuts=self.cuts)
        return frame

    def enter(self, target: FunctionValue, call: Call, caller: Context) -> Context:
        """The frame of one call of a function (the same object whenever the same call is asked about)."""
        key = (target, call, caller)
        known = self._entered.get(key)
        if known is None:
            self.checkpoint()
            known = self._entered[key] = activation(self, target, call, caller)
            self.unseen += 1
        return known

    def entered(self) -> Iterator[Context]:
        """The activations that were asked about until now."""
        yield from (*self._frames.values(), *self.rewritten.values(), *self._entered.values(), *self._bound.values())

    def leave(self, begun: Collection[Context]) -> None:
        """Forget the activations to which calls lead from these, and what was found out there."""
        for key, frame in list(self._entered.items()):
            first = frame
            while first.caller is not None:
                first = first.caller
            if first in begun:
                del self._entered[key]
                frame.empty()
        for frame in begun:
            frame.empty()

    def leave_unheld(self) -> None:
        """Forget the activations that nothing else holds."""
        leave_unheld(self._entered)

    def take_apart(self) -> None:
        """Let everything go at once: parts of it hold each other, and would be there until garbage is collected."""
        for frame in self.entered():
            frame.empty()
        vars(self).clear()

    def returns(self, function: Function, frame: Context | None = None) -> list[Term]:
        """The terms a function may return; in one activation those that no test keeps it from."""
        known = self._returns.get(id(function))
        if known is None:
            known = [node.value for node in of_kind(function, Exit) if node.kind == "return" and node.value is not None]
            known = self._returns[id(function)] = returned(function) if known[1:] and of_kind(function, Try) else known
        if frame is None or not frame.depth or not known[1:]:
            return known
        return [term for term in known if self._may_run(function, "", term, frame)]

    def _may_run(self, function: Function, name: str, value: Term, frame: Context) -> bool:
        """Whether an activation may come to a statement that keeps a value under a name, or returns it."""
        known = self._led.get(id(function))
        if known is None:
            known = self._led[id(function)] = led_by_parameters(function)
        ways = known.get((name, value))
        return ways is None or any(may_run(self, each, frame) for each in ways)

    # -- names -----------------------------------------------------------------------------------------------------

    def lookup(self, importer: str, dotted: str) -> Value:
        """What an imported dotted name means in file ``importer``: something of the project, or of a library."""
        key = (importer, dotted)
        found = self._lookups.get(key)
        if found is None:
            self._lookups[key] = Library(self.knowledge.canonical(dotted.lstrip(".")))  # ends import cycles
            found = self._lookups[key] = self._lookup(importer, dotted)
        return found

    def _lookup(self, importer: str, dotted: str) -> Value:
        name = dotted.lstrip(".")
        dots = dotted[: len(dotted) - len(name)]
        parts = name.split(".") if name else []
        for count in range(len(parts), -1 if dots else 0, -1):
            path = self.finder.find(importer, dots + ".".join(parts[:count]))
            if path is None or (count == len(parts) and hides(self.modules, self.finder, path)):
                continue
            value: Value | None = ModuleValue(path)
            for part in parts[count:]:
                value = self._part(value, part) if value is not None else None
            if value is not None:
                return value if dots else described(self, importer, value, name)
            if path != importer:
                return Library(f"<project>.{name}")
        return Library(self.knowledge.canonical(name))

    def _part(self, value: Value, name: str) -> Value | None:
        """A member, also of an object that another file makes on its top level (``from comm import world; world.rank``)."""
        if not isinstance(value, Unresolved) or not isinstance(value.term, (Call, Attr)):
            return self.member(value, name)
        return Unresolved(self.terms.make(Attr, value.term, name), value.frame)

    def member(self, value: Value, name: str) -> Value | None:
        """Attribute ``name`` of a module or class of the project, or of something of a library."""
        if isinstance(value, ModuleValue):
            return self.module_member(value.module, name, set())
        if isinstance(value, ClassValue):
            method = self.method(value, name)
            if method is not None:
                bound = value if method[1].kind == "classmethod" else None
                return FunctionValue(method[0], method[1], bound)
            found = self.class_attribute(value, name)
            return Unresolved(found[1], found[0]) if found is not None else None
        if isinstance(value, Library):
            return Library(self.knowledge.canonical(f"{value.name}.{name}"))
        return None

    def module_member(self, path: str, name: str, seen: set[str]) -> Value | None:
        """What a name of a file means. ``seen`` takes the files looked into: none is twice, however many take all from it."""
        module = self.modules.get(path)
        if module is not None and path not in seen:
            seen.add(path)
            if name in module.functions and name in module.names:
                return FunctionValue(path, module.functions[name])
            if name in module.classes and name in module.names:
                return ClassValue(path, module.classes[name])
            term = module.names.get(name)
            if term is not None:
                if isinstance(term, Ref):
                    return self.lookup(path, term.name)
                return Unresolved(term, self.frame(path, module.functions["<module>"]))
            for star in module.stars:
                source = self.finder.find(path, star)
                found = self.module_member(source, name, seen) if source is not None else None
                if found is not None:
                    return found
        if path.endswith("__init__.py"):
            inner = self.finder.find(path, "." + name)
            if inner is not None:
                return ModuleValue(inner)
        return None

    # -- values ----------------------------------------------------------------------------------------------------------

    def values(self, term: Term, frame: Context, depth: int = 0) -> tuple[Value, ...]:
        """What a term can stand for. More than one value means: one of them; unknown parts come as :class:`Unresolved`."""
        known = frame.values.get(term)
        if known is None:
            if depth > DEEPEST:
                frame.cut(TOO_FAR)
                return (Unresolved(term, frame),)
            alone = frame.alone
            frame.values = frame.values or {}  # a table of its own
            if alone is not None and is_closed(term, self.closed):
                known = frame.values[term] = self.values(term, alone, depth)
                return known
            frame.values[term] = (Unresolved(term, frame),)
            found = list(dict.fromkeys(islice(self._follow(term, frame, depth + 1), MOST)))[:WIDEST]
            if not found and term not in self.propagation.nowhere:
                found = [Unresolved(term, frame)]
            known = frame.values[term] = tuple(likely(self, found, depth + 1) if len(found) > 1 else found)
        return known

    def _follow(self, term: Term, frame: Context, depth: int) -> Iterator[Value]:
        return self._FOLLOWED.get(type(term), Program._as_it_stands)(self, term, frame, depth)

    def _called(self, term: Call, frame: Context, depth: int) -> Iterator[Value]:
        home = frame.around(term.site) if frame.closure is not None else frame
        return self._result(term, frame, depth) if home is frame else iter(self.values(term, home, depth))

    def _imported(self, term: Ref, frame: Context, depth: int) -> Iterator[Value]:
        found = self.lookup(frame.module, term.name)
        place = rebound_in(self, term, found, frame)
        return global_values(self, *place, term, frame, depth) if place is not None else self._settled(found, depth)

    def _one_of(self, term: Select | BoolOp, frame: Context, depth: int) -> Iterator[Value]:
        for part in alternatives(term, frame, self):
            yield from self.values(part, frame, depth)

    def _part_of(self, term: Subscript | Element, frame: Context, depth: int) -> Iterator[Value]:
        given = item_given(term, frame) if isinstance(term, Subscript) else frame.drawn.get(term) if frame.drawn else None
        return iter(self.values(*given, depth)) if given is not None else self.propagation.part(term, frame, depth)

    def _nested(self, term: Nested | NestedClass, frame: Context, _depth: int) -> Iterator[Value]:
        path, module, name = frame.module, self.modules[frame.module], term.name
        function = FunctionValue(path, module.functions[name], closure=frame) if isinstance(term, Nested) else None
        yield function or ClassValue(path, module.classes[name])

    def _as_it_stands(self, term: Term, frame: Context, _depth: int) -> Iterator[Value]:
        """What a function gathers in ``*args`` and ``**kwargs``; all else is what it is."""
        yield gathered(self, term, frame) or Unresolved(term, frame)

    def _own_object(self, term: Self, frame: Context, _depth: int) -> Iterator[Value]:
        owner = frame.owner()
        if owner is None:  # a static method that is handed its object
            cls = self.modules[frame.module].classes.get(term.cls)
            owner = Instance(frame.module, cls) if cls is not None else Unresolved(term, frame)
        yield owner

    def _settled(self, value: Value | None, depth: int) -> Iterator[Value]:
        """A looked-up value; what another module's variable stands for is followed there."""
        if isinstance(value, Unresolved):
            yield from self.values(value.term, value.frame, depth)
        elif value is not None:
            yield value

    def _global(self, term: Global, frame: Context, depth: int) -> Iterator[Value]:
        if is_rebound(self, frame.module, term.name):
            top = self.frame(frame.module, self.modules[frame.module].functions["<module>"])  # the same for all functions
            here = frame is top
            yield from global_values(self, frame.module, term.name, term, top, depth) if here else self.values(term, top, depth)
            return
        found = self.module_member(frame.module, term.name, set())
        meant = self.knowledge.starred.get(term.name) if found is None and self.modules[frame.module].stars else None
        if meant is not None:
            yield Library(meant)
        elif found is None or (isinstance(found, Unresolved) and found.term is term):
            yield Unresolved(term, frame)
        else:
            yield from self._settled(found, depth)

    def _parameter(self, term: Param, frame: Context, depth: int) -> Iterator[Value]:
        holder = frame.holder(term.function)
        bound = holder.arguments.get(term.name) if holder is not None else None
        if bound is None:
            default = holder.function.defaults.get(term.name) if holder is not None else None
            if holder is not None and default is not None and holder.depth:
                yield from self.values(default, holder.closure or self.frame(holder.module, holder.function), depth)
                if holder.call is not None and (holder.open or holder.rest is None):
                    yield Unresolved(term, holder)  # perhaps given by ``*`` or ``**``
            else:
                yield from self._annotated(term, holder or frame)
        elif isinstance(bound, Argument):
            yield from self.values(bound.term, bound.frame, depth)
        else:
            yield bound

    def _annotated(self, term: Param, frame: Context) -> Iterator[Value]:
        """A parameter that nobody is seen to pass: an object of the class that its annotation names."""
        annotation = frame.function.annotations.get(term.name) if frame.function.qualname == term.function else None
        if annotation is not None:
            around = self.modules[frame.module].classes.get(frame.function.cls or "")
            if around is not None and isinstance(annotation, Global):  # it may name a class in the body of that class
                annotation = around.attributes.get(annotation.name) or annotation
            for value in self.values(annotation, self.frame(frame.module, frame.function)):
                if isinstance(value, ClassValue):
                    yield Instance(value.module, value.cls)
                    return
                if isinstance(value, Library) and not value.name.startswith(("builtins.", "typing.", "<project>")):
                    yield LibraryObject(value.name, None, None)
                    return
        yield Unresolved(term, frame)

    def _attribute(self, term: Attr, frame: Context, depth: int) -> Iterator[Value]:
        name = term.name
        behind = self._behind(name, frame) if type(term.base) is Call and is_super(term.base) else None
        for base in (behind,) if behind is not None else self.values(term.base, frame, depth):
            if isinstance(base, (ModuleValue, ClassValue, Library)):
                found = self.member(base, name)
                later = tuple(self._made_later(base, name, depth)) if isinstance(base, ClassValue) and holds_none(found) else ()
                yield from later or (self._settled(found, depth) if found is not None else (Unresolved(term, frame),))
            elif isinstance(base, LibraryObject):
                held = self.propagation.field(base, term, frame, depth) if base.name in self.propagation.flows else ()
                yield from held or (Library(self.attributes.name(base.name, name)),)
            elif isinstance(base, Instance):
                found_there = self.of_instance(base, name, term, frame, depth) if name != "__class__" else iter((base.of_class,))
                yield from self._on_this_object(found_there, frame) if is_super(term.base) else found_there
            elif isinstance(base, Unresolved) and isinstance(base.term, Display):
                yield Unresolved(term, frame)
            elif (
                isinstance(base, Unresolved)
                and isinstance(base.term, Call)
                and (given := self.propagation.field(base, term, frame, depth))
            ):
                yield from given
            else:
                assumed = self.assumed(base.term, frame.module) if isinstance(base, Unresolved) else None
                own = None if assumed else self.unique_method(name, frame.module) or part_of_model(self, term, frame)
                if isinstance(own, FunctionValue) and (member := member_with(self, own, base)) is not None:
                    yield from self.of_instance(member, name, term, frame, depth)
                else:
                    yield Library(f"{assumed}.{name}") if assumed else own or Unresolved(term, frame)

    def _made_later(self, cls: ClassValue, name: str, depth: int) -> Iterator[Value]:
        """What a class method puts where the class body has None: the one object of ``cls._instance = cls()``."""
        for module, function, value in self.stores(cls, name):
            if function.kind == "classmethod" and isinstance(value, Call):
                yield from self.values(value, self.frame(module, function), depth)

    def assumed(self, term: Term, module: str) -> str | None:
        """The library class that a receiver's mere name stands for by convention (``accelerator``) in the file ``module``.

        It stands for nothing in a project that has a class of that name itself, and a name that things of many kinds
        have (``trainer``) for nothing in one that does not import the library.
        """
        name = term.name if isinstance(term, VARIABLES) else None
        known = self.knowledge.receivers.get(name) if isinstance(name, str) else None
        if known is None or known.rpartition(".")[2] in self.class_names():
            return None
        return known if name not in self.knowledge.shared_receivers or known.partition(".")[0] in self.packages(module) else None

    def of_instance(self, instance: Instance, name: str, term: Term, frame: Context, depth: int) -> Iterator[Value]:
        """Attribute ``name`` of an object: a method, a property's result, what was stored, or the library base's."""
        cls = ClassValue(instance.module, instance.cls)
        method = self.method(cls, name)
        if method is not None:
            module, function = method
            if function.kind == "property" and frame.follows(function):
                inner = self.instance_frame(instance, module, function)
                for value in self.returns(function, inner):
                    yield from self.values(value, inner, depth)
            elif function.kind == "property":
                yield Unresolved(term, frame)
            else:
                # Of an object of which only the class is known, what does nothing is not what runs where others stand for it.
                others = self._of_derived(instance, name) if is_abstract(function) else ()
                yield from others or (FunctionValue(module, function, cls if function.kind == "classmethod" else instance),)
            return
        if name == MEMBER and instance.call is not None and instance.frame is not None and is_enumeration(self, cls):
            yield from self.values(instance.call.args[0], instance.frame, depth) if instance.call.args else ()
            return
        stored, empty = self._kept(instance, name, depth)
        found = bool(stored)
        yield from stored
        if not found and instance.call is not None and instance.frame is not None:
            passed_for = field(self, instance.call, name, instance.frame, depth)
            if passed_for is not None:
                found = True
                yield from self.values(passed_for, instance.frame, depth)
        for given, where in kept_under(self, instance, name, depth) if not found and instance.call is not None else ():
            found = True
            yield from self.values(given, where, depth)
        attribute = self.class_attribute(cls, name) if not found else None
        if attribute is not None:
            held = self.values(attribute[1], attribute[0], depth)
            empty, found = (empty, True) if not all(map(holds_none, held)) else ([*held], False)  # "not yet"
            for kept in held if found else ():
                yield from descriptor(self, kept, instance, name)
        for given, where in self.constructed.set_by_others(instance, name) if not found and instance.call is not None else ():
            found = True
            yield from self.values(given, where, depth)
        if empty and not found:
            yield from empty
        elif not found:
            named = self.propagation.by_name(instance, name, term, frame, depth) or tuple(inherited(self, cls, name))
            others = () if named else self._of_derived(instance, name)
            yield from named or (others if 0 < len(others) <= WIDEST else (Unresolved(term, frame),))

    def _kept(self, instance: Instance, name: str, depth: int) -> tuple[list[Value], list[Value]]:
        """What the methods of an object keep under a name; apart, each None that a constructor was given: "not yet"."""
        stored: list[Value] = []
        empty: list[Value] = []
        for module, function, value in self.stores(ClassValue(instance.module, instance.cls), name):
            inner = self.instance_frame(instance, module, function)
            if is_none(value) or (inner.depth and not self._may_run(function, name, value, inner)):
                continue  # "not yet", or not of this object
            passed = self.constructed.given(instance, value, inner) if isinstance(value, (Param, Attr, Subscript, Call)) else ()
            for given, where in passed or ((value, inner),):
                for each in self.constructed.passed_on(self.values(given, where, depth), depth):
                    (empty if isinstance(value, Param) and holds_none(each) else stored).append(each)
        return stored, empty

    def _of_derived(self, instance: Instance, name: str) -> Sequence[FunctionValue]:
        """The methods that a class leaves to those derived from it, where nothing but the class of an object is known."""
        found: dict[Function, FunctionValue] = {}
        for each in self.derived(ClassValue(instance.module, instance.cls)) if instance.call is None else ():
            if (method := self.method(each, name)) is not None and method[1].kind == "method" and not is_abstract(method[1]):
                found.setdefault(method[1], FunctionValue(*method, self.frame(*method).receiver))
        return list(found.values())

    def _result(self, term: Call, frame: Context, depth: int) -> Iterator[Value]:
        given = kwargs_lookup(term, frame)
        if given is not None:
            if given.passed is not None:
                yield from self.values(given.passed.term, given.passed.frame, depth)
            elif given.default is not None:
                yield from self.values(given.default, frame, depth)
            return
        for callee in self.values(term.callee, frame, depth):
            yield from self.result_of(callee, term, frame, depth)

    def result_of(self, callee: Value, call: Call, frame: Context, depth: int) -> Iterator[Value]:
        """What a call gives that runs this."""
        if isinstance(callee, FunctionValue):
            yield from of_function(self, callee, call, frame, depth) or (Unresolved(call, frame),)
        elif isinstance(callee, ClassValue):
            yield Instance(callee.module, callee.cls, call, frame)
        elif isinstance(callee, Library):
            yield from self.library_result(callee.name, call, frame, depth)
        elif isinstance(callee, (Instance, LibraryObject)):
            yield from results(self, callee, call, frame, depth)
        else:
            yield from taken(self, "", call, frame, depth) or itself(self, call, frame, depth)

    #: What a call of something of a library gives.
    library_result = of_library

    def parent(self, frame: Context, term: Term) -> Iterator[Value]:
        """What ``super()`` is in a method."""
        holder: Context | None = frame
        while holder is not None and holder.function.cls is None:
            holder = holder.closure
        cls = self.modules[holder.module].classes.get(holder.function.cls or "") if holder is not None else None
        if holder is None or cls is None:
            yield Unresolved(term, frame)
            return
        for base in self.bases(ClassValue(holder.module, cls)):
            if isinstance(base, ClassValue):
                # The parent's methods run on the same object: its own attributes, its own constructor call.
                yield Instance(base.module, base.cls)
            else:
                yield base

    def _behind(self, name: str, frame: Context) -> Instance | None:
        """What ``super()`` is where the object's class is known: the class behind the method's own that has a method."""
        holder: Context | None = frame
        while holder is not None and holder.function.cls is None:
            holder = holder.closure
        owner = frame.owner()
        if holder is None or not isinstance(owner, Instance):
            return None
        passed = False
        for each in self.lineage(owner.of_class):
            if not isinstance(each, ClassValue):
                if passed and each.name not in self.knowledge.plain_bases:
                    return None
            elif passed and name in each.cls.methods:
                return Instance(each.module, each.cls)
            else:
                passed = passed or (each.module == holder.module and each.cls.qualname == holder.function.cls)
        return None

    def _on_this_object(self, found: Iterator[Value], frame: Context) -> Iterator[Value]:
        """What ``super()`` has: methods of the parent run on the object itself, whose class may be a derived one."""
        owner = frame.owner()
        for value in found:
            bound = isinstance(value, FunctionValue) and isinstance(value.receiver, Instance) and isinstance(owner, Instance)
            yield value._replace(receiver=owner) if isinstance(value, FunctionValue) and bound else value

    # -- classes ---------------------------------------------------------------------------------------------------------

    def bases(self, value: ClassValue) -> tuple[Value, ...]:
        """The classes a project class is derived from."""
        key = (value.module, value.cls.qualname)
        known = self._bases.get(key)
        if known is None:
            self._bases[key] = ()
            self._resolving += 1
            frame = self.frame(value.module, self.modules[value.module].functions["<module>"])
            found = [v for base in value.cls.bases for v in self.values(base, frame) if isinstance(v, (ClassValue, Library))]
            known = self._bases[key] = tuple(found)
            self._resolving -= 1
        return known

    def lineage(self, value: ClassValue) -> tuple[ClassValue | Library, ...]:
        """The class, then everything it inherits from, each once, in the order in which Python looks into them."""
        known = self._lineages.get((value.module, value.cls.qualname))
        if known is None:
            key = (value.module, value.cls.qualname)
            self._lineages[key] = (value,)  # ends cycles
            found: list[ClassValue | Library] = [value]
            for base in self.bases(value):
                found += self.lineage(base) if isinstance(base, ClassValue) else [base] if isinstance(base, Library) else ()
            known = self._lineages[key] = tuple(reversed(dict.fromkeys(reversed(found))))  # behind all that are derived from it
            if self._resolving:  # some bases may only be unknown yet
                del self._lineages[key]
        return known

    def method(self, value: ClassValue, name: str) -> tuple[str, Function] | None:
        """The method ``name`` of a class, its own or inherited."""
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue) and name in cls.cls.methods:
                return cls.module, self.modules[cls.module].functions[cls.cls.methods[name]]
        return None

    def class_attribute(self, value: ClassValue, name: str) -> tuple[Context, Term] | None:
        """What the class body binds ``name`` to; for a field with a factory (table ``fields``) what that makes."""
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue) and name in cls.cls.attributes and name not in cls.cls.methods:
                module = self.modules[cls.module]
                return self.frame(cls.module, module.functions["<module>"]), made_by_factory(self, cls.cls.attributes[name])
        return None

    def stores(self, value: ClassValue, name: str) -> list[tuple[str, Function, Term]]:
        """The values that methods of the class (or of its bases) store in ``self.name``."""
        key = (id(value.cls), name)
        known = self._stored.get(key)
        if known is None:
            classes = [cls for cls in self.lineage(value) if isinstance(cls, ClassValue)]
            known = [(cls.module, *store) for cls in classes for store in self.stores_of(cls).get(name, ())]
            if not self._resolving:
                self._stored[key] = known
        return known

    def kept_in(self, value: ClassValue) -> list[tuple[str, Function, Term]]:
        """All values that methods of the class (or of its bases) store in attributes of their object."""
        classes = [cls for cls in self.lineage(value) if isinstance(cls, ClassValue)]
        return [(cls.module, *store) for cls in classes for stores in self.stores_of(cls).values() for store in stores]

    def stores_of(self, value: ClassValue) -> dict[str, list[tuple[Function, Term]]]:
        """By attribute of ``self`` the values that methods of this very class store there."""
        key = (value.module, value.cls.qualname)
        known = self._stores.get(key)
        if known is None:
            known = self._stores[key] = {}
            functions = self.modules[value.module].functions
            for qualname in value.cls.methods.values():
                function = functions[qualname]
                for node in of_kind(function, Store):
                    if isinstance(node.target, Attr) and isinstance(node.target.base, Self):
                        known.setdefault(node.target.name, []).append((function, node.value))
        return known

    def methods_named(self, name: str, asking: str) -> list[tuple[str, Function]]:
        """Every method of that name in the files that belong together with the file ``asking``."""
        if self._together is None:
            self._together = {}
            for path, module in self.modules.items():
                component = self.component(path)
                for function in module.functions.values():
                    if function.cls is not None:
                        self._together.setdefault((component, function.name), []).append((path, function))
        return self._together.get((self.component(asking), name), [])

    def unique_method(self, name: str, asking: str) -> FunctionValue | None:
        """The method of this name when only one class around the file ``asking`` has it and no library object does."""
        if name in self.knowledge.common_methods or name.startswith("__"):
            return None
        methods = self.methods_named(name, asking)
        if len(methods) != 1:
            return None
        module, function = methods[0]
        return FunctionValue(module, function, self.frame(module, function).receiver)

    def may_be_one_of(self, term: Term, frame: Context, names: Container[str]) -> bool:
        """Whether a term may be one of these functions and classes of libraries, by their canonical names."""
        return any(isinstance(value, Library) and value.name in names for value in self.values(term, frame))

    def overriding(self, value: ClassValue, name: str) -> list[tuple[str, Function]]:
        """The methods of this name in the classes that are derived from a class."""
        if not any(function.cls != value.cls.qualname for _, function in self.methods_named(name, value.module)):
            return []  # the usual case: nobody else has such a method
        derived, found = {id(each.cls) for each in self.derived(value)}, []
        for path, function in self.methods_named(name, value.module) if derived else ():
            own = self.modules[path].classes.get(function.cls or "")
            if own is not None and id(own) in derived:
                found.append((path, function))
        return found

    def derived(self, value: ClassValue) -> list[ClassValue]:
        """The classes of the project that are derived from a class, in the order of files."""
        if self._derived is None:
            self._derived = {}
            for path, module in self.modules.items():
                for cls in module.classes.values():
                    for above in self.lineage(ClassValue(path, cls)):
                        if isinstance(above, ClassValue) and above.cls is not cls:
                            self._derived.setdefault(id(above.cls), []).append(ClassValue(path, cls))
        return self._derived.get(id(value.cls), [])

    # -- objects ----------------------------------------------------------------------------------------------------

    def instance_frame(self, instance: Instance, module: str, function: Function) -> Context:
        """The frame in which a method of this very object runs; for ``__init__`` with the arguments that made it."""
        if instance.call is None or instance.frame is None or instance.frame.depth > DEEPEST_CALL:
            return self.frame(module, function)  # the last for a class whose objects make others of it without end
        if function.name == "__init__":
            return self.constructed.constructing(instance, module, function, instance.call, instance.frame)
        key = (id(function), instance)
        frame = self._bound.get(key)
        if frame is None:
            depth, alone = instance.frame.depth + 1, self.frame(module, function)
            frame = Context(module, function, receiver=instance, depth=depth, caller=instance.frame, alone=alone)
            self._bound[key] = frame
        return frame

    def together(self, path: str, other: str) -> bool:
        """Whether two files belong to one project: the imports connect them."""
        return self.component(path) == self.component(other)

    def packages(self, module: str) -> frozenset[str]:
        """The packages that the files belonging together with a file import, by the names that the tables call them."""
        if self._packages is None:
            found: dict[str, set[str]] = {}
            for path, sketch in self.modules.items():
                known = found.setdefault(self.component(path), set())
                known.update(self.knowledge.canonical(dotted).partition(".")[0] for dotted in imported(sketch))
            self._packages = {component: frozenset(names) for component, names in found.items()}
        return self._packages[self.component(module)]

    #: How a kind of term is followed; all others are what they are.
    _FOLLOWED: ClassVar[dict[type[Term], Callable[[Any, Any, Context, int], Iterator[Value]]]] = {
        Attr: _attribute,
        Call: _called,
        Ref: _imported,
        Param: _parameter,
        Global: _global,
        **dict.fromkeys((Nested, NestedClass), _nested),
        Self: _own_object,
        **dict.fromkeys((Select, And, Or), _one_of),
        **dict.fromkeys((Subscript, Element), _part_of),
        Entered: entered_values,
        Asserted: lambda self, term, frame, depth: iter(self.values(term.value, frame, depth)),
        LoopPhi: shared_values,
    }

    def component(self, path: str) -> str:
        """A name for the files that belong together with a file (see :class:`trainlint.program.imports.Components`)."""
        if self._components is None:
            self._components = Components({key: imported(module) for key, module in self.modules.items()}, self.finder)
        return self._components.of(path)


def calls_of(function: Function) -> tuple[CallStep, ...]:
    """The calls in a function's own sketch, in order."""
    return of_kind(function, CallStep)

"""Following a term to the values it can stand for: through names, parameters, attributes, calls and items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from trainlint.facts.constant_branch import alternatives
from trainlint.facts.constructed import Constructed
from trainlint.facts.contained import contained, put_in
from trainlint.facts.dispatch_tables import callable_items, handed_out, is_none
from trainlint.facts.external_types import Attributes
from trainlint.facts.kwargs import taken
from trainlint.facts.literals import item_of
from trainlint.facts.unique_methods import part_of_model
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, ModuleValue, Other, Value
from trainlint.ir.nodes import (
    And,
    Asserted,
    Attr,
    Call,
    Const,
    Element,
    Entered,
    Global,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import Exit, Function, If, Module, Store
from trainlint.ir.terms import is_closed, is_super
from trainlint.ir.walk import of_kind
from trainlint.knowledge import Knowledge

#: How many steps a value is followed (names, calls, attributes) before it counts as unknown.
DEEPEST = 24
#: How many calls deep a result is followed.
DEEPEST_CALL = 6
#: How many alternatives a value may have before it counts as unknown.
WIDEST = 8


class Following:
    """The part of :class:`trainlint.facts.program.Program` that follows values; the rest of it knows names and classes."""

    #: The classes of libraries that a receiver's name stands for.
    receiving: frozenset[str]
    attributes: Attributes
    #: Of terms that were asked about: whether they say the same in every activation.
    closed: dict[Term, bool]
    constructed: Constructed
    modules: Mapping[str, Module]
    knowledge: Knowledge
    _members: dict[tuple[Term, str], Term]

    @abstractmethod
    def class_names(self) -> frozenset[str]:
        """What the project's own classes are called."""

    @abstractmethod
    def packages(self, module: str) -> frozenset[str]:
        """The packages that the files around a file import, by their canonical names."""

    @abstractmethod
    def enter(self, target: FunctionValue, call: Call, caller: Frame) -> Frame:
        """The frame of one call."""

    @abstractmethod
    def instance_frame(self, instance: Instance, module: str, function: Function) -> Frame:
        """The frame in which a method of this very object runs."""

    @abstractmethod
    def returns(self, function: Function) -> list[Term]:
        """The terms a function may return."""

    @abstractmethod
    def lookup(self, importer: str, dotted: str) -> Value:
        """What an imported name means."""

    @abstractmethod
    def member(self, value: Value, name: str) -> Value | None:
        """An attribute of a module, class or library thing."""

    @abstractmethod
    def module_member(self, path: str, name: str, seen: set[str]) -> Value | None:
        """A top-level name of a file."""

    def values(self, term: Term, frame: Frame, depth: int = 0) -> tuple[Value, ...]:
        """What a term can stand for. More than one value means: one of them; unknown parts come as :class:`Other`."""
        known = frame.values.get(term)
        if known is None:
            if depth > DEEPEST:
                return (Other(term, frame),)
            alone = frame.alone
            if alone is not None and is_closed(term, self.closed):
                known = frame.values[term] = self.values(term, alone, depth)
                return known
            frame.values[term] = (Other(term, frame),)
            found: list[Value] = []
            for value in self._follow(term, frame, depth + 1):
                if value not in found:
                    found.append(value)
            known = frame.values[term] = tuple(found[:WIDEST])
        return known

    def _follow(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        if isinstance(term, Attr):
            yield from self._attribute(term, frame, depth)
        elif isinstance(term, Call):
            yield from self._result(term, frame, depth)
        elif isinstance(term, Param):
            yield from self._parameter(term, frame, depth)
        elif isinstance(term, Ref):
            yield from self._settled(self.lookup(frame.module, term.name), depth)
        elif isinstance(term, Global):
            yield from self._global(term, frame, depth)
        elif isinstance(term, Nested):
            yield FunctionValue(frame.module, self.modules[frame.module].functions[term.name], closure=frame)
        elif isinstance(term, NestedClass):
            yield ClassValue(frame.module, self.modules[frame.module].classes[term.name])
        elif isinstance(term, Self):
            yield frame.owner() or self._some_object(term, frame)
        elif isinstance(term, (Select, And, Or)):
            for part in alternatives(term, frame):
                yield from self.values(part, frame, depth)
        elif isinstance(term, Subscript):
            yield from self._item(term, frame, depth)
        elif isinstance(term, Element):
            yield from self._each(term, frame, depth)
        elif isinstance(term, Entered):
            yield from self.values(term.manager, frame, depth)
        elif isinstance(term, Asserted):
            yield from self.values(term.value, frame, depth)
        else:
            yield Other(term, frame)

    def _some_object(self, term: Self, frame: Frame) -> Value:
        """An object of the class around, where nothing says which (a static method that is handed its object)."""
        cls = self.modules[frame.module].classes.get(term.cls)
        return Instance(frame.module, cls) if cls is not None else Other(term, frame)

    def _settled(self, value: Value | None, depth: int) -> Iterator[Value]:
        """A looked-up value; what another module's variable stands for is followed there."""
        if isinstance(value, Other):
            yield from self.values(value.term, value.frame, depth)
        elif value is not None:
            yield value

    def _global(self, term: Global, frame: Frame, depth: int) -> Iterator[Value]:
        found = self.module_member(frame.module, term.name, set())
        meant = self.knowledge.starred.get(term.name) if found is None and self.modules[frame.module].stars else None
        if meant is not None:
            yield Library(meant)
        elif found is None or (isinstance(found, Other) and found.term is term):
            yield Other(term, frame)
        else:
            yield from self._settled(found, depth)

    def _parameter(self, term: Param, frame: Frame, depth: int) -> Iterator[Value]:
        holder = frame.holder(term.function)
        bound = holder.arguments.get(term.name) if holder is not None else None
        if bound is None:
            default = holder.function.defaults.get(term.name) if holder is not None else None
            if holder is not None and default is not None and holder.depth:
                yield from self.values(default, self.frame(holder.module, holder.function), depth)
            else:
                yield from self._annotated(term, holder or frame)
        elif isinstance(bound, Bound):
            yield from self.values(bound.term, bound.frame, depth)
        else:
            yield bound

    def _annotated(self, term: Param, frame: Frame) -> Iterator[Value]:
        """A parameter that nobody is seen to pass: an object of the class that its annotation names."""
        annotation = frame.function.annotations.get(term.name) if frame.function.qualname == term.function else None
        if annotation is not None:
            for value in self.values(annotation, self.frame(frame.module, frame.function)):
                if isinstance(value, ClassValue):
                    yield Instance(value.module, value.cls)
                    return
                if isinstance(value, Library) and not value.name.startswith(("builtins.", "typing.", "<project>")):
                    yield Made(value.name, None, None)
                    return
        yield Other(term, frame)

    def _attribute(self, term: Attr, frame: Frame, depth: int) -> Iterator[Value]:
        name = term.name
        for base in self.values(term.base, frame, depth):
            if isinstance(base, (ModuleValue, ClassValue, Library)):
                found = self.member(base, name)
                later = tuple(self._made_later(base, name, depth)) if isinstance(base, ClassValue) and is_none(found) else ()
                yield from later or (self._settled(found, depth) if found is not None else (Other(term, frame),))
            elif isinstance(base, Made):
                yield Library(self.attributes.name(base.name, name))
            elif isinstance(base, Instance):
                found_there = self.of_instance(base, name, term, frame, depth)
                yield from self._on_this_object(found_there, frame) if is_super(term.base) else found_there
            else:
                assumed = self.assumed(base.term, frame.module) if isinstance(base, Other) else None
                own = None if assumed else self.unique_method(name, frame.module) or part_of_model(self, term, frame)
                yield Library(f"{assumed}.{name}") if assumed else own or Other(term, frame)

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
        name = term.name if isinstance(term, (Param, Attr, Global, LoopPhi)) else None
        known = self.knowledge.receivers.get(name) if isinstance(name, str) else None
        if known is None or known.rpartition(".")[2] in self.class_names():
            return None
        return known if name not in self.knowledge.shared_receivers or known.partition(".")[0] in self.packages(module) else None

    def of_instance(self, instance: Instance, name: str, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        """Attribute ``name`` of an object: a method, a property's result, what was stored, or the library base's."""
        cls = ClassValue(instance.module, instance.cls)
        method = self.method(cls, name)
        if method is not None:
            module, function = method
            if function.kind == "property" and not frame.runs(function) and frame.depth < DEEPEST_CALL:
                inner = self.instance_frame(instance, module, function)
                for value in self.returns(function):
                    yield from self.values(value, inner, depth)
            elif function.kind == "property":
                yield Other(term, frame)
            else:
                bound = cls if function.kind == "classmethod" else instance
                yield FunctionValue(module, function, bound)
                if instance.call is None and is_abstract(function):
                    for path, override in self.overriding(cls, name):
                        yield FunctionValue(path, override, self.frame(path, override).receiver)
            return
        found = False
        for module, function, value in self.stores(cls, name):
            if isinstance(value, Const) and value.value is None:
                continue  # "not yet"
            found = True
            inner = self.instance_frame(instance, module, function)
            passed = self._passed(cls, value, inner) if isinstance(value, Param) and function.name == "__init__" else ()
            for given, where in passed or ((value, inner),):
                yield from self.values(given, where, depth)
        attribute = self.class_attribute(cls, name) if not found else None
        if attribute is not None:
            found = True
            yield from self.values(attribute[1], attribute[0], depth)
        if not found:
            yield next(self._inherited(cls, name), None) or Other(term, frame)

    def _passed(self, cls: ClassValue, parameter: Param, frame: Frame) -> list[Bound]:
        """What a parameter of a constructor is given where objects are made, if this activation of it has no call of its own."""
        if frame.caller is not None or frame.given(parameter) is not None:
            return []
        return self.constructed.passed(cls, frame.function, parameter.name)

    def _inherited(self, cls: ClassValue, name: str) -> Iterator[Value]:
        """What the tables know of an attribute that a class has from a library, of any of those that it is derived from."""
        if name in self.knowledge.receivers:
            return
        tracing = self.knowledge.tables["tracing"]
        for library in self.lineage(cls):
            if isinstance(library, Library):
                assumed = self.attributes.name(library.name, name)
                if assumed in self.knowledge.collectives or assumed in self.knowledge.ranks or assumed in tracing:
                    yield Library(assumed)
                elif assumed != f"{library.name}.{name}":
                    yield Made(assumed, None, None)  # the tables know what the library keeps there

    def _result(self, term: Call, frame: Frame, depth: int) -> Iterator[Value]:
        given = taken(term, frame)
        if given is not None:
            if given.passed is not None:
                yield from self.values(given.passed.term, given.passed.frame, depth)
            elif given.default is not None:
                yield from self.values(given.default, frame, depth)
            return
        handed = handed_out(self, term, frame) if isinstance(term.callee, (Attr, Ref)) and term.args else ()
        for item, holder in handed:
            yield from self.values(item, holder, depth)
        for callee in self.values(term.callee, frame, depth) if not handed else ():
            if isinstance(callee, FunctionValue):
                if callee.function.generator or frame.depth >= DEEPEST_CALL or frame.runs(callee.function):
                    yield Other(term, frame)
                    continue
                inner = self.enter(callee, term, frame)
                results = self.returns(callee.function)
                if not results:
                    yield Other(term, frame)
                for value in results:
                    yield from (self._declared(found, callee) for found in self.values(value, inner, depth))
            elif isinstance(callee, ClassValue):
                yield Instance(callee.module, callee.cls, term, frame)
            elif isinstance(callee, Library):
                yield from self._library_result(callee.name, term, frame, depth)
            else:
                yield Other(term, frame)

    def _declared(self, found: Value, callee: FunctionValue) -> Value:
        """What a function returns; where nobody can see what that is, the object of a library that its annotation says it is.

        Only of classes that the tables know by a receiver's name (``-> Accelerator``): others would say nothing to anybody.
        """
        annotation = callee.function.annotations.get("return") if isinstance(found, Other) else None
        if annotation is not None and isinstance(annotation, (Ref, Attr)):
            for value in self.values(annotation, self.frame(callee.module, callee.function)):
                if isinstance(value, Library) and value.name in self.receiving:
                    return Made(value.name, None, None)
        return found

    def _library_result(self, name: str, term: Call, frame: Frame, depth: int) -> Iterator[Value]:
        if name in self.knowledge.transparent and term.args:
            yield from self.values(term.args[0], frame, depth)
        elif name == "builtins.super":
            yield from self._super(frame, term)
        else:
            yield Made(name, term, frame)

    def _super(self, frame: Frame, term: Term) -> Iterator[Value]:
        holder: Frame | None = frame
        while holder is not None and holder.function.cls is None:
            holder = holder.closure
        cls = self.modules[holder.module].classes.get(holder.function.cls or "") if holder is not None else None
        if holder is None or cls is None:
            yield Other(term, frame)
            return
        for base in self.bases(ClassValue(holder.module, cls)):
            if isinstance(base, ClassValue):
                # The parent's methods run on the same object: its own attributes, its own constructor call.
                yield Instance(base.module, base.cls)
            else:
                yield base

    def _on_this_object(self, found: Iterator[Value], frame: Frame) -> Iterator[Value]:
        """What ``super()`` has: methods of the parent run on the object itself, whose class may be a derived one."""
        owner = frame.owner()
        for value in found:
            bound = isinstance(value, FunctionValue) and isinstance(value.receiver, Instance) and isinstance(owner, Instance)
            yield value._replace(receiver=owner) if isinstance(value, FunctionValue) and bound else value

    def _item(self, term: Subscript, frame: Frame, depth: int) -> Iterator[Value]:
        key = term.key
        for base in self.values(term.base, frame, depth):
            if isinstance(base, Other):
                part = item_of(base.term, key)
                chosen = (part,) if part is not None else callable_items(self, base, key)
                for one in chosen:
                    yield from self.values(one, base.frame, depth)
                if chosen:
                    continue
            elif isinstance(base, Made) and isinstance(key, Const):
                items = self.knowledge.results.get(base.name)
                if items is not None and type(key.value) is int and 0 <= key.value < len(items):
                    yield Made(items[key.value], base.call, base.frame)
                    continue
                kind = self.knowledge.kinds.get(base.name)
                if kind in ("prepared", "mesh"):
                    yield base
                    continue
            held = (*contained(self, base, depth), *put_in(self, term, base, frame))
            objects = [value for value in held if isinstance(value, Instance)]
            yield from objects or (Other(term, frame),)

    def _each(self, term: Element, frame: Frame, depth: int) -> Iterator[Value]:
        whole = term.of
        while isinstance(whole, Subscript) and isinstance(whole.key, Slice):
            whole = whole.base
        for base in self.values(whole, frame, depth):
            if isinstance(base, Other) and isinstance(base.term, (List, Tuple, Set)):
                for item in base.term.items:
                    yield from self.values(item, base.frame, depth)
            else:
                yield Other(term, frame)

    def __init__(self) -> None:
        self._stores: dict[tuple[str, str], dict[str, list[tuple[Function, Term]]]] = {}
        self._bases: dict[tuple[str, str], tuple[Value, ...]] = {}
        self._together: dict[tuple[str, str], list[tuple[str, Function]]] | None = None
        self._lineages: dict[tuple[str, str], tuple[ClassValue | Library, ...]] = {}
        self._resolving = 0
        self._derived: dict[int, list[ClassValue]] | None = None
        self._stored: dict[tuple[int, str], list[tuple[str, Function, Term]]] = {}
        self._overriding: dict[tuple[int, str], list[tuple[str, Function]]] = {}

    @abstractmethod
    def frame(self, module: str, function: Function) -> Frame:
        """The function on its own."""

    @abstractmethod
    def component(self, path: str) -> str:
        """A name for the files that belong together with a file."""

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
        """The class, then everything it inherits from (each once, nearest first)."""
        key = (value.module, value.cls.qualname)
        known = self._lineages.get(key)
        if known is None:
            found: dict[object, ClassValue | Library] = {}
            queue: list[Value] = [value]
            for current in queue:
                if isinstance(current, Library):
                    found.setdefault(len(found), current)
                elif isinstance(current, ClassValue) and (current.module, current.cls.qualname) not in found:
                    found[current.module, current.cls.qualname] = current
                    queue.extend(self.bases(current))
            known = tuple(found.values())
            if not self._resolving:  # else some bases may only be unknown yet
                self._lineages[key] = known
        return known

    def method(self, value: ClassValue, name: str) -> tuple[str, Function] | None:
        """The method ``name`` of a class, its own or inherited."""
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue) and name in cls.cls.methods:
                return cls.module, self.modules[cls.module].functions[cls.cls.methods[name]]
        return None

    def class_attribute(self, value: ClassValue, name: str) -> tuple[Frame, Term] | None:
        """What the class body binds ``name`` to; for a field with a factory (table ``fields``) what that makes."""
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue) and name in cls.cls.attributes and name not in cls.cls.methods:
                module = self.modules[cls.module]
                return self.frame(cls.module, module.functions["<module>"]), self._field(cls.cls.attributes[name])
        return None

    def _field(self, term: Term) -> Term:
        """A call of the factory of a field, in the place of the field; other terms as they are."""
        if not isinstance(term, Call) or not isinstance(term.callee, Ref) or not term.kwargs:
            return term
        wanted = self.knowledge.fields.get(self.knowledge.canonical(term.callee.name))
        factory = next((given for name, given in term.kwargs if name == wanted), None)
        if factory is None or isinstance(factory, Call):
            return term  # of a factory that is made itself nothing is known
        return self._members.setdefault((term, "()"), Call.new(factory, (), (), term.site))

    def stores(self, value: ClassValue, name: str) -> list[tuple[str, Function, Term]]:
        """The values that methods of the class (or of its bases) store in ``self.name``."""
        key = (id(value.cls), name)
        known = self._stored.get(key)
        if known is None:
            classes = [cls for cls in self.lineage(value) if isinstance(cls, ClassValue)]
            known = [(cls.module, *store) for cls in classes for store in self._stores_of(cls).get(name, ())]
            if not self._resolving:
                self._stored[key] = known
        return known

    def kept_in(self, value: ClassValue) -> list[tuple[str, Function, Term]]:
        """All values that methods of the class (or of its bases) store in attributes of their object."""
        classes = [cls for cls in self.lineage(value) if isinstance(cls, ClassValue)]
        return [(cls.module, *store) for cls in classes for stores in self._stores_of(cls).values() for store in stores]

    def _stores_of(self, value: ClassValue) -> dict[str, list[tuple[Function, Term]]]:
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

    def overriding(self, value: ClassValue, name: str) -> list[tuple[str, Function]]:
        """The methods of this name in the classes that are derived from a class."""
        key = (id(value.cls), name)
        known = self._overriding.get(key)
        if known is None:
            known = self._overriding_now(value, name)
            if not self._resolving:
                self._overriding[key] = known
        return known

    def _overriding_now(self, value: ClassValue, name: str) -> list[tuple[str, Function]]:
        if not any(function.cls != value.cls.qualname for _, function in self.methods_named(name, value.module)):
            return []  # the usual case: nobody else has such a method
        derived = {id(each.cls) for each in self.derived(value)}
        found = []
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


def is_abstract(function: Function) -> bool:
    """Whether a function does nothing but raise: it stands for what derived classes do."""
    last = function.body[-1] if function.body else None
    return isinstance(last, Exit) and last.kind == "raise" and not any(isinstance(node, If) for node in function.body)

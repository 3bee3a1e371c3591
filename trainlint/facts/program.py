"""The linked program: modules, names, classes and values across files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trainlint.facts.components import Components
from trainlint.facts.modules import ModuleFinder
from trainlint.facts.values import (
    ClassValue,
    Frame,
    FunctionValue,
    Instance,
    Library,
    Made,
    ModuleValue,
    Other,
    Value,
)
from trainlint.knowledge import Knowledge
from trainlint.model.sketch import Block, Call, Class, Exit, Function, If, Loop, Module, Statement, Store, Try, With
from trainlint.model.terms import Term

#: How many steps a value is followed (names, calls, attributes) before it counts as unknown.
DEEPEST = 24
#: How many calls deep a result is followed.
DEEPEST_CALL = 6
#: How many alternatives a value may have before it counts as unknown.
WIDEST = 8


def walk(block: Block) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it, in order. Without recursion: an ``elif`` is a level each."""
    pending = list(reversed(block))
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (If, Loop)):
            pending += node.orelse[::-1]
            pending += node.body[::-1]
        elif isinstance(node, With):
            pending += node.body[::-1]
        elif isinstance(node, Try):
            for part in (node.final, node.orelse, *reversed(node.handlers), node.body):
                pending += part[::-1]


class Program:
    """All lowered modules of a run. Everything asked of it is computed when first asked and then kept."""

    def __init__(self, modules: Mapping[str, Module], finder: ModuleFinder, knowledge: Knowledge) -> None:
        self.modules = modules
        self.finder = finder
        self.knowledge = knowledge
        self._frames: dict[tuple[str, str], Frame] = {}
        self._lookups: dict[tuple[str, str], Value] = {}
        self._values: dict[tuple[Term, Frame], tuple[Value, ...]] = {}
        self._entered: dict[tuple[FunctionValue, Term, Frame], Frame] = {}
        self._bound: dict[tuple[int, Instance], Frame] = {}
        self._stores: dict[tuple[str, str], dict[str, list[tuple[Function, Term]]]] = {}
        self._returns: dict[int, list[Term]] = {}
        self._bases: dict[tuple[str, str], tuple[Value, ...]] = {}
        self._methods: dict[str, list[tuple[str, Function]]] | None = None
        self._components: Components | None = None
        self.analyses: dict[str, object] = {}

    # -- functions and frames --------------------------------------------------------------------------------------

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Every function of every module (the top levels of files among them), with its module's path."""
        for path, module in self.modules.items():
            for function in module.functions.values():
                yield path, function

    def frame(self, module: str, function: Function) -> Frame:
        """The function on its own: nothing known of its arguments."""
        key = (module, function.qualname)
        frame = self._frames.get(key)
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
            frame = self._frames[key] = Frame(module, function, receiver=receiver, closure=closure)
        return frame

    def enter(self, target: FunctionValue, call: Term, caller: Frame) -> Frame:
        """The frame of one call of a function (the same object whenever the same call is asked about)."""
        key = (target, call, caller)
        known = self._entered.get(key)
        if known is None:
            known = self._entered[key] = self._enter(target, call, caller)
        return known

    def _enter(self, target: FunctionValue, call: Term, caller: Frame) -> Frame:
        function = target.function
        parameters = function.parameters
        skip = 1 if function.kind in ("method", "property", "classmethod") else 0
        frame = Frame(
            target.module,
            function,
            receiver=target.receiver if function.kind != "static" else None,
            closure=target.closure or self.frame(target.module, function).closure,
            depth=caller.depth + 1,
            caller=caller,
        )
        if skip and target.receiver is None:
            frame.receiver = self.frame(target.module, function).receiver
            skip = 0  # called through the class: the instance is the first argument
        for parameter, argument in zip(parameters[skip : function.positional], call[2]):
            frame.arguments[parameter] = (argument, caller)
        for name, argument in call[3]:
            if name in parameters:
                frame.arguments[name] = (argument, caller)
        return frame

    def returns(self, function: Function) -> list[Term]:
        """The terms a function may return."""
        known = self._returns.get(id(function))
        if known is None:
            known = [n.value for n in walk(function.body) if isinstance(n, Exit) and n.kind == "return" and n.value is not None]
            self._returns[id(function)] = known
        return known

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
            if path is None:
                continue
            value: Value | None = ModuleValue(path)
            for part in parts[count:]:
                value = self.member(value, part) if value is not None else None
            if value is not None:
                return value
            if path != importer:
                return Library(f"<project>.{name}")
        return Library(self.knowledge.canonical(name))

    def member(self, value: Value, name: str) -> Value | None:
        """Attribute ``name`` of a module or class of the project, or of something of a library."""
        if isinstance(value, ModuleValue):
            return self._module_member(value.module, name, frozenset())
        if isinstance(value, ClassValue):
            method = self.method(value, name)
            if method is not None:
                bound = value if method[1].kind == "classmethod" else None
                return FunctionValue(method[0], method[1], bound)
            found = self.class_attribute(value, name)
            return Other(found[1], found[0]) if found is not None else None
        if isinstance(value, Library):
            return Library(self.knowledge.canonical(f"{value.name}.{name}"))
        return None

    def _module_member(self, path: str, name: str, seen: frozenset[str]) -> Value | None:
        module = self.modules.get(path)
        if module is not None and path not in seen:
            if name in module.functions and name in module.names:
                return FunctionValue(path, module.functions[name])
            if name in module.classes and name in module.names:
                return ClassValue(path, module.classes[name])
            term = module.names.get(name)
            if term is not None:
                if term[0] == "r":
                    return self.lookup(path, term[1])
                return Other(term, self.frame(path, module.functions["<module>"]))
            for star in module.stars:
                source = self.finder.find(path, star)
                found = self._module_member(source, name, seen | {path}) if source is not None else None
                if found is not None:
                    return found
        if path.endswith("__init__.py"):
            inner = self.finder.find(path, "." + name)
            if inner is not None:
                return ModuleValue(inner)
        return None

    # -- classes ---------------------------------------------------------------------------------------------------

    def bases(self, value: ClassValue) -> tuple[Value, ...]:
        """The classes a project class is derived from."""
        key = (value.module, value.cls.qualname)
        known = self._bases.get(key)
        if known is None:
            self._bases[key] = ()
            frame = self.frame(value.module, self.modules[value.module].functions["<module>"])
            found = [v for base in value.cls.bases for v in self.values(base, frame) if isinstance(v, (ClassValue, Library))]
            known = self._bases[key] = tuple(found)
        return known

    def lineage(self, value: ClassValue) -> Iterator[ClassValue | Library]:
        """The class, then everything it inherits from (each once, nearest first)."""
        seen: set[tuple[str, str]] = set()
        queue: list[Value] = [value]
        while queue:
            current = queue.pop(0)
            if isinstance(current, Library):
                yield current
            elif isinstance(current, ClassValue):
                key = (current.module, current.cls.qualname)
                if key not in seen:
                    seen.add(key)
                    yield current
                    queue.extend(self.bases(current))

    def method(self, value: ClassValue, name: str) -> tuple[str, Function] | None:
        """The method ``name`` of a class, its own or inherited."""
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue) and name in cls.cls.methods:
                return cls.module, self.modules[cls.module].functions[cls.cls.methods[name]]
        return None

    def class_attribute(self, value: ClassValue, name: str) -> tuple[Frame, Term] | None:
        """What the class body binds ``name`` to."""
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue) and name in cls.cls.attributes and name not in cls.cls.methods:
                module = self.modules[cls.module]
                return self.frame(cls.module, module.functions["<module>"]), cls.cls.attributes[name]
        return None

    def stores(self, value: ClassValue, name: str) -> list[tuple[str, Function, Term]]:
        """The values that methods of the class (or of its bases) store in ``self.name``."""
        found = []
        for cls in self.lineage(value):
            if isinstance(cls, ClassValue):
                for function, term in self._stores_of(cls).get(name, ()):
                    found.append((cls.module, function, term))
        return found

    def _stores_of(self, value: ClassValue) -> dict[str, list[tuple[Function, Term]]]:
        key = (value.module, value.cls.qualname)
        known = self._stores.get(key)
        if known is None:
            known = self._stores[key] = {}
            functions = self.modules[value.module].functions
            for qualname in value.cls.methods.values():
                function = functions[qualname]
                for node in walk(function.body):
                    if isinstance(node, Store) and node.target[0] == "a" and node.target[1][0] == "self":
                        known.setdefault(node.target[2], []).append((function, node.value))
        return known

    def instance_frame(self, instance: Instance, module: str, function: Function) -> Frame:
        """The frame in which a method of this very object runs; for ``__init__`` with the arguments that made it."""
        if instance.call is None or instance.frame is None:
            return self.frame(module, function)
        if function.name == "__init__":
            return self.enter(FunctionValue(module, function, instance), instance.call, instance.frame)
        key = (id(function), instance)
        frame = self._bound.get(key)
        if frame is None:
            frame = self._bound[key] = Frame(module, function, receiver=instance, depth=instance.frame.depth + 1, caller=instance.frame)
        return frame

    def methods_named(self, name: str, asking: str) -> list[tuple[str, Function]]:
        """Every method of that name in the files that belong together with the file ``asking``."""
        if self._components is None:
            self._components = Components(self.modules, self.finder)
        own = self._components.of(asking)
        return [(path, f) for path, f in self._all_methods(name) if self._components.of(path) == own]

    def _all_methods(self, name: str) -> list[tuple[str, Function]]:
        if self._methods is None:
            self._methods = {}
            for path, function in self.functions():
                if function.cls is not None:
                    self._methods.setdefault(function.name, []).append((path, function))
        return self._methods.get(name, [])

    # -- values ----------------------------------------------------------------------------------------------------

    def values(self, term: Term, frame: Frame, depth: int = 0) -> tuple[Value, ...]:
        """What a term can stand for. More than one value means: one of them; unknown parts come as :class:`Other`."""
        key = (term, frame)
        known = self._values.get(key)
        if known is None:
            if depth > DEEPEST:
                return (Other(term, frame),)
            self._values[key] = (Other(term, frame),)
            found: list[Value] = []
            for value in self._follow(term, frame, depth + 1):
                if value not in found:
                    found.append(value)
            known = tuple(found[:WIDEST])
            self._values[key] = known
        return known

    def _follow(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        tag = term[0]
        if tag == "r":
            yield from self._settled(self.lookup(frame.module, term[1]), depth)
        elif tag == "g":
            yield from self._global(term, frame, depth)
        elif tag == "fn":
            yield FunctionValue(frame.module, self.modules[frame.module].functions[term[1]], closure=frame)
        elif tag == "cls":
            yield ClassValue(frame.module, self.modules[frame.module].classes[term[1]])
        elif tag == "self":
            yield frame.owner() or Other(term, frame)
        elif tag == "p":
            yield from self._parameter(term, frame, depth)
        elif tag == "a":
            yield from self._attribute(term, frame, depth)
        elif tag == "call":
            yield from self._result(term, frame, depth)
        elif tag == "if":
            yield from self.values(term[2], frame, depth)
            yield from self.values(term[3], frame, depth)
        elif tag in ("and", "or"):
            for part in term[1]:
                yield from self.values(part, frame, depth)
        elif tag == "sub":
            yield from self._item(term, frame, depth)
        elif tag == "elem":
            yield from self._each(term, frame, depth)
        elif tag == "enter":
            yield from self.values(term[1], frame, depth)
        else:
            yield Other(term, frame)

    def _settled(self, value: Value | None, depth: int) -> Iterator[Value]:
        """A looked-up value; what another module's variable stands for is followed there."""
        if isinstance(value, Other):
            yield from self.values(value.term, value.frame, depth)
        elif value is not None:
            yield value

    def _global(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        found = self._module_member(frame.module, term[1], frozenset())
        if found is None or (isinstance(found, Other) and found.term is term):
            yield Other(term, frame)
        else:
            yield from self._settled(found, depth)

    def _parameter(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        holder = frame.holder(term[1])
        bound = holder.arguments.get(term[2]) if holder is not None else None
        if bound is None:
            default = holder.function.defaults.get(term[2]) if holder is not None else None
            if holder is not None and default is not None and holder.depth:
                yield from self.values(default, self.frame(holder.module, holder.function), depth)
            else:
                yield from self._annotated(term, holder or frame)
        elif type(bound) is tuple:
            yield from self.values(bound[0], bound[1], depth)
        else:
            yield bound  # type: ignore[misc]

    def _annotated(self, term: Term, frame: Frame) -> Iterator[Value]:
        """A parameter that nobody is seen to pass: an object of the class that its annotation names."""
        annotation = frame.function.annotations.get(term[2]) if frame.function.qualname == term[1] else None
        if annotation is not None:
            for value in self.values(annotation, self.frame(frame.module, frame.function)):
                if isinstance(value, ClassValue):
                    yield Instance(value.module, value.cls)
                    return
                if isinstance(value, Library) and not value.name.startswith(("builtins.", "typing.", "<project>")):
                    yield Made(value.name, None, None)
                    return
        yield Other(term, frame)

    def _attribute(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        name = term[2]
        for base in self.values(term[1], frame, depth):
            if isinstance(base, (ModuleValue, ClassValue, Library)):
                found = self.member(base, name)
                yield from self._settled(found, depth) if found is not None else (Other(term, frame),)
            elif isinstance(base, Made):
                yield Library(self.knowledge.canonical(f"{base.name}.{name}"))
            elif isinstance(base, Instance):
                yield from self.of_instance(base, name, term, frame, depth)
            else:
                assumed = self.assumed(base.term) if isinstance(base, Other) else None
                yield Library(f"{assumed}.{name}") if assumed else Other(term, frame)

    def assumed(self, term: Term) -> str | None:
        """The library class that a receiver's mere name stands for by convention (``accelerator``)."""
        name = term[2] if term[0] in ("p", "a") else term[1] if term[0] in ("g", "lv") else None
        return self.knowledge.receivers.get(name) if isinstance(name, str) else None

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
            return
        found = False
        for module, function, value in self.stores(cls, name):
            if value[0] == "c" and value[2] is None:
                continue  # "not yet"
            found = True
            yield from self.values(value, self.instance_frame(instance, module, function), depth)
        attribute = self.class_attribute(cls, name) if not found else None
        if attribute is not None:
            found = True
            yield from self.values(attribute[1], attribute[0], depth)
        if not found:
            library = next((c for c in self.lineage(cls) if isinstance(c, Library)), None)
            assumed = self.knowledge.canonical(f"{library.name}.{name}") if library is not None else ""
            if assumed in self.knowledge.collectives or assumed in self.knowledge.ranks or name in self.knowledge.receivers:
                yield Library(assumed) if name not in self.knowledge.receivers else Other(term, frame)
            else:
                yield Other(term, frame)

    def _result(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        for callee in self.values(term[1], frame, depth):
            if isinstance(callee, FunctionValue):
                if callee.function.generator or frame.depth >= DEEPEST_CALL or frame.runs(callee.function):
                    yield Other(term, frame)
                    continue
                inner = self.enter(callee, term, frame)
                results = self.returns(callee.function)
                if not results:
                    yield Other(term, frame)
                for value in results:
                    yield from self.values(value, inner, depth)
            elif isinstance(callee, ClassValue):
                yield Instance(callee.module, callee.cls, term, frame)
            elif isinstance(callee, Library):
                yield from self._library_result(callee.name, term, frame, depth)
            else:
                yield Other(term, frame)

    def _library_result(self, name: str, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        if name in self.knowledge.transparent and term[2]:
            yield from self.values(term[2][0], frame, depth)
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

    def _item(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        key = term[2]
        for base in self.values(term[1], frame, depth):
            if isinstance(base, Other):
                part = item_of(base.term, key)
                if part is not None:
                    yield from self.values(part, base.frame, depth)
                    continue
            elif isinstance(base, Made) and key[0] == "c":
                items = self.knowledge.results.get(base.name)
                if items is not None and type(key[2]) is int and 0 <= key[2] < len(items):
                    yield Made(items[key[2]], base.call, base.frame)
                    continue
                kind = self.knowledge.kinds.get(base.name)
                if kind == "prepared":
                    yield base
                    continue
            yield Other(term, frame)

    def _each(self, term: Term, frame: Frame, depth: int) -> Iterator[Value]:
        for base in self.values(term[1], frame, depth):
            if isinstance(base, Other) and base.term[0] in ("list", "tuple", "set"):
                for item in base.term[1]:
                    yield from self.values(item, base.frame, depth)
            else:
                yield Other(term, frame)


def item_of(container: Term, key: Term) -> Term | None:
    """The item of a literal container under a constant key."""
    if key[0] != "c":
        return None
    if container[0] in ("tuple", "list") and type(key[2]) is int and -len(container[1]) <= key[2] < len(container[1]):
        return container[1][key[2]]  # type: ignore[no-any-return]
    if container[0] == "dict":
        for known, value in container[1]:
            if known[0] == "c" and known[2] == key[2]:
                return value  # type: ignore[no-any-return]
    return None


def calls_of(function: Function) -> Iterator[Call]:
    """The calls in a function's own sketch, in order."""
    return (node for node in walk(function.body) if isinstance(node, Call))

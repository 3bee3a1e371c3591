"""Classes of the project: what they are derived from, their methods, and what these store in the object."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from trainlint.facts.values import ClassValue, Frame, FunctionValue, Library, Value
from trainlint.ir.nodes import Attr, Call, Ref, Self, Term
from trainlint.ir.sketch import Function, Module, Store
from trainlint.ir.walk import of_kind
from trainlint.knowledge import Knowledge


class Inheritance:
    """The part of :class:`trainlint.facts.program.Program` that knows classes."""

    modules: Mapping[str, Module]
    knowledge: Knowledge
    _members: dict[tuple[Term, str], Term]

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
    def values(self, term: Term, frame: Frame, depth: int = 0) -> tuple[Value, ...]:
        """What a term can stand for."""

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

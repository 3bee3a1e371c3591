"""Objects that a configuration makes: ``trainer = config.build()``, of the class in which the configuration's own class stands.

Of what class a configuration is, annotations say, and the defaults of the fields of another configuration. Of one that is found
by a name, the file that has it built says it where it speaks of one class alone that is made so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Value
from trainlint.model.sketch import Function, Store
from trainlint.model.terms import Term, is_super
from trainlint.model.walk import of_kind
from trainlint.preflight.settings.declared import factory

_BUILD = "build"
_DEEPEST = 8


class Built:
    """Those of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, files: Callable[[], Collection[str]]) -> None:
        self.program = program
        self.files = files
        self._known: dict[tuple[str, Term], ClassValue | None] = {}

    def targets(self, path: str, call: Term, *, is_known: bool = False) -> Iterator[FunctionValue | ClassValue]:
        """What a call runs: the method of an object that a configuration made; the class of which one makes an object.

        ``is_known``: a function that it calls is known. Of one that builds things, that does not say which.
        """
        callee = call[1]
        if callee[0] != "a":
            return
        if callee[2] == _BUILD:
            made = self.made(path, call)
            begins = None if made is None else self.program.method(made, "__init__")
            if made is not None:
                yield made
                yield from (() if begins is None else (FunctionValue(*begins, Instance(made.module, made.cls)),))
            return
        if is_known or not self._may_be(path, callee[1]):
            return
        cls = self.of(path, callee[1])
        method = None if cls is None else self.program.method(cls, callee[2])
        if cls is not None and method is not None:
            yield FunctionValue(*method, Instance(cls.module, cls.cls))

    def is_parsed(self, value: Value) -> bool:
        """Whether a value is what a parser made, or a part of it: an object of the project's, not the library's."""
        parsers = tuple(f"{each}." for each in self.program.knowledge.tables["preflight.parsers"])
        return isinstance(value, Library) and str(value.name).startswith(parsers)

    def made(self, path: str, call: Term) -> ClassValue | None:
        """The class of which ``config.build()`` makes an object."""
        config = self.of(path, call[1][1])
        if config is not None:
            return self._owner(config)
        named = {each.cls.qualname: each for each in self._named(path)}
        return next(iter(named.values())) if len(named) == 1 and not call[3] and not call[2] else None

    def _may_be(self, path: str, term: Term) -> bool:
        """Whether an object is one that a configuration made, or that another such object keeps."""
        if term[0] == "call":
            return bool(term[1][0] == "a" and term[1][2] == _BUILD)
        if term[0] == "enter":
            return self._may_be(path, term[1])
        if term[0] != "a":
            return False
        return self._may_be(path, term[1]) or term[1][0] == "self"

    # -- of what class something is ----------------------------------------------------------------------------------

    def of(self, path: str, term: Term, depth: int = 0) -> ClassValue | None:
        """The class of an object, by annotations and by what makes it; None where nothing says it, or several are."""
        key = (path, term)
        if key not in self._known:
            self._known[key] = None  # what leads back to itself is of no known class
            self._known[key] = self._of(path, term, depth) if depth < _DEEPEST else None
        return self._known[key]

    def _of(self, path: str, term: Term, depth: int) -> ClassValue | None:
        module = self.program.modules[path]
        if term[0] == "self":
            cls = module.classes.get(term[1])
            return None if cls is None else ClassValue(path, cls)
        if term[0] == "p":
            function = module.functions.get(term[1])
            said = None if function is None else function.annotations.get(term[2])
            return None if said is None or function is None else self._class(path, said, function)
        if term[0] == "enter":
            return self.of(path, term[1], depth + 1)
        if term[0] == "a":
            base = self.of(path, term[1], depth + 1)
            return None if base is None else self.attribute(base, term[2], depth)
        if term[0] != "call":
            return None
        if term[1][0] == "a" and term[1][2] == _BUILD:
            return self.made(path, term)
        return self._called(path, term[1], depth)

    def _called(self, path: str, callee: Term, depth: int) -> ClassValue | None:
        values = self.program.values(callee, self._frame(path))
        if len(values) == 1 and isinstance(values[0], ClassValue):
            return values[0]
        found = (values[0].module, values[0].function) if len(values) == 1 and isinstance(values[0], FunctionValue) else None
        if found is None and callee[0] == "a":
            base = self.of(path, callee[1], depth + 1)
            found = None if base is None else self.program.method(base, callee[2])
        said = None if found is None else found[1].annotations.get("return")
        return None if said is None or found is None else self._class(found[0], said, found[1])

    def _class(self, path: str, said: Term, function: Function) -> ClassValue | None:
        """The class that an annotation names: one at the top of a file, or one that stands in the class around a method."""
        if said[0] == "a":
            outer = self._class(path, said[1], function)
            return None if outer is None else self._within(outer, said[2])
        around = function.cls
        if said[0] in ("g", "cls") and around is not None:
            cls = self.program.modules[path].classes.get(f"{around}.{said[1]}")
            if cls is not None:
                return ClassValue(path, cls)
        values = self.program.values(said, self._frame(path))
        return values[0] if len(values) == 1 and isinstance(values[0], ClassValue) else None

    def _within(self, outer: ClassValue, name: str) -> ClassValue | None:
        """A class that stands in another one, or in one above that."""
        for each in self.program.lineage(outer):
            if not isinstance(each, ClassValue):
                continue
            cls = self.program.modules[each.module].classes.get(f"{each.cls.qualname}.{name}")
            if cls is not None:
                return ClassValue(each.module, cls)
        return None

    def attribute(self, base: ClassValue, name: str, depth: int = 0) -> ClassValue | None:
        """The class of an attribute: of what a field begins with, of what the one place that sets it sets it to."""
        for each in self.program.lineage(base):
            if not isinstance(each, ClassValue):
                continue
            given = factory(each.cls.attributes.get(name))
            if given is not None:
                return self._class(each.module, given, self._top(each.module))
        found = [
            (each.module, node.value)
            for each in self.program.lineage(base)
            if isinstance(each, ClassValue)
            for function in self.program.modules[each.module].functions.values()
            if function.cls == each.cls.qualname
            for node in of_kind(function, Store)
            if node.target[0] == "a" and node.target[1][0] == "self" and node.target[2] == name
            if not (node.value[0] == "c" and node.value[2] is None)
        ]
        classes = [self.of(path, value, depth + 1) for path, value in found]
        return classes[0] if classes and all(each == classes[0] for each in classes) else None

    def makes_with(self, path: str, function: Function) -> bool:
        """Whether a function begins an object that its own configuration makes."""
        cls = self.program.modules[path].classes.get(function.cls or "") if function.name == "__init__" else None
        config = None if cls is None else self.program.modules[path].classes.get(f"{cls.qualname}.Config")
        return config is not None and self._builds(ClassValue(path, config))

    # -- what configurations make ------------------------------------------------------------------------------------

    def _owner(self, config: ClassValue) -> ClassValue | None:
        """The class around that of a configuration which can build something."""
        outer, _, name = config.cls.qualname.rpartition(".")
        cls = self.program.modules[config.module].classes.get(outer) if name else None
        return ClassValue(config.module, cls) if cls is not None and self._builds(config) else None

    def _builds(self, config: ClassValue) -> bool:
        """Whether a configuration makes what it is told at some other place: ``return self._owner(config=self)``."""
        method = self.program.method(config, _BUILD)
        made = [] if method is None else [each for each in self.program.returns(method[1]) if each[0] == "call"]
        return any(each[1][0] == "a" and (each[1][1][0] == "self" or is_super(each[1][1])) for each in made)

    def _named(self, path: str) -> Iterator[ClassValue]:
        """The classes that a file imports which configurations of theirs make."""
        module = self.program.modules[path]
        for term in module.names.values():
            if term[0] != "r":
                continue
            for value in self.program.values(term, self._frame(path)):
                config = self._within(value, "Config") if isinstance(value, ClassValue) else None
                if config is not None and isinstance(value, ClassValue) and self._builds(config):
                    yield value

    def configurations(self) -> Iterator[ClassValue]:
        """The configurations of what the files of the job have built, whose own class only a name says."""
        for path in sorted(self.files()):
            for function in self.program.modules[path].functions.values():
                for call in calls_of(function):
                    callee = call.term[1]
                    if callee[0] == "a" and callee[2] == _BUILD and self.of(path, callee[1]) is None:
                        made = self.made(path, call.term)
                        config = None if made is None else self._within(made, "Config")
                        if config is not None:
                            yield config

    def _frame(self, path: str) -> Frame:
        return self.program.frame(path, self._top(path))

    def _top(self, path: str) -> Function:
        return self.program.modules[path].functions["<module>"]

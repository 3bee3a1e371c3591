"""Objects that a configuration makes, and what the job asks of them as options.

Objects that a configuration makes: ``trainer = config.build()``, of the class in which the configuration's own class
stands.

Of what class a configuration is, annotations say, and the defaults of the fields of another configuration. Of one that is found
by a name, the file that has it built says it where it speaks of one class alone that is made so.

What a job asks of configurations that make its objects, as options: ``config.enable`` is `checkpoint.enable`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Entered, Global, NestedClass, Param, Ref, Self, Term
from trainlint.ir.sketch import Exit, Function, Loop, Store
from trainlint.ir.terms import is_none, is_super, parts_of
from trainlint.ir.walk import of_kind, tests_of
from trainlint.preflight.settings.argument_parsers import Declared, default_of_field, factory
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, Value

_BUILD = "build"
_BUILT_DEEPEST = 8


class Built:
    """Those of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, files: Callable[[], Collection[str]]) -> None:
        self.program = program
        self.files = files
        self._known: dict[tuple[str, Term], ClassValue | None] = {}

    def targets(self, path: str, call: Call, *, is_known: bool = False) -> Iterator[FunctionValue | ClassValue]:
        """What a call runs: the method of an object that a configuration made; the class of which one makes an object.

        ``is_known``: a function that it calls is known. Of one that builds things, that does not say which.
        """
        callee = call.callee
        if not isinstance(callee, Attr):
            return
        if callee.name == _BUILD:
            made = self.made(path, call)
            begins = None if made is None else self.program.method(made, "__init__")
            if made is not None:
                yield made
                yield from (() if begins is None else (FunctionValue(*begins, Instance(made.module, made.cls)),))
            return
        if is_known or not self._may_be(path, callee.base):
            return
        cls = self.of(path, callee.base)
        method = None if cls is None else self.program.method(cls, callee.name)
        if cls is not None and method is not None:
            yield FunctionValue(*method, Instance(cls.module, cls.cls))

    def is_parsed(self, value: Value) -> bool:
        """Whether a value is what a parser made, or a part of it: an object of the project's, not the library's."""
        parsers = tuple(f"{each}." for each in self.program.knowledge.tables["preflight.parsers"])
        return isinstance(value, Library) and value.name.startswith(parsers)

    def made(self, path: str, call: Call) -> ClassValue | None:
        """The class of which ``config.build()`` makes an object."""
        assert isinstance(call.callee, Attr)
        config = self.of(path, call.callee.base)
        if config is not None:
            return self._owner(config)
        named = {each.cls.qualname: each for each in self._named(path)}
        return next(iter(named.values())) if len(named) == 1 and not call.kwargs and not call.args else None

    def _may_be(self, path: str, term: Term) -> bool:
        """Whether an object is one that a configuration made, or that another such object keeps."""
        if isinstance(term, Call):
            return bool(isinstance(term.callee, Attr) and term.callee.name == _BUILD)
        if isinstance(term, Entered):
            return self._may_be(path, term.manager)
        if not isinstance(term, Attr):
            return False
        return self._may_be(path, term.base) or isinstance(term.base, Self)

    # -- of what class something is ----------------------------------------------------------------------------------

    def of(self, path: str, term: Term, depth: int = 0) -> ClassValue | None:
        """The class of an object, by annotations and by what makes it; None where nothing says it, or several are."""
        key = (path, term)
        if key not in self._known:
            self._known[key] = None  # what leads back to itself is of no known class
            self._known[key] = self._of(path, term, depth) if depth < _BUILT_DEEPEST else None
        return self._known[key]

    def _of(self, path: str, term: Term, depth: int) -> ClassValue | None:
        module = self.program.modules[path]
        if isinstance(term, Self):
            cls = module.classes.get(term.cls)
            return None if cls is None else ClassValue(path, cls)
        if isinstance(term, Param):
            function = module.functions.get(term.function)
            said = None if function is None else function.annotations.get(term.name)
            return None if said is None or function is None else self._class(path, said, function)
        if isinstance(term, Entered):
            return self.of(path, term.manager, depth + 1)
        if isinstance(term, Attr):
            base = self.of(path, term.base, depth + 1)
            return None if base is None else self.attribute(base, term.name, depth)
        if not isinstance(term, Call):
            return None
        if isinstance(term.callee, Attr) and term.callee.name == _BUILD:
            return self.made(path, term)
        return self._called(path, term.callee, depth)

    def _called(self, path: str, callee: Term, depth: int) -> ClassValue | None:
        values = self.program.values(callee, self._frame(path))
        if len(values) == 1 and isinstance(values[0], ClassValue):
            return values[0]
        found = (values[0].module, values[0].function) if len(values) == 1 and isinstance(values[0], FunctionValue) else None
        if found is None and isinstance(callee, Attr):
            base = self.of(path, callee.base, depth + 1)
            found = None if base is None else self.program.method(base, callee.name)
        said = None if found is None else found[1].annotations.get("return")
        return None if said is None or found is None else self._class(found[0], said, found[1])

    def _class(self, path: str, said: Term, function: Function) -> ClassValue | None:
        """The class that an annotation names: one at the top of a file, or one that stands in the class around a method."""
        if isinstance(said, Attr):
            outer = self._class(path, said.base, function)
            return None if outer is None else self._within(outer, said.name)
        around = function.cls
        if isinstance(said, (Global, NestedClass)) and around is not None:
            cls = self.program.modules[path].classes.get(f"{around}.{said.name}")
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
            if isinstance(node.target, Attr) and isinstance(node.target.base, Self) and node.target.name == name
            if not is_none(node.value)
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
        made = [] if method is None else [each for each in self.program.returns(method[1]) if isinstance(each, Call)]
        return any(
            isinstance(each.callee, Attr) and (isinstance(each.callee.base, Self) or is_super(each.callee.base)) for each in made
        )

    def _named(self, path: str) -> Iterator[ClassValue]:
        """The classes that a file imports which configurations of theirs make."""
        module = self.program.modules[path]
        for term in module.names.values():
            if not isinstance(term, Ref):
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
                    callee = call.term.callee
                    if isinstance(callee, Attr) and callee.name == _BUILD and self.of(path, callee.base) is None:
                        made = self.made(path, call.term)
                        config = None if made is None else self._within(made, "Config")
                        if config is not None:
                            yield config

    def _frame(self, path: str) -> Context:
        return self.program.frame(path, self._top(path))

    def _top(self, path: str) -> Function:
        return self.program.modules[path].functions["<module>"]


_FIELDS_DEEPEST = 5


def fields_of(built: Built) -> dict[Term, Declared]:
    """The options by the terms of the job's files that ask for them: of a configuration to which one way leads."""
    ways: dict[tuple[str, str], dict[tuple[str, ...], ClassValue]] = {}
    for config in built.configurations():
        for way, cls in _below(built, config, (), frozenset()):
            for each in built.program.lineage(cls):
                if isinstance(each, ClassValue):
                    ways.setdefault((each.module, each.cls.qualname), {})[way] = cls
    found: dict[Term, Declared] = {}
    for path in sorted(built.files()) if ways else ():
        for function in built.program.modules[path].functions.values():
            for part in parts_of(*_terms(function)):
                if not isinstance(part, Attr) or part in found:
                    continue
                base = built.of(path, part.base)
                leading = ways.get((base.module, base.cls.qualname), {}) if base is not None else {}
                if len(leading) == 1:
                    way, cls = next(iter(leading.items()))
                    option = _option(built, cls, (*way, part.name))
                    if option is not None:
                        found[part] = option
    return found


def _below(
    built: Built, config: ClassValue, way: tuple[str, ...], seen: frozenset[str]
) -> Iterator[tuple[tuple[str, ...], ClassValue]]:
    """A configuration and those that its fields begin with, each with the names that lead to it."""
    yield way, config
    if len(way) >= _FIELDS_DEEPEST or config.cls.qualname in seen:
        return
    done: set[str] = set()
    for each in built.program.lineage(config):
        for name in each.cls.fields if isinstance(each, ClassValue) else ():
            inner = built.attribute(config, name) if name not in done else None
            done.add(name)
            if inner is not None:
                yield from _below(built, inner, (*way, name), seen | {config.cls.qualname})


def _terms(function: Function) -> Iterator[Term]:
    yield from (call.term for call in calls_of(function))
    yield from (node.condition for node in tests_of(function))
    yield from (node.subject for node in of_kind(function, Loop))
    yield from (node.value for node in of_kind(function, Store))
    yield from (node.value for node in of_kind(function, Exit) if node.value is not None)
    yield from held_at_end(function).values()


def _option(built: Built, cls: ClassValue, way: tuple[str, ...]) -> Declared | None:
    """The field of a configuration as an option; its default is not known where something makes one with another value."""
    for each in built.program.lineage(cls):
        if isinstance(each, ClassValue) and way[-1] in each.cls.fields:
            given = each.cls.attributes.get(way[-1])
            if factory(given) is not None:
                return None  # a configuration of its own
            default = None if _is_given(built, cls, way[-1]) else default_of_field(given)
            flag = f"--{'.'.join(way)}".replace("_", "-")
            return Declared(".".join(way), (flag,), each.module, each.cls.spot, default)
    return None


def _is_given(built: Built, cls: ClassValue, name: str) -> bool:
    """Whether a call that makes such a configuration says something of a field."""
    outer = cls.cls.qualname.rpartition(".")[0].rpartition(".")[2]
    return any(
        site.module in built.files()
        and name in dict(site.call.term.kwargs)
        and (not outer or (isinstance(site.call.term.callee, Attr) and last_name(site.call.term.callee.base) == outer))
        for site in built.program.ask(CallGraph).sites.get(cls.cls.name, ())
    )

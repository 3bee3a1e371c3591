"""Objects that a configuration makes, and what the job asks of them as options.

Objects that a configuration makes: ``trainer = config.build()``, of the class in which the configuration's own class
stands.

Of what class a configuration is, annotations say, and the defaults of the fields of another configuration. Of one that is found
by a name, the file that has it built says it where it speaks of one class alone that is made so.

What a job asks of configurations that make its objects, as options: ``config.enable`` is `checkpoint.enable`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from trainlint.app.preflight.settings.argument_parsers import Declared, default_of_field, factory
from trainlint.app.preflight.values.words import functions_of, terms_of
from trainlint.ir.nodes import Attr, Call, Entered, Ref, Self, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import is_none, is_super, parts_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.memo import Memo
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, Value

_BUILD = "build"


class Built:
    """Those of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, files: Callable[[], Collection[str]]) -> None:
        self.program = program
        self.files = files
        self._known = Memo[ClassValue | None](None)

    def targets(self, call: Call, frame: Context, *, is_known: bool = False) -> Iterator[FunctionValue | ClassValue]:
        """What a call runs: the method of an object that a configuration made; the class of which one makes an object.

        ``is_known``: a function that it calls is known. Of one that builds things, that does not say which.
        """
        callee = call.callee
        if not isinstance(callee, Attr):
            return
        if callee.name == _BUILD:
            made = self.made(call, frame)
            begins = None if made is None else self.program.method(made, "__init__")
            if made is not None:
                yield made
                yield from (() if begins is None else (FunctionValue(*begins, Instance(made.module, made.cls)),))
            return
        cls = None if is_known or not _may_be(callee.base) else self.of(callee.base, frame)
        method = None if cls is None else self.program.method(cls, callee.name)
        if cls is not None and method is not None:
            yield FunctionValue(*method, Instance(cls.module, cls.cls))

    def is_parsed(self, value: Value) -> bool:
        """Whether a value is what a parser made, or a part of it: an object of the project's, not the library's."""
        parsers = tuple(f"{each}." for each in self.program.knowledge.tables["preflight.parsers"])
        return isinstance(value, Library) and value.name.startswith(parsers)

    def made(self, call: Call, frame: Context) -> ClassValue | None:
        """The class of which ``config.build()`` makes an object."""
        assert isinstance(call.callee, Attr)
        config = self.of(call.callee.base, frame)
        if config is not None:
            return self._owner(config)
        named = {each.cls.qualname: each for each in self._named(frame.module)}
        return next(iter(named.values())) if len(named) == 1 and not call.kwargs and not call.args else None

    # -- of what class something is ----------------------------------------------------------------------------------

    def of(self, term: Term, frame: Context) -> ClassValue | None:
        """The class of an object; None where nothing says it, or several are. What leads back to itself is of no known class."""
        return self._known.ask((frame.module, frame.function.qualname, term), lambda: self._of(term, frame))

    def _of(self, term: Term, frame: Context) -> ClassValue | None:
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == _BUILD:
            return self.made(term, frame)
        if isinstance(term, Entered):
            return self.of(term.manager, frame)
        base = self.of(term.base, frame) if isinstance(term, Attr) else None
        if isinstance(term, Attr) and base is not None:
            return self.attribute(base, term.name)
        return _one(self._class(each) for each in self.program.values(term, frame))

    def _class(self, value: Value) -> ClassValue | None:
        return ClassValue(value.module, value.cls) if isinstance(value, Instance) else None

    def attribute(self, base: ClassValue, name: str) -> ClassValue | None:
        """The class of an attribute: of what methods set it to, else of what a field begins with."""
        stores = [each for each in self.program.stores(base, name) if not is_none(each[2])]
        if stores:
            return _one(self.of(value, self.program.frame(module, function)) for module, function, value in stores)
        begun = self.program.class_attribute(base, name)
        return None if begun is None else _one(self._class(each) for each in self.program.values(begun[1], begun[0]))

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
        for term in self.program.modules[path].names.values():
            for value in self.program.values(term, self.program.frame(path, self._top(path))) if isinstance(term, Ref) else ():
                config = self._config(value) if isinstance(value, ClassValue) else None
                if config is not None and isinstance(value, ClassValue) and self._builds(config):
                    yield value

    def _config(self, value: ClassValue) -> ClassValue | None:
        """The class of the configurations of a class, which stands in it or in one above it."""
        within = self.program.class_attribute(value, "Config")
        found = () if within is None else self.program.values(within[1], within[0])
        return next((each for each in found if isinstance(each, ClassValue)), None)

    def configurations(self) -> Iterator[ClassValue]:
        """The configurations of what the files of the job have built, whose own class only a name says."""
        for path, function in functions_of(self.program, self.files()):
            frame = self.program.frame(path, function)
            for call in calls_of(function):
                callee = call.term.callee
                if isinstance(callee, Attr) and callee.name == _BUILD and self.of(callee.base, frame) is None:
                    made = self.made(call.term, frame)
                    config = None if made is None else self._config(made)
                    if config is not None:
                        yield config

    def _top(self, path: str) -> Function:
        return self.program.modules[path].functions["<module>"]


def _one(found: Iterable[ClassValue | None]) -> ClassValue | None:
    """The one class that several things are of."""
    classes = set(found)
    return classes.pop() if len(classes) == 1 else None


def _may_be(term: Term) -> bool:
    """Whether an object is one that a configuration made, or that another such object keeps."""
    while not isinstance(term, Call):
        if isinstance(term, Attr) and isinstance(term.base, Self):
            return True
        if not isinstance(term, (Attr, Entered)):
            return False
        term = term.base if isinstance(term, Attr) else term.manager
    return isinstance(term.callee, Attr) and term.callee.name == _BUILD


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
    for path, function in functions_of(built.program, built.files() if ways else ()):
        frame = built.program.frame(path, function)
        for part in parts_of(*terms_of(function)):
            if not isinstance(part, Attr) or part in found:
                continue
            base = built.of(part.base, frame)
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

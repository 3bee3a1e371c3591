"""Which functions may run though nothing is seen to come to them: of the files of the job, and of a library beside it.

What of a library that lies beside the script may run: which of its classes and functions the job comes to by their
names.

A script in ``examples/`` imports a package of the same repository, and with it every file of that package. Most of what stands
there the job never makes and never calls. So one goes from the script: a function is alive when what is alive speaks of it, a
class when it, or one derived from it, is; its methods are when something alive has their name behind a dot, or a library calls
them. What is registered (by a decorator), taken from a module that is handed on as a value, or found by a name is alive, too.

Which functions of a job's files may run, though nothing is seen to come to them: asked by their names alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cached_property

from trainlint.app.preflight.running.dynamic_imports import names
from trainlint.app.preflight.running.guards import is_kept
from trainlint.app.preflight.running.implicit_calls import is_hook
from trainlint.app.preflight.running.imports import folders_of
from trainlint.app.preflight.values.methods import BY_SYNTAX, calls_nothing, hooks_of, is_one_of
from trainlint.app.preflight.values.words import functions_of, handed, known, terms_of
from trainlint.ir.bindings import carried_values
from trainlint.ir.nodes import Attr, Call, Const, Global, Nested, NestedClass, Ref, Star, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import dotted_name, parts_of, parts_through
from trainlint.program.call_graph import last_name
from trainlint.program.def_use import made_in
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, ModuleValue, Unresolved

#: Decorators that only say how a method is called.
_PLAIN = frozenset(("property", "cached_property", "setter", "staticmethod", "classmethod", "abstractmethod", "overload"))
#: Decorators that make a class no part of anything.
_OF_DATA = frozenset(("dataclass", "total_ordering", "final", "runtime_checkable", "unique", "deprecated"))
#: What only asks whether an object is of a class.
_ASKS = frozenset(("isinstance", "issubclass"))
#: What finds anything that a file has by its name, and what looks through the classes that are derived from one.
_OF_FILE = frozenset(("globals", "locals", "vars", "eval", "exec"))
_DERIVED = "__subclasses__"
#: What imports by a name: it takes up nothing of the module by itself.
_IMPORTS = frozenset(("import_module", "__import__"))
#: The methods by which an object hands on what it is asked for by name.
_HANDS_ON = frozenset(("__getattr__", "__getattribute__"))
_TOP = "<module>"


def outside(path: str, files: Iterable[str], known: Container[str]) -> frozenset[str]:
    """The files that lie in a package in which a script does not lie; ``known`` are all files that there are."""

    def is_outside(each: str) -> bool:
        # folders within a package need no file of their own
        above = [folder for folder in folders_of(each) if f"{folder}{os.sep}__init__.py" in known]
        return bool(above) and not path.startswith(above[-1] + os.sep)

    return frozenset(each for each in files if is_outside(each))


class Living:
    """Of the ``files`` of a job; ``is_settled`` says of a call by a name that nothing is open about it."""

    def __init__(
        self, program: Program, path: str, files: frozenset[str], is_settled: Callable[[str, Function, Call], bool]
    ) -> None:
        self.program = program
        self.files = files
        self.library = outside(path, files, program.finder.files)
        self._is_settled = is_settled
        #: Whether something that is alive may make anything by a name.
        self._is_open = False
        self._alive: set[int] = set()
        self._classes: set[tuple[str, str]] = set()
        self._attributes: set[str] = set()
        #: The methods of living classes that nothing alive has named yet.
        self._resting: dict[str, list[tuple[str, Function]]] = {}
        self._waiting: list[tuple[str, Function]] = []
        self._whole: set[str] = set()
        self._seen: set[tuple[str, Term]] = set()

    def holds(self, path: str, function: Function) -> bool:
        """Whether a function may run, as far as this says; of files that belong to the script nothing is said."""
        return path not in self.library or id(function) in self._found or self._is_open

    # -- from the script on ----------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> set[int]:
        for path in sorted(self.files):
            module = self.program.modules[path]
            is_own = path not in self.library
            for function in module.functions.values():
                if is_own or function.name == _TOP or (function.decorators and function.cls is None):
                    self._take(path, function)
            for cls in module.classes.values():
                registered = any(last_name(each) not in _OF_DATA for each in cls.decorators)
                if is_own or registered or self._is_told_of(ClassValue(path, cls)):
                    self._make(ClassValue(path, cls))
        while self._waiting and not self._is_open:
            self._look(*self._waiting.pop())
        return self._alive

    def _is_told_of(self, cls: ClassValue) -> bool:
        """Whether a class above one is told of each that is derived from it, and may keep it."""
        above = (each for each in self.program.lineage(cls) if isinstance(each, ClassValue))
        return any("__init_subclass__" in each.cls.methods for each in above)

    def _look(self, path: str, function: Function) -> None:
        """Everything that a function speaks of."""
        finds = known(self.program, "finds-by-name")
        for call in calls_of(function):
            name = last_name(call.term.callee)
            if name in finds and not self._is_settled(path, function, call.term):
                self._is_open = self._is_open or name not in _IMPORTS or self._takes_by_name(path)
        terms = [*terms_of(function), *function.defaults.values(), *carried_values(function), *function.decorators]
        self._speak(self.program.frame(path, function), (*terms, *(star.of for star in made_in(function, Star))))
        for inner in self.program.modules[path].functions.values():
            if inner.outer == function.qualname and inner.cls is None:
                self._take(path, inner)

    def _takes_by_name(self, path: str) -> bool:
        """Whether a file that imports by a name takes things of what it imported by names, too."""
        return any(
            last_name(call.term.callee) == "getattr" and len(call.term.args) > 1 and not isinstance(call.term.args[1], Const)
            for function in self.program.modules[path].functions.values()
            if function.name not in _HANDS_ON
            for call in calls_of(function)
        )

    def _take(self, path: str, function: Function) -> None:
        """A function comes alive, with those of its name behind other tests."""
        for each in self.program.modules[path].functions.values():
            if (each.name, each.cls, each.outer) == (function.name, function.cls, function.outer) and id(each) not in self._alive:
                self._alive.add(id(each))
                self._waiting.append((path, each))

    def _make(self, cls: ClassValue) -> None:
        """A class comes alive: so do its methods, and those of the classes above it, that something names or calls."""
        if (cls.module, cls.cls.qualname) in self._classes:
            return
        self._classes.add((cls.module, cls.cls.qualname))
        above = self.program.lineage(cls)
        patterns = None if calls_nothing(self.program, above) else hooks_of(self.program, above)
        for each in above:
            if not isinstance(each, ClassValue) or each.module not in self.files:
                continue
            held = each.cls.attributes.items()
            self._speak(self._top(each.module), (value for name, value in held if name not in each.cls.methods))
            for function in self.program.modules[each.module].functions.values():
                if function.cls != each.cls.qualname:
                    continue
                hooked = patterns is not None and (not patterns or is_one_of(function.name, patterns))
                hooked = hooked or function.name in BY_SYNTAX or function.name.startswith("__")
                called = hooked or function.name in self._attributes
                if called or any(last_name(one) not in _PLAIN for one in function.decorators):
                    self._take(each.module, function)
                else:
                    self._resting.setdefault(function.name, []).append((each.module, function))

    def _top(self, path: str) -> Context:
        return self.program.frame(path, self.program.modules[path].functions[_TOP])

    # -- what is spoken of -----------------------------------------------------------------------------------------

    def _speak(self, frame: Context, terms: Iterable[Term]) -> None:
        """Take up what terms mean; texts that a call is handed may be names of attributes, or of classes with their modules."""
        for part in (each for term in terms if not isinstance(term, Const) for each in parts_through(term, _spoken_in)):
            if (frame.module, part) in self._seen:
                continue
            self._seen.add((frame.module, part))
            if isinstance(part, Attr) and dotted_name(part) is None:
                self._name_attribute(part.name)
                if last_name(part.base) in _IMPORTS:
                    self._of_any_file(part.name)
            elif isinstance(part, Const) and isinstance(part.value, str) and part.value.replace(".", "").isidentifier():
                self._name_attribute(part.value.rpartition(".")[2])
                if "." in part.value:
                    self._mean(frame, Ref.new(part.value))
            elif isinstance(part, _NAMES):
                self._mean(frame, part)

    def _mean(self, frame: Context, name: Term) -> None:
        """What a name means comes alive; a module, as a value, may be asked for all that it has."""
        if last_name(name) in _OF_FILE or dotted_name(name) == "sys.modules":
            self._all_of(frame.module)
        for each in self.program.values(name, frame):
            if isinstance(each, FunctionValue):
                self._take(each.module, each.function)
            elif isinstance(each, (ClassValue, Instance)):
                self._make(ClassValue(each.module, each.cls))
            elif isinstance(each, ModuleValue) and each.module in self.files:
                self._all_of(each.module)
            elif isinstance(each, Unresolved) and each.term is not name:
                self._speak(each.frame, (each.term,))

    def _name_attribute(self, name: str) -> None:
        if name == _DERIVED:
            self._is_open = True
        if name in self._attributes:
            return
        self._attributes.add(name)
        for where, function in self._resting.pop(name, ()):
            self._take(where, function)
        for cls in self._named.get(name, ()):  # of a module that is a value: ``import_module(name).Net()``
            self._make(cls)

    @cached_property
    def _named(self) -> dict[str, list[ClassValue]]:
        """The classes by their names."""
        found: dict[str, list[ClassValue]] = {}
        for path in sorted(self.files):
            for cls in self.program.modules[path].classes.values():
                found.setdefault(cls.name.rstrip("'"), []).append(ClassValue(path, cls))
        return found

    def _of_any_file(self, name: str) -> None:
        """A name of a module that is imported by a name."""
        for path in sorted(self.files):
            if name in self.program.modules[path].names:
                self._mean(self._top(path), Global.new(name))

    def _all_of(self, path: str) -> None:
        """All that a file has, be it from others; not what is in whole modules that it imports."""
        if path in self._whole:
            return
        self._whole.add(path)
        module = self.program.modules[path]
        for name in module.names:
            if not any(isinstance(each, ModuleValue) for each in self.program.values(Global.new(name), self._top(path))):
                self._mean(self._top(path), Global.new(name))
        for star in module.stars:
            source = self.program.finder.find(path, star)
            if source is not None and source in self.files:
                self._all_of(source)


#: What names something of a file.
_NAMES = (Attr, Ref, Global, Nested, NestedClass)


def _spoken_in(term: Term) -> Sequence[Term]:
    """The parts of a term that are spoken of: not the classes that are asked about, nor those that get a second name."""
    if isinstance(term, Attr) and dotted_name(term) is not None:
        return ()
    if not isinstance(term, Call):
        return [each for each in term.subterms() if not isinstance(each, Const)]
    if last_name(term.callee) in _ASKS:
        return term.args[:1]
    return () if last_name(term.callee) in _OF_DATA else (term.callee, *handed(term))


def may_run(program: Program, files: frozenset[str], run: Container[int]) -> frozenset[int]:
    """The functions (by id) that may run: by name, from what does ``run``, from hooks, and from what decorators take up."""
    by_name: dict[str, list[tuple[str, Function]]] = {}
    waiting: list[tuple[str, Function]] = []
    for path, function in functions_of(program, files):
        if id(function) in run or function.decorators or is_hook(program, path, function):
            waiting.append((path, function))
        by_name.setdefault(_called(function), []).append((path, function))
    found = {id(function) for _, function in waiting}
    while waiting:
        path, function = waiting.pop()
        if any(_is_by_name(program, path, function, call.term) for call in calls_of(function)):
            return frozenset(id(each) for path in files for each in program.modules[path].functions.values())
        mentioned = {
            (last_name(part), isinstance(part, Attr) and not isinstance(part.base, (Ref, Global)))
            for call in calls_of(function)
            for part in (call.term.callee, *parts_of(*handed(call.term)))
            if isinstance(part, (Global, Ref, Nested, NestedClass, Attr))
        }
        for inner in program.modules[path].functions.values():
            if inner.outer == function.qualname and is_kept(program, path, inner):
                mentioned.add((inner.name, False))
        for called, of_something in mentioned:
            for other in by_name.get(called or "", ()):
                if id(other[1]) not in found and (other[1].cls is not None or not of_something):
                    found.add(id(other[1]))
                    waiting.append(other)
    return frozenset(found)


def _called(function: Function) -> str:
    """The name by which a function is called: a constructor by that of its class."""
    return function.cls.rpartition(".")[2] if function.name == "__init__" and function.cls is not None else function.name


def _is_by_name(program: Program, path: str, function: Function, call: Call) -> bool:
    """Whether a call finds something by a name that stands elsewhere."""
    return last_name(call.callee) in known(program, "finds-by-name") and not program.ask(names).is_settled(path, function, call)

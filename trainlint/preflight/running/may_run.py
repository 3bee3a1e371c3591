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
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property

from trainlint.ir.bindings import carried_values, held_at_end, held_in_rounds
from trainlint.ir.nodes import Attr, Call, Const, Global, Nested, NestedClass, Ref, Star, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import dotted_name, parts_of
from trainlint.ir.walk import roots, statements_of
from trainlint.preflight.running.dynamic_imports import names
from trainlint.preflight.running.implicit_calls import is_hook
from trainlint.preflight.running.imports import folders_of
from trainlint.preflight.values.methods import BY_SYNTAX, calls_nothing, hooks_of, is_one_of
from trainlint.preflight.values.words import handed, known
from trainlint.program.call_graph import last_name
from trainlint.program.def_use import made_in
from trainlint.program.imports import split_import
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue

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
        terms = [term for node in statements_of(function) for term in roots(node)]
        for held in (held_at_end(function), held_in_rounds(function), function.defaults):
            terms += held.values()
        terms += carried_values(function)
        terms += [star.of for star in made_in(function, Star)]
        terms += function.decorators
        self._speak(path, terms)
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
        if id(function) not in self._alive:
            self._alive.add(id(function))
            self._waiting.append((path, function))

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
            self._speak(each.module, (value for name, value in held if name not in each.cls.methods))
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

    # -- what is spoken of -----------------------------------------------------------------------------------------

    def _speak(self, path: str, terms: Iterable[Term]) -> None:
        waiting = list(terms)
        while waiting:
            term = waiting.pop()
            if (path, term) in self._seen:
                continue
            self._seen.add((path, term))
            if isinstance(term, Attr) and dotted_name(term) is None:
                self._name_attribute(term.name)
                if last_name(term.base) in _IMPORTS:
                    self._of_any_file(term.name)
                waiting.append(term.base)
            elif isinstance(term, (Attr, Ref)):
                self._import(path, dotted_name(term) or "")
            elif isinstance(term, Global):
                self._global(path, term.name)
            elif isinstance(term, (Nested, NestedClass)):
                self._inner(path, term.name)
            elif isinstance(term, Call):
                waiting += self._called(path, term)
            else:
                waiting += term.subterms()

    def _called(self, path: str, term: Call) -> Iterator[Term]:
        """The parts of a call; texts that it is handed may be names of attributes, or of classes with their modules."""
        if last_name(term.callee) in _ASKS:
            yield from term.args[:1]
            return
        if last_name(term.callee) in _OF_DATA:
            return  # a class gets a second name
        yield term.callee
        for each in handed(term):
            if isinstance(each, Const):
                if isinstance(each.value, str) and each.value.replace(".", "").isidentifier():
                    self._name_attribute(each.value.rpartition(".")[2])
                    if "." in each.value:
                        self._import(path, each.value)
            else:
                yield each

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
            if name in self._tops(path):
                self._symbol(path, name)

    def _global(self, path: str, name: str) -> None:
        if name in _OF_FILE:
            self._all_of(path)
        self._symbol(path, name)

    def _import(self, path: str, dotted: str) -> None:
        """Something imported, with the attributes behind it; a module itself, as a value, may be asked for all that it has."""
        where, rest = split_import(self.program.finder, path, dotted)
        if dotted == "sys.modules":
            self._all_of(path)
        if where is None or where not in self.files:
            return
        if not rest:
            self._all_of(where)
            return
        self._symbol(where, rest[0])
        for each in rest[1:]:
            self._name_attribute(each)

    def _inner(self, path: str, qualname: str) -> None:
        module = self.program.modules[path]
        if qualname in module.functions:
            self._take(path, module.functions[qualname])
        elif qualname in module.classes:
            self._make(ClassValue(path, module.classes[qualname]))

    def _symbol(self, path: str, name: str) -> None:
        """A name of a file: what stands there, or what it has from another file; each file is looked into once."""
        seen, level = {path}, [path]
        for _ in range(_STARS):
            level = [star for each in level if not self._stands(each, name) for star in self._starred(each)]
            level = [each for each in dict.fromkeys(level) if each not in seen]
            seen.update(level)
        for each in level:
            self._stands(each, name)

    def _starred(self, path: str) -> Iterator[str]:
        """The files of which a file takes all names; for one that is not there its package is found, which is none of them."""
        for star in self.program.modules[path].stars:
            where, rest = split_import(self.program.finder, path, star)
            if where is not None and not rest and where in self.files:
                yield where

    def _stands(self, path: str, name: str) -> bool:
        """Whether a file has a name itself, which is taken up then."""
        module = self.program.modules[path]
        found = self._tops(path).get(name, ())
        for each in found:
            if isinstance(each, Function):
                self._take(path, each)
            else:
                self._make(each)
        bound = module.names.get(name)
        if bound is not None and not (isinstance(bound, Global) and bound.name == name):
            self._speak(path, (bound,))
            return True
        return bool(found)

    def _tops(self, path: str) -> dict[str, list[Function | ClassValue]]:
        """The functions and classes at the top of a file, by name: there may be several of one name, behind tests."""
        known = self._by_name.get(path)
        if known is None:
            known = self._by_name[path] = {}
            module = self.program.modules[path]
            for function in module.functions.values():
                if function.cls is None and function.outer in (None, _TOP):
                    known.setdefault(function.name, []).append(function)
            for cls in module.classes.values():
                known.setdefault(cls.name.rstrip("'"), []).append(ClassValue(path, cls))
        return known

    @cached_property
    def _by_name(self) -> dict[str, dict[str, list[Function | ClassValue]]]:
        return {}

    def _all_of(self, path: str) -> None:
        """All that a file has, be it from others; not what is in whole modules that it imports."""
        if path in self._whole:
            return
        self._whole.add(path)
        module = self.program.modules[path]
        for name in {*self._tops(path), *module.names}:
            bound = module.names.get(name)
            if bound is None or not isinstance(bound, Ref) or split_import(self.program.finder, path, bound.name)[1]:
                self._symbol(path, name)
        for star in self._starred(path):
            self._all_of(star)


#: How many files a name is followed through that take everything from the next one.
_STARS = 6


def may_run(
    program: Program, files: frozenset[str], run: Container[int], is_used: Callable[[str, Function], bool]
) -> frozenset[int]:
    """The functions (by id) that may run: by their names, from what does ``run``, from hooks, and from what decorators take up.

    ``is_used`` says of a function within another one whether that speaks of it.
    """
    by_name: dict[str, list[tuple[str, Function]]] = {}
    waiting: list[tuple[str, Function]] = []
    for path in sorted(files):
        for function in program.modules[path].functions.values():
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
            if inner.outer == function.qualname and is_used(path, inner):
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

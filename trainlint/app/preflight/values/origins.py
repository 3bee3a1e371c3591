"""Where values come from that tests ask about: parameters, attributes, what is returned, objects that every caller makes.

Parameters that every caller fills with an object that it has made: none of them is an option that happens to be
called so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.app.preflight.values.methods import calls_nothing
from trainlint.app.preflight.values.words import functions_of, handed, split
from trainlint.domains.constructor_arguments import Options
from trainlint.ir.control_dependence import Tests, conditions, raising_arms, walk_tested
from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Display,
    Element,
    Global,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.heap import item_of
from trainlint.program.memo import Memo
from trainlint.program.program import Program
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

#: Words of the project's own configurations.
_CALLED = frozenset(("exp", "experiment", "config", "cfg", "conf", "hparams", "settings", "options", "args"))


class Origin(NamedTuple):
    """A value, and where it stands: its file and function, behind which tests. None where somebody changes it unseen."""

    value: Term | None
    module: str
    function: Function | None = None
    tests: Tests = ()
    #: The activation that returns it, or is passed by.
    frame: Context | None = None


class Origins:
    """Those in a job's own files; ``files`` says which they are."""

    def __init__(self, program: Program, files: Callable[[], frozenset[str]]) -> None:
        self.program = program
        self.files = files
        self._passes: dict[tuple[str, Term], tuple[Origin, ...]] = {}
        self._sets: dict[tuple[str, Term, str], tuple[Origin, ...]] = {}

    # -- parameters --------------------------------------------------------------------------------------------------

    def passed(self, parameter: Param, module: str) -> tuple[Origin, ...]:
        """What the job's calls of a function pass for a parameter; nothing where that is not known."""
        key = (module, parameter)
        if key not in self._passes:
            self._passes[key] = ()  # what leads back to itself is not known
            self._passes[key] = tuple(self._passed(parameter, module))
        return self._passes[key]

    def _passed(self, parameter: Param, module: str) -> Iterable[Origin]:
        known = self.program.modules.get(module)
        function = None if known is None else known.functions.get(parameter.function)
        if function is None:
            return ()
        found: list[Origin] = []
        name, target = parameter.name, FunctionValue(module, function, self.program.frame(module, function).receiver)
        for site in self.program.ask(CallGraph).callers(function):
            if site.module not in self.files():
                continue
            inner = self.program.enter(target, site.call.term, self.program.frame(site.module, site.function))
            given = inner.arguments.get(name)
            if isinstance(given, Argument):
                found.append(Origin(given.term, given.frame.module, given.frame.function))
                continue
            more = self._unpacked_at(site, function, name, module)
            if not more:
                return ()
            found += more
        if not found and name in function.defaults and self._is_left_out(function, name):
            return (Origin(function.defaults[name], module, None),)
        return found

    def _unpacked_at(self, site: CallSite, function: Function, name: str, module: str) -> list[Origin]:
        """What a call hands over in the dicts that it unpacks, ``train(**settings)``; nothing where that is not known."""
        if any(isinstance(each, Unknown) for each in site.call.term.args):
            return []
        found: dict[Origin, None] = {}
        for frame in contexts_at(self.program, site):
            if any(each.module not in self.files() for each in frame.active()):
                continue
            ways = self.program.ask(Options).unpacked(site.call.term, frame, name)
            if ways.unknown or (ways.absent and name not in function.defaults):
                return []
            found.update((Origin(term, at.module, at.function, tests), None) for term, at, tests in ways.bounds)
            found.update({Origin(function.defaults[name], module): None} if ways.absent else {})
        return list(found)

    def _is_left_out(self, function: Function, name: str) -> bool:
        """Whether calls of something of a function's name, which nothing more is known of, all leave a parameter out."""
        index = function.parameters.index(name) - (function.kind == "method")
        sites = [
            site.call.term for site in self.program.ask(CallGraph).sites.get(function.name, ()) if site.module in self.files()
        ]
        return bool(sites) and all(
            len(term.args) <= index and name not in dict(term.kwargs) and None not in dict(term.kwargs) for term in sites
        )

    def items(self, term: Term, module: str) -> tuple[Origin, ...]:
        """What a loop over the items of lists takes out of them: ``count`` of ``for data, count in zip(all_data, counts)``."""
        if not isinstance(term.base if isinstance(term, Subscript) else term, Element):
            return ()
        own = next((each.function for each in parts_of(term) if isinstance(each, Param)), "<module>")
        function = self.program.modules[module].functions.get(own)
        frames = () if function is None else calling_contexts(self.program, module, function)
        seen = [each for each in frames if all(at.module in self.files() for at in each.active())]
        values = [value for each in seen for value in self.program.values(term, each)]
        found = [each for each in values if isinstance(each, Unresolved) and not isinstance(each.term, (Element, Subscript))]
        whole = tuple(Origin(each.term, each.frame.module, each.frame.function) for each in found)
        return whole if len(found) == len(values) else ()

    # -- what is returned --------------------------------------------------------------------------------------------

    def at(self, module: str) -> Context:
        """Where nothing is passed: what stands in a file."""
        return self.program.frame(module, self.program.modules[module].functions["<module>"])

    def where(self, origin: Origin) -> Context:
        """Where a value stands."""
        return origin.frame or self.at(origin.module)

    def returned(self, call: Call, frame: Context) -> tuple[Origin, ...]:
        """What a plain function of the project returns, behind which tests; nothing where it may return nothing, or yields."""
        values = self.program.values(call.callee, frame) if isinstance(call.callee, (Ref, Global)) else ()
        if len(values) != 1 or not isinstance(values[0], FunctionValue):
            return ()
        function = values[0].function
        last = function.body[-1] if function.body else None
        if function.generator or function.decorators or not isinstance(last, Exit) or last.kind != "return":
            return ()
        if not frame.follows(function):
            return ()
        raising = raising_arms(function.body)  # a test that raises otherwise decides nothing
        inner = self.program.enter(values[0], call, frame)
        return tuple(
            Origin(node.value, inner.module, function, tuple(each for each in conditions(led) if each not in raising), inner)
            for node, led in walk_tested(function.body)
            if isinstance(node, Exit) and node.kind == "return"
        )

    def of_several(self, term: Term, frame: Context) -> tuple[Origin, ...]:
        """What a function returns at one place among several: ``rank, device = start()``."""
        if not isinstance(term, Subscript) or not isinstance(term.base, Call) or not isinstance(term.key, Const):
            return ()
        found = [
            (each, None if each.value is None else item_of(each.value, term.key)) for each in self.returned(term.base, frame)
        ]
        return () if any(item is None for _, item in found) else tuple(each._replace(value=item) for each, item in found)

    # -- attributes --------------------------------------------------------------------------------------------------

    def set_to(self, base: Term, name: str, module: str) -> tuple[Origin, ...]:
        """What the job's files set an attribute of an object of theirs to, ``self.keep``; nothing where that is not known."""
        key = (module, base, name)
        if key not in self._sets:
            self._sets[key] = tuple(self._set_to(base, name, module))
        return self._sets[key]

    def _set_to(self, base: Term, name: str, module: str) -> Iterable[Origin]:
        stores = self._stores.get(name, ())
        own = self._class(base, module)
        field = None if own is None else next((each for each in self._above(own) if self._is_field(each, name)), None)
        if not stores and field is None:
            return ()
        found: list[Origin] = []
        if own is not None:
            above = {(each.module, each.cls.qualname) for each in self._above(own)}
            made = () if field is None else self._made(own, field, name)
            if self._fills(above) or (field is not None and not made):
                return ()
            found += made
            for each in self._above(own) if field is None else ():
                given = each.cls.attributes.get(name)
                if given is not None:
                    found.append(Origin(given, each.module, None))
        elif isinstance(base, Self):
            return ()
        for target, origin in stores:
            other = self._class(target.base, origin.module)
            if own is not None and other is not None and not self._is_kin(own, other):
                continue
            found.append(origin)
        return found

    def _is_field(self, value: ClassValue, name: str) -> bool:
        """Whether a class is made with a value for a name; of one that a plain class only annotates, its methods set it."""
        if name not in value.cls.fields or value.cls.decorators or name in value.cls.attributes:
            return name in value.cls.fields
        above = list(self.program.lineage(value))
        return not calls_nothing(self.program, above) or any(
            isinstance(each, Library) and each.name.endswith("NamedTuple") for each in above
        )

    def is_of_configuration(self, base: Term, name: str) -> bool:
        """Whether an attribute is one of the project's own configurations, which begin with a constant: ``exp.seed``."""
        if not isinstance(base, (Param, Global, Call)) or not are_called_so(last_name(base)):
            return False
        stores = self._stores.get(name, ())
        return bool(stores) and all(
            isinstance(target.base, Self)
            and are_called_so(str(target.base.cls))
            and origin.function is not None
            and origin.function.name == "__init__"
            and not origin.tests
            and origin.value is not None
            and isinstance(origin.value, Const)
            for target, origin in stores
        )

    def _made(self, own: ClassValue, field: ClassValue, name: str) -> list[Origin]:
        """What a field of a dataclass begins with: its default, and what its calls say; nothing where that is not known."""
        if not any(last_name(each) == "dataclass" for each in field.cls.decorators):
            return []
        given = field.cls.attributes.get(name)
        if given is not None and isinstance(given, Call) and last_name(given.callee) == "field":
            given = dict(given.kwargs).get("default")
        if given is None:
            return []
        found = [Origin(given, field.module, None)]
        for cls in {cls.name for path in self.files() for cls in self.program.modules[path].classes.values()} & {
            each.cls.name for each in (own, field)
        }:
            for site in self.program.ask(CallGraph).sites.get(cls, ()):
                keywords = dict(site.call.term.kwargs)
                if site.call.term.args or None in keywords:
                    return []
                if name in keywords:
                    found.append(Origin(keywords[name], site.module, site.function))
        return found

    def _class(self, base: Term, module: str) -> ClassValue | None:
        cls = self.program.modules[module].classes.get(base.cls) if isinstance(base, Self) else None
        return None if cls is None else ClassValue(module, cls)

    def _above(self, value: ClassValue) -> list[ClassValue]:
        return [each for each in self.program.lineage(value) if isinstance(each, ClassValue)]

    def _is_kin(self, one: ClassValue, other: ClassValue) -> bool:
        """Whether an object may be of both classes."""
        names = [(each.module, each.cls.qualname) for each in (one, other)]
        return any(
            names[not index] in {(each.module, each.cls.qualname) for each in self._above(value)}
            for index, value in enumerate((one, other))
        )

    def _fills(self, classes: Iterable[tuple[str, str]]) -> bool:
        """Whether objects of these classes give themselves attributes whose names are not known."""
        return not self._filled.isdisjoint(classes)

    @cached_property
    def _stores(self) -> dict[str, list[tuple[Attr, Origin]]]:
        """What is stored in attributes, by their names."""
        found: dict[str, list[tuple[Attr, Origin]]] = {}
        for path, function in functions_of(self.program, self.files()):
            passed = raising_arms(function.body)  # who comes behind a test that raises otherwise has no choice there
            for node, led in walk_tested(function.body):
                if isinstance(node, (Store, Keep)) and isinstance(node.target, Attr):
                    value = node.value if isinstance(node, Store) and node.kind != "AugAssign" else None
                    origin = Origin(value, path, function, tuple(each for each in conditions(led) if each not in passed))
                    found.setdefault(node.target.name, []).append((node.target, origin))
        return found

    @cached_property
    def _filled(self) -> frozenset[tuple[str, str]]:
        """The classes whose methods set attributes of any names: ``self.__dict__.update(settings)``."""
        found: set[tuple[str, str]] = set()
        for path, call in self._setting():
            if not isinstance(call.term.args[1], Const) and isinstance(call.term.args[0], Self):
                found.add((path, call.term.args[0].cls))
        for site in self.program.ask(CallGraph).sites.get("update", ()):
            callee = site.call.term.callee
            filled = (
                callee.base
                if isinstance(callee, Attr) and isinstance(callee.base, Attr) and callee.base.name == "__dict__"
                else None
            )
            if filled is not None and isinstance(filled.base, Self) and site.module in self.files():
                found.add((site.module, filled.base.cls))
        return frozenset(found)

    def _setting(self) -> Iterator[tuple[str, CallStep]]:
        for site in self.program.ask(CallGraph).sites.get("setattr", ()):
            if site.module in self.files() and len(site.call.term.args) > 1:
                yield site.module, site.call


def are_called_so(name: str | None) -> bool:
    """Whether a name is one of configurations: ``args``, ``cfg``."""
    return name is not None and not _CALLED.isdisjoint(split(name))


def got(term: Call) -> str | None:
    """The name of an attribute that a call asks for: ``getattr(args, "compile", False)``."""
    if last_name(term.callee) != "getattr" or len(term.args) < 2 or not isinstance(term.args[1], Const):  # noqa: PLR2004
        return None
    return str(term.args[1].value)


class Filled:
    """Those of a job: ``save(optimizer)`` with one that it has built, while ``--optimizer`` says of which kind that is."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._made = Memo(False)

    def is_made(self, parameter: Param, module: str) -> bool:
        """Whether all calls of a function hand something over for a parameter that they make, and none of its own name."""
        program = self._origins.program
        function = program.modules[module].functions.get(parameter.function)
        frames = [] if function is None else calling_contexts(program, module, function)
        own = [each for each in frames if each.caller is not None and each.caller.module in self._origins.files()]
        return bool(own) and all(self._is_object(parameter, each, parameter.name) for each in own)

    def _is_object(self, term: Term, frame: Context, name: str) -> bool:
        program = self._origins.program
        return self._made.ask((term, frame, name), lambda: all(self._is_one(each, name) for each in program.values(term, frame)))

    def _is_one(self, value: Value, name: str) -> bool:
        if isinstance(value, (Instance, FunctionValue)):
            return True
        call = value.call if isinstance(value, LibraryObject) else value.term if isinstance(value, Unresolved) else None
        if not isinstance(call, Call) or not isinstance(value, (LibraryObject, Unresolved)) or value.frame is None:
            return isinstance(call, Display)
        where = value.frame
        return not any(self._speaks(each, where, name) for each in handed(call))

    def _speaks(self, term: Term, frame: Context, name: str) -> bool:
        """Whether what a call is handed may be the option itself: it is called so, or is all that the command line says."""
        if last_name(term) == name or (isinstance(term, (Subscript, Select, Call)) and _is_named(term, name)):
            return not self._is_object(term, frame, name)
        return isinstance(term, (Param, Global, Attr, Call)) and are_called_so(
            last_name(term.callee if isinstance(term, Call) else term)
        )


def _is_named(term: Term, name: str) -> bool:
    return any(
        (isinstance(part, (Attr, Param)) and part.name == name)
        or (isinstance(part, Subscript) and isinstance(part.key, Const) and part.key.value == name)
        for part in parts_of(term)
    )

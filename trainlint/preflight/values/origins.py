"""Where values come from that tests ask about: what is passed for parameters, what attributes are set to, what is returned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.facts.calls import Calls, CallSite, last_name
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, FunctionValue, Library
from trainlint.model.sketch import Call, Exit, Function, Keep, Store
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import Tests, conditions, raising_arms, walk_tested
from trainlint.preflight.values.methods import calls_nothing
from trainlint.preflight.values.unpacked import Item, Unpacked
from trainlint.preflight.values.words import split

#: How many calls of one function, and how many places that set one attribute, are looked at.
_CALLERS, _MOST = 8, 12


#: Words of the project's own configurations.
_CALLED = frozenset(("exp", "experiment", "config", "cfg", "conf", "hparams", "settings", "options", "args"))


class Origin(NamedTuple):
    """A value, and where it stands: its file and function, behind which tests. None where somebody changes it unseen."""

    value: Term | None
    module: str
    function: Function | None = None
    tests: Tests = ()


class Origins:
    """Those in a job's own files; ``files`` says which they are."""

    def __init__(self, program: Program, files: Callable[[], frozenset[str]]) -> None:
        self.program = program
        self.files = files
        self._passes: dict[tuple[str, Term], tuple[Origin, ...]] = {}
        self._sets: dict[tuple[str, Term, str], tuple[Origin, ...]] = {}

    # -- parameters --------------------------------------------------------------------------------------------------

    def passed(self, parameter: Term, module: str) -> tuple[Origin, ...]:
        """What the job's calls of a function pass for a parameter; nothing where that is not known."""
        key = (module, parameter)
        if key not in self._passes:
            self._passes[key] = ()  # what leads back to itself is not known
            found = self.every(parameter, module)
            self._passes[key] = found if len(found) <= _CALLERS else ()
        return self._passes[key]

    def every(self, parameter: Term, module: str) -> tuple[Origin, ...]:
        """The same, however many calls there are."""
        return tuple(self._passed(parameter, module))

    def _passed(self, parameter: Term, module: str) -> Iterable[Origin]:
        known = self.program.modules.get(module)
        function = None if known is None else known.functions.get(parameter[1])
        if function is None or self.program.ask(Calls).choosers(function):
            return ()
        found: list[Origin] = []
        name, index = parameter[2], function.parameters.index(parameter[2]) if parameter[2] in function.parameters else -1
        index = -1 if index >= function.positional else index  # handed over by its name alone
        index -= function.cls is not None and not any(last_name(each) == "staticmethod" for each in function.decorators)
        for site in self.program.ask(Calls).callers(function):
            if site.module not in self.files():
                continue
            term = site.call.term
            keywords = dict(term[3])
            given = keywords.get(name)
            if given is None and (site.function.spread or None in keywords):
                passed_on = self._passed_on(site, name, index) or self._unpacked_at(site, function, (name, index), module)
                if not passed_on:
                    return ()
                found += passed_on
                continue
            if given is None and 0 <= index < len(term[2]):
                given = term[2][index]
            if given is None:
                given = function.defaults.get(name)
            if given is None:
                return ()
            found.append(Origin(given, site.module, site.function))
        if not found and name in function.defaults and self._is_left_out(function, name, index):
            return (Origin(function.defaults[name], module, None),)
        return found

    def _passed_on(self, site: CallSite, name: str, index: int) -> list[Origin]:
        """What is passed by a function that hands on all that it is given, and nothing else: ``inner(*args, **kwargs)``."""
        term, outer = site.call.term, site.function
        if len(term[2]) > 1 or len(term[3]) != 1 or term[3][0][1][0] != "kw" or outer.parameters:
            return []
        if term[2] and term[2][0] not in outer.spread:
            return []
        found: list[Origin] = []
        for each in self.program.ask(Calls).callers(outer):
            if each.module not in self.files():
                continue
            given = dict(each.call.term[3]).get(name)
            if given is None and 0 <= index < len(each.call.term[2]):
                given = each.call.term[2][index]
            if given is None or each.function.spread:
                return []
            found.append(Origin(given, each.module, each.function))
        return found

    def _unpacked_at(self, site: CallSite, function: Function, parameter: tuple[str, int], module: str) -> list[Origin]:
        """What a call hands over in the dicts that it unpacks, ``train(**settings)``; nothing where that is not known."""
        (name, index), term, place = parameter, site.call.term, (site.module, site.function)
        if any(each in site.function.spread or each[0] == "v" for each in term[2]):
            return []
        if 0 <= index < len(term[2]):
            return [Origin(term[2][index], *place)]
        found: list[Origin] = []
        is_absent = True
        for value in (value for keyword, value in term[3] if keyword is None):
            under = self.unpacked.under(value, place, name, term[4])
            if under is None:
                return []
            found += (Origin(*each) for each in under.items)
            is_absent = is_absent and under.absent
        if is_absent and name not in function.defaults:
            return []
        return [*found, *((Origin(function.defaults[name], module, None),) if is_absent else ())]

    @cached_property
    def unpacked(self) -> Unpacked:
        """What stands in the dicts that calls unpack."""

        def passed(parameter: Term, module: str) -> Iterator[Item | None]:
            for value, path, function, tests in self.passed(parameter, module):
                yield None if value is None else Item(value, path, function, tests)

        return Unpacked(self.program, self.files, passed)

    def _is_left_out(self, function: Function, name: str, index: int) -> bool:
        """Whether calls of something of a function's name, which nothing more is known of, all leave a parameter out."""
        sites = [site.call.term for site in self.program.ask(Calls).sites.get(function.name, ()) if site.module in self.files()]
        return bool(sites) and all(
            len(term[2]) <= index and name not in dict(term[3]) and None not in dict(term[3]) for term in sites
        )

    def items(self, term: Term, module: str) -> tuple[Origin, ...]:
        """What a loop over the items of lists takes out of them: ``count`` of ``for data, count in zip(all_data, counts)``."""
        holder, index = (term[1], term[2][2]) if term[0] == "sub" and term[2][0] == "c" else (term, None)
        if holder[0] != "elem":
            return ()
        subject = holder[1]
        if index is not None:
            if subject[0] != "call" or last_name(subject[1]) != "zip" or not 0 <= index < len(subject[2]):
                return ()
            subject = subject[2][index]
        lists = self.passed(subject, module) if subject[0] == "p" else (Origin(subject, module),)
        found: list[Origin] = []
        for each in lists:
            value = each.value
            if value is None or value[0] not in ("list", "tuple") or type(value[1]) is not tuple or not value[1]:
                return ()
            found += [each._replace(value=item) for item in value[1]]
        return tuple(found)

    # -- what is returned --------------------------------------------------------------------------------------------

    def returned(self, call: Term, module: str) -> tuple[Origin, ...]:
        """What a plain function of the project returns, behind which tests; nothing where it may return nothing, or yields."""
        if call[1][0] not in ("r", "g"):
            return ()
        frame = self.program.frame(module, self.program.modules[module].functions["<module>"])
        values = self.program.values(call[1], frame)
        if len(values) != 1 or not isinstance(values[0], FunctionValue):
            return ()
        function = values[0].function
        if function.generator or function.decorators or not function.body:
            return ()
        last = function.body[-1]
        if not isinstance(last, Exit) or last.kind != "return":
            return ()
        raising = raising_arms(function.body)  # a test that raises otherwise decides nothing
        found = [
            Origin(node.value, values[0].module, function, tuple(each for each in conditions(led) if each not in raising))
            for node, led in walk_tested(function.body)
            if isinstance(node, Exit) and node.kind == "return"
        ]
        return tuple(found) if len(found) <= _MOST else ()

    def bound(self, call: Term, module: str, returned: Origin) -> dict[Term, Origin]:
        """What a call passes for the parameters of the plain function that returns something."""
        function = returned.function
        keywords = dict(call[3])
        if function is None or None in keywords or self.program.modules[returned.module].functions.get(function.qualname) is None:
            return {}
        found: dict[Term, Origin] = {}
        for part in parts_of(*self._asked(function)):
            if part[0] != "p" or part[1] != function.qualname or part[2] not in function.parameters:
                continue
            index = function.parameters.index(part[2])
            given = keywords.get(part[2], call[2][index] if index < len(call[2]) else None)
            if given is not None:
                found[part] = Origin(given, module)
            elif part[2] in function.defaults:
                found[part] = Origin(function.defaults[part[2]], returned.module)
        return found

    @staticmethod
    def _asked(function: Function) -> Iterator[Term]:
        """What the values that a function returns, and the tests before them, are made of."""
        for node, led in walk_tested(function.body):
            if isinstance(node, Exit) and node.kind == "return":
                yield from (test for test, _ in conditions(led))
                if node.value is not None:
                    yield node.value

    def of_several(self, term: Term, module: str) -> tuple[Origin, ...]:
        """What a function returns at one place among several: ``rank, device = start()``."""
        if term[0] != "sub" or term[1][0] != "call" or term[2][0] != "c" or type(term[2][2]) is not int:
            return ()
        found: list[Origin] = []
        for each in self.returned(term[1], module):
            value = each.value
            if value is None or value[0] != "tuple" or not -len(value[1]) <= term[2][2] < len(value[1]):
                return ()
            found.append(each._replace(value=value[1][term[2][2]]))
        return tuple(found)

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
        if (not stores and field is None) or (name, "setattr") in self._changed:
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
        elif base[0] == "self":
            return ()
        for target, origin in stores:
            other = self._class(target[1], origin.module)
            if own is not None and other is not None and not self._is_kin(own, other):
                continue
            found.append(origin)
        return found if len(found) <= _MOST else ()

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
        if base[0] not in ("p", "g", "call") or not are_called_so(last_name(base)):
            return False
        stores = self._stores.get(name, ())
        return bool(stores) and all(
            target[1][0] == "self"
            and are_called_so(str(target[1][1]))
            and origin.function is not None
            and origin.function.name == "__init__"
            and not origin.tests
            and origin.value is not None
            and origin.value[0] == "c"
            for target, origin in stores
        )

    def _made(self, own: ClassValue, field: ClassValue, name: str) -> list[Origin]:
        """What a field of a dataclass begins with: its default, and what its calls say; nothing where that is not known."""
        if not any(last_name(each) == "dataclass" for each in field.cls.decorators):
            return []
        given = field.cls.attributes.get(name)
        if given is not None and given[0] == "call" and last_name(given[1]) == "field":
            given = dict(given[3]).get("default")
        if given is None:
            return []
        found = [Origin(given, field.module, None)]
        for cls in {cls.name for path in self.files() for cls in self.program.modules[path].classes.values()} & {
            each.cls.name for each in (own, field)
        }:
            for site in self.program.ask(Calls).sites.get(cls, ()):
                keywords = dict(site.call.term[3])
                if site.call.term[2] or None in keywords:
                    return []
                if name in keywords:
                    found.append(Origin(keywords[name], site.module, site.function))
        return found

    def _class(self, base: Term, module: str) -> ClassValue | None:
        cls = self.program.modules[module].classes.get(base[1]) if base[0] == "self" else None
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
    def _stores(self) -> dict[str, list[tuple[Term, Origin]]]:
        """What is stored in attributes, by their names."""
        found: dict[str, list[tuple[Term, Origin]]] = {}
        for path in sorted(self.files()):
            for function in self.program.modules[path].functions.values():
                passed = raising_arms(function.body)  # who comes behind a test that raises otherwise has no choice there
                for node, led in walk_tested(function.body):
                    if isinstance(node, (Store, Keep)) and node.target[0] == "a":
                        value = node.value if isinstance(node, Store) and node.kind != "AugAssign" else None
                        origin = Origin(value, path, function, tuple(each for each in conditions(led) if each not in passed))
                        found.setdefault(node.target[2], []).append((node.target, origin))
        return found

    @cached_property
    def _changed(self) -> frozenset[tuple[object, str]]:
        """The attributes that are set by name: ``setattr(model, "compiled", flag)``."""
        return frozenset((call.term[2][1][2], "setattr") for _, call in self._setting() if call.term[2][1][0] == "c")

    @cached_property
    def _filled(self) -> frozenset[tuple[str, str]]:
        """The classes whose methods set attributes of any names: ``self.__dict__.update(settings)``."""
        found: set[tuple[str, str]] = set()
        for path, call in self._setting():
            if call.term[2][1][0] != "c" and call.term[2][0][0] == "self":
                found.add((path, call.term[2][0][1]))
        for site in self.program.ask(Calls).sites.get("update", ()):
            callee = site.call.term[1]
            filled = callee[1] if callee[0] == "a" and callee[1][0] == "a" and callee[1][2] == "__dict__" else None
            if filled is not None and filled[1][0] == "self" and site.module in self.files():
                found.add((site.module, filled[1][1]))
        return frozenset(found)

    def _setting(self) -> Iterator[tuple[str, Call]]:
        for site in self.program.ask(Calls).sites.get("setattr", ()):
            if site.module in self.files() and len(site.call.term[2]) > 1:
                yield site.module, site.call


def are_called_so(name: str | None) -> bool:
    """Whether a name is one of configurations: ``args``, ``cfg``."""
    return name is not None and not _CALLED.isdisjoint(split(name))


def got(term: Term) -> str | None:
    """The name of an attribute that a call asks for: ``getattr(args, "compile", False)``."""
    if last_name(term[1]) != "getattr" or len(term[2]) < 2 or term[2][1][0] != "c":  # noqa: PLR2004
        return None
    return str(term[2][1][2])

"""Reproducibility: what a run draws random numbers from, what it seeds, and which switches ask for results that repeat."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainlint.config.project_files import is_exported
from trainlint.domains.device import Device
from trainlint.ir.bindings import bindings
from trainlint.ir.control_dependence import Failed, Led, conditions, jointly, meet, raising_arms, walk_tested, without_errors
from trainlint.ir.nodes import NAMED, Attr, Call, Const, Global, Nested, Ref, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, Module, Store
from trainlint.ir.terms import closure, dotted_name, parts_of, root_of, text_of
from trainlint.ir.walk import of_kind
from trainlint.program import def_use as parts
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import constant, constant_everywhere
from trainlint.program.library_uses import Use, Uses, framework, imports_framework, targeted
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Library

_SEED, _OWN = "seed", "own"


class PartialSeeding(NamedTuple):
    """Seeding that leaves out a generator: the last call that seeds another one, what is left out, and where it is used.

    ``code`` seeds it; None where the seed has no name there.
    """

    site: CallSite
    family: str
    use: CallSite
    code: str | None


class Randomness:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.tables = program.knowledge.tables
        self._seeds: dict[str, set[str] | None] = {}
        #: The calls that seed a generator of the process, by function.
        self.seeding: dict[int, list[tuple[CallSite, frozenset[str]]]] = {}
        names = {name.rpartition(".")[2] for name in program.knowledge.seeds}
        names.update(name for name in self.index.sites if _SEED in name.lower())
        for name in sorted(names):
            for site in self.index.sites_named(name):
                self._note(site)

    def _note(self, site: CallSite) -> None:
        component = self.program.component(site.module)
        known = self._seeds.setdefault(component, set())
        frame = self.program.frame(site.module, site.function)
        targets = self.index.targets(site.call.term, frame)
        if any(isinstance(target, FunctionValue) for target in targets) or known is None or self._is_own(site.call.term):
            return
        families = frozenset(self._families(target.name) for target in targets if isinstance(target, Library))
        found = frozenset(each for family in families for each in family)
        if not targets or "all" in found or not (site.call.term.args or site.call.term.kwargs):
            self._seeds[component] = None  # nobody can say
        elif found and not self._is_of_worker(site):
            known |= found
            own = self.seeding.setdefault(id(site.function), [])
            own.append((site, found))

    def _families(self, name: str) -> frozenset[str]:
        families = self.program.knowledge.seeds.get(name)
        if families is not None:
            return frozenset(family for family in families if family != _OWN)
        package = name.partition(".")[0]
        others: Sequence[str] = self.tables["draws.other"]["names"]
        if package in others or name in self.program.knowledge.generators:
            return frozenset()
        return frozenset((package,)) if package == framework(self.program) else frozenset(("all",))

    def _is_own(self, call: Call) -> bool:
        """Whether a call seeds the thing that it is called on (a generator, an environment), or only asks for a seed."""
        name = last_name(call.callee) or ""
        return not isinstance(root_of(call.callee), Ref) and name in self.tables["draws.own"]["names"]

    def _is_of_worker(self, site: CallSite) -> bool:
        """Whether a call seeds what a worker of a loader draws from: by what PyTorch has given it."""
        words = ("worker", "initial_seed")
        said = [site.function.qualname, *(part.name for part in parts_of(site.call.term) if isinstance(part, (Attr, Ref)))]
        return any(word in text for text in said for word in words)

    def seeded(self, module: str) -> set[str] | None:
        """What is seeded anywhere in the files that belong to one; None where nobody can say."""
        return self._seeds.get(self.program.component(module), set())

    # -- one run -------------------------------------------------------------------------------------------------------

    def run(self, module: str, function: Function, within: frozenset[str] | None = None) -> list[tuple[str, Function]]:
        """What a function runs in its own process, in the files ``within``: itself first."""

        def called(at: tuple[str, Function]) -> Iterator[tuple[str, Function]]:
            for target in (target for call in calls_of(at[1]) for target in self.called(call.term, *at)):
                if not self._is_named_aside(target.function) and (within is None or target.module in within):
                    yield target.module, target.function

        return list(closure(((module, function),), called))

    def called(self, call: Call, path: str, function: Function) -> Iterator[FunctionValue]:
        """The functions of the project that a call runs, or that a launcher is handed."""
        frame = self.program.frame(path, function)
        for target in self.index.targets(call, frame):
            if isinstance(target, FunctionValue):
                yield target
            elif any(word in target.name.lower() for word in self.tables["draws.launchers"]["names"]):
                for given in (*call.args, *(value for _, value in call.kwargs)):
                    if isinstance(given, (Global, Nested, Ref)):
                        values = self.program.values(given, frame)
                        yield from (value for value in values if isinstance(value, FunctionValue))

    def draws(self, module: str, function: Function, *, in_worker: bool = False) -> Iterator[tuple[str, CallSite]]:
        """The calls of a function that draw from a generator of the process, and from which.

        ``in_worker``: the process is a worker of a loader; else what runs there is left out.
        """
        table = self.tables["draws"]
        if not in_worker and self._is_named_aside(function):
            return
        frame = self.program.frame(module, function)
        for call in calls_of(function):
            callee = call.term.callee
            if not isinstance(callee, (Ref, Attr)):
                continue
            name = last_name(callee) or ""
            values = [value.name for value in self.program.values(callee, frame) if isinstance(value, Library)]
            dotted = values[0] if len(values) == 1 else ""
            family = table.get(dotted) or table.get(f"{dotted.rpartition('.')[0]}.")
            if family is not None and name not in self.tables["draws.no"]["names"] and not self._is_aside(call.term, function):
                yield family, CallSite(module, function, call)

    def _is_named_aside(self, function: Function) -> bool:
        return any(word in function.qualname.lower() for word in self.tables["draws.aside"]["names"])

    def _is_aside(self, call: Call, function: Function) -> bool:
        """Whether what is drawn has a name that says that nothing is computed of it: a seed, a port, a colour."""
        words = self.tables["draws.aside"]["names"]
        if any(word in str(name).lower() for name, value in call.kwargs for word in words):
            return True
        held = bindings(function)
        return any(any(word in name.lower() for word in words) and call in parts_of(term) for name, term in held)

    def trains(self, module: str, function: Function) -> CallSite | None:
        """A backward pass in a function of a file that uses PyTorch."""
        names = self.program.knowledge.backward
        if not self.program.ask_of(imports_framework, self.program.modules[module]):
            return None
        return next(
            (CallSite(module, function, call) for call in calls_of(function) if last_name(call.term.callee) in names), None
        )

    def updates(self, function: Function) -> bool:
        """Whether a function updates a model, or empties its gradients: sampling that is guided by gradients does neither."""
        others, empties = self.program.knowledge.steps_of_others, self.tables["entries.empties"]["names"]
        for call in calls_of(function):
            callee, name = call.term.callee, last_name(call.term.callee) or ""
            if name in empties:
                return True
            if not isinstance(callee, Attr) or not name.startswith(tuple(self.program.knowledge.steps)):
                continue
            if not any(word in (last_name(callee.base) or "").lower() for word in others):
                return True
        return False


def partial_seeding(program: Program) -> Iterator[PartialSeeding]:
    """Of each run that seeds some of the generators it uses, one that it does not seed."""
    asked = program.ask(Randomness)
    told: set[tuple[str, str]] = set()
    last = [max((site for site, _ in sites), key=lambda each: each.call.term.site) for sites in asked.seeding.values()]
    for site in sorted(last, key=lambda each: (each.module, each.call.term.site)):
        seeded = asked.seeded(site.module)
        if seeded is None or tests_software(program, site.module, site.function):
            continue
        starts = [(each.module, each.function) for each in asked.index.callers(site.function)] or [(site.module, site.function)]
        for family, use in _uses(asked, site, starts):
            key = (program.component(site.module), family)
            if family not in seeded and key not in told and program.together(site.module, use.module):
                told.add(key)
                yield PartialSeeding(site, family, use, _code(program, site, family))


def _uses(asked: Randomness, site: CallSite, starts: list[tuple[str, Function]]) -> Iterator[tuple[str, CallSite]]:
    """What is drawn, or trained, in the runs that the seeding is part of, in its file and in theirs."""
    for module, function in starts:
        for path, each in asked.run(module, function, frozenset((site.module, module))):
            if tests_software(asked.program, path, each):
                continue
            yield from asked.draws(path, each)
            trained = asked.trains(path, each)
            if trained is not None:
                yield framework(asked.program), trained


def _code(program: Program, site: CallSite, family: str) -> str | None:
    """What seeds another generator with the same seed, where a call has just seeded one."""
    call, module = site.call.term, program.modules[site.module]
    if site.call.statement != call.site or len(call.args) + len(call.kwargs) != 1:
        return None
    seed = call.args[0] if call.args else call.kwargs[0][1]
    text = repr(seed.value) if isinstance(seed, Const) and isinstance(seed.value, int) else name_in(seed, site.function)
    dotted = program.knowledge.tables["draws.seeds"].get(family)
    if text is None or dotted is None:
        return None
    own = reference(str(dotted), module)
    package = str(dotted).partition(".")[0]
    return f"{own}({text})" if own is not None else f"import {package}\n\n{dotted}({text})"


_SEED_WORD = "seed"


def is_unseeded(program: Program) -> bool:
    """Whether no call of a program, and nothing that a call is told by keyword, speaks of a seed."""
    index = program.ask(CallGraph)
    named = any(_SEED_WORD in name.lower() for name in index.sites)
    told = named or any(
        keyword is not None and _SEED_WORD in keyword.lower()
        for sites in index.sites.values()
        for site in sites
        for keyword, _ in site.call.term.kwargs
    )
    return not told


def of_component(program: Program, path: str) -> bool:
    """The same of the files that belong together with one, where an option or a setting of that name counts, too."""
    return program.ask_of(_is_unseeded, program.component(path))


def _is_unseeded(program: Program, component: str) -> bool:
    return not any(_speaks_of_seeds(module) for path, module in program.modules.items() if program.component(path) == component)


def _speaks_of_seeds(module: Module) -> bool:
    """Whether a file mentions a seed: a function, an attribute, a parameter, a text such as that of an option."""
    for function in module.functions.values():
        if any(_SEED_WORD in name.lower() for name in (function.name, *function.parameters)):
            return True
        for part in parts_of(*(node.term for node in calls_of(function))):
            if isinstance(part, Call) and any(_SEED_WORD in (name or "").lower() for name, _ in part.kwargs):
                return True
            if _SEED_WORD in (text_of(part) or "").lower():
                return True
    return any(_SEED_WORD in name.lower() for name in module.names)


class Switch(NamedTuple):
    """A store to a switch; ``number`` is its place among the statements of the function, ``on`` is None when nobody knows."""

    module: str
    function: Function
    store: Store
    word: str
    on: bool | None
    led: Led
    number: int


class Contradiction(NamedTuple):
    """The search is turned on at ``search``, although results are to be ``repeatable``; ``alone``: nothing else is set there."""

    search: Switch
    repeatable: Switch
    alone: bool


def contradictions(program: Program) -> Iterator[Contradiction]:
    """Each search that is on together with the wish for repeatable results, in one run."""
    known: dict[int, list[Switch]] = {}
    for module, function in program.functions():
        found = _switches(program, module, function)
        if found:
            known[id(function)] = found
    for switches in known.values():
        ways = jointly(each.led for each in switches if each.word == "search" and each.on)
        for each in switches:
            if each.word == "search" and each.on:
                way = min((way for way in ways if set(way) <= set(each.led)), key=len)
                search = each._replace(led=way)
                wish = _wish(program, search, known)
                if wish is not None:
                    yield Contradiction(search, wish, sum(each.store.spot == search.store.spot for each in switches) == 1)


def _switches(program: Program, module: str, function: Function) -> list[Switch]:
    table = program.knowledge.tables["switches"]
    stores = [node for node in of_kind(function, Store) if isinstance(node.target, (Ref, Attr))]
    words = {id(node): table.get(program.knowledge.canonical(dotted_name(node.target) or "")) for node in stores}
    if not any(words.values()):
        return []
    found, raising = [], raising_arms(function.body)
    for number, (node, led) in enumerate(walk_tested(function.body)):
        word = words.get(id(node)) if isinstance(node, Store) else None
        if word is not None and isinstance(node, Store):
            said = constant(program, node.value, program.frame(module, function))
            on = said.value if said is not None and isinstance(said.value, bool) else None
            found.append(Switch(module, function, node, word, on, without_errors(led, raising), number))
    return found


def _wish(program: Program, search: Switch, known: dict[int, list[Switch]]) -> Switch | None:
    """Where results are made repeatable in a run in which the search is on."""
    own = known[id(search.function)]
    if any(each.word == "search" and each.number > search.number and meet(each.led, search.led) for each in own):
        return None
    for each in own:
        if each.word == "repeatable" and each.on and meet(each.led, search.led) and _goes_with(program, search.led, each.led):
            later = (other for other in own if other.word == "repeatable" and other.number > each.number)
            if not any(meet(other.led, search.led) for other in later):
                return each
    undone = any(each.word == "repeatable" and not each.on and meet(each.led, search.led) for each in own)
    if undone or not _goes_with(program, search.led, ()):
        return None
    frame = program.frame(search.module, search.function)
    return _before(program, frame, search.number, search.led, known) or _above(program, search.function, known)


def _goes_with(program: Program, led: Led, other: Led) -> bool:
    """Whether what leads to one place leads to another too, or only asks whether there is a GPU."""
    words = program.knowledge.tables["switches.there"]["names"]
    return all(test in other or _asks(test[0], words) for test in led)


def _asks(test: Term | Failed, words: object) -> bool:
    assert isinstance(words, (list, tuple, frozenset))
    if isinstance(test, Failed):
        return False
    return any(part.name.rpartition(".")[2] in words for part in parts_of(test) if isinstance(part, NAMED))


def _before(program: Program, frame: Context, place: int, way: Led, known: dict[int, list[Switch]]) -> Switch | None:
    """In a function that is called before a statement of this number, to which these tests lead."""
    places = {id(node): (number, led) for number, (node, led) in enumerate(walk_tested(frame.function.body))}
    for call in calls_of(frame.function):
        number, led = places[id(call)]
        if number >= place or not meet(led, way):
            continue
        for target in program.ask(CallGraph).targets(call.term, frame):
            wish = _lasting(known.get(id(target.function), [])) if isinstance(target, FunctionValue) else None
            if wish is not None:
                return wish
    return None


def _above(program: Program, function: Function, known: dict[int, list[Switch]]) -> Switch | None:
    """In a function that calls the one of the search, before it does."""
    called = program.ask(CallGraph).callers
    seen = {id(function)}
    waiting = [*called(function)]
    while waiting:
        site = waiting.pop(0)
        if site.function is function:
            continue
        order = {id(node): (number, led) for number, (node, led) in enumerate(walk_tested(site.function.body))}
        number, led = order[id(site.call)]
        wish = _lasting([each for each in known.get(id(site.function), []) if each.number < number and meet(each.led, led)])
        wish = wish or _before(program, program.frame(site.module, site.function), number, led, known)
        if wish is not None:
            return wish
        if id(site.function) not in seen:
            seen.add(id(site.function))
            waiting = [*called(site.function), *waiting]
    return None


def _lasting(switches: list[Switch]) -> Switch | None:
    """The wish for repeatable results that some switches leave."""
    wishes = [each for each in switches if each.word == "repeatable"]
    return wishes[-1] if wishes and all(each.on for each in wishes) else None


class Incomplete(NamedTuple):
    """A call that asks for such results; ``warns``: PyTorch only warns; ``code`` sets the variable."""

    use: Use
    variable: str
    until: str
    warns: bool
    code: str


def incomplete(program: Program) -> Iterator[Incomplete]:
    """The calls that ask for it where nobody sets the variable, and the version may be one that looks for it."""
    tables = program.knowledge.tables
    given, about = tables["deterministic"], tables["deterministic.variable"]
    name, value, until = (str(about[key]) for key in ("name", "value", "until"))
    for use in program.ask(Uses).calls(given):
        if use.site is None or tests_software(program, use.module, use.function):
            continue
        call = use.site.call.term
        argument = _argument(call, str(given[use.name]))
        asked = constant_everywhere(program, use.site, argument) if argument is not None else None
        if asked is None or asked.value is not True or _for_others(program, use):
            continue
        target = targeted(program, use.module, framework(program))
        if target.reaches(until) and not target.older_than(until):
            continue
        around = (program.component(use.module), os.path.dirname(use.module), name)  # noqa: PTH120 - paths are plain strings here
        if not _on_gpu(program, use.module) or program.ask_of(_is_set, around):
            continue
        warns = any(keyword in tables["deterministic.asked"]["names"] and _may_be_on(each) for keyword, each in call.kwargs)
        yield Incomplete(use, name, until, warns, _code_of_switch(program, use, name, value))


def _for_others(program: Program, use: Use) -> bool:
    """Whether a test around a use asks for another kind of device: ``if device == "xpu"``."""
    others = program.knowledge.tables["accelerators.others"]["names"]
    for node, led in walk_tested(use.function.body):
        if isinstance(node, CallStep) and use.site is not None and node.term is use.site.call.term:
            return any(
                arm and isinstance(part, Const) and isinstance(part.value, str) and part.value.partition(":")[0] in others
                for test, arm in conditions(led)
                for part in parts_of(test)
            )
    return False


def _argument(call: Call, said: str) -> Term | None:
    position, _, name = said.partition(" ")
    given = next((value for keyword, value in call.kwargs if keyword == name), None)
    return call.args[int(position)] if given is None and len(call.args) > int(position) else given


def _may_be_on(value: Term) -> bool:
    return not (isinstance(value, Const) and value.value is False)


def _on_gpu(program: Program, path: str) -> bool:
    """Whether a file, or one that belongs to it, puts something on a GPU."""
    asked = program.ask(Device)
    return asked.used(path) or any(asked.used(other) for other in program.modules if program.together(path, other))


def _is_set(program: Program, about: tuple[str, str, str]) -> bool:
    """Whether the files of a component, a library that they ask, or a script around a folder set a variable."""
    component, folder, variable = about
    return (
        any(_speaks(program, path, variable) for path in program.modules if program.component(path) == component)
        or _is_set_by_library(program, component)
        or (bool(program.finder.top) and is_exported(variable, folder, program.finder.top, program.ask_of(_exported, variable)))
    )


def _exported(_program: Program, _variable: str) -> dict[str, bool]:
    """By folder whether a file there speaks of a variable, as far as it was asked."""
    return {}


def _speaks(program: Program, path: str, variable: str) -> bool:
    """Whether a file mentions the variable by its name."""
    if any(
        isinstance(part, Const) and part.value == variable
        for term in program.modules[path].names.values()
        for part in parts_of(term)
    ):
        return True
    return any(isinstance(part, Const) and part.value == variable for part in program.ask(parts.Uses).parents(path).of)


def _is_set_by_library(program: Program, component: str) -> bool:
    for name, argument in program.knowledge.tables["deterministic.sets"].items():
        for site in program.ask(CallGraph).sites_named(name):
            told = not argument or any(keyword == argument for keyword, _ in site.call.term.kwargs)
            if (
                told
                and program.component(site.module) == component
                and last_name(site.call.term.callee) == name
                and not _is_own(program, site)
            ):
                return True
    return False


def _is_own(program: Program, site: CallSite) -> bool:
    """Whether a function of the project goes by that name."""
    targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
    return any(isinstance(target, FunctionValue) for target in targets)


def _code_of_switch(program: Program, use: Use, variable: str, value: str) -> str:
    """What sets the variable above the call, unless somebody has set it."""
    own = reference("os", program.modules[use.module])
    setting = f'{own or "os"}.environ.setdefault("{variable}", "{value}")'
    return setting if own is not None else f"import os\n\n{setting}"

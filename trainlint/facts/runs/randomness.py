"""What a run draws random numbers from, and what it seeds: the generators of a process (``random``, ``numpy.random``, ``torch``).

A run is what a function calls, directly or through others. What the workers of a loader draw is left out: PyTorch seeds all three
generators there, from its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.framework import framework, imports_framework
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import FunctionValue, Library
from trainlint.ir.bindings import bindings
from trainlint.ir.names import root_of
from trainlint.ir.nodes import Attr, Call, Const, Global, Nested, Ref
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of

_DEEPEST, _MOST = 5, 200
_SEED, _OWN = "seed", "own"


class Partial(NamedTuple):
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
        found = {id(function): (module, function)}
        pending = [(module, function, 0)]
        while pending and len(found) < _MOST:
            path, current, depth = pending.pop(0)
            for call in calls_of(current) if depth < _DEEPEST else ():
                for target in self.called(call.term, path, current):
                    if self._is_named_aside(target.function):
                        continue
                    if id(target.function) not in found and (within is None or target.module in within):
                        found[id(target.function)] = (target.module, target.function)
                        pending.append((target.module, target.function, depth + 1))
        return list(found.values())

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

    def draws(self, module: str, function: Function) -> Iterator[tuple[str, CallSite]]:
        """The calls of a function that draw from a generator of the process, and from which."""
        table = self.tables["draws"]
        if self._is_named_aside(function):
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


def partial(program: Program) -> Iterator[Partial]:
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
                yield Partial(site, family, use, _code(program, site, family))


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

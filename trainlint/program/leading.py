"""Leading: which functions run others through calls, however many lie between.

Asked backwards, from the functions in which something stands; each question is answered once. By what the calls run, or, where
that would be too much to ask of everything, by names alone: what bears another name is no caller.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.ir.nodes import Attr, Call, Const, Global, Kwargs, Nested, Param, Ref, Self
from trainlint.ir.sketch import Function
from trainlint.ir.terms import closure, parts_of
from trainlint.program.call_graph import BY_NAME, CallGraph, CallSite, last_name
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue


class Lead(NamedTuple):
    """A function that leads to one that was asked about: ``to``, the nearest of them, which may be the function itself.

    ``sites`` are the calls in it that lead on; none where it is asked about itself, or leads there without a call of its own.
    """

    module: str
    function: Function
    to: Function
    sites: list[CallSite]


#: Functions by their ids, those that were asked about first, then the nearest.
Leads = dict[int, Lead]


class ByName(NamedTuple):
    """What may lead somewhere by names alone: the names of calls, and the functions that make such calls."""

    names: frozenset[str]
    functions: frozenset[Function]


class Leading:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._known: dict[tuple[frozenset[int], bool], Leads] = {}
        self._named: dict[tuple[frozenset[str], frozenset[Function]], ByName] = {}
        self._derived: dict[int, list[ClassValue]] | None = None

    def to(self, *functions: Function, loosely: bool = False) -> Leads:
        """The functions that lead to one of these, themselves among them.

        ``loosely``: also what hands a function over, encloses it, calls a method of its name on something of which nothing is
        known, or constructs the object whose method nobody is seen to call.
        """
        key = (frozenset(map(id, functions)), loosely)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._found(functions, loosely=loosely)
        return known

    def to_activation(self, frame: Context) -> Leads:
        """The functions that lead, loosely, to one activation: those that made it, and what leads to the first of them."""
        above: Leads = {}
        first = frame
        while first.caller is not None:
            above[id(first.function)] = Lead(first.module, first.function, frame.function, [])
            first = first.caller
        return {**self.to(first.function, loosely=True), **above}

    def by_name(self, names: Iterable[str] = (), functions: Iterable[Function] = ()) -> ByName:
        """By names alone, what may make a call by one of these names, or run one of these functions."""
        key = (frozenset(names), frozenset(functions))
        known = self._named.get(key)
        if known is None:
            known = self._named[key] = self._found_by_name(*key)
        return known

    def told(self, functions: Iterable[Function]) -> frozenset[str]:
        """By names alone: what some functions call with something that is no constant, and what these hand things on to."""
        first = self.index.names_called_in(functions, _is_told)
        if not first:
            return frozenset()
        named: dict[str, list[Function]] = {}
        for _, function in self.program.functions():
            for name in self.index.called_as(function):
                named.setdefault(name, []).append(function)

        def goes_on(call: Call) -> bool:
            """Whether a call of something that is not a library's by its name hands on what the function around it is told."""
            return (type(call.callee) not in BY_NAME or last_name(call.callee) in named) and _is_passed_on(call)

        return frozenset(closure(first, lambda name: self.index.names_called_in(named.get(name, ()), goes_on)))

    def _found(self, functions: Iterable[Function], *, loosely: bool) -> Leads:
        found = {id(each): Lead(self.index.module_of(each), each, each, []) for each in functions}
        queue = deque(found.values())
        while queue:
            lead = queue.popleft()
            sites = self.index.callers(lead.function)
            above = [(site.module, site.function, site) for site in sites]
            for module, function, site in (*above, *(self._loosely(lead, called=bool(sites)) if loosely else ())):
                known = found.get(id(function))
                if known is None:
                    known = found[id(function)] = Lead(module, function, lead.to, [])
                    queue.append(known)
                if site is not None:
                    known.sites.append(site)
        return found

    def _found_by_name(self, names: frozenset[str], functions: Iterable[Function]) -> ByName:
        found: set[Function] = set()
        known: set[str] = set()
        queue, pending = list(functions), list(names)
        while queue or pending:
            while queue:
                function = queue.pop()
                if function not in found:
                    found.add(function)
                    pending += self.index.called_as(function)
                    for name in function.outer.split(".") if function.outer is not None else ():
                        queue += self._decorated.get(name, ())
            while pending:
                name = pending.pop()
                if name not in known:
                    known.add(name)
                    queue += [site.function for site in self.index.sites_named(name)]
        return ByName(frozenset(known), frozenset(found))

    @cached_property
    def _decorated(self) -> dict[str, list[Function]]:
        """The functions that are decorated, by the last part of each decorator's name: what that puts in their place runs."""
        found: dict[str, list[Function]] = {}
        for _, function in self.program.functions():
            for decorator in function.decorators:
                name = last_name(decorator.callee if isinstance(decorator, Call) else decorator)
                found.setdefault(name or "", []).append(function)
        return found

    def _loosely(self, lead: Lead, *, called: bool) -> Iterator[tuple[str, Function, CallSite | None]]:
        """What has to do with a function but for calling it."""
        program, module, function = self.program, lead.module, lead.function
        for site in self.index.handed.get(function.name, ()):
            frame = program.frame(site.module, site.function)
            given = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
            named = (part for part in parts_of(*given) if isinstance(part, (Global, Nested, Ref, Attr)))
            values = (value for part in named for value in program.values(part, frame))
            if any(isinstance(value, FunctionValue) and value.function is function for value in values):
                yield site.module, site.function, site
        around = program.modules[module].functions.get(function.outer or "")
        if around is not None:
            yield module, around, None
        yield from ((site.module, site.function, site) for site in self._of_unknowns(module, function))
        cls = program.modules[module].classes.get(function.cls or "")
        if cls is not None and not called:
            yield from ((site.module, site.function, site) for site in self._makers(ClassValue(module, cls)))

    def _of_unknowns(self, module: str, function: Function) -> Iterator[CallSite]:
        """The calls of a method by its name, where nobody knows of what it is one; names of libraries' methods say nothing."""
        if function.cls is None or function.name in self.program.knowledge.common_methods:
            return
        for site in self.index.sites.get(function.name, ()):
            near = isinstance(site.call.term.callee, Attr) and self.program.together(site.module, module)
            if near and not self.index.targets(site.call.term, self.program.frame(site.module, site.function)):
                yield site

    def _makers(self, cls: ClassValue) -> Iterator[CallSite]:
        """The calls that construct objects of a class, or of one that is derived from it."""
        if self._derived is None:
            self._derived = self._all_derived()
        for each in self._derived.get(id(cls.cls), ()):
            for site in self.index.sites_named(each.cls.name):
                values = self.program.values(site.call.term.callee, self.program.frame(site.module, site.function))
                if any(isinstance(value, ClassValue) and value.cls is each.cls for value in values):
                    yield site

    def _all_derived(self) -> dict[int, list[ClassValue]]:
        found: dict[int, list[ClassValue]] = {}
        for path, module in self.program.modules.items():
            for cls in module.classes.values():
                derived = ClassValue(path, cls)
                for above in (derived, *self.program.lineage(derived)):
                    if isinstance(above, ClassValue):
                        known = found.setdefault(id(above.cls), [])
                        if derived not in known:
                            known.append(derived)
        return found


def _is_told(call: Call) -> bool:
    """Whether something is passed that is no constant."""
    return any(type(given) is not Const for given in (*call.args, *(value for _, value in call.kwargs)))


def _is_passed_on(call: Call) -> bool:
    """Whether a parameter is passed, or what is in one or is worked out with it."""
    given = (*call.args, *(value for _, value in call.kwargs))
    return any(isinstance(part, (Param, Kwargs, Self)) for part in parts_of(*given))

"""Callers: who calls a function, hands it over, encloses it, or constructs the object whose method runs."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.ir.nodes import Attr, Global, Nested, Ref, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue

#: Functions by their ids, each with its file.
Leading = dict[int, tuple[str, Function]]


class Leads:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[int, Leading] = {}
        self._derived: dict[int, list[ClassValue]] | None = None

    def to(self, module: str, function: Function) -> Leading:
        """The functions that lead to a function, itself among them."""
        known = self._known.get(id(function))
        if known is None:
            known = {id(function): (module, function)}
            pending = [(module, function)]
            while pending:
                for path, before in self._before(*pending.pop()):
                    if id(before) not in known:
                        known[id(before)] = (path, before)
                        pending.append((path, before))
            self._known[id(function)] = known
        return known

    def to_frame(self, frame: Context) -> Leading:
        """The functions that lead to one activation: those that made it, and what leads to the first of them."""
        found: Leading = {}
        first = frame
        while first.caller is not None:
            found[id(first.function)] = (first.module, first.function)
            first = first.caller
        return {**self.to(first.module, first.function), **found}

    def _before(self, module: str, function: Function) -> Iterator[tuple[str, Function]]:
        index = self.program.ask(CallGraph)
        called = [(site.module, site.function) for site in index.callers(function)]
        yield from called
        for site in index.handed.get(function.name, ()):
            frame = self.program.frame(site.module, site.function)
            given = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
            for value in (found for each in given for part in _terms(each) for found in self.program.values(part, frame)):
                if isinstance(value, FunctionValue) and value.function is function:
                    yield site.module, site.function
        functions = self.program.modules[module].functions
        around = functions.get(function.outer or "")
        if around is not None:
            yield module, around
        cls = self.program.modules[module].classes.get(function.cls or "")
        if cls is not None and not called:
            yield from self._makers(ClassValue(module, cls))

    def _makers(self, cls: ClassValue) -> Iterator[tuple[str, Function]]:
        """The functions that make objects of a class, or of one that is derived from it."""
        if self._derived is None:
            self._derived = self._all_derived()
        for each in self._derived.get(id(cls.cls), ()):
            for site in self.program.ask(CallGraph).sites_named(each.cls.name):
                values = self.program.values(site.call.term.callee, self.program.frame(site.module, site.function))
                if any(isinstance(value, ClassValue) and value.cls is each.cls for value in values):
                    yield site.module, site.function

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


def _terms(given: Term) -> Iterator[Term]:
    yield from (part for part in parts_of(given) if isinstance(part, (Global, Nested, Ref, Attr)))


def run_by(program: Program, module: str, function: Function) -> Leading:
    """The functions of the project that a function runs, itself and those defined in it among them."""
    found = {id(function): (module, function)}
    pending = [(module, function)]
    index = program.ask(CallGraph)
    while pending:
        path, current = pending.pop()
        targets = [(path, each) for each in program.modules[path].functions.values() if each.outer == current.qualname]
        frame = program.frame(path, current)
        for node in calls_of(current):
            called = index.targets(node.term, frame)
            targets += [(target.module, target.function) for target in called if isinstance(target, FunctionValue)]
        for where, each in targets:
            if id(each) not in found:
                found[id(each)] = (where, each)
                pending.append((where, each))
    return found


__all__ = ["Leading", "Leads", "run_by"]

"""Functions that lead to the start of a group: those in which it stands, and those that call them, directly or not."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.ir.sketch import Function

_HIGHEST = 6
#: Methods that run when an object is called.
_RUN_BY_OBJECTS = ("__call__", "forward")
_MOST = 12


class Leading:
    """The functions that lead to each start, by their ids, with the call in them that does."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._functions: dict[int, tuple[Start, CallSite]] = {}
        for start in program.ask(starts):
            if not tests_software(program, start.site.module, start.function):
                self._note(start, start.site, 0)

    def _note(self, start: Start, site: CallSite, depth: int) -> None:
        if id(site.function) in self._functions or depth > _HIGHEST:
            return
        self._functions[id(site.function)] = (start, site)
        if site.function.kind != "module":
            for caller in self.program.ask(CallGraph).callers(site.function)[:_MOST]:
                self._note(start, caller, depth + 1)

    def to(self, function: Function) -> tuple[Start, CallSite] | None:
        """The start to which a function leads, and the call in the function that does."""
        return self._functions.get(id(function))

    def above(self, function: Function) -> Start | None:
        """The start to which a function leads that calls this one, directly or not: it runs in the processes of that group."""
        seen: set[int] = set()
        queue = [(function, 0)]
        while queue:
            current, depth = queue.pop()
            known = self._functions.get(id(current))
            if known is not None:
                return known[0]
            if id(current) in seen or depth >= _HIGHEST:
                continue
            seen.add(id(current))
            queue += [(site.function, depth + 1) for site in self._callers(current)]
        return None

    def _callers(self, function: Function) -> list[CallSite]:
        """What calls a function; of what runs when its object is called, what makes the object."""
        index = self.program.ask(CallGraph)
        found = index.callers(function)
        if not found and function.name in _RUN_BY_OBJECTS and function.cls is not None:
            found = list(index.sites_named(function.cls.rpartition(".")[2]))
        return found[:_MOST]

"""Which divergences are reported: those that no caller makes good, each once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.communication import Communication
from trainlint.facts.program import Program
from trainlint.facts.spawned import Spawned
from trainlint.facts.values import ClassValue
from trainlint.ir.sketch import Function
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.workers import workers_join

#: What runs before and after the body of a ``with``.
_SIDES = {"__enter__": "__exit__", "__exit__": "__enter__"}
#: Callers of callers that are asked.
_HIGHEST = 4


class Standing:
    """The part of :class:`trainlint.spmd.uniform_check.Agreement` that asks the callers."""

    program: Program
    communication: Communication
    index: CallGraph
    _started: Spawned
    _reported: list[Divergence] | None = None

    @abstractmethod
    def divergences(self, module: str, function: Function) -> tuple[Divergence, ...]:
        """Where ranks part in a function on its own."""

    def reported(self) -> Sequence[Divergence]:
        """All divergences that no caller makes good, each once."""
        if self._reported is None:
            self._reported = self._report()
        return self._reported

    def _report(self) -> list[Divergence]:
        found: dict[tuple[object, ...], Divergence] = {}
        for path, function in self.program.functions():
            if self.communication.runs(function) and not self._is_a_side(path, function):
                for divergence in self.divergences(path, function):
                    if divergence.key in found or self._said_by_callers(divergence):
                        continue
                    if divergence.counts and not self._comes_to_the_top(divergence, path, function, _HIGHEST):
                        continue  # a caller that is not in sight may let the others catch up
                    if self._stands(divergence, function, _HIGHEST) and not workers_join(self.program, divergence):
                        found[divergence.key] = divergence
        return list(found.values())

    def _is_a_side(self, path: str, function: Function) -> bool:
        """Whether ranks meet on both sides of a ``with`` that is not in sight: one may run what is missed on the other."""
        if function.name not in _SIDES or function.cls is None or self.index.callers(function):
            return False
        cls = self.program.modules[path].classes.get(function.cls)
        other = self.program.method(ClassValue(path, cls), _SIDES[function.name]) if cls is not None else None
        return other is not None and self.communication.runs(other[1])

    def _said_by_callers(self, divergence: Divergence) -> bool:
        """Whether ranks stop at an assertion that says who may call the function, and each caller is told that only some do."""
        if divergence.exit is None or divergence.exit.where.spot != divergence.guard.spot:
            return False
        sites = self.index.callers(divergence.guard.frame.function)
        return bool(sites) and all(self._some_only(site) for site in sites)

    def some_only_come_to(self, function: Function, depth: int = 3) -> bool:
        """Whether it is found of all calls of a function, or of all that lead to them, that some ranks only make them."""
        sites = [site for site in self.index.callers(function) if site.function is not function]
        if not sites or depth == 0:
            return False
        return all(self._some_only(site) or self.some_only_come_to(site.function, depth - 1) for site in sites)

    def _some_only(self, site: CallSite) -> bool:
        """Whether it is found that some ranks only make a call."""
        spot = site.call.term.site
        return any(d.kind == "branch" and d.call.spot == spot for d in self.divergences(site.module, site.function))

    def _stands(self, divergence: Divergence, function: Function, depth: int) -> bool:
        """Whether the divergence is still there in some caller (or there is no caller to make it good).

        What is started as a process for each rank is such a start too, beside a call of it in one process (``run(0, settings)``).
        """
        if function.kind == "module" or depth == 0 or self._started.numbers(function):
            return True
        sites = self.index.callers(function)
        if not sites:
            return True
        for site in sites:
            if site.function is function:
                continue
            theirs = self.divergences(site.module, site.function)
            if any(d.key == divergence.key for d in theirs) and self._stands(divergence, site.function, depth - 1):
                return True
        return all(site.function is function for site in sites) or not any(self._looks_into(s.function) for s in sites)

    def _comes_to_the_top(self, divergence: Divergence, path: str, function: Function, depth: int) -> bool:
        """Whether the divergence is still there when a whole file is run, or what is started as a process for each rank."""
        if all(d.key != divergence.key for d in self.divergences(path, function)):
            return False
        if self._started.numbers(function):
            return True
        if function.kind == "module" or depth == 0:
            return function.kind == "module"
        sites = (site for site in self.index.callers(function) if site.function is not function)
        return any(self._comes_to_the_top(divergence, site.module, site.function, depth - 1) for site in sites)

    def _looks_into(self, function: Function) -> bool:
        """Whether a caller was judged at all (a caller that only hands the function on says nothing)."""
        return self.communication.runs(function) and not function.generator

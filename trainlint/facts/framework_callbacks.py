"""Functions that a library calls by itself, because they were registered with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Made
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import Function


class Registration(NamedTuple):
    """The call (``site``) that hands a function to a library, and the call (``runner``, dotted) in which that runs it.

    ``function`` is what was handed over, and ``run`` a call of it without arguments, as the library makes it.
    """

    site: CallSite
    runner: str
    function: FunctionValue
    run: Call


class Hooked:
    """The registered functions of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of: dict[int, Registration] = {}
        #: What is registered, by the (dotted) call that runs it, in the order of the registrations.
        self.by_runner: dict[str, list[Registration]] = {}
        known = program.knowledge.job_hooks
        index = program.ask(CallGraph)
        for last in sorted({name.rpartition(".")[2] for name in known}):
            for site in index.sites_named(last):
                frame = program.frame(site.module, site.function)
                runner = next(
                    (
                        known[v.name]
                        for v in program.values(site.call.term.callee, frame)
                        if isinstance(v, Library) and v.name in known
                    ),
                    None,
                )
                if runner is None:
                    continue
                given = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
                for term in given:
                    for value in program.values(term, frame):
                        if isinstance(value, FunctionValue):
                            run = Call.new(term, (), (), site.call.term.site)
                            found = Registration(site, runner, value, run)
                            self._of.setdefault(id(value.function), found)
                            self.by_runner.setdefault(runner, []).append(found)

    def registration(self, function: Function) -> Registration | None:
        """Where a function was registered; None when a library never runs it by itself, as far as tables know."""
        return self._of.get(id(function))

    def run_by(self, name: str, call: Call, frame: Frame) -> Iterator[Registration]:
        """What a library's function (dotted ``name``) runs, called like this: what was registered with this very object.

        Where nobody can see which object that is, what was registered in this file.
        """
        for found in self.by_runner.get(name, ()):
            site = found.site
            if self.program.component(site.module) == self.program.component(frame.module):
                mine = self._objects(call, frame)
                theirs = self._objects(site.call.term, self.program.frame(site.module, site.function))
                if mine & theirs if mine and theirs else site.module == frame.module:
                    yield found

    def _objects(self, call: Call, frame: Frame) -> set[Term]:
        """The calls that made the object whose method is called."""
        callee = call.callee
        values = self.program.values(callee.base, frame) if isinstance(callee, Attr) else ()
        return {value.call for value in values if isinstance(value, Made) and value.call is not None}

"""Functions that a library calls by itself, because they were registered with it."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.program import Program
from trainlint.facts.values import FunctionValue, Library
from trainlint.model.sketch import Function


class Registration(NamedTuple):
    """The call (``site``) that hands a function to a library, and the call (``runner``, dotted) in which that runs it."""

    site: CallSite
    runner: str


class Hooked:
    """The registered functions of a program."""

    def __init__(self, program: Program) -> None:
        self._of: dict[int, Registration] = {}
        known = program.knowledge.job_hooks
        index = calls(program)
        for last in sorted({name.rpartition(".")[2] for name in known}):
            for site in index.sites_named(last):
                frame = program.frame(site.module, site.function)
                runner = next(
                    (
                        known[v.name]
                        for v in program.values(site.call.term[1], frame)
                        if isinstance(v, Library) and v.name in known
                    ),
                    None,
                )
                if runner is None:
                    continue
                given = (*site.call.term[2], *(value for _, value in site.call.term[3]))
                for value in (found for term in given for found in program.values(term, frame)):
                    if isinstance(value, FunctionValue):
                        self._of.setdefault(id(value.function), Registration(site, runner))

    def registration(self, function: Function) -> Registration | None:
        """Where a function was registered; None when a library never runs it by itself, as far as tables know."""
        return self._of.get(id(function))


def hooked(program: Program) -> Hooked:
    """The registered functions of a program (found once)."""
    known = program.analyses.get("hooked")
    if known is None:
        known = program.analyses["hooked"] = Hooked(program)
    assert isinstance(known, Hooked)
    return known

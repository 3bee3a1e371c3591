"""Passes of an engine's model under an autocast of another narrow precision than the engine's configuration has on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallSite
from trainlint.facts.deepspeed.stated import Stated
from trainlint.facts.deepspeed.uses import Use, uses
from trainlint.facts.precision.regimes import Regimes
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Made
from trainlint.finding import Spot


class Overruled(NamedTuple):
    """A call of an engine, the autocast around it (``made``: its place; ``dtype``: its dotted name), and what is enabled."""

    site: CallSite
    made: tuple[str, Spot]
    dtype: str
    stated: Stated


def overruled(program: Program) -> Iterator[Overruled]:
    """The first of each engine."""
    dtypes = program.knowledge.tables["deepspeed.dtypes"]
    for use in uses(program):
        on = [name for name in dtypes if name in use.configuration and use.configuration[name].value is True]
        if len(on) == 1:
            others = [dtype for name, dtype in dtypes.items() if name != on[0]]
            found = next(_under(program, use, others, use.configuration[on[0]]), None)
            if found is not None:
                yield found


def _under(program: Program, use: Use, dtypes: list[str], stated: Stated) -> Iterator[Overruled]:
    path = use.site.module
    for function in program.modules[path].functions.values():
        frame = program.frame(path, function)
        for call in calls_of(function):
            values = program.values(call.term.callee, frame)
            if not any(isinstance(value, Made) and value.call is use.site.call.term for value in values):
                continue
            autocast = program.ask(Regimes).of(call.term, frame).within(dtypes)
            if autocast is not None and autocast.enabled is True and len(autocast.dtypes) == 1:
                made = (autocast.frame.module, autocast.call.site)
                yield Overruled(CallSite(path, function, call), made, next(iter(autocast.dtypes)), stated)

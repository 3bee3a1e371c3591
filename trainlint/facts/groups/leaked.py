"""Programs that start a group and never end it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.groups.leading import Leading
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.spawned import Spawned
from trainlint.finding import Spot
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import of_kind


class Leaked(NamedTuple):
    """A start without an end. ``entry`` is the statement of the program behind which it could be ended, ``code`` how."""

    start: Start
    entry: Spot | None
    code: str | None


def leaked(program: Program) -> Iterator[Leaked]:
    """Each start of a program that nobody ends, once for each file."""
    seen: set[str] = set()
    ends = program.knowledge.tables["ends"]["names"]
    words = program.knowledge.tables["groups"]
    ending = [site for name in ends for site in program.ask(CallGraph).sites_named(name.rpartition(".")[2])]
    for start in program.ask(starts):
        module = start.site.module
        if module in seen or tests_software(program, module, start.function) or start.name not in words["to_be_ended"]:
            continue
        if any(program.together(site.module, module) for site in ending) or _hands_over(program, module):
            continue
        entry = program.ask(Leading).to(program.modules[module].functions["<module>"])
        apart = _is_started(program, start)
        if entry is None and not apart:
            continue
        seen.add(module)
        yield Leaked(start, *_end(program, module, entry[1] if entry is not None and not apart else None, ends[0]))


def _hands_over(program: Program, module: str) -> bool:
    """Whether a framework is around, which ends the group itself."""
    return not program.packages(module).isdisjoint(program.knowledge.tables["groups"]["end_themselves"])


def _is_started(program: Program, start: Start) -> bool:
    """Whether the program starts processes in which the start runs: its own end is not theirs."""
    known = program.ask(Spawned)
    callers = program.ask(CallGraph).callers(start.function)
    above = [site for each in callers for site in (each, *program.ask(CallGraph).callers(each.function))]
    return known.is_started(start.function) or any(known.is_started(site.function) for site in above)


def _end(program: Program, module: str, entry: CallSite | None, name: str) -> tuple[Spot | None, str | None]:
    """Behind which statement of the file the group could be ended, and how that is written there."""
    sketch = program.modules[module]
    asks = program.knowledge.tables["groups"]["is_started"][0]
    end, asked = reference(name, sketch), reference(asks, sketch)
    if entry is None or end is None or asked is None or entry.function.name != "<module>":
        return None, None
    behind = [call for call in of_kind(entry.function, CallStep) if call.statement.line > entry.call.statement.end_line]
    direct = any(node is entry.call for node in entry.function.body)
    whole = entry.call.statement == entry.call.term.site
    return (entry.call.statement, f"if {asked}():\n    {end}()") if direct and whole and not behind else (None, None)

"""Two functions that read the clock and go by one name, of which only the one for several processes waits for the device.

``now = now_distributed if distributed else now_alone``: that one waits says what is timed. A test for the device is
another thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.timing.clocks import Clocks
from trainlint.facts.timing.device import Device
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import Ref, Select, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of


class Twin(NamedTuple):
    """A reading of a clock in a function that waits for nothing, and what its twin waits with."""

    module: str
    read: CallStep
    waits: CallStep


def unlike(program: Program) -> Iterator[Twin]:
    """The readings of such functions."""
    asked = program.ask(Clocks)
    for path, module in program.modules.items():
        chosen = [term for term in module.names.values() if isinstance(term, Select) and _asks(program, term.test)]
        if not chosen or not program.ask(Device).used(path):
            continue
        frame = program.frame(path, module.functions["<module>"])
        for term in chosen:
            arms = [program.values(arm, frame) for arm in term.arms]
            functions = [arm[0] for arm in arms if len(arm) == 1 and isinstance(arm[0], FunctionValue)]
            if len(functions) != len(arms):
                continue
            waits = [_wait(program, each) for each in functions]
            plain = [
                each for each, wait in zip(functions, waits, strict=True) if wait is None and asked.only_reads(each.function)
            ]
            waiting = [wait for wait in waits if wait is not None]
            if len(plain) == len(waiting) == 1:
                read = next(node for node in calls_of(plain[0].function) if asked.is_library(node.term))
                yield Twin(plain[0].module, read, waiting[0])


def _wait(program: Program, target: FunctionValue) -> CallStep | None:
    """Where a function that reads a clock waits for the device before, whatever happens."""
    asked = program.ask(Clocks)
    wait: CallStep | None = None
    for node in calls_of(target.function):
        if asked.is_library(node.term):
            return wait
        if last_name(node.term.callee) == program.knowledge.written["synchronize"].rpartition(".")[2]:
            wait = node
    return None


def _asks(program: Program, test: Term) -> bool:
    """Whether a test asks a library for its group of processes, and none for a device."""
    knowledge = program.knowledge
    names = {knowledge.canonical(part.name) for part in parts_of(test) if isinstance(part, Ref)}
    of_groups = knowledge.written["rank"].rpartition(".")[0] + "."
    asks = any(name in knowledge.ranks or name.startswith(of_groups) for name in names)
    return asks and knowledge.accelerators.isdisjoint(word for name in names for word in name.split("."))

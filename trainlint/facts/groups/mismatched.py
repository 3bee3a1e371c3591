"""Collectives that the backend of the group cannot do: on the host, where it works between GPUs only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library, Made, Other, Value
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed, walk_tested
from trainlint.ir.nodes import Call, Const, SequenceDisplay
from trainlint.ir.order import within
from trainlint.ir.sketch import With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind


class Mismatch(NamedTuple):
    """A collective (of this name) on the host, in a group of GPUs; ``made`` is the call that made what it sends, and its file."""

    site: CallSite
    name: str
    start: Start
    made: tuple[str, Call] | None


def mismatches(program: Program) -> Iterator[Mismatch]:
    """Each such collective, where all groups around work between GPUs for certain."""
    words, sends = program.knowledge.tables["groups"], program.knowledge.tables["groups.sends"]
    index = program.ask(CallGraph)
    for last in sorted({name.rpartition(".")[2] for name in (*sends, *words["hosts_only"])}) if program.ask(starts) else ():
        for site in index.sites_named(last):
            frame = program.frame(site.module, site.function)
            targets = [target.name for target in index.targets(site.call.term, frame) if isinstance(target, Library)]
            name = next((each for each in targets if each in sends or each in words["hosts_only"]), None)
            if name is None or len(targets) != 1 or tests_software(program, site.module, site.function):
                continue
            start = _start(program, site.module)
            if start is None or _in_group(program, site.call.term, name) or _asks(program, site):
                continue
            if name in words["hosts_only"]:
                yield Mismatch(site, name, start, None)
                continue
            made = _on_host(program, site, int(sends[name]))
            if made is not None:
                yield Mismatch(site, name, start, made)


def _start(program: Program, module: str) -> Start | None:
    """The start of the group around a file, if all of them there are of GPUs for certain."""
    found = [each for each in program.ask(starts) if program.together(each.site.module, module)]
    return found[0] if found and all(_is_sure(program, each) for each in found) else None


def _is_sure(program: Program, start: Start) -> bool:
    """Whether the backend is written down, and one of GPUs."""
    words = program.knowledge.tables["groups"]
    given = start.given(program, program.knowledge.tables["groups.starts"][start.name])
    if given is None:
        return start.name in words["on_gpus_by_default"]
    values = program.values(given, program.frame(start.site.module, start.function))
    return all(_spelled(value) in words["on_gpus"] for value in values)


def _spelled(value: Value) -> str:
    if isinstance(value, Library):
        return value.name.rpartition(".")[2].lower()
    return str(value.term.value).lower() if isinstance(value, Other) and isinstance(value.term, Const) else ""


def _in_group(program: Program, call: Call, name: str) -> bool:
    """Whether the collective is one of a group of its own, whatever the backend of that is."""
    position = program.knowledge.collectives.get(name, -1)
    given = dict(call.kwargs).get("group", call.args[position] if 0 <= position < len(call.args) else None)
    return given is not None and not (isinstance(given, Const) and given.value is None)


def _asks(program: Program, site: CallSite) -> bool:
    """Whether a test that leads to the collective asks for the backend or the device."""
    words = program.knowledge.tables["groups"]
    names = {*words["on_gpus"], *words["on_hosts"], *words["bare"], *words["beside"]}
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    for test, _ in led:
        parts = () if isinstance(test, Failed) else tuple(parts_of(test))
        if isinstance(test, Failed) or any(
            word in str(part.parts[-1]).lower() for part in parts for word in (*names, "backend", "device")
        ):
            return True
    return False


def _on_host(program: Program, site: CallSite, position: int) -> tuple[str, Call] | None:
    """The call that made what a collective sends, if that is on the host in some activation."""
    call = site.call.term
    given = call.args[position] if position < len(call.args) else dict(call.kwargs).get("tensor")
    if given is None or _changes_default(program, site.module):
        return None
    for frame in activations(program, site.module, site.function):
        values = program.values(given, frame)
        if values and all(_is_made_there(program, value) for value in values):
            first = values[0]
            if isinstance(first, Made) and first.call is not None and first.frame is not None:
                return first.frame.module, first.call
    return None


def _is_made_there(program: Program, value: Value) -> bool:
    """Whether something was made on the host: by a function that makes tensors, told no device, under nothing that does."""
    words = program.knowledge.tables["groups"]
    if not isinstance(value, Made) or value.call is None or value.frame is None:
        return False
    named = dict(value.call.kwargs)
    made = value.name in words["makes"] or (value.name in words["converts"] and _is_written(value.call))
    return made and "device" not in named and None not in named and not _under_device(value.frame, Spot(*value.call.site))


def _is_written(call: Call) -> bool:
    """Whether the data of a tensor are numbers, or a list: a tensor that is there already would hand on its device."""
    return bool(call.args) and isinstance(call.args[0], (Const, SequenceDisplay))


def _under_device(frame: Frame, spot: Spot) -> bool:
    """Whether a ``with`` around a call may say the device."""
    return any(
        within(frame.function, node, spot)
        and any("device" in str(part.parts[-1]).lower() for item in node.items for part in parts_of(item))
        for node in of_kind(frame.function, With)
    )


def _changes_default(program: Program, module: str) -> bool:
    """Whether the program says somewhere on which device tensors are made that are told none."""
    names = program.knowledge.tables["groups"]["changes_default"]
    sites = (site for name in names for site in program.ask(CallGraph).sites.get(name, ()))
    return any(program.together(site.module, module) for site in sites)

"""Where a program of many processes names one GPU by its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallSite, last_name
from trainlint.facts.groups.devices import apart
from trainlint.facts.groups.leading import Leading
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.variables.written import writes
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.names import text_of
from trainlint.ir.nodes import Attr, Call, Const, LoopPhi, Ref, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of

_NUMBERED = re.compile(r"[a-z]+:[0-9]+")


class Named(NamedTuple):
    """A call that is told such a GPU: ``keyword`` by which (None: as its first argument), the text, the start of the group."""

    site: CallSite
    keyword: str | None
    text: str
    start: Start


def named(program: Program) -> Iterator[Named]:
    """The first such call of each function that runs in every process of a group of GPUs."""
    groups = [start for start in program.ask(starts) if start.on_gpus(program)]
    if not groups:
        return
    for path, function in program.functions():
        found = [(call, told) for call in calls_of(function) for told in [_told(program, call.term)] if told is not None]
        if not found or tests_software(program, path, function):
            continue
        start = program.ask(Leading).above(function)
        if start is None or not start.on_gpus(program) or _shows_one(program, path):
            continue
        led = {id(node): tests for node, tests in walk_tested(function.body) if isinstance(node, CallStep)}
        for call, (keyword, text) in found:
            tests = led.get(id(call), ())
            alone = apart(program, tests) or _depends(program, tests)
            if not alone and not _is_only_asked_about(program, call, calls_of(function)):
                yield Named(CallSite(path, function, call), keyword, text, start)
                break


def _shows_one(program: Program, module: str) -> bool:
    """Whether the files around a file show each process a GPU of its own: the first one that it sees is that."""
    words = program.knowledge.tables["groups"]
    for write in program.ask(writes):
        if write.name in words["visible"] and program.together(write.module, module):
            said = {word for part in parts_of(write.value) for word in _words(part)}
            if any(each in word for word in said for each in words["own"]):
                return True
    return False


def _words(part: Term) -> tuple[str, ...]:
    text = part.name if isinstance(part, LoopPhi) else text_of(part)
    return () if text is None else (text.lower(),)


def _is_only_asked_about(program: Program, call: CallStep, calls_there: tuple[CallStep, ...]) -> bool:
    """Whether a device is made for a question about it."""
    words = program.knowledge.tables["groups"]["asks_about"]
    return any(call.term in each.term.args and last_name(each.term.callee) in words for each in calls_there)


def _depends(program: Program, led: Led) -> bool:
    """Whether a test asks for the device."""
    words = program.knowledge.tables["groups"]["beside"]
    return any(
        isinstance(test, Failed) or any(word == "device" or word in words for part in parts_of(test) for word in _words(part))
        for test, _ in led
    )


def _told(program: Program, call: Call) -> tuple[str | None, str] | None:
    """The GPU that a call is told by its number."""
    words = program.knowledge.tables["groups"]
    for keyword, value in call.kwargs:
        if keyword in words["device_parameters"] and (told := _numbered(program, value)) is not None:
            return keyword, told
    callee = call.callee
    makes = isinstance(callee, Ref) and program.knowledge.canonical(callee.name) in words["device_makers"]
    puts = isinstance(callee, Attr) and callee.name in (*words["puts"], *words["puts_itself"])
    first = _numbered(program, call.args[0]) if (makes or puts) and call.args else None
    return (None, first) if first is not None else None


def _numbered(program: Program, term: Term) -> str | None:
    """The name of a GPU with its number, if a term is one."""
    bare = program.knowledge.tables["groups"]["bare"]
    text = term.value if isinstance(term, Const) and isinstance(term.value, str) else ""
    return text if _NUMBERED.fullmatch(text) is not None and text.partition(":")[0] in bare else None

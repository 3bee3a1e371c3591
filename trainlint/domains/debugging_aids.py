"""Debugging aids that are left on: anomaly detection, and environment variables that log or synchronize.

Left on means in every run: no test, no setting and no name of a function says that somebody is looking for a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.ir.control_dependence import Failed, Led, are_sure, walk_tested
from trainlint.ir.nodes import And, Call, Const, Term
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.consteval import constant_everywhere
from trainlint.program.environment import Write, writes
from trainlint.program.guards import is_opted_in
from trainlint.program.program import Program
from trainlint.program.software_tests import in_tests, tests_software
from trainlint.program.values import FunctionValue, Library


class Detection(NamedTuple):
    """A call that turns anomaly detection on; ``keyword`` and ``position`` say by which argument (None: by nothing else).

    ``sure``: no test leads there at all, not even one that decides about the whole training. ``written``: no value from elsewhere
    says so.
    """

    site: CallSite
    keyword: str | None
    position: int | None
    sure: bool = True
    written: bool = True


def anomaly_detection_left_on(program: Program) -> Iterator[Detection]:
    """Each such call that runs in every run of the program, as far as tests can be seen."""
    index, knowledge = program.ask(CallGraph), program.knowledge
    for name in sorted({dotted.rpartition(".")[2] for dotted in knowledge.anomaly}):
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            for target in index.targets(site.call.term, frame):
                word = knowledge.anomaly.get(target.name) if isinstance(target, Library) else None
                if word is None or not isinstance(target, Library):
                    continue
                keyword = word if word != "always" else None
                parameters = knowledge.signatures.get(target.name, [])
                position = parameters.index(word) if word in parameters else None
                given = _given(site.call.term, keyword, position)
                said = constant_everywhere(program, site, given) if given is not None else None
                if keyword is not None and (said is None or said.value is not True):
                    continue
                if tests_software(program, site.module, site.function):
                    continue
                trains = knowledge.kinds.get(target.name) == "trainer"
                if not is_opted_in(program, site, trains=trains, alone=name):
                    sure, written = not is_opted_in(program, site, trains=trains), isinstance(given, Const) or keyword is None
                    yield Detection(site, keyword, position, sure, written)
                break


def _given(call: Call, keyword: str | None, position: int | None) -> Term | None:
    """What a call is told whether to."""
    given = next((value for name, value in call.kwargs if name == keyword), None)
    return call.args[position] if given is None and position is not None and position < len(call.args) else given


def debug_variables_left_on(program: Program) -> Iterator[Write]:
    """Each statement that sets such a variable under no test, in no function whose name asks for it."""
    words = program.knowledge.tables["variables"]
    for write in program.ask(writes):
        value = str(write.value.value).upper() if isinstance(write.value, Const) else None
        if f"{write.name}={value}" not in words["slow"] or write.optional or not _is_sure(program, write):
            continue
        if tests_software(program, write.module, write.function) or _is_for_tests(write.module, words["asked"]):
            continue
        if any(each.function is write.function and each.name in words["repeats"] for each in program.ask(writes)):
            continue
        if not _is_undone(program, write) and not _is_asked_for(program, write.function, words["asked"]):
            yield write


def _is_sure(program: Program, write: Write) -> bool:
    """Whether each run of its function sets the variable so, here or in the other arm of a test."""
    alike = [each for each in program.ask(writes) if each.function is write.function and each.name == write.name]
    ways = [_chosen(program, each.module, each.function, each.led) for each in alike if each.value.parts == write.value.parts]
    sure = are_sure(write.function.body, ways)
    return sure[[each.spot for each in alike if each.value.parts == write.value.parts].index(write.spot)]


def _chosen(program: Program, module: str, function: Function, led: Led) -> Led:
    """The tests on a way that somebody decides about; ``is_initialized()`` only says how a run was started."""
    frame = program.frame(module, function)
    started = {name for name, word in program.knowledge.ranks.items() if word == "yes"}

    def is_of_job(test: Term | Failed) -> bool:
        if isinstance(test, And):
            return all(map(is_of_job, test.operands))
        values = program.values(test.callee, frame) if isinstance(test, Call) else ()
        return any(isinstance(value, Library) and value.name in started for value in values)

    return tuple((test, arm) for test, arm in led if not (arm and is_of_job(test)))


def _handed(program: Program, function: Function) -> Iterator[CallSite]:
    """The calls of libraries at the top level of files that are given a function, to run it: ``fire.Fire(main)``."""
    for site in program.ask(CallGraph).handed.get(function.name, ()):
        frame = program.frame(site.module, site.function)
        values = [value for given in site.call.term.args for value in program.values(given, frame)]
        if site.function.kind == "module" and any(
            isinstance(value, FunctionValue) and value.function is function for value in values
        ):
            yield site


def cost(program: Program, write: Write) -> str:
    """What such a variable costs a run, as a sentence."""
    return str(program.knowledge.tables["variables.costs"].get(write.name, ""))


def _is_for_tests(module: str, asked: list[str]) -> bool:
    """Whether the path of a file says that it is no program of its own."""
    name = module.lower().replace("-", "_").rpartition("/")[2]
    return any(word in name for word in asked) or in_tests(module)


def _is_undone(program: Program, write: Write) -> bool:
    """Whether the file sets the variable to something else as well: it is turned on for a while."""
    same = (each for each in program.ask(writes) if each.module == write.module and each.name == write.name)
    return any(each.value.parts != write.value.parts for each in same)


def _is_asked_for(program: Program, function: Function, asked: list[str]) -> bool:
    """Whether a name, or a test that leads to all calls of the function, says that somebody wants to know."""
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        at = waiting.pop()
        if at.kind == "module":
            return False
        if id(at) in seen or any(word in at.qualname.lower() for word in asked):
            continue
        seen.add(id(at))
        waiting += [
            site.function
            for site in (*program.ask(CallGraph).callers(at), *_handed(program, at))
            if not _chosen(
                program,
                site.module,
                site.function,
                next((led for node, led in walk_tested(site.function.body) if node is site.call), ()),
            )
        ]
    return True

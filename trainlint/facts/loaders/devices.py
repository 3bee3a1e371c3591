"""What a call puts on a device: a tensor's ``to`` and ``cuda``, and functions that are told ``device=…``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.loaders.inside import Inside, Run
from trainlint.facts.loaders.made import Loader, Loaders
from trainlint.facts.loaders.workers import fewest
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other, Value
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Ref, Term
from trainlint.ir.sketch import CallStep

_DEVICE = "device"


class OnDevice(NamedTuple):
    """A call in a worker of a loader that puts something on the device."""

    module: str
    call: CallStep
    loader: Loader


def in_workers(program: Program) -> Iterator[OnDevice]:
    """Each call that runs in workers and surely puts something on the device, where there is one; once."""
    seen: set[tuple[str, Spot]] = set()
    asked = program.ask(Inside)
    for loader in program.ask(Loaders).all():
        if not loader.given("multiprocessing_context").absent:
            continue
        workers = fewest(loader)
        if workers is None or workers < 1 or tests_software(program, loader.module, loader.constructed.frame.function):
            continue
        runs = [run for data in asked.datasets(loader) for run in asked.reading(data)]
        for run in (*runs, *asked.collating(loader)):
            for call in _plain_calls(run):
                key = (run.frame.module, call.term.site)
                if key not in seen and puts(program, call.term, run.frame):
                    seen.add(key)
                    yield OnDevice(run.frame.module, call, loader)


def _plain_calls(run: Run) -> Iterator[CallStep]:
    """The calls of a function that run without a test: a test may ask for the process."""
    for node, led in walk_tested(run.function.body):
        if isinstance(node, CallStep) and not led:
            yield node


def puts(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call puts a tensor on the device, as far as what it is given is written down."""
    words = program.knowledge.tables["loaders"]
    callee = call.callee
    if isinstance(callee, Attr) and callee.name in words["puts"]:
        if any(isinstance(value, FunctionValue) for value in program.values(callee, frame)):
            return False
        if callee.name in words["devices"]:
            return True
        return any(is_device(program, each, frame) for each in (*call.args[:1], *_named(call)))
    if not isinstance(callee, (Ref, Attr)) or not any(is_device(program, each, frame) for each in _named(call)):
        return False
    makers = program.knowledge.tables["loaders"]["device_makers"]
    values = program.values(callee, frame)
    return not any(isinstance(value, FunctionValue) or (isinstance(value, Library) and value.name in makers) for value in values)


def _named(call: Call) -> list[Term]:
    return [value for name, value in call.kwargs if name == _DEVICE]


def is_device(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a term names the device, where the machine has one."""
    return any(_names(program, value) for value in program.values(term, frame))


def _names(program: Program, value: Value) -> bool:
    if isinstance(value, Other) and isinstance(value.term, Const) and isinstance(value.term.value, str):
        return value.term.value.partition(":")[0] in program.knowledge.tables["loaders"]["devices"]
    if (
        isinstance(value, Made)
        and value.name in program.knowledge.tables["loaders"]["device_makers"]
        and value.call is not None
        and value.frame is not None
    ):
        return any(is_device(program, each, value.frame) for each in value.call.args[:1])
    return False

"""Blocks that are captured as CUDA graphs: what makes the host wait in them, and which of them nobody has warmed up.

While a stream captures, nothing runs: a value cannot be fetched, and what waits for the device is an error
(``cudaErrorStreamCaptureUnsupported``; PyTorch 2.13, "CUDA semantics", on CUDA graphs).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.dynamo.must_execute import Surely
from trainlint.facts.dynamo.tensors import TracedTensors
from trainlint.facts.program import Program
from trainlint.facts.software_tests import in_tests, tests_software
from trainlint.facts.streams.contexts import Contexts
from trainlint.facts.traced.module_list_calls import model_runs
from trainlint.facts.values import Frame, FunctionValue, Library, Made
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.walk import of_kind, walk

_DEEPEST = 4
_PRINTS = "builtins.print"
_TO_NUMBERS = ("builtins.float", "builtins.int")


class Capture(NamedTuple):
    """A block that is captured, in a function."""

    module: str
    function: Function
    block: With


class Waits(NamedTuple):
    """A call in a capture, or in what that runs, at which the host waits; ``way`` are the calls that lead there."""

    module: str
    call: CallStep
    what: str
    capture: Capture
    way: tuple[CallSite, ...]


def captures(program: Program) -> Iterator[Capture]:
    """Each block under ``with torch.cuda.graph(graph):``."""
    asked = program.ask(Contexts)
    if not any(
        program.ask(CallGraph).sites.get(name.rpartition(".")[2]) for name, word in asked.words.items() if word == "captures"
    ):
        return
    for module, function in program.functions():
        for block in of_kind(function, With):
            frame = program.frame(module, function)
            if not any(_captures(program, item, frame) for item in block.items):
                continue
            if not in_tests(module) and not tests_software(program, module, function):
                yield Capture(module, function, block)


def _captures(program: Program, item: Term, frame: Frame) -> bool:
    words = program.ask(Contexts).words
    values = program.values(item, frame)
    return any(isinstance(value, Made) and words.get(value.name) == "captures" for value in values)


# -- what waits ----------------------------------------------------------------------------------------------------------


class _Waiting:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.tensors: TracedTensors = program.ask(TracedTensors)
        self.surely = Surely(program)
        self.words = program.ask(Contexts).words
        self.tables = program.knowledge.tables

    def all(self) -> Iterator[Waits]:
        seen: set[Spot] = set()
        for capture in captures(self.program):
            frame = self.program.frame(capture.module, capture.function)
            inside = {id(node) for node in walk(capture.block.body)}
            led = [(node, tests) for node, tests in self.surely.statements(capture.function) if id(node) in inside]
            outer = next(tests for node, tests in self.surely.statements(capture.function) if node is capture.block)
            here = [(node, tests[len(outer) :]) for node, tests in led if isinstance(node, CallStep)]
            for found in self._in(here, frame, capture, (), _DEEPEST):
                if found.call.term.site not in seen:
                    seen.add(found.call.term.site)
                    yield found

    def _in(
        self, nodes: list[tuple[CallStep, Led]], frame: Frame, capture: Capture, way: tuple[CallSite, ...], depth: int
    ) -> Iterator[Waits]:
        for node, led in nodes:
            if not self.surely.runs(led, frame):
                continue
            what = self._waits(node.term, frame, direct=not way)
            if what is not None:
                yield Waits(frame.module, node, what, capture, way)
                continue
            if depth == 0:
                continue
            site = CallSite(frame.module, frame.function, node)
            targets = self.program.ask(CallGraph).targets(node.term, frame) or model_runs(self.program, node.term, frame)
            for target in targets:
                if isinstance(target, FunctionValue) and not frame.runs(target.function) and not target.function.decorators:
                    inner = self.program.enter(target, node.term, frame)
                    statements = self.surely.statements(target.function)
                    inside = [(each, tests) for each, tests in statements if isinstance(each, CallStep)]
                    yield from self._in(inside, inner, capture, (*way, site), depth - 1)

    def _waits(self, call: Call, frame: Frame, *, direct: bool) -> str | None:
        """What a call is to a stream that captures; ``direct``: it stands in the block itself."""
        callee, given = call.callee, call.args
        values = self.program.values(callee, frame)
        names = [value.name for value in values if isinstance(value, Library)]
        for name in names:
            if self.words.get(name) == "waits":
                return "waits"
            if name in _TO_NUMBERS and len(given) == 1 and self.tensors.is_tensor(given[0], frame):
                return "fetches"
            if name == _PRINTS and any(self.tensors.is_tensor(each, frame) for each in given):
                return "prints"
            if self.program.knowledge.shapes.get(name) == "data":
                return "size"
        if not isinstance(callee, Attr) or given or any(isinstance(value, FunctionValue) for value in values):
            return None
        if callee.name in self.tables["dynamo.fetches"]["names"]:
            return "fetches" if direct or self.tensors.is_tensor(callee.base, frame) else None
        if callee.name in self.tables["cuda_streams.moves"]["names"]:
            return "fetches" if self.tensors.is_tensor(callee.base, frame) else None
        return None


def waiting(program: Program) -> Iterator[Waits]:
    """Each call at which the host would wait while a stream captures."""
    yield from _Waiting(program).all()


__all__ = ["Capture", "Waits", "captures", "waiting"]

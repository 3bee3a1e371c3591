"""Training steps of TensorFlow that Python runs operation by operation, in every round of a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.components import imported
from trainlint.facts.loaders.options import led_to
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.tapes import tapes_of
from trainlint.facts.traced.reached import reached
from trainlint.facts.values import ClassValue, FunctionValue, Library, Made
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import LITERALS, Attr
from trainlint.ir.order import loops_around
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Exit, Function, Loop, With
from trainlint.ir.walk import of_kind, statements_of


class Eager(NamedTuple):
    """The call that updates the weights, the loop that repeats it, and the call of the step's function in that loop.

    ``called`` is None where the step is written in the loop itself; ``traced`` is the definition of its function, and what may
    stand behind it so that it is traced. ``pure`` says that all it does is known to be done by TensorFlow.
    """

    module: str
    call: CallStep
    loop: tuple[str, Spot]
    called: tuple[str, Spot] | None
    traced: tuple[Spot, str] | None = None
    pure: bool = False


def eager_steps(program: Program) -> Iterator[Eager]:
    """The first such step of each function."""
    asked, seen = _Steps(program), set()
    for name in asked.table["applies"]:
        for site in program.ask(CallGraph).sites.get(name, ()):
            if id(site.function) not in seen and isinstance(site.call.term.callee, Attr) and asked.is_eager(site):
                found = asked.repeated(site)
                if found is not None:
                    seen.add(id(site.function))
                    yield found


class _Steps:
    """What is asked of one update of weights."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = program.knowledge.tables["tensorflow.steps"]
        self.traced = program.ask_of(reached, frozenset(self.table["traced"]))
        self._files: dict[str, bool] = {}

    def is_eager(self, site: CallSite) -> bool:
        """Whether gradients of a tape are applied in a function that nothing traces, as far as can be seen."""
        function = site.function
        if id(function) in self.traced or function.generator or not self._is_plain(site.module):
            return False
        if tests_software(self.program, site.module, function) or self._is_of_library(site.module, function):
            return False
        return any(self._is_tape(site.module, function, node) for node in of_kind(function, With))

    def _is_tape(self, module: str, function: Function, node: With) -> bool:
        frame = self.program.frame(module, function)
        return any(True for item in node.items for _ in tapes_of(self.program, item, frame))

    def _is_plain(self, path: str) -> bool:
        """Whether a file neither turns tracing off nor computes with a library that cannot be traced."""
        known = self._files.get(path)
        if known is None:
            packages = {dotted.partition(".")[0] for dotted in imported(self.program.modules[path])}
            index = self.program.ask(CallGraph)
            off = any(site.module == path for name in self.table["debugging"] for site in index.sites.get(name, ()))
            known = self._files[path] = not off and packages.isdisjoint(self.table["untraced"])
        return known

    def _is_of_library(self, module: str, function: Function) -> bool:
        """Whether a method may be one that a library calls, and traces before."""
        cls = self.program.modules[module].classes.get(function.cls or "")
        above = self.program.lineage(ClassValue(module, cls)) if cls is not None else ()
        return any(isinstance(each, Library) and each.name.startswith(tuple(self.table["libraries"])) for each in above)

    def repeated(self, site: CallSite) -> Eager | None:
        """The loop that repeats the step: around it, or around a call of its function."""
        loop = _loop_of(site.function, site.call)
        if loop is not None:
            meant = self._is_meant(site)
            return None if meant else Eager(site.module, site.call, (site.module, loop.spot), None)
        function = site.function
        if function.decorators or self._is_handed(site) or self._asks_host(function):
            return None
        for caller in self.program.ask(CallGraph).callers(function):
            around = _loop_of(caller.function, caller.call)
            if (
                around is None
                or id(caller.function) in self.traced
                or not self._is_plain(caller.module)
                or self._is_meant(caller)
            ):
                continue
            if not tests_software(self.program, caller.module, caller.function):
                called = (caller.module, caller.call.term.site)
                return Eager(
                    site.module, site.call, (caller.module, around.spot), called, self._traced(site), self._is_pure(site)
                )
        return None

    def _is_pure(self, site: CallSite) -> bool:
        """Whether a function only calls what TensorFlow and Keras have, and keeps nothing: traced, it does the same."""
        frame = self.program.frame(site.module, site.function)
        for node in statements_of(site.function):
            if isinstance(node, CallStep):
                values = self.program.values(node.term.callee, frame)
                if not all(
                    isinstance(each, (Library, Made)) and each.name.startswith(tuple(self.table["pure"])) for each in values
                ):
                    return False
            elif not isinstance(node, (With, Exit)):
                return False
        return len(self.program.ask(CallGraph).callers(site.function)) == 1

    def _traced(self, site: CallSite) -> tuple[Spot, str] | None:
        """The definition of a function that is no method, and the statement that traces it."""
        function = site.function
        how = reference(self.table["tracers"][0], self.program.modules[site.module])
        if function.kind != "function" or function.cls is not None or how is None or not function.name.isidentifier():
            return None
        return function.spot, f"{function.name} = {how}({function.name})"

    def _is_meant(self, site: CallSite) -> bool:
        """Whether a test for a mode that is eager, or for debugging, leads to a call."""
        tests = (show(test).lower() for test, _ in conditions(led_to(site.function, site.call.term)))
        return any(word in test for test in tests for word in self.table["meant"])

    def _is_handed(self, site: CallSite) -> bool:
        """Whether the function is handed to something: who is given it may trace it."""
        for other in self.program.ask(CallGraph).handed.get(site.function.name, ()):
            frame = self.program.frame(other.module, other.function)
            given = (*other.call.term.args, *(value for _, value in other.call.term.kwargs))
            for value in (value for term in given for value in self.program.values(term, frame)):
                if isinstance(value, FunctionValue) and value.function is site.function:
                    return True
        return False

    def _asks_host(self, function: Function) -> bool:
        """Whether a function does what cannot be traced: it asks for the values of tensors."""
        return any(last_name(call.term.callee) in self.table["host"] for call in calls_of(function))


def _loop_of(function: Function, call: CallStep) -> Loop | None:
    """The innermost loop around a call that goes over nothing that is written down."""
    around = [loop for loop in loops_around(function, call) if loop.kind == "while" or not isinstance(loop.subject, LITERALS)]
    return around[-1] if around else None


__all__ = ["Eager", "eager_steps"]

"""Variables of the environment that are set when what reads them has read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.process_groups.current_device import Touch, touches
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.environment import Write, writes
from trainlint.program.imports import module_of
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import FunctionValue, Library


class Late(NamedTuple):
    """A variable that is set at ``write`` and was read at ``reader`` (a statement of file ``module``) before.

    ``what`` is the word of the table; ``beside`` says that both stand in one function.
    """

    write: Write
    module: str
    reader: Spot
    what: str
    beside: bool


def late(program: Program) -> Iterator[Late]:
    """Each such statement."""
    table = program.knowledge.tables["variables.read"]
    order = _Order(program)
    for write in program.ask(writes):
        word = table.get(write.name)
        if word is None or tests_software(program, write.module, write.function) or _starts_processes(program, write.module):
            continue
        found = (
            order.imported(write, word) if word in program.knowledge.tables["variables"]["packages"] else order.used(write, word)
        )
        if found is not None and not _set_before(program, write, found):
            yield found


def _set_before(program: Program, write: Write, found: Late) -> bool:
    """Whether the variable is set above what reads it, too: it is only changed then, and somebody knows what that does."""
    same = (each for each in program.ask(writes) if each is not write and each.name == write.name and each.module == found.module)
    return any(each.spot.line < found.reader.line for each in same)


def _starts_processes(program: Program, module: str) -> bool:
    """Whether a file starts processes: what it sets may be meant for those."""
    words = program.knowledge.tables["variables"]["starts"]
    functions = program.modules[module].functions.values()
    return any(last_name(call.term.callee) in words for function in functions for call in calls_of(function))


class _Order:
    """What has run when a variable is set."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def imported(self, write: Write, package: str) -> Late | None:
        """An import of the package that has run: at the top of the file, or above in the function."""
        module = self.program.modules[write.module]
        if module_of(self.program.finder, write.module, package) is not None:
            return None  # it is the project itself
        for taken in module.taken:
            if taken.tests or taken.dotted.partition(".")[0] != package:
                continue
            top = taken.function == "<module>"
            same = taken.function == write.function.qualname
            if (same and taken.statement.line < write.spot.line) or (top and not same):
                return Late(write, write.module, taken.statement, package, same)
        return None

    def used(self, write: Write, word: str) -> Late | None:
        """A use that has run whenever the statement does."""
        found = self._used_above(write.module, write.function, write.spot, write.led, word, frozenset())
        return None if found is None else Late(write, found[0], found[1].statement, word, found[2] is write.function)

    def _used_above(
        self, module: str, function: Function, spot: Spot, led: Led, word: str, below: frozenset[int]
    ) -> tuple[str, CallStep, Function] | None:
        """A use above a place in its function, or in what that calls there; under no test but those of the place.

        Else one above each call of the function, whoever makes it.
        """
        for node, tests in walk_tested(function.body):
            if not isinstance(node, CallStep) or node.statement == spot or not before(function, node, spot):
                continue
            if all(test in led for test in tests) and self._uses(node, tests, word, module, function):
                return module, node, function
        if id(function) in below:
            return None
        found: list[tuple[str, CallStep, Function]] = []
        for site in self.program.ask(CallGraph).callers(function):
            tests = next((tests for node, tests in walk_tested(site.function.body) if node is site.call), ())
            above = below | {id(function)}
            used = self._used_above(site.module, site.function, site.call.statement, tests, word, above)
            if used is None:
                return None
            found.append(used)
        return found[0] if found else None

    def _uses(self, call: CallStep, led: Led, word: str, module: str, function: Function) -> bool:
        words = self.program.knowledge.tables["variables"]
        frame = self.program.frame(module, function)
        if word in words["on_gpu"] and touches(self.program, call, frame, led) is Touch.PUTS and _on_gpu(self.program, call):
            return True
        for target in self.program.ask(CallGraph).targets(call.term, frame):
            if isinstance(target, Library):
                if any(target.name == each or (each[-1] == "." and target.name.startswith(each)) for each in words[word]):
                    return True
            elif isinstance(target, FunctionValue) and self._within(target.module, target.function, word):
                return True
        return False

    @remembered(False)
    def _within(self, module: str, function: Function, word: str) -> bool:
        """Whether a function surely uses it: under no test."""
        found = (node for node, led in walk_tested(function.body, unfailed=True) if isinstance(node, CallStep) and not led)
        return any(self._uses(node, (), word, module, function) for node in found)


def _on_gpu(program: Program, call: CallStep) -> bool:
    """Whether a call puts something on a GPU by its own name: what may stand for the host instead does not count."""
    return isinstance(call.term.callee, Attr) and call.term.callee.name in program.knowledge.tables["groups"]["puts_itself"]

"""Whether code already takes care of another version of a library, or of the warning that comes.

A test of a version, of an attribute (``hasattr``), a ``try`` that catches what another version raises, a context manager that
catches the warning: under one of these an old name is used on purpose.
"""

from __future__ import annotations

from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.ir.control_dependence import Failed, walk_tested
from trainlint.ir.nodes import NAMED, Attr, Call, Global, Ref, Term, Tuple
from trainlint.ir.sketch import ATTEMPT, CallStep, Function, Module, Try
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk

#: Names that stand for the same errors as no name at all.
_ALL_ERRORS = frozenset(("Exception", "BaseException"))


class Guards:
    """What guards the places of one program; worked out for a function when it is first asked about."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._calls: dict[int, dict[Term, bool]] = {}
        self._tests: dict[tuple[str, Term], bool] = {}

    def around(self, module: str, tests: tuple[Term | str, ...], *, attempts: bool = True) -> bool:
        """Whether one of the tests around a definition or an import (see :class:`Imported`) guards it."""
        return any((attempts and test == ATTEMPT) or (isinstance(test, Term) and self.asks(module, test)) for test in tests)

    def call(self, module: str, function: Function, call: Call) -> bool:
        """Whether a call is guarded in its function, or the function is."""
        known = self._calls.get(id(function))
        if known is None:
            known = self._calls[id(function)] = self._guarded_calls(module, function)
        return known.get(call, False) or self.around(module, function.tests)

    def asks(self, module: str, test: Term) -> bool:
        """Whether a test asks for a version of something, or whether it has a name."""
        key = (module, test)
        known = self._tests.get(key)
        if known is None:
            self._tests[key] = False  # a name that is bound to itself asks nothing
            sketch = self.program.modules[module]
            known = self._tests[key] = any(self._speaks(module, sketch, part) for part in parts_of(test))
        return known

    def _speaks(self, module: str, sketch: Module, part: Term) -> bool:
        if not isinstance(part, NAMED):
            return False
        name = part.name.lower()
        if any(word in name for word in self.program.knowledge.version_words):
            return True
        held = sketch.names.get(part.name) if isinstance(part, Global) else None
        return held is not None and held is not part and self.asks(module, held)

    def _guarded_calls(self, module: str, function: Function) -> dict[Term, bool]:
        found: dict[Term, bool] = {}
        for node, led in walk_tested(function.body):
            if not isinstance(node, CallStep):
                continue
            tests = [test for test, _ in led]
            asked = any(isinstance(test, Term) and self.asks(module, test) for test in tests)
            failed = any(isinstance(test, Failed) and self._expects(test.attempt) for test in tests)
            found[node.term] = asked or failed or self._watched(module, function, node.term)
        for attempt in of_kind(function, Try):
            if self._expects(attempt):
                found.update((node.term, True) for node in walk(attempt.body) if isinstance(node, CallStep))
        return found

    def _expects(self, attempt: Try) -> bool:
        """Whether a handler catches what another version of a library raises (and not just everything)."""
        failures = self.program.knowledge.version_failures
        for caught in attempt.caught:
            kinds = [] if caught.kinds is None else caught.kinds.items if isinstance(caught.kinds, Tuple) else [caught.kinds]
            names = {kind.name.rpartition(".")[2] for kind in kinds if isinstance(kind, Ref)}
            if not names.isdisjoint(failures) and names.isdisjoint(_ALL_ERRORS):
                return True
        return False

    def _watched(self, module: str, function: Function, call: Call) -> bool:
        managers = self.program.ask_of(surroundings, function).of(call).managers
        return any(self._watches(manager, module, function) for manager in managers if isinstance(manager, Call))

    def _watches(self, manager: Call, module: str, function: Function) -> bool:
        quiet = self.program.knowledge.quiet_calls
        if isinstance(manager.callee, Attr) and manager.callee.name in quiet:
            return True
        values = self.program.values(manager.callee, self.program.frame(module, function))
        return any(isinstance(value, Library) and value.name in quiet for value in values)

"""Which calls may fail on one rank alone: it cannot read a file, its download breaks off, its sample is damaged."""

from __future__ import annotations

from trainlint.facts.calls import calls, last_name
from trainlint.facts.fallbacks import makes_anew
from trainlint.facts.program import Program, calls_of
from trainlint.facts.spawned import spawned
from trainlint.facts.values import Frame, FunctionValue, Library, Made
from trainlint.finding import Spot
from trainlint.model.sketch import Block, Call, Function, Try
from trainlint.model.terms import Term, show
from trainlint.model.walk import of_kind, walk

#: How many calls deep a call that may fail is looked for.
_DEEPEST = 3
#: Tags of what is called that may name a function of the project.
_CALLED = ("g", "a", "r", "fn")


class Failing:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = calls(program)
        self.names = frozenset(name.rpartition(".")[2] for name in program.knowledge.fails)
        self._looked_for: dict[str, set[str]] = {}
        self._functions: dict[int, frozenset[str]] = {}
        self._attempts: dict[tuple[Spot, Frame], int | None] = {}

    def kinds(self, call: Term, frame: Frame) -> frozenset[str]:
        """The kinds of errors (table ``data.fails``) that a call of a library may end in; none for other calls."""
        callee = call[1]
        if callee[0] not in ("r", "a", "if") or (callee[0] != "if" and str(callee[-1]).rpartition(".")[2] not in self.names):
            return frozenset()
        names = [value.name for value in self.program.values(callee, frame) if isinstance(value, Library)]
        if call[2] and any(name in self.program.knowledge.fails for name in names) and self._is_looked_for(call[2][0], frame):
            return frozenset()
        kinds = frozenset(kind for name in names for kind in self.program.knowledge.fails.get(name, "").split())
        return frozenset() if kinds and call[2] and self._is_of_launch(call[2][0], frame) else kinds

    def _is_of_launch(self, text: Term, frame: Frame) -> bool:
        """Whether what is read is a variable of the environment, which is right for all ranks, or wrong for all."""
        variables = self.program.knowledge.variables
        return any(isinstance(value, Made) and value.name in variables for value in self.program.values(text, frame))

    def _is_looked_for(self, path: Term, frame: Frame) -> bool:
        """Whether the file of a path is looked for before it is used: who does so takes it to be the same for all."""
        known = self._looked_for.get(frame.module)
        if known is None:
            tests = {name for name, word in self.program.knowledge.data.items() if word == "file"}
            names = {name.rpartition(".")[2] for name in tests}
            module = self.program.modules[frame.module]
            asked = (node.term for function in module.functions.values() for node in calls_of(function) if node.term[2])
            known = {show(call[2][0]) for call in asked if last_name(call[1]) in names}
            self._looked_for[frame.module] = known
        return bool(known) and show(path) in known

    def kinds_of(self, target: FunctionValue, depth: int = 0) -> frozenset[str]:
        """The kinds of errors that a function of the project may end in because of such calls."""
        function = target.function
        known = self._functions.get(id(function))
        if known is None:
            self._functions[id(function)] = frozenset()
            known = self._functions[id(function)] = self._ends_in(target, depth)
        return known

    def _ends_in(self, target: FunctionValue, depth: int) -> frozenset[str]:
        function = target.function
        if depth > _DEEPEST or function.generator or of_kind(function, Try):
            return frozenset()  # it may deal with them itself
        frame = self.program.frame(target.module, function)
        found: set[str] = set()
        for node in calls_of(function):
            found |= self.kinds(node.term, frame)
            if not found and node.term[1][0] in _CALLED:
                for inner in self.index.targets(node.term, frame):
                    if isinstance(inner, FunctionValue):
                        found |= self.kinds_of(inner, depth + 1)
        return frozenset(found)

    def handler(self, attempt: Try, kinds: frozenset[str], frame: Frame) -> int | None:
        """The first handler of a ``try`` that catches one of these kinds of errors."""
        for index, caught in enumerate(attempt.caught):
            if caught.kinds is None:
                return None if self.tells(attempt.handlers[index], frame.function) else index
            parts = caught.kinds[1] if caught.kinds[0] == "tuple" else (caught.kinds,)
            names = (value.name for part in parts for value in self.program.values(part, frame) if isinstance(value, Library))
            if any(not kinds.isdisjoint(self.program.knowledge.catches.get(name, "").split()) for name in names):
                return None if self.tells(attempt.handlers[index], frame.function) else index
        return None

    def tells(self, handler: Block, function: Function) -> bool:
        """Whether a process hands its error to the one that started it (``errors.put(…)``): that one ends the others."""
        if not spawned(self.program).is_started(function):
            return False
        callees = (node.term[1] for node in walk(handler) if isinstance(node, Call))
        return any(c[0] == "a" and c[1][0] == "p" and c[2] in self.program.knowledge.tells for c in callees)

    def failing(self, attempt: Try, frame: Frame) -> int | None:
        """The handler that runs when a call in the body of a ``try`` fails; None if none of them may, as far as is known."""
        key = (attempt.spot, frame)
        if key not in self._attempts:
            self._attempts[key] = None
            calls_in = (node.term for node in walk(attempt.body) if isinstance(node, Call))
            kinds = (self.kinds_in(call, frame) for call in calls_in)
            indices = (self.handler(attempt, each, frame) for each in kinds if each)
            found = next((index for index in indices if index is not None), None)
            if found is not None and makes_anew(self.program, attempt, attempt.handlers[found], frame, self.kinds):
                found = None
            self._attempts[key] = found
        return self._attempts[key]

    def kinds_in(self, call: Term, frame: Frame) -> frozenset[str]:
        """The kinds of errors that a call may end in, be it one of a library or of a function of the project."""
        kinds = self.kinds(call, frame)
        if kinds or call[1][0] not in _CALLED:
            return kinds
        targets = [target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue)]
        return frozenset().union(*map(self.kinds_of, targets))


def failing(program: Program) -> Failing:
    """The calls of a program that may fail on one rank alone."""
    known = program.analyses.get("failing")
    if known is None:
        known = program.analyses["failing"] = Failing(program)
    assert isinstance(known, Failing)
    return known

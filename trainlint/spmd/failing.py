"""Which calls may fail on one rank alone: it cannot read a file of its own, its download breaks off, its sample is damaged."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.fallbacks import makes_anew
from trainlint.facts.per_rank_taint import given_in
from trainlint.facts.program import Program, calls_of
from trainlint.facts.spawned import Spawned
from trainlint.facts.values import Frame, FunctionValue, Library, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Global, Nested, Param, Ref, Select, Self, Term, Tuple
from trainlint.ir.printer import show
from trainlint.ir.sketch import Block, CallStep, Function, If, Try
from trainlint.ir.walk import of_kind, walk
from trainlint.spmd.own_paths import OwnPaths

#: How many calls deep a call that may fail is looked for.
_DEEPEST = 3
#: Tags of what is called that may name a function of the project.
_CALLED = (Global, Attr, Ref, Nested)


class Failing:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.names = frozenset(name.rpartition(".")[2] for name in program.knowledge.fails)
        self._all = frozenset(kind for kinds in program.knowledge.fails.values() for kind in kinds.split())
        self._looked_for: dict[str, set[str]] = {}
        self._functions: dict[tuple[int, Frame], frozenset[str]] = {}
        self._possible: dict[int, bool] = {}
        self._attempts: dict[tuple[Spot, Frame], int | None] = {}

    def kinds(self, call: Call, frame: Frame) -> frozenset[str]:
        """The kinds of errors that a call of a library may end in on one rank alone; none for other calls."""
        kinds, names = self._kinds(call, frame)
        return kinds if kinds and self._reads_own(call, names, frame) else frozenset()

    def _kinds(self, call: Call, frame: Frame) -> tuple[frozenset[str], list[str]]:
        """The kinds of errors (table ``data.fails``) that a call may end in, be it on all ranks, and what is called."""
        callee = call.callee
        if not isinstance(callee, (Ref, Attr, Select)) or (
            not isinstance(callee, Select) and callee.name.rpartition(".")[2] not in self.names
        ):
            return frozenset(), []
        names = [value.name for value in self.program.values(callee, frame) if isinstance(value, Library)]
        if call.args and any(name in self.program.knowledge.fails for name in names) and self._is_looked_for(call.args[0], frame):
            return frozenset(), []
        kinds = frozenset(kind for name in names for kind in self.program.knowledge.fails.get(name, "").split())
        return (frozenset() if kinds and call.args and self._is_of_launch(call.args[0], frame) else kinds), names

    def _reads_own(self, call: Call, names: list[str], frame: Frame) -> bool:
        """Whether a call does more than read, or what it reads is the rank's own; what all read fails on all ranks or on none."""
        if not self.program.knowledge.only_read.issuperset(name for name in names if name in self.program.knowledge.fails):
            return True
        given = call.args[:1] or tuple(value for _, value in call.kwargs[:1])
        read = (*given, call.callee.base) if isinstance(call.callee, Attr) else given
        return any(self.program.ask(OwnPaths).is_own(term, frame) for term in read)

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
            asked = (node.term for function in module.functions.values() for node in calls_of(function) if node.term.args)
            known = {show(call.args[0]) for call in asked if last_name(call.callee) in names}
            self._looked_for[frame.module] = known
        return bool(known) and _shown(path, known, _DEEPEST)

    def kinds_of(self, target: FunctionValue, frame: Frame, depth: int = 0) -> frozenset[str]:
        """The kinds of errors that one activation of a function of the project may end in because of such calls."""
        function = target.function
        if depth > _DEEPEST or function.generator or not self._may_fail(function):
            return frozenset()
        key = (id(function), frame)
        known = self._functions.get(key)
        if known is None:
            self._functions[key] = frozenset()
            known = self._functions[key] = self._ends_in(function, frame, depth)
        return known

    def _may_fail(self, function: Function) -> bool:
        """Whether a function has a call that may fail, or of which nothing is known yet, and no ``try`` that deals with it."""
        known = self._possible.get(id(function))
        if known is None:
            known = any(
                isinstance(node.term.callee, _CALLED) or last_name(node.term.callee) in self.names for node in calls_of(function)
            )
            known = self._possible[id(function)] = known and not of_kind(function, Try)
        return known

    def _ends_in(self, function: Function, frame: Frame, depth: int) -> frozenset[str]:
        found: set[str] = set()
        for node in calls_of(function):
            found |= self.kinds(node.term, frame)
            if not found and isinstance(node.term.callee, _CALLED):
                for inner in self.index.targets(node.term, frame):
                    if isinstance(inner, FunctionValue) and self._may_fail(inner.function):
                        found |= self.kinds_of(inner, self.program.enter(inner, node.term, frame), depth + 1)
        return frozenset(found)

    def handler(self, attempt: Try, kinds: frozenset[str], frame: Frame) -> int | None:
        """The first handler of a ``try`` that catches one of these kinds of errors."""
        index = next((index for index, caught in enumerate(attempt.caught) if self._catches(caught.kinds, kinds, frame)), None)
        return None if index is None or self.tells(attempt.handlers[index], frame.function) else index

    def _catches(self, caught: Term | None, kinds: frozenset[str], frame: Frame) -> bool:
        """Whether a handler of these errors (None: of all) catches one of these kinds."""
        if caught is None:
            return True
        parts = caught.items if isinstance(caught, Tuple) else (caught,)
        names = (value.name for part in parts for value in self.program.values(part, frame) if isinstance(value, Library))
        return any(not kinds.isdisjoint(self.program.knowledge.catches.get(name, "").split()) for name in names)

    def tells(self, handler: Block, function: Function) -> bool:
        """Whether a process hands its error to who started it (``errors.put(…)``), which ends the others, or ends a test."""
        callees = [node.term.callee for node in walk(handler) if isinstance(node, CallStep)]
        if any(isinstance(c, Attr) and isinstance(c.base, Self) and c.name in self.program.knowledge.gives_up for c in callees):
            return True
        if not self.program.ask(Spawned).is_started(function):
            return False
        return any(isinstance(c, Attr) and isinstance(c.base, Param) and c.name in self.program.knowledge.tells for c in callees)

    def failing(self, attempt: Try, frame: Frame) -> int | None:
        """The handler that runs when a call in the body of a ``try`` fails; None if none of them may, as far as is known."""
        key = (attempt.spot, frame)
        if key not in self._attempts:
            self._attempts[key] = None
            if not any(self._catches(caught.kinds, self._all, frame) for caught in attempt.caught):
                return None
            calls_in = (node.term for node in walk(attempt.body) if isinstance(node, CallStep))
            indices = (self.caught(call, frame, attempt, frame) for call in calls_in)
            found = next((index for index in indices if index is not None), None)
            if found is not None and makes_anew(self.program, attempt, attempt.handlers[found], frame, self.kinds):
                found = None
            self._attempts[key] = found
        return self._attempts[key]

    def caught(self, call: Call, frame: Frame, attempt: Try, around: Frame) -> int | None:
        """The handler of a ``try`` that runs when a call of its body fails on one rank alone; None if it does not."""
        kinds = self.kinds_in(call, frame)
        if kinds:
            return self.handler(attempt, kinds, around)
        kinds, _ = self._kinds(call, frame) if frame is around and call.args else (kinds, [])
        index = self.handler(attempt, kinds, around) if kinds else None
        if index is None or not self._makes(attempt.handlers[index], call.args[0], frame):
            return None
        return index

    def _makes(self, handler: Block, path: Term, frame: Frame) -> bool:
        """Whether some ranks alone do something with a path in a handler: they make the file, which others may then find."""
        for node in walk(handler):
            if isinstance(node, If) and self.program.ask(OwnPaths).differs(node.condition, frame):
                works = (work.term for work in walk((*node.body, *node.orelse)) if isinstance(work, CallStep))
                if any(path in given_in(work) for work in works):
                    return True
        return False

    def kinds_in(self, call: Call, frame: Frame) -> frozenset[str]:
        """The kinds of errors that a call may end in, be it one of a library or of a function of the project."""
        kinds = self.kinds(call, frame)
        if kinds or not isinstance(call.callee, _CALLED):
            return kinds
        targets = [target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue)]
        entered = (target for target in targets if self._may_fail(target.function))
        return frozenset().union(*(self.kinds_of(target, self.program.enter(target, call, frame)) for target in entered))


def _shown(path: Term, known: set[str], depth: int) -> bool:
    """Whether a path, or what it is made of (``local(path)``), reads like one of these."""
    if show(path) in known:
        return True
    return depth > 0 and isinstance(path, Call) and any(_shown(part, known, depth - 1) for part in path.args)

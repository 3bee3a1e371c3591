"""Calls that may fail on one rank alone, and what the others run then."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from trainlint.domains.communication import Communication
from trainlint.domains.lazy_init import is_cache_miss_handler
from trainlint.domains.rank_local_data import given_in
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Global, Nested, Param, Ref, Select, Self, Term, Tuple, Unknown
from trainlint.ir.printer import show
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Statement, Try
from trainlint.ir.terms import parts_of, parts_through
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.guards import tests_at
from trainlint.program.indirect_calls import Spawned
from trainlint.program.leading import Leading
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject
from trainlint.spmd.paths import ahead, children
from trainlint.spmd.per_rank_data import OwnPaths
from trainlint.spmd.questions import DEEPEST
from trainlint.spmd.symbols import Data, Uniform, failure, swallowed
from trainlint.spmd.trace import Again, Event, Guard, Invoke, Node, Part, Way, Ways, raises

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder
    from trainlint.spmd.data_divergence import Twins

#: Tags of what is called that may name a function of the project.
_CALLED = (Global, Attr, Ref, Nested)
#: So many calls down each call is looked into by itself; further down a function says the same for all: there are too many ways.
_NEAR = 3
#: The method that runs in the pass of a model.
_FORWARD = "forward"


class Failing:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.names = frozenset(name.rpartition(".")[2] for name in program.knowledge.fails)
        self._all = frozenset(kind for kinds in program.knowledge.fails.values() for kind in kinds.split())
        self._looked_for: dict[str, set[Term | str]] = {}
        self._functions: dict[tuple[int, Context], frozenset[str]] = {}
        self._attempts: dict[tuple[Spot, Context], int | None] = {}

    def kinds(self, call: Call, frame: Context) -> frozenset[str]:
        """The kinds of errors that a call of a library may end in on one rank alone; none for other calls."""
        kinds, names = self._kinds(call, frame)
        return kinds if kinds and self._reads_own(call, names, frame) else frozenset()

    def _kinds(self, call: Call, frame: Context) -> tuple[frozenset[str], list[str]]:
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

    def _reads_own(self, call: Call, names: list[str], frame: Context) -> bool:
        """Whether a call does more than read, or what it reads is the rank's own; what all read fails on all ranks or on none.

        What some ranks alone read, in an arm of a test on the rank, fails for them alone.
        """
        if self._is_of_some(call, frame):
            return True
        if not self.program.knowledge.only_read.issuperset(name for name in names if name in self.program.knowledge.fails):
            return True
        given = call.args[:1] or tuple(value for _, value in call.kwargs[:1])
        read = (*given, call.callee.base) if isinstance(call.callee, Attr) else given
        return any(self.program.ask(OwnPaths).is_own(term, frame) for term in read)

    def _is_of_some(self, call: Call, frame: Context) -> bool:
        """Whether a call stands in an arm of a test on the rank."""
        differs = self.program.ask(OwnPaths).differs
        return any(differs(test, frame) for test, _ in tests_at(self.program, frame.function, call))

    def _is_of_launch(self, text: Term, frame: Context) -> bool:
        """Whether what is read is a variable of the environment, which is right for all ranks, or wrong for all."""
        variables = self.program.knowledge.variables
        return any(isinstance(value, LibraryObject) and value.name in variables for value in self.program.values(text, frame))

    def _is_looked_for(self, path: Term, frame: Context) -> bool:
        """Whether the file of a path is looked for before it is used: who does so takes it to be the same for all."""
        known = self._looked_for.get(frame.module)
        if known is None:
            tests = {name for name, word in self.program.knowledge.data.items() if word == "file"}
            names = {name.rpartition(".")[2] for name in tests}
            module = self.program.modules[frame.module]
            asked = [node.term for function in module.functions.values() for node in calls_of(function) if node.term.args]
            paths = [call.args[0] for call in asked if last_name(call.callee) in names]
            known = {_as_read(path) for path in paths}
            self._looked_for[frame.module] = known
        return bool(known) and _shown(path, known)

    def kinds_of(self, target: FunctionValue, frame: Context) -> frozenset[str]:
        """The kinds of errors that one activation of a function of the project may end in because of such calls."""
        function = target.function
        if frame.depth > DEEPEST or function.generator or id(function) not in self._failing:
            return frozenset()
        key = (id(function), frame)
        known = self._functions.get(key)
        if known is None:
            self._functions[key] = frozenset()
            known = self._functions[key] = self._ends_in(function, frame)
        return known

    @cached_property
    def _failing(self) -> frozenset[int]:
        """The functions (by id) with a call that may fail, by its name, or a call of one of these, and no ``try`` around."""
        found: set[int] = set()
        waiting = [site.function for name in self.names for site in self.index.sites_named(name)]
        while waiting:
            function = waiting.pop()
            if id(function) not in found and not of_kind(function, Try):
                found.add(id(function))
                waiting += (site.function for site in self.index.callers(function) if function.kind != "module")
        return frozenset(found)

    def _ends_in(self, function: Function, frame: Context) -> frozenset[str]:
        found: set[str] = set()
        for node in calls_of(function):
            found |= self.kinds(node.term, frame)
            if not found and isinstance(node.term.callee, _CALLED):
                for inner in self.index.targets(node.term, frame):
                    if isinstance(inner, FunctionValue) and id(inner.function) in self._failing:
                        near = frame.depth < _NEAR
                        called = self.program.enter(inner, node.term, frame) if near else None
                        found |= self.kinds_of(inner, called or self.program.frame(inner.module, inner.function))
        return frozenset(found)

    def handler(self, attempt: Try, kinds: frozenset[str], frame: Context) -> int | None:
        """The first handler of a ``try`` that catches one of these kinds of errors."""
        index = next((index for index, caught in enumerate(attempt.caught) if self._catches(caught.kinds, kinds, frame)), None)
        return None if index is None or self.tells(attempt.handlers[index], frame.function) else index

    def _catches(self, caught: Term | None, kinds: frozenset[str], frame: Context) -> bool:
        """Whether a handler of these errors (None: of all) catches one of these kinds."""
        if caught is None:
            return True
        parts = caught.items if isinstance(caught, Tuple) else (caught,)
        names = (value.name for part in parts for value in self.program.values(part, frame) if isinstance(value, Library))
        return any(not kinds.isdisjoint(self.program.knowledge.catches.get(name, "").split()) for name in names)

    def is_of_models(self, kinds: Term, frame: Context) -> bool:
        """Whether errors are of a class of the project that models alone raise, in their pass: of their batch, that is."""
        parts = kinds.items if isinstance(kinds, Tuple) else (kinds,)
        values = (value for part in parts for value in self.program.values(part, frame))
        return any(isinstance(value, ClassValue) and self._is_of_models(value) for value in values)

    @remembered()
    def _is_of_models(self, cls: ClassValue) -> bool:
        raised = [function for function in self.program.ask(Communication).raising.values() if self._raises(function, cls)]
        leading = self.program.ask(Leading)
        return bool(raised) and all(
            any(lead.function.name == _FORWARD and lead.function.cls is not None for lead in leading.to(function).values())
            for function in raised
        )

    def _raises(self, function: Function, cls: ClassValue) -> bool:
        """Whether a function raises an error of a class, under a test."""
        frame = self.program.frame(self.index.module_of(function), function)
        for node, led in walk_tested(function.body):
            if _is_raised(node) and node.error is not None and last_name(node.error) == cls.cls.name:
                values = self.program.values(node.error, frame)
                if led and any(isinstance(each, (ClassValue, Instance)) and each.cls is cls.cls for each in values):
                    return True
        return False

    def tells(self, handler: Block, function: Function) -> bool:
        """Whether a process hands its error to who started it (``errors.put(…)``), which ends the others, or ends a test."""
        callees = [node.term.callee for node in walk(handler) if isinstance(node, CallStep)]
        if any(isinstance(c, Attr) and isinstance(c.base, Self) and c.name in self.program.knowledge.gives_up for c in callees):
            return True
        if not self.program.ask(Spawned).is_started(function):
            return False
        return any(isinstance(c, Attr) and isinstance(c.base, Param) and c.name in self.program.knowledge.tells for c in callees)

    def failing(self, attempt: Try, frame: Context) -> int | None:
        """The handler that runs when a call in the body of a ``try`` fails; None if none of them may, as far as is known."""
        key = (attempt.spot, frame)
        if key not in self._attempts:
            self._attempts[key] = None
            if not any(self._catches(caught.kinds, self._all, frame) for caught in attempt.caught):
                return None
            calls_in = (node.term for node in walk(attempt.body) if isinstance(node, CallStep))
            indices = (self.caught(call, frame, attempt, frame) for call in calls_in)
            found = next((index for index in indices if index is not None), None)
            if found is not None and is_cache_miss_handler(self.program, attempt, attempt.handlers[found], frame, self.kinds):
                found = None
            self._attempts[key] = found
        return self._attempts[key]

    def caught(self, call: Call, frame: Context, attempt: Try, around: Context) -> int | None:
        """The handler of a ``try`` that runs when a call of its body fails on one rank alone; None if it does not."""
        kinds = self.kinds_in(call, frame)
        if kinds:
            return self.handler(attempt, kinds, around)
        kinds, _ = self._kinds(call, frame) if frame is around and call.args else (kinds, [])
        index = self.handler(attempt, kinds, around) if kinds else None
        if index is None or not self._makes(attempt.handlers[index], call.args[0], frame):
            return None
        return index

    def _makes(self, handler: Block, path: Term, frame: Context) -> bool:
        """Whether some ranks alone do something with a path in a handler: they make the file, which others may then find."""
        for node in walk(handler):
            if isinstance(node, If) and self.program.ask(OwnPaths).differs(node.condition, frame):
                works = (work.term for work in walk((*node.body, *node.orelse)) if isinstance(work, CallStep))
                if any(path in given_in(work) for work in works):
                    return True
        return False

    def kinds_in(self, call: Call, frame: Context) -> frozenset[str]:
        """The kinds of errors that a call may end in, be it one of a library or of a function of the project."""
        kinds = self.kinds(call, frame)
        if kinds or not isinstance(call.callee, _CALLED):
            return kinds
        targets = [target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue)]
        entered = (target for target in targets if id(target.function) in self._failing)
        return frozenset().union(*(self.kinds_of(target, self.program.enter(target, call, frame)) for target in entered))


def _as_read(path: Term) -> Term | str:
    """A path as it reads; one with a text that is put together is itself: other functions put other things into it."""
    return path if any(isinstance(part, Unknown) for part in parts_of(path)) else show(path)


def _shown(path: Term, known: set[Term | str]) -> bool:
    """Whether a path, or what it is made of (``local(path)``), reads like one of these."""
    made_of = parts_through(path, lambda part: part.args if isinstance(part, Call) else ())
    return any(_as_read(part) in known for part in made_of)


class Attempt(NamedTuple):
    """A ``try`` whose body is being built, where its handlers begin, and which of them swallows an error of a model's pass."""

    statement: Try
    frame: Context
    handlers: tuple[Node, ...]
    swallows: int | None


class Failures:
    """Lets calls fail in the trace of a twin: those that read something, and passes of a model that all ranks train."""

    def __init__(self, analysis: Twins) -> None:
        self.analysis = analysis
        self.failing = analysis.failing
        #: The ``try`` blocks around the place that is looked at in which a call may fail.
        self.attempts: list[Attempt] = []

    def attempted(self, builder: Builder, statement: Try, frame: Context, ways: Ways, outside: Ways) -> Node:
        """The body of a ``try``; ``outside`` are the ways out of a handler."""
        swallows = self._swallows(statement, frame) if statement.caught else None
        if not statement.caught or (swallows is None and self.failing.failing(statement, frame) is None):
            return builder.block(statement.body, frame, ways)
        handlers = tuple(builder.block(handler, frame, outside) for handler in statement.handlers)
        if swallows is not None and not _goes_on(handlers[swallows]):
            swallows = None
        self.attempts.append(Attempt(statement, frame, handlers, swallows))
        try:
            return builder.block(statement.body, frame, ways)
        finally:
            self.attempts.pop()

    def forked(self, builder: Builder, statement: CallStep, frame: Context, goes_on: Node) -> Node:
        """What a call puts into a trace, ``goes_on`` if nothing fails: with the way to a handler around it, where it may fail."""
        if not self.attempts:
            return goes_on
        for attempt in reversed(self.attempts) if not self._is_entered(statement.term, frame) else ():
            index = self.failing.caught(statement.term, frame, attempt.statement, attempt.frame)
            if index is not None:
                return self._failed(builder, attempt, index, failure(attempt.statement, index, attempt.frame), goes_on)
        inner = next((a for a in reversed(self.attempts) if a.swallows is not None and a.frame is frame), None)
        if inner is not None and self._is_pass(statement.term, frame):
            assert inner.swallows is not None
            return self._failed(builder, inner, inner.swallows, swallowed(inner.statement, inner.swallows, frame), goes_on)
        return goes_on

    def occur_in(self, target: FunctionValue, inner: Context) -> bool:
        """Whether something may fail in a call of a function, and somebody around catches it."""
        return bool(self.attempts) and bool(self.failing.kinds_of(target, inner))

    def _swallows(self, statement: Try, frame: Context) -> int | None:
        """The handler of a ``try`` that swallows what may happen to one rank alone in the pass of a model, if any."""
        if not self.analysis.asks_data(frame.function) or not self.analysis.passes(statement, frame):
            return None
        caught = enumerate(statement.caught)
        index = next((index for index, each in caught if self._fails_alone(each.kinds, frame)), None)
        if index is None or self.failing.tells(statement.handlers[index], frame.function):
            return None
        return index

    def _fails_alone(self, kinds: Term | None, frame: Context) -> bool:
        """Whether a handler catches what may happen to one rank alone in the pass of a model."""
        return self.analysis.own.fails_alone(kinds, frame) or (kinds is not None and self.failing.is_of_models(kinds, frame))

    def raised_in(self, target: FunctionValue, inner: Context) -> bool:
        """Whether a function raises by a test on data of a rank's own."""
        tests = (test for node, led in walk_tested(target.function.body) if _is_raised(node) for test, _ in conditions(led))
        return any(self.analysis.own_source(test, inner) is not None for test in tests)

    def _is_pass(self, call: Call, frame: Context) -> bool:
        """Whether a call is, or leads to, the pass of a model that all ranks train."""
        return self.analysis.may_talk(call) and self.analysis.is_pass(call, frame)

    def _is_entered(self, call: Call, frame: Context) -> bool:
        """Whether a call is one of a function that communicates: what may fail in there forks where it stands."""
        return any(
            isinstance(target, FunctionValue) and self.analysis.communication.runs(target.function)
            for target in self.failing.index.targets(call, frame)
        )

    def _failed(self, builder: Builder, attempt: Attempt, index: int, symbol: Uniform, goes_on: Node) -> Node:
        """A fork: the call fails (the condition is ``symbol``) and a handler runs, or it does not."""
        handler = attempt.handlers[index]
        if handler is goes_on:
            return goes_on
        statement, frame = attempt.statement, attempt.frame
        if raises(handler):
            return builder.pick(symbol, handler, goes_on)  # the job ends
        spot = statement.caught[index].spot
        guard = Guard(frame.module, statement.spot, spot, Unknown.new(*spot[:2]), frame)
        data: Data = symbol.key
        self.analysis.tested[guard] = data.source
        failed, passed = builder.mark(Part, guard, True, False, handler), builder.mark(Part, guard, False, False, goes_on)
        return builder.pick(symbol, failed, passed)


def _is_raised(node: Statement) -> TypeGuard[Exit]:
    return isinstance(node, Exit) and node.kind == "raise"


def _goes_on(failed: Node) -> bool:
    """Whether a rank that met an error may communicate again: in the next round of a loop, or further on."""
    return any(isinstance(node, (Again, Event, Invoke)) for node in ahead(failed, _alive))


def _alive(node: Node) -> tuple[Node, ...]:
    """What a rank may run next, if it does not end with an error."""
    return () if isinstance(node, Way) and node.kind in ("raise", "exit") else children(node)

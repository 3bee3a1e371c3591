"""Calls that may communicate without showing what: of libraries, through decorators, and which collective a call comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.domains.communication import Communication
from trainlint.ir.nodes import Attr, Call, Global, Nested, Not, Param, Term
from trainlint.ir.sketch import CallStep, Function, If, Store, With
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.indirect_calls import Decorated
from trainlint.program.program import Program
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject
from trainlint.spmd.build import Builder, TooLarge
from trainlint.spmd.paths import children, talks
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.trace import Enter, Event, Guard, Invoke, Leave, Node, Nodes, Part

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement


class Arms(NamedTuple):
    """The example ranks that a decorator lets in; not ``certain`` when all that is known is that it is some of them."""

    ranks: tuple[bool, ...]
    certain: bool = True


class Decorators:
    """What the decorators of a function do to it."""

    def __init__(self, analysis: Agreement) -> None:
        self.analysis = analysis
        self.program = analysis.program
        self.applied = self.program.ask(Decorated)
        self._known: dict[tuple[int, int], Arms | None] = {}
        self._signalling: dict[int, bool] = {}

    def meeting(self, module: str, function: Function, index: int) -> tuple[FunctionValue, Context] | None:
        """The wrapper of a decorator that communicates itself, and its activation; None for every other decorator."""
        wrapper = self.applied.wrapper(module, function, index)
        if wrapper is None or not self.analysis.communication.runs(wrapper.function):
            return None
        return wrapper, self.applied.frame(module, function, index)

    def signals(self, wrapper: Function, frame: Context) -> bool:
        """Whether others are told that one rank runs alone: a barrier may turn itself off by it.

        That is a wrapper that sets a global, itself or by what it enters. What it wraps is not judged with it.
        """
        key = id(wrapper)
        if key not in self._signalling:
            self._signalling[key] = self._signals(wrapper, frame)
        return self._signalling[key]

    def arms(self, module: str, function: Function, index: int) -> Arms | None:
        """Which example ranks run the body of a function under a decorator; None when all do, or nothing is known."""
        key = (id(function), index)
        if key not in self._known:
            self._known[key] = None
            wrapper = self.applied.wrapper(module, function, index)
            own = self._of_wrapper(wrapper, module, function, index) if wrapper is not None else None
            self._known[key] = own or (self._of_library(module, function.decorators[index]) if wrapper is None else None)
        return self._known[key]

    def _of_library(self, module: str, decorator: Term) -> Arms | None:
        """What the tables say of a decorator (of a library, or known by its name only)."""
        knowledge = self.program.knowledge
        top = self.program.frame(module, self.program.modules[module].functions["<module>"])
        word = knowledge.decorators.get(last_name(decorator) or "")
        callee = decorator.callee if isinstance(decorator, Call) else decorator
        for value in self.program.values(callee, top):
            if isinstance(value, FunctionValue):
                return None
            if isinstance(value, Library):
                word = knowledge.decorators.get(value.name, word)
        if word == "per-rank":
            return Arms(tuple(rank == 0 for rank in range(WORLD)), certain=False)
        if word is None:
            return None
        evaluators = [Evaluator(self.program, rank, self.analysis.consult) for rank in range(WORLD)]
        found = [evaluator.word(word, decorator) for evaluator in evaluators]
        return Arms(tuple(found)) if all(isinstance(arm, bool) for arm in found) and len(set(found)) > 1 else None

    def _of_wrapper(self, wrapper: FunctionValue, module: str, function: Function, index: int) -> Arms | None:
        """The ranks on which a wrapper of the project calls what it wraps."""
        frame = self.applied.frame(module, function, index)
        if self.signals(wrapper.function, frame):
            return None
        found = tuple(self._calls_it(wrapper.function, frame, function, rank) for rank in range(WORLD))
        return Arms(found) if len(set(found)) > 1 else None

    def _signals(self, wrapper: Function, frame: Context) -> bool:
        for node in walk(wrapper.body):
            if isinstance(node, Store) and isinstance(node.target, Global):
                return True
            for item in node.items if isinstance(node, With) else ():
                for begins in (each.begins for each in self.program.ask(CallGraph).managed(item, frame)):
                    stores = () if begins is None else of_kind(begins.function, Store)
                    if any(isinstance(each.target, Global) for each in stores):
                        return True
        return False

    def _calls_it(self, wrapper: Function, frame: Context, function: Function, rank: int) -> bool:
        builder = Builder(self.analysis, rank, Nodes())
        builder.wanted = function
        try:
            return talks(builder.trace(wrapper, frame))
        except (TooLarge, RecursionError):
            return True
        finally:
            builder.evaluator.take_apart()


#: What begins the names of a package that is called like one of the project, which does not have them.
_OWN = "<project>."
#: Kinds of terms that may name a function.
_NAMES = (Global, Nested, Attr, Param)


def may_communicate(program: Program, part: Part) -> bool:
    """Whether what a rank runs in its arm of a test has such a call."""
    guard: Guard = part.guard
    for node in of_kind(guard.frame.function, If):
        if node.test == guard.test:
            block = node.body if part.arm is _is_first(node, guard) else node.orelse
            made = [statement.term for statement in walk(block) if isinstance(statement, CallStep)]
            return any(_is_opaque(program, call, guard.frame) or _hands_over(program, call, guard.frame) for call in made)
    return False


def _is_first(node: If, guard: Guard) -> bool:
    """The answer to the test of a guard with which the first arm of its ``if`` is taken."""
    return not isinstance(node.condition, Not) or node.condition is guard.condition


def _is_opaque(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call is one of a library that is full of collectives, and no table speaks of it."""
    for value in program.values(call.callee, frame):
        name = value.name.removeprefix(_OWN) if isinstance(value, Library) else ""
        if name.partition(".")[0] in program.knowledge.opaque:
            return name not in program.knowledge.ranks and name not in program.knowledge.collectives
    return False


def _hands_over(program: Program, call: Call, frame: Context) -> bool:
    """Whether something is handed a generator that communicates, or a method of what a library made such a function."""
    callee = call.callee
    given = (*call.args, *(value for _, value in call.kwargs))
    if any(_makes_generator(program, term, frame) for term in given):
        return True
    if not isinstance(callee, Attr) or not any(isinstance(value, LibraryObject) for value in program.values(callee.base, frame)):
        return False
    handed = (value for term in given if isinstance(term, _NAMES) for value in program.values(term, frame))
    return any(isinstance(value, FunctionValue) and program.ask(Communication).runs(value.function) for value in handed)


def _makes_generator(program: Program, term: Term, frame: Context) -> bool:
    """Whether a generator of the project is made that runs a collective for whoever draws from it."""
    if not isinstance(term, Call):
        return False
    made = [value.function for value in program.values(term.callee, frame) if isinstance(value, FunctionValue)]
    return any(function.generator and program.ask(Communication).runs(function) for function in made)


class Reached(NamedTuple):
    """A collective that a call comes to, and the calls from that one down to it."""

    event: Event
    entered: tuple[Enter, ...]


def reached(expand: Callable[[Invoke], Node], chosen: Mapping[Any, bool], call: Invoke) -> Reached | None:
    """The collective of all ranks behind the fewest calls, as unknown conditions were ``chosen``; None when none was found."""
    queue: list[tuple[Invoke, tuple[Enter, ...]]] = [(call, ())]
    seen = {id(call)}
    for invoke, entered in queue:
        body = expand(invoke)
        if isinstance(body, Leave):
            continue  # a recursion
        found: list[Reached] = []
        for node, inner in _behind(body, invoke, chosen):
            if isinstance(node, Event):
                if node.members is None:
                    found.append(Reached(node, entered + inner))
            elif id(node) not in seen:
                seen.add(id(node))
                queue.append((node, entered + inner))
        if found:
            return min(found, key=lambda one: len(one.entered))
    return None


def _behind(body: Node, invoke: Invoke, chosen: Mapping[Any, bool]) -> Iterator[tuple[Event | Invoke, tuple[Enter, ...]]]:
    """What may run in a body, up to its end, each once and with the calls that it is inside of."""
    assert invoke.next is not None
    seen = {id(invoke.next), id(body)}
    queue: list[tuple[Node, tuple[Enter, ...]]] = [(body, ())]
    for node, entered in queue:
        if isinstance(node, (Event, Invoke)):
            yield node, entered
        inside = entered
        if isinstance(node, Enter):
            inside = (*entered, node)
        elif isinstance(node, Leave):
            inside = entered[:-1]
        for child in children(node, chosen):
            if id(child) not in seen:
                seen.add(id(child))
                queue.append((child, inside))

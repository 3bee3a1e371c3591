"""What has to hold for a class, a nested or a decorated function, or the round of a loop to run.

Which of several classes or functions a job takes: ``if args.net == "small": Net = Small elif …``, and then ``Net()``.

Functions within functions: which of them are ever used, and which tests stand around their definition.

Functions that a decorator lets run behind a test alone: one of the project, ``@main_process_only``, or of a library.

Of a library it is seen where it is handed the test: ``when(lambda: rank == 0)(save)``.

The loops of a function, and what has to hold for one to have a round at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.app.preflight.line import Way
from trainlint.app.preflight.running.implicit_calls import is_over_hooks
from trainlint.app.preflight.settings.options import Options
from trainlint.app.preflight.values.words import handed, split, words_of
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Tests, conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Display, Global, Nested, Param, Ref, Select, Term
from trainlint.ir.order import made_within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Loop, Module
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import last_name
from trainlint.program.def_use import Uses, is_comprehension
from trainlint.program.indirect_calls import Decorated
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue


class Arms:
    """What calls of a job choose between, each with the option without which it is not taken; None where it is, or may be."""

    def __init__(self, program: Program, options: Options) -> None:
        self.program = program
        self.options = options
        self._options: dict[int, str | None] = {}

    def take(self, callee: Term, frame: Context) -> None:
        """Take up what a call may mean, before it is asked about."""
        if not isinstance(callee, (Select, Ref, Global)):
            return
        for term, option in self._leaves(callee, frame.module):
            for value in self.program.values(term, frame):
                if isinstance(value, FunctionValue):
                    self._note(id(value.function), option)
                if isinstance(value, ClassValue) and option is None:
                    self.made(value)
                elif isinstance(value, ClassValue):
                    self._note(id(value.cls), option)

    def made(self, value: ClassValue) -> None:
        """Take up that objects of a class are made, whatever is chosen elsewhere; its methods are also those of its bases."""
        for above in self.program.lineage(value):
            if isinstance(above, ClassValue):
                self._note(id(above.cls), None)

    def _note(self, key: int, option: str | None) -> None:
        self._options[key] = option if key not in self._options else option and self._options[key]

    def _leaves(self, callee: Term, path: str) -> Iterator[tuple[Term, str | None]]:
        waiting: list[tuple[Term, str | None]] = [(callee, None)]
        seen: set[tuple[Term, str | None]] = set()
        while waiting:
            term, option = waiting.pop()
            if not isinstance(term, Select):
                yield term, option
            elif (term, option) not in seen:
                seen.add((term, option))
                for arm, inner in ((True, term.then), (False, term.other)):
                    waiting.append((inner, option or self.options.off(term.test, arm, path)))

    def way(self, way: Way, target: FunctionValue | ClassValue) -> Way:
        """How a target is reached: with the option without which another one is taken."""
        if isinstance(target, ClassValue):
            found = self._options.get(id(target.cls))
        else:
            function = target.function
            own = self.program.modules[target.module].classes.get(function.cls) if function.cls is not None else None
            found = self._options.get(id(function if own is None else own))
        return way if found is None or way.option is not None else way._replace(option=found)


def is_kept(program: Program, path: str, inner: Function) -> bool:
    """Whether a function within another one may run from elsewhere than where it is called or handed on by its own name."""
    plain = inner.cls is None and inner.kind == "function" and not inner.decorators
    return not plain or inner.qualname in program.ask_of(_kept, path)


def _kept(program: Program, path: str) -> frozenset[str]:
    """The functions of a file of which something else is made than a call of them, or a call that is handed them."""
    of = program.ask(Uses).parents(path).of
    nested = ((each, found) for each, found in of.items() if isinstance(each, Nested))
    return frozenset(each.name for each, found in nested if not all(isinstance(parent, Call) for parent, _ in found))


def arms_around(outer: Function, inner: Function, module: Module) -> Tests:
    """The tests around the definition of a function within another, each with the arm it stands in."""
    return tuple(_arms(outer, inner, module))


def _arms(outer: Function, inner: Function, module: Module) -> Iterator[tuple[Term, bool]]:
    again = [each for each in module.functions.values() if each.outer == inner.outer and each.name == inner.name]
    for test in inner.tests:
        if isinstance(test, str):
            continue
        for node in of_kind(outer, If):
            if node.condition is test and made_within(outer, node, inner.spot):
                other = [(each.term.site if isinstance(each, CallStep) else each.spot)[0] for each in walk(node.orelse)]
                behind = bool(other) and inner.spot[0] >= min(other)
                second = any(test in each.tests and each.spot[0] < inner.spot[0] for each in again if each is not inner)
                yield test, not (behind or second)


#: Words of decorators whose test keeps from running.
_NOT = frozenset(("unless", "except", "not", "skip", "ignore", "without", "never"))


def decorator_tests(program: Program, target: FunctionValue, way: Way) -> Way:
    """How a function is reached, with the words of the tests that the wrappers of its decorators ask before they call it."""
    found = frozenset(_words(program, target)) if target.function.decorators else frozenset[str]()
    return way._replace(words=way.words | found) if found else way


def tested(program: Program, module: str, function: Function, callee: Term) -> frozenset[str]:
    """The words of the test that a library's function is handed which makes a decorator, of the term of that decorator."""
    if not isinstance(callee, Call) or not _NOT.isdisjoint(split(last_name(callee.callee) or "")):
        return frozenset()
    frame = program.frame(module, function)
    if any(isinstance(each, (FunctionValue, ClassValue)) for each in program.values(callee.callee, frame)):
        return frozenset()
    return frozenset(
        word
        for given in handed(callee)
        if isinstance(given, Nested)
        for test in program.values(given, frame)
        if isinstance(test, FunctionValue) and test.function.kind == "lambda" and not test.function.parameters
        for node in of_kind(test.function, Exit)
        if node.value is not None
        for word in words_of(program, node.value)
    )


def put_around(program: Program, module: str, function: Function, callee: Term) -> Iterator[tuple[frozenset[str], FunctionValue]]:
    """The functions that a library's decorators were put around before the result of that is called, with the words of tests.

    ``save = when(lambda: rank == 0)(save)``, then ``save(state)``.
    """
    frame = program.frame(module, function)
    words: frozenset[str] = frozenset()
    while isinstance(callee, Call) and isinstance(callee.callee, Call) and len(callee.args) == 1:
        words |= tested(program, module, function, callee.callee)
        callee = callee.args[0]
        for each in program.values(callee, frame) if isinstance(callee, (Global, Nested, Ref, Attr)) else ():
            if isinstance(each, FunctionValue):
                yield words, each


def _words(program: Program, target: FunctionValue) -> Iterator[str]:
    """The words of the tests behind which each call stands that the wrappers of a function make of what they wrap."""
    top = program.modules[target.module].functions.get("<module>", target.function)
    yield from (word for each in target.function.decorators for word in tested(program, target.module, top, each))
    for wrapper in program.ask(Decorated).wrappers(target.module, target.function):
        calls = ((each.term, led) for each, led in walk_tested(wrapper.function.body) if isinstance(each, CallStep))
        found = [
            frozenset(words_of(program, *(test for test, _ in conditions(led))))
            for call, led in calls
            if isinstance(call.callee, Param) and call.callee.function == wrapper.function.outer
        ]
        yield from frozenset.intersection(*found) if found else ()


#: What goes over another thing, item by item.
_OVER = frozenset(("enumerate", "tqdm", "sorted", "list", "tuple", "set", "reversed", "iter", "track"))
#: What makes a container with nothing in it.
_EMPTY = frozenset(("builtins.set", "builtins.list", "builtins.dict", "builtins.tuple", "builtins.frozenset"))
#: What puts something into one later.
_ADDING = frozenset(("append", "add", "extend", "update", "insert", "setdefault", "appendleft"))


class Round(NamedTuple):
    """Where a loop stands, and the test (with its arm) without which it goes over nothing."""

    spot: Spot
    test: tuple[Term, bool] | None


def rounds_of(function: Function) -> Iterator[Round]:
    """The loops of a function that are no comprehensions, and do not go over callbacks."""
    added = {
        call.term.callee.base
        for call in calls_of(function)
        if isinstance(call.term.callee, Attr) and call.term.callee.name in _ADDING
    }
    for loop in of_kind(function, Loop):
        if not is_comprehension(loop) and not is_over_hooks(loop.subject):
            yield Round(loop.spot, _filled(loop.subject, added) if loop.kind != "while" else None)


def _filled(subject: Term, added: set[Term]) -> tuple[Term, bool] | None:
    """The test behind which something is filled that is empty otherwise: ``names = []``, ``if args.fused: names = ["net"]``."""
    while isinstance(subject, Call):
        if last_name(subject.callee) in _OVER and subject.args:
            subject = subject.args[0]
        elif isinstance(subject.callee, Attr) and subject.callee.name in ("items", "keys", "values") and not subject.args:
            subject = subject.callee.base
        else:
            break
    if not isinstance(subject, Select) or subject in added or _is_empty(subject.then) == _is_empty(subject.other):
        return None
    return subject.test, _is_empty(subject.other)


def _is_empty(term: Term) -> bool:
    if isinstance(term, Display):
        return not term.values
    return bool(
        isinstance(term, Call)
        and isinstance(term.callee, Ref)
        and term.callee.name in _EMPTY
        and not term.args
        and not term.kwargs
    )

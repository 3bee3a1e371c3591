"""Functions that a decorator lets run behind a test alone: one of the project, ``@main_process_only``, or of a library.

Of a library it is seen where it is handed the test: ``when(lambda: rank == 0)(save)``.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, FunctionValue
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Global, Nested, Param, Ref, Term
from trainlint.ir.sketch import CallStep, Exit, Function
from trainlint.ir.walk import of_kind
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Way

#: Words of decorators whose test keeps from running.
_NOT = frozenset(("unless", "except", "not", "skip", "ignore", "without", "never"))
#: How many decorators may be put around a function, one around the other.
_DEEPEST = 4


def behind(program: Program, target: FunctionValue, way: Way) -> Way:
    """How a function is reached, with the words of the tests that the wrappers of its decorators ask before they call it."""
    found = frozenset(
        word for decorator in target.function.decorators for word in _words(program, target.module, target.function, decorator)
    )
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
    for _ in range(_DEEPEST):
        if not isinstance(callee, Call) or not isinstance(callee.callee, Call) or len(callee.args) != 1:
            return
        words |= tested(program, module, function, callee.callee)
        callee = callee.args[0]
        for each in program.values(callee, frame) if isinstance(callee, (Global, Nested, Ref, Attr)) else ():
            if isinstance(each, FunctionValue):
                yield words, each


def _words(program: Program, module: str, function: Function, decorator: Term) -> Iterator[str]:
    """The words of the tests behind which each call stands that a decorator's wrapper makes of what it is handed."""
    top = program.modules[module].functions.get("<module>", function)
    yield from tested(program, module, top, decorator)
    for value in program.values(decorator.callee if isinstance(decorator, Call) else decorator, program.frame(module, top)):
        if not isinstance(value, FunctionValue) or not value.function.parameters:
            continue
        own = program.modules[value.module].functions
        around = [value.function, *(each for each in own.values() if each.outer == value.function.qualname)]
        if isinstance(decorator, Call):  # it makes the decorator: that is the function within it
            around = around[1:]
        for maker in around:
            yield from _of_calls(program, value.module, maker)


def _of_calls(program: Program, module: str, maker: Function) -> Iterator[str]:
    """The words that the tests before all calls have in common, of what a decorator is handed, in the functions within it."""
    found: list[frozenset[str]] = []
    for inner in program.modules[module].functions.values():
        if inner.outer != maker.qualname:
            continue
        for node, led in walk_tested(inner.body):
            if isinstance(node, CallStep) and isinstance(node.term.callee, Param) and node.term.callee.function == maker.qualname:
                tests = [test for test, _ in conditions(led)]
                found.append(frozenset(words_of(program, *tests)))
    if found:
        yield from frozenset.intersection(*found)

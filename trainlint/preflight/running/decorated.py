"""Functions that a decorator of the project lets run behind a test alone: ``@main_process_only``."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import FunctionValue
from trainlint.model.sketch import Call, Function
from trainlint.model.terms import Term
from trainlint.model.tested import conditions, walk_tested
from trainlint.preflight.values.words import words_of
from trainlint.preflight.ways import Way


def behind(program: Program, target: FunctionValue, way: Way) -> Way:
    """How a function is reached, with the words of the tests that the wrappers of its decorators ask before they call it."""
    found = frozenset(
        word for decorator in target.function.decorators for word in _words(program, target.module, target.function, decorator)
    )
    return way._replace(words=way.words | found) if found else way


def _words(program: Program, module: str, function: Function, decorator: Term) -> Iterator[str]:
    """The words of the tests behind which each call stands that a decorator's wrapper makes of what it is handed."""
    top = program.modules[module].functions.get("<module>", function)
    for value in program.values(decorator[1] if decorator[0] == "call" else decorator, program.frame(module, top)):
        if not isinstance(value, FunctionValue) or not value.function.parameters:
            continue
        own = program.modules[value.module].functions
        around = [value.function, *(each for each in own.values() if each.outer == value.function.qualname)]
        if decorator[0] == "call":  # it makes the decorator: that is the function within it
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
            if isinstance(node, Call) and node.term[1][0] == "p" and node.term[1][1] == maker.qualname:
                tests = [test for test, _ in conditions(led)]
                found.append(frozenset(words_of(program, module, *tests)))
    if found:
        yield from frozenset.intersection(*found)

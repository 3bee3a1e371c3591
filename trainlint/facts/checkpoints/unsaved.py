"""States that are put into a new checkpoint only if they are in it already: they never are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import Calls, last_name
from trainlint.facts.checkpoints.states import States
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.uses import Uses
from trainlint.model.sketch import Call, Function, Keep, Loop
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import conditions, walk_tested
from trainlint.model.walk import of_kind


class Unsaved(NamedTuple):
    """The statement that would put a state under a key, and the call that takes it."""

    module: str
    node: Keep
    key: str
    taken: Term


def unsaved(program: Program) -> Iterator[Unsaved]:
    """Each such statement."""
    taking = program.ask(States).taking
    if not any(name in program.ask(Calls).sites for name in taking):
        return
    for path, function in program.functions():
        if any(_state(node.value, taking) is not None for node in of_kind(function, Keep)):
            yield from _in_function(program, path, function)


def _in_function(program: Program, path: str, function: Function) -> Iterator[Unsaved]:
    if tests_software(program, path, function):
        return
    put = [node for node in of_kind(function, Keep) if node.target[0] == "sub" and node.target[1][0] == "dict"]
    for node, led in walk_tested(function.body):
        if not isinstance(node, Keep) or node not in put:
            continue
        whole, key = node.target[1], node.target[2]
        taken = _state(node.value, program.ask(States).taking)
        if taken is None or key[0] != "c" or not isinstance(key[2], str) or not _asks(conditions(led), key, whole):
            continue
        written = any(name[0] != "c" or name is key for name, _ in whole[1])
        elsewhere = any(other is not node and other.target[1] is whole and other.target[2] is key for other in put)
        if not written and not elsewhere and not _is_touched(program, path, function, whole, node):
            yield Unsaved(path, node, key[2], taken)


def _state(value: Term, taking: frozenset[str]) -> Term | None:
    return next((part for part in parts_of(value) if part[0] == "call" and last_name(part[1]) in taking), None)


def _asks(tests: tuple[tuple[Term, bool], ...], key: Term, whole: Term) -> bool:
    """Whether one of the tests asks for the key in the dict, and the way leads on where it is there."""
    for test, arm in tests:
        asked = test[1] if test[0] == "and" and arm else (test,)
        if arm and any(part[0] == "cmp" and part[1] == "In" and part[2] is key and part[3] is whole for part in asked):
            return True
    return False


def _is_touched(program: Program, path: str, function: Function, whole: Term, node: Keep) -> bool:
    """Whether somebody is handed the dict above the statement, or the statement runs again and again with it."""
    if any(loop.spot.holds(node.spot) for loop in of_kind(function, Loop)):
        return True
    for parent, where in program.ask(Uses).parents(path).of.get(whole, ()):
        if where is not function or not isinstance(parent, Term):
            continue
        if parent[0] == "a" or (parent[0] == "call" and parent[1] is not whole):
            lines = [each.term[4].line for each in of_kind(function, Call) if any(part is parent for part in parts_of(each.term))]
            if any(line < node.spot.line for line in lines):
                return True
    return False

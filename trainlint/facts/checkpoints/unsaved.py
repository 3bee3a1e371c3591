"""States that are put into a new checkpoint only if they are in it already: they never are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.checkpoints.states import States
from trainlint.facts.def_use import Uses
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import And, Attr, Call, Compare, Const, Dict, Subscript, Term
from trainlint.ir.order import before, loops_around
from trainlint.ir.sketch import CallStep, Function, Keep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind


class Unsaved(NamedTuple):
    """The statement that would put a state under a key, and the call that takes it."""

    module: str
    node: Keep
    key: str
    taken: Call


def unsaved(program: Program) -> Iterator[Unsaved]:
    """Each such statement."""
    taking = program.ask(States).taking
    if not any(name in program.ask(CallGraph).sites for name in taking):
        return
    for path, function in program.functions():
        if any(_state(node.value, taking) is not None for node in of_kind(function, Keep)):
            yield from _in_function(program, path, function)


def _in_function(program: Program, path: str, function: Function) -> Iterator[Unsaved]:
    if tests_software(program, path, function):
        return
    put = [(node, node.target) for node in of_kind(function, Keep) if isinstance(node.target, Subscript)]
    for node, led in walk_tested(function.body):
        if not isinstance(node, Keep) or not isinstance(node.target, Subscript) or not isinstance(node.target.base, Dict):
            continue
        whole, key = node.target.base, node.target.key
        taken = _state(node.value, program.ask(States).taking)
        if (
            taken is None
            or not isinstance(key, Const)
            or not isinstance(key.value, str)
            or not _asks(conditions(led), key, whole)
        ):
            continue
        written = any(not isinstance(name, Const) or name is key for name, _ in whole.items)
        elsewhere = any(other is not node and target.base is whole and target.key is key for other, target in put)
        if not written and not elsewhere and not _is_touched(program, path, function, whole, node):
            yield Unsaved(path, node, key.value, taken)


def _state(value: Term, taking: frozenset[str]) -> Call | None:
    return next((part for part in parts_of(value) if isinstance(part, Call) and last_name(part.callee) in taking), None)


def _asks(tests: tuple[tuple[Term, bool], ...], key: Term, whole: Term) -> bool:
    """Whether one of the tests asks for the key in the dict, and the way leads on where it is there."""
    for test, arm in tests:
        asked = test.operands if isinstance(test, And) and arm else (test,)
        if arm and any(
            isinstance(part, Compare) and part.op == "In" and part.left is key and part.right is whole for part in asked
        ):
            return True
    return False


def _is_touched(program: Program, path: str, function: Function, whole: Term, node: Keep) -> bool:
    """Whether somebody is handed the dict above the statement, or the statement runs again and again with it."""
    if loops_around(function, node):
        return True
    for parent, where in program.ask(Uses).parents(path).of.get(whole, ()):
        if where is not function or not isinstance(parent, Term):
            continue
        if isinstance(parent, Attr) or (isinstance(parent, Call) and parent.callee is not whole):
            uses = [each for each in of_kind(function, CallStep) if any(part is parent for part in parts_of(each.term))]
            if any(before(function, each, node) for each in uses):
                return True
    return False

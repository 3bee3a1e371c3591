"""Where a program sets variables of the environment of its own process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.model.sketch import Call, Function, Keep
from trainlint.model.terms import Term
from trainlint.model.tested import Led, walk_tested
from trainlint.model.walk import of_kind


class Write(NamedTuple):
    """A statement that sets a variable; ``led`` are the tests that lead to it, ``by_call`` says that it is no assignment.

    ``optional``: what stands in the environment already is left as it is. ``alone``: the statement sets nothing else.
    """

    module: str
    function: Function
    name: str
    value: Term
    spot: Spot
    led: Led
    by_call: bool
    optional: bool
    alone: bool = True


def writes(program: Program) -> tuple[Write, ...]:
    """All such statements of a program."""
    return tuple(write for path, function in program.functions() for write in _writes(program, path, function))


def _writes(program: Program, path: str, function: Function) -> Iterator[Write]:
    for node, led in walk_tested(function.body) if _may(program, function) else ():
        if isinstance(node, Keep) and node.kind == "Assign":
            target = node.target
            if target[0] == "sub" and _is_environment(program, target[1]) and _text(target[2]) is not None:
                yield Write(path, function, str(target[2][2]), node.value, node.spot, led, by_call=False, optional=False)
        elif isinstance(node, Call):
            found = list(_set_by(program, node.term))
            alone = len(found) == 1 and node.statement == node.term[4]
            for name, value, optional in found:
                yield Write(path, function, name, value, node.statement, led, by_call=True, optional=optional, alone=alone)


def _may(program: Program, function: Function) -> bool:
    """Whether a function names the environment at all: most do not, and are not gone through."""
    keeps = any(node.target[0] == "sub" and node.target[1][0] in ("r", "a") for node in of_kind(function, Keep))
    return keeps or any(node.term[1][0] in ("r", "a") and _dotted(program, node.term[1]) for node in of_kind(function, Call))


def _is_environment(program: Program, term: Term) -> bool:
    words = program.knowledge.tables["variables"]["environment"]
    return term[0] == "r" and program.knowledge.canonical(str(term[1])) in words


def _dotted(program: Program, callee: Term) -> str | None:
    """The dotted name of a callee that may set a variable."""
    words = program.knowledge.tables["variables"]
    if callee[0] == "a" and callee[1][0] == "r":
        name = f"{callee[1][1]}.{callee[2]}"
    elif callee[0] == "r":
        name = str(callee[1])
    else:
        return None
    return name if name in words["sets"] or name in words["updates"] else None


def _set_by(program: Program, call: Term) -> Iterator[tuple[str, Term, bool]]:
    name = _dotted(program, call[1])
    if name is None:
        return
    words = program.knowledge.tables["variables"]
    if name in words["sets"]:
        if len(call[2]) > 1 and _text(call[2][0]) is not None:
            yield str(call[2][0][2]), call[2][1], name == words["sets"][0]
        return
    for key, value in call[3]:
        if key is not None:
            yield key, value, False
    for given in call[2][:1]:
        for item, value in given[1] if given[0] == "dict" else ():
            if item is not None and _text(item) is not None:
                yield str(item[2]), value, False


def _text(term: Term) -> str | None:
    return term[2] if term[0] == "c" and isinstance(term[2], str) else None

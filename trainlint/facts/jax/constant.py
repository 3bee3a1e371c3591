"""Keys that a traced function makes from a constant, and draws with: the same numbers at every call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.jax.keys import NEW, SPLITS, Keys, uses_in
from trainlint.facts.jax.traced import Traced, TracedFunctions
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Subscript, Term
from trainlint.ir.sketch import CallStep, Function

_DEEPEST = 4


class Constant(NamedTuple):
    """The call that makes the key, where it is used up, and as what its function is traced (None: a loop runs both)."""

    module: str
    function: Function
    node: CallStep
    use: Spot
    how: Traced


def constant(program: Program) -> Iterator[Constant]:
    """Each such key, once."""
    asked = program.ask(Keys)
    for module, function in program.functions():
        frame = program.frame(module, function)
        made = [node for node in calls_of(function) if asked.word(node.term, frame) == NEW and _is_constant(node.term)]
        if not made or _starts(program, function) or tests_software(program, module, function):
            continue
        how = program.ask(TracedFunctions).how(module, function)
        if how is None:
            continue
        uses = uses_in(program, module, function)
        for node in made:
            drawn = (use for use in uses if use.used.how != SPLITS)
            spots = [use.node.term.site for use in drawn if _comes_of(asked, use.used.key, node.term, module, function, 0)]
            spots = [spot for spot in spots if not _initialises(program, function, spot)]
            if spots:
                yield Constant(module, function, node, spots[0], how)


def _is_constant(call: Call) -> bool:
    return len(call.args) == 1 and isinstance(call.args[0], Const) and type(call.args[0].value) is int and not call.kwargs


def _comes_of(asked: Keys, key: Term, made: Term, module: str, function: Function, depth: int) -> bool:
    """Whether a key is the one that a call makes, or a part of it."""
    if key is made:
        return True
    if isinstance(key, Subscript):
        return _comes_of(asked, key.base, made, module, function, depth)
    if isinstance(key, Call) and key.args and depth < _DEEPEST:
        word = asked.word(key, asked.program.frame(module, function))
        return word == SPLITS and _comes_of(asked, key.args[0], made, module, function, depth + 1)
    return False


def _starts(program: Program, function: Function) -> bool:
    """Whether a function is called after what is done once: to make something, or to try it."""
    words = program.knowledge.tables["keys.starts"]["names"]
    return any(word in function.name.lower() for word in words)


def _initialises(program: Program, function: Function, spot: Spot) -> bool:
    makers = program.knowledge.tables["keys.makers"]["names"]
    node = next((node for node in calls_of(function) if node.term.site == spot), None)
    return node is not None and isinstance(node.term.callee, Attr) and node.term.callee.name in makers


__all__ = ["Constant", "constant"]

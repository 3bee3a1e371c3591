"""Calls of libraries that are full of collectives, of which no table says which functions have them.

``if data_parallel_rank == 0: return save_natively(model)``, with a function of Megatron in that place: what the ranks that leave
run there may be just what the others run further down.
"""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.model.sketch import Call, If
from trainlint.model.walk import of_kind, walk
from trainlint.spmd.trace import Guard, Part

#: What begins the names of a package that is called like one of the project, which does not have them.
_OWN = "<project>."


def may_communicate(program: Program, part: Part) -> bool:
    """Whether what a rank runs in its arm of a test has a call of such a library, of which nothing more is known."""
    guard: Guard = part.guard
    if not program.knowledge.opaque:
        return False
    for node in of_kind(guard.frame.function, If):
        if node.test == guard.test:
            block = node.body if part.arm is _is_first(node, guard) else node.orelse
            return any(_is_opaque(program, statement, guard) for statement in walk(block) if isinstance(statement, Call))
    return False


def _is_first(node: If, guard: Guard) -> bool:
    """The answer to the test of a guard with which the first arm of its ``if`` is taken."""
    return node.condition[0] != "not" or node.condition is guard.condition


def _is_opaque(program: Program, statement: Call, guard: Guard) -> bool:
    for value in program.values(statement.term[1], guard.frame):
        name = value.name.removeprefix(_OWN) if isinstance(value, Library) else ""
        if name.partition(".")[0] in program.knowledge.opaque:
            return name not in program.knowledge.ranks and name not in program.knowledge.collectives
    return False

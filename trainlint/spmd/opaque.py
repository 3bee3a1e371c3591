"""Calls of libraries that may communicate: nobody here knows what, or how often.

``if data_parallel_rank == 0: return save_natively(model)``, with a function of Megatron in that place: what the ranks that leave
run there may be just what the others run further down. So may be a function of the project that a library is handed
(``study.optimize(objective)``): it calls that as often as it likes. And who is handed a generator draws from it.
"""

from __future__ import annotations

from trainlint.facts.communication import Communication
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Made
from trainlint.ir.nodes import Attr, Call, Global, Nested, Not, Param, Term
from trainlint.ir.sketch import CallStep, If
from trainlint.ir.walk import of_kind, walk
from trainlint.spmd.trace import Guard, Part

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


def _is_opaque(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call is one of a library that is full of collectives, and no table speaks of it."""
    for value in program.values(call.callee, frame):
        name = value.name.removeprefix(_OWN) if isinstance(value, Library) else ""
        if name.partition(".")[0] in program.knowledge.opaque:
            return name not in program.knowledge.ranks and name not in program.knowledge.collectives
    return False


def _hands_over(program: Program, call: Call, frame: Frame) -> bool:
    """Whether something is handed a generator that communicates, or a method of what a library made such a function."""
    callee = call.callee
    given = (*call.args, *(value for _, value in call.kwargs))
    if any(_makes_generator(program, term, frame) for term in given):
        return True
    if not isinstance(callee, Attr) or not any(isinstance(value, Made) for value in program.values(callee.base, frame)):
        return False
    handed = (value for term in given if isinstance(term, _NAMES) for value in program.values(term, frame))
    return any(isinstance(value, FunctionValue) and program.ask(Communication).runs(value.function) for value in handed)


def _makes_generator(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a generator of the project is made that runs a collective for whoever draws from it."""
    if not isinstance(term, Call):
        return False
    made = [value.function for value in program.values(term.callee, frame) if isinstance(value, FunctionValue)]
    return any(function.generator and program.ask(Communication).runs(function) for function in made)

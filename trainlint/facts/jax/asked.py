"""Tests of traced values: what Python asks about a number that is not there yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.activations import STATIC_FOR, Activation, Activations
from trainlint.facts.jax.levels import ARRAY, TREE
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import BoolOp, Call, Const, Element, LoopPhi, Nested, Not, Param, Ref, Select, Term
from trainlint.ir.printer import code_in
from trainlint.ir.sketch import CallStep, Choice, Exit, If, Keep, Loop, Statement, Store
from trainlint.ir.walk import is_assertion
from trainlint.sites.changes import Change, Rewrite

Kind = Literal["if", "while", "assert", "call", "joined"]
_FLAGS = ("bool", "int", "float", "str")


class Asked(NamedTuple):
    """A place where Python asks whether a traced value is true.

    ``kind`` "if" is ``a if c else b``, too; "call" is ``max`` and its like; "joined" a use of ``a and b``, ``not a`` or
    ``a < b < c``, and its place is what uses it. ``value`` is the traced part of the test. ``own`` names the parameter of the
    traced function that it is, where it is nothing else.
    """

    activation: Activation
    kind: Kind
    value: Term
    spot: Spot
    node: str
    statement: Spot
    own: str | None


def asked(program: Program) -> Iterator[Asked]:
    """Each such place, once."""
    seen: set[tuple[str, Spot]] = set()
    known = program.ask(Activations)
    for activation in known.all():
        if not activation.branches:
            continue
        running = known.running(activation.frame)
        tested = {
            part
            for node in (*running.statements, *running.idle)
            if isinstance(node, (If, Choice))
            for part in _parts(node.condition)
        }
        for node in (*running.statements, *running.idle):
            found = _asked(program, activation, node) or _joined(activation, node, tested)
            if found is not None and (activation.module, found.spot) not in seen:
                seen.add((activation.module, found.spot))
                yield found


def _asked(program: Program, activation: Activation, node: Statement) -> Asked | None:
    frame = activation.frame
    if isinstance(node, (If, Choice)):
        value = _traced_part(activation, node.condition, frame)
        if value is None:
            return None
        kind: Kind = "assert" if isinstance(node, If) and is_assertion(node) else "if"
        return Asked(activation, kind, value, node.test, "expr", node.spot, _own(activation, value))
    if isinstance(node, Loop) and node.kind == "while":
        value = _traced_part(activation, node.subject, frame)
        return Asked(activation, "while", value, node.spot, "While", node.spot, None) if value is not None else None
    if isinstance(node, CallStep):
        value = _tested_by(program, activation, node.term)
        return Asked(activation, "call", value, node.term.site, "Call", node.statement, None) if value is not None else None
    return None


def _joined(activation: Activation, node: Statement, tested: set[Term]) -> Asked | None:
    """A use of truth values that Python has joined in what a statement calls, returns or keeps; ``tested`` has its own place."""
    if isinstance(node, CallStep):
        place = node.term.site, "Call", node.statement
        terms = [node.term.callee, *activation.tracers.given(node.term)]
    elif isinstance(node, (Exit, Store, Keep)) and node.value is not None and "lambda" not in activation.function.name:
        if isinstance(node, Exit) and node.kind != "return":
            return None
        place = node.spot, "Return" if isinstance(node, Exit) else node.kind, node.spot
        terms = [node.value]
    else:
        return None
    while terms:
        term = terms.pop()
        if term in tested or isinstance(term, (Call, Nested, Param, LoopPhi, Element)):
            continue
        asks = term.operands[:-1] if isinstance(term, BoolOp) else (term.operand,) if isinstance(term, Not) else ()
        for value in asks:
            if value not in tested and activation.tracers.level(value, activation.frame) == ARRAY:
                tested.add(term)
                return Asked(activation, "joined", value, *place, None)
        terms += term.arms if isinstance(term, Select) else term.subterms()
    return None


def _parts(condition: Term) -> Iterator[Term]:
    """A condition, and what ``and``, ``or`` and ``not`` join in it."""
    yield condition
    if isinstance(condition, (BoolOp, Not)):
        for part in condition.operands if not isinstance(condition, Not) else (condition.operand,):
            yield from _parts(part)


def _traced_part(activation: Activation, condition: Term, frame: Frame) -> Term | None:
    """The part of a condition that is one traced value, the truth of which is asked."""
    if isinstance(condition, Not):
        return _traced_part(activation, condition.operand, frame)
    if isinstance(condition, BoolOp):
        for part in condition.operands:
            found = _traced_part(activation, part, frame)
            if found is not None:
                return found
        return None
    return condition if activation.tracers.level(condition, frame) == ARRAY else None


def _tested_by(program: Program, activation: Activation, call: Call) -> Term | None:
    """The argument of which a function of Python asks whether it is true, or the larger one."""
    tests = program.knowledge.tables["tracers.tests"]
    for value in program.values(call.callee, activation.frame):
        word = tests.get(value.name) if isinstance(value, Library) else None
        if word == "truth" and len(call.args) == 1:
            return call.args[0] if activation.tracers.level(call.args[0], activation.frame) == ARRAY else None
        if word == "larger" and len(call.args) > 1:
            levels = [activation.tracers.level(part, activation.frame) for part in call.args]
            numbers = any(
                isinstance(part, Const) for part in call.args
            )  # beside these, what is a part of something traced is a number
            return next(
                (p for p, level in zip(call.args, levels, strict=True) if level == ARRAY or (numbers and level == TREE)), None
            )
    return None


def _own(activation: Activation, value: Term) -> str | None:
    """The name of a parameter of the very function that is traced, where the value is nothing else."""
    if activation.before is None and isinstance(value, Param) and value.function == activation.function.qualname:
        return value.name
    return None


def is_flag(found: Asked) -> bool:
    """Whether the parameter that is asked about is said to be a number or a truth value of Python: it should have been static."""
    root = found.activation.root
    if found.own is None or root is None or root.word not in STATIC_FOR:
        return False
    function = found.activation.function
    annotation = function.annotations.get(found.own)
    default = function.defaults.get(found.own)
    said = annotation is not None and isinstance(annotation, Ref) and annotation.name.rpartition(".")[2] in _FLAGS
    return said or (default is not None and isinstance(default, Const) and default.type in _FLAGS)


def named(found: Asked) -> str | None:
    """How the value is written in its function."""
    return code_in(found.value, found.activation.function)


def chosen(program: Program, found: Asked) -> Change | None:
    """``a if c else b`` as a choice among arrays."""
    where = reference(program.knowledge.written["where"], program.modules[found.activation.module])
    if found.kind != "if" or where is None:
        return None
    paths = ((("test", 0),), (("then", 0),), (("else", 0),))
    return Rewrite(
        Applicability.DISPLAY, "Choose among the arrays", spot=found.statement, code=f"{where}({{0}}, {{1}}, {{2}})", paths=paths
    )


__all__ = ["Asked", "Kind", "asked", "chosen", "is_flag", "named"]

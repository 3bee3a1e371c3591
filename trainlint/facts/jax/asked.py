"""Tests of traced values: what Python asks about a number that is not there yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.activations import STATIC_FOR, Activation, Activations
from trainlint.facts.jax.levels import ARRAY, TREE
from trainlint.facts.naming import reference, written
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.finding import Applicability, Spot
from trainlint.model.sketch import Call, Exit, If, Keep, Loop, Statement, Store
from trainlint.model.terms import Term, subterms
from trainlint.model.walk import is_assertion
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
            part for node in (*running.statements, *running.idle) if isinstance(node, If) for part in _parts(node.condition)
        }
        for node in (*running.statements, *running.idle):
            found = _asked(program, activation, node) or _joined(activation, node, tested)
            if found is not None and (activation.module, found.spot) not in seen:
                seen.add((activation.module, found.spot))
                yield found


def _asked(program: Program, activation: Activation, node: Statement) -> Asked | None:
    frame = activation.frame
    if isinstance(node, If):
        value = _traced_part(activation, node.condition, frame)
        if value is None:
            return None
        kind: Kind = "assert" if is_assertion(node) else "if"
        return Asked(activation, kind, value, node.test, "expr", node.spot, _own(activation, value))
    if isinstance(node, Loop) and node.kind == "while":
        value = _traced_part(activation, node.subject, frame)
        return Asked(activation, "while", value, node.spot, "While", node.spot, None) if value is not None else None
    if isinstance(node, Call):
        value = _tested_by(program, activation, node.term)
        return Asked(activation, "call", value, node.term[4], "Call", node.statement, None) if value is not None else None
    return None


def _joined(activation: Activation, node: Statement, tested: set[Term]) -> Asked | None:
    """A use of truth values that Python has joined in what a statement calls, returns or keeps; ``tested`` has its own place."""
    if isinstance(node, Call):
        place = node.term[4], "Call", node.statement
        terms = [node.term[1], *activation.tracers.given(node.term)]
    elif isinstance(node, (Exit, Store, Keep)) and node.value is not None and "lambda" not in activation.function.name:
        if isinstance(node, Exit) and node.kind != "return":
            return None
        place = node.spot, "Return" if isinstance(node, Exit) else node.kind, node.spot
        terms = [node.value]
    else:
        return None
    while terms:
        term = terms.pop()
        if term in tested or term[0] in ("call", "fn", "p", "lv", "elem"):
            continue
        asks = term[1][:-1] if term[0] in ("and", "or") else (term[1],) if term[0] == "not" else ()
        for value in asks:
            if value not in tested and activation.tracers.level(value, activation.frame) == ARRAY:
                tested.add(term)
                return Asked(activation, "joined", value, *place, None)
        terms += term[2:] if term[0] == "if" else subterms(term)
    return None


def _parts(condition: Term) -> Iterator[Term]:
    """A condition, and what ``and``, ``or`` and ``not`` join in it."""
    yield condition
    if condition[0] in ("and", "or", "not"):
        for part in condition[1] if condition[0] != "not" else (condition[1],):
            yield from _parts(part)


def _traced_part(activation: Activation, condition: Term, frame: Frame) -> Term | None:
    """The part of a condition that is one traced value, the truth of which is asked."""
    if condition[0] == "not":
        return _traced_part(activation, condition[1], frame)
    if condition[0] in ("and", "or"):
        for part in condition[1]:
            found = _traced_part(activation, part, frame)
            if found is not None:
                return found
        return None
    return condition if activation.tracers.level(condition, frame) == ARRAY else None


def _tested_by(program: Program, activation: Activation, call: Term) -> Term | None:
    """The argument of which a function of Python asks whether it is true, or the larger one."""
    tests = program.knowledge.tables["tracers.tests"]
    for value in program.values(call[1], activation.frame):
        word = tests.get(value.name) if isinstance(value, Library) else None
        if word == "truth" and len(call[2]) == 1:
            return call[2][0] if activation.tracers.level(call[2][0], activation.frame) == ARRAY else None
        if word == "larger" and len(call[2]) > 1:
            levels = [activation.tracers.level(part, activation.frame) for part in call[2]]
            numbers = any(part[0] == "c" for part in call[2])  # beside these, what is a part of something traced is a number
            return next(
                (p for p, level in zip(call[2], levels, strict=True) if level == ARRAY or (numbers and level == TREE)), None
            )
    return None


def _own(activation: Activation, value: Term) -> str | None:
    """The name of a parameter of the very function that is traced, where the value is nothing else."""
    direct = activation.before is None and value[0] == "p" and value[1] == activation.function.qualname
    return str(value[2]) if direct else None


def is_flag(found: Asked) -> bool:
    """Whether the parameter that is asked about is said to be a number or a truth value of Python: it should have been static."""
    root = found.activation.root
    if found.own is None or root is None or root.word not in STATIC_FOR:
        return False
    function = found.activation.function
    annotation = function.annotations.get(found.own)
    default = function.defaults.get(found.own)
    said = annotation is not None and annotation[0] == "r" and str(annotation[1]).rpartition(".")[2] in _FLAGS
    return said or (default is not None and default[0] == "c" and default[1] in _FLAGS)


def named(found: Asked) -> str | None:
    """How the value is written in its function."""
    return written(found.value, found.activation.function)


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

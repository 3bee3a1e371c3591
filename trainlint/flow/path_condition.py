"""Path conditions: correlated tests. The same test twice on one way has one answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from trainlint.ir.control_dependence import taken_for
from trainlint.ir.nodes import (
    And,
    Attr,
    Augmented,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Element,
    Entered,
    Global,
    Kwargs,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Param,
    Self,
    Term,
    Unknown,
)
from trainlint.ir.operators import NEGATED, connected
from trainlint.ir.terms import Terms, closure, whole_number
from trainlint.program.constant_branch import picked
from trainlint.program.consteval import truth
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Instance

#: What has been assumed: the number of a question, and whether it is answered with yes.
Assumed = dict[int, bool]
#: A test that leads to a place, its answer there, and the activation in which it stands.
Tested = tuple[Term, bool, Context]

_EQUAL = ("Eq", "Is")
#: Orders, by whether their sides change places and their answer turns round to be ``<=``.
_ORDERS = {"LtE": (False, False), "Gt": (False, True), "GtE": (True, False), "Lt": (True, True)}


def key_of(program: Program, term: Term, frame: Context) -> Any:
    """What an expression says, wherever in the activations of one round it stands: two that say the same have one key.

    A parameter is what was passed for it. Calls count as asked once: what ``ready()`` says does not change within a round.
    An attribute that was counted on is the attribute: what was answered before that is forgotten (:func:`forgotten`).
    Keys are made like terms: equal ones are one object, however large what they say is.
    """
    known = frame.answers_of("step keys")
    found = known.get(term)
    if found is None:
        found = known[term] = _key_of(program, term, frame)
    return found


def _key_of(program: Program, term: Term, frame: Context) -> Any:
    kind = type(term)
    make = program.ask(_table).make
    if isinstance(term, Const):
        return make(Const, term.type, term.value)
    if isinstance(term, Param):
        return _parameter(program, term, frame)
    if isinstance(term, Augmented):
        return key_of(program, term.pieces[0], frame)
    if isinstance(term, Self):
        owner = frame.owner()
        return make(Self, id(owner.call) if isinstance(owner, Instance) and owner.call is not None else term.cls)
    if isinstance(term, (LoopPhi, Unknown, Entered, Kwargs)):
        return make(kind, id(term), frame)
    if isinstance(term, (Nested, NestedClass, Global)):
        return make(kind, frame.module, term.name)
    if isinstance(term, Element):
        return make(Element, key_of(program, term.of, frame))
    parts = term.parts[:-1] if isinstance(term, Call) else term.parts  # without the place of a call
    return make(kind, *(_part(program, part, frame) for part in parts))


def _table(_program: Program) -> Terms:
    """The table in which equal keys are one object."""
    return Terms()


def _parameter(program: Program, term: Param, frame: Context) -> Any:
    bound = frame.given(term)
    if isinstance(bound, Argument):
        return key_of(program, bound.term, bound.frame)
    holder = frame.holder(term.function)
    if bound is None and holder is not None and holder.call is not None and not holder.open:
        default = holder.function.defaults.get(term.name)
        if default is not None:
            return key_of(program, default, holder)
    return program.ask(_table).make(
        Param, term.function, term.name, id(holder) if holder is not None and holder.call is not None else 0
    )


def _part(program: Program, part: Any, frame: Context) -> Any:
    if isinstance(part, Term):
        return key_of(program, part, frame)
    if isinstance(part, tuple):
        return tuple([_part(program, each, frame) for each in part])
    return part


def _inside(key: Any) -> Iterable[Any]:
    return key.parts if isinstance(key, Term) else key if isinstance(key, tuple) else ()


def _literal(program: Program, condition: Term, frame: Context) -> tuple[int, bool]:
    """The number of a question, and whether a test says yes to it: ``x is not None``, ``x > 0`` and ``x`` are one question.

    Questions are numbered, since ways through a round are compared all the time.
    """
    known = frame.answers_of("step tests")
    if condition not in known:
        question, holds = _literal_now(program, condition, frame)
        numbers = program.ask(_numbers)
        if question not in numbers:
            numbers[question] = len(numbers)
            for part in closure(question, _inside):  # of what only is itself here, a key has no terms
                if isinstance(part, Attr):
                    program.ask(_about).setdefault(part, set()).add(numbers[question])
        known[condition] = (numbers[question], holds)
        taken = taken_for(condition)
        if taken is not None and taken.holds == holds and isinstance(question, _Compared):
            program.ask(Rivals).add(known[condition][0], key_of(program, taken.asked, frame), taken.constants)
    found: tuple[int, bool] = known[condition]
    return found


def _numbers(_program: Program) -> dict[Any, int]:
    """The numbers of the questions that were met."""
    return {}


def _about(_program: Program) -> dict[Any, set[int]]:
    """The questions that ask for an attribute, by its key."""
    return {}


def forgotten(program: Program, assumed: Assumed, target: Term, frame: Context) -> Assumed:
    """What is still known when an attribute has been counted on: no answer that depends on what it was."""
    gone = program.ask(_about).get(key_of(program, target, frame), ())
    return {number: said for number, said in assumed.items() if number not in gone} if gone else assumed


class Rivals:
    """Which questions take one value for different constants: no two of them are answered with yes."""

    def __init__(self, _program: Program) -> None:
        self.of: dict[int, tuple[int, ...]] = {}
        self._about: dict[Any, dict[int, frozenset[object]]] = {}

    def add(self, number: int, value: Any, constants: frozenset[object]) -> None:
        """Note what a question that is answered with yes takes a value for."""
        known = self._about.setdefault(value, {})
        if number not in known:
            apart = [other for other, its in known.items() if its.isdisjoint(constants)]
            self.of.update({other: (*self.of.get(other, ()), number) for other in apart})
            self.of[number], known[number] = tuple(apart), constants


class _True(NamedTuple):
    """Whether something is true."""

    of: Any


class _Compared(NamedTuple):
    """How two things compare; without an operator: which of them is more."""

    operator: str
    left: Any
    right: Any


def _literal_now(program: Program, condition: Term, frame: Context) -> tuple[_True | _Compared, bool]:
    holds = True
    while isinstance(condition, Not):
        condition, holds = condition.operand, not holds
    given = frame.given(condition) if isinstance(condition, Param) else None
    if isinstance(given, Argument) and isinstance(given.term, (Compare, Not, Param)):  # a test that a caller makes
        question, said = _literal_now(program, *given)
        return question, said == holds
    if not isinstance(condition, Compare):
        return _True(key_of(program, condition, frame)), holds
    operator, left, right = condition.op, condition.left, condition.right
    if operator in _ORDERS:
        swapped, turned = _ORDERS[operator]
        first, second = (right, left) if swapped else (left, right)
        if isinstance(second, Const) and second.value == 0:  # more than nothing, or not
            return _True(key_of(program, first, frame)), holds == turned
        return _Compared("", key_of(program, first, frame), key_of(program, second, frame)), holds != turned
    if operator in NEGATED:
        operator, holds = NEGATED[operator], not holds
    if operator in _EQUAL and isinstance(right, Const):
        if right.value is None or right.value is False or (whole_number(right) == 0 and _is_rest(left)):
            return _True(key_of(program, left, frame)), not holds
        if right.value is True:
            return _True(key_of(program, left, frame)), holds
    return _Compared(operator, key_of(program, left, frame), key_of(program, right, frame)), holds


def _is_rest(term: Term) -> bool:
    """Whether something is what a division leaves: ``i % n == 0`` and ``not i % n`` are one question."""
    return bool(isinstance(term, BinOp) and term.op == "Mod")


def answers(program: Program, tests: Iterable[Tested]) -> Assumed:
    """What the tests that lead to a place answer: of a test that asks several things, what is sure of each."""
    found: Assumed = {}
    for condition, answer, frame in tests:
        for part, said in asked_of(condition, answer):
            question, holds = _literal(program, part, frame)
            found[question] = said == holds
    return found


def asked_of(condition: Term, answer: bool) -> Iterator[tuple[Term, bool]]:
    """The questions of a test whose answers are sure where it has this answer: all parts of an ``and`` that holds."""
    while isinstance(condition, Not):
        condition, answer = condition.operand, not answer
    if isinstance(condition, BoolOp) and answer == isinstance(condition, And):
        for part in condition.operands:
            yield from asked_of(part, answer)
    else:
        yield condition, answer


def exclude(program: Program, one: Iterable[Tested], other: Iterable[Tested]) -> bool:
    """Whether what leads to one place keeps a round from the other: they stand in two arms of one test."""
    first, second, rivals = answers(program, one), answers(program, other), program.ask(Rivals).of
    return any(
        second.get(question, said) != said or (said and any(second.get(each) for each in rivals.get(question, ())))
        for question, said in first.items()
    )


def assume(program: Program, assumed: Assumed, condition: Term, answer: bool, frame: Context) -> Assumed | None:
    """What is assumed when a test has this answer, too; None when that cannot be."""
    while isinstance(condition, Not):
        condition, answer = condition.operand, not answer
    if isinstance(condition, BoolOp):
        return _compound(program, assumed, condition, answer, frame)
    question, holds = _literal(program, condition, frame)
    known = _answered(program, assumed, condition, frame, question, holds)
    if known is not None:
        return assumed if known == answer else None
    return {**assumed, question: answer == holds}


def assumed_by(program: Program, tests: Iterable[Tested]) -> Assumed:
    """What is known where all these tests were answered so, whichever was asked first: what one leaves open another settles."""
    found: Assumed = {}
    for condition, answer, frame in [*tests] * 2:
        found = assume(program, found, condition, answer, frame) or found
    return found


def answer_of(program: Program, assumed: Assumed, condition: Term, frame: Context) -> bool | None:
    """The answer of a test: a constant's, or what was assumed before; None when neither says."""
    if isinstance(condition, (Not, BoolOp)):
        said = connected(condition, lambda part: answer_of(program, assumed, part, frame))
        if said is not None or isinstance(condition, Not):
            return said
    return _answered(program, assumed, condition, frame, *_literal(program, condition, frame))


def _answered(program: Program, assumed: Assumed, condition: Term, frame: Context, question: int, holds: bool) -> bool | None:
    """The answer of a test that is a question as a whole, and says yes to it or not."""
    if question in assumed:
        return assumed[question] == holds
    if any(assumed.get(each) for each in program.ask(Rivals).of.get(question, ())):
        return not holds
    known = frame.answers_of("step truths")
    if condition not in known:
        written = picked(condition, frame, program)
        known[condition] = truth(program, condition, frame) if written is None else written
    answer: bool | None = known[condition]
    return answer


def _compound(program: Program, assumed: Assumed, condition: BoolOp, answer: bool, frame: Context) -> Assumed | None:
    every = answer == isinstance(condition, And)  # all parts have this answer
    if every:
        found: Assumed | None = assumed
        for part in condition.operands:
            found = assume(program, found, part, answer, frame) if found is not None else None
        return found
    open_parts = []
    for part in condition.operands:
        known = answer_of(program, assumed, part, frame)
        if known == answer:
            return assumed
        if known is None:
            open_parts.append(part)
    if not open_parts:
        return None
    if len(open_parts) == 1:
        return assume(program, assumed, open_parts[0], answer, frame)
    key, holds = _literal(program, condition, frame)
    if key in assumed:
        return assumed if (assumed[key] == holds) == answer else None
    return {**assumed, key: answer == holds}

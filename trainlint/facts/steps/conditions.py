"""Conditions that speak of each other: the same test twice in one round has one answer.

A round of a loop asks ``if scaler is not None`` where it scales the loss, and again where it steps. Walking through a round
therefore carries what was assumed so far; a way that contradicts itself is none.
"""

from __future__ import annotations

from typing import Any

from trainlint.facts.program import Program
from trainlint.facts.traced.truths import truth
from trainlint.facts.values import Bound, Frame, Instance
from trainlint.facts.written import picked
from trainlint.model.terms import Term

#: What has been assumed: the number of a question, and whether it is answered with yes.
Assumed = dict[int, bool]

_DEEPEST = 12
_OPPOSITES = {"NotEq": "Eq", "IsNot": "Is", "GtE": "Lt", "Gt": "LtE", "NotIn": "In"}
_EQUAL = ("Eq", "Is")


def key_of(term: Term, frame: Frame, depth: int = 0) -> Any:
    """What an expression says, wherever in the activations of one round it stands: two that say the same have equal keys.

    A parameter is what was passed for it. Calls count as asked once: what ``ready()`` says does not change within a round.
    """
    known = frame.answers_of("step keys")
    if term not in known:
        known[term] = _key_of(term, frame, depth)
    return known[term]


def _key_of(term: Term, frame: Frame, depth: int) -> Any:
    tag = term[0]
    if depth > _DEEPEST:
        return (id(term), id(frame))
    if tag == "c":
        return ("c", term[1], term[2])
    if tag == "p":
        return _parameter(term, frame, depth)
    if tag == "self":
        owner = frame.owner()
        return ("self", id(owner.call) if isinstance(owner, Instance) and owner.call is not None else term[1])
    if tag in ("lv", "v", "enter", "kw"):
        return (tag, id(term), id(frame))
    if tag in ("fn", "cls", "g"):
        return (tag, frame.module, term[1])
    if tag == "elem":
        return ("elem", key_of(term[1], frame, depth + 1))
    return (tag, *(_part(part, frame, depth + 1) for part in (term[1:4] if tag == "call" else term[1:])))


def _parameter(term: Term, frame: Frame, depth: int) -> Any:
    bound = frame.given(term)
    if isinstance(bound, Bound):
        return key_of(bound.term, bound.frame, depth + 1)
    holder = frame.holder(term[1])
    if bound is None and holder is not None and holder.call is not None and not holder.open:
        default = holder.function.defaults.get(term[2])
        if default is not None:
            return key_of(default, holder, depth + 1)
    return ("p", term[1], term[2], id(holder) if holder is not None and holder.call is not None else 0)


def _part(part: Any, frame: Frame, depth: int) -> Any:
    if isinstance(part, Term):
        return key_of(part, frame, depth)
    if isinstance(part, tuple):
        return tuple(_part(each, frame, depth) for each in part)
    return part


def _literal(program: Program, condition: Term, frame: Frame) -> tuple[int, bool]:
    """The number of a question, and whether a test says yes to it: ``x is not None``, ``x > 0`` and ``x`` are one question.

    Questions are numbered, since ways through a round are compared all the time, and what a question says may be long.
    """
    known = frame.answers_of("step tests")
    if condition not in known:
        question, holds = _literal_now(condition, frame)
        numbers = program.analyses.setdefault("step questions", {})
        assert isinstance(numbers, dict)
        known[condition] = (numbers.setdefault(question, len(numbers)), holds)
    found: tuple[int, bool] = known[condition]
    return found


def _literal_now(condition: Term, frame: Frame) -> tuple[Any, bool]:
    holds = True
    while condition[0] == "not":
        condition, holds = condition[1], not holds
    if condition[0] == "cmp":
        operator, left, right = condition[1:4]
        if operator == "Gt" and right[0] == "c" and right[2] == 0:
            return ("true", key_of(left, frame)), holds
        if operator in _OPPOSITES:
            operator, holds = _OPPOSITES[operator], not holds
        if operator in _EQUAL and right[0] == "c" and (right[2] is None or right[2] is False):
            return ("true", key_of(left, frame)), not holds
        if operator in _EQUAL and right[0] == "c" and right[2] is True:
            return ("true", key_of(left, frame)), holds
        return ("cmp", operator, key_of(left, frame), key_of(right, frame)), holds
    return ("true", key_of(condition, frame)), holds


def assume(program: Program, assumed: Assumed, condition: Term, answer: bool, frame: Frame) -> Assumed | None:
    """What is assumed when a test has this answer, too; None when that cannot be."""
    while condition[0] == "not":
        condition, answer = condition[1], not answer
    if condition[0] in ("and", "or"):
        return _compound(program, assumed, condition, answer, frame)
    known = answer_of(program, assumed, condition, frame)
    if known is not None:
        return assumed if known == answer else None
    key, holds = _literal(program, condition, frame)
    return {**assumed, key: answer == holds}


def answer_of(program: Program, assumed: Assumed, condition: Term, frame: Frame) -> bool | None:
    """The answer of a test: a constant's, or what was assumed before; None when neither says."""
    if condition[0] == "not":
        inner = answer_of(program, assumed, condition[1], frame)
        return None if inner is None else not inner
    if condition[0] in ("and", "or"):
        settles: bool = condition[0] == "or"
        parts = [answer_of(program, assumed, part, frame) for part in condition[1]]
        if settles in parts:
            return settles
        if None not in parts:
            return not settles
    key, holds = _literal(program, condition, frame)
    if key in assumed:
        return assumed[key] == holds
    known = frame.answers_of("step truths")
    if condition not in known:
        written = picked(condition, frame)
        known[condition] = truth(program, condition, frame) if written is None else written
    answer: bool | None = known[condition]
    return answer


def _compound(program: Program, assumed: Assumed, condition: Term, answer: bool, frame: Frame) -> Assumed | None:
    every = answer == (condition[0] == "and")  # all parts have this answer
    if every:
        found: Assumed | None = assumed
        for part in condition[1]:
            found = assume(program, found, part, answer, frame) if found is not None else None
        return found
    open_parts = []
    for part in condition[1]:
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

"""``while`` loops that count: how often one runs on each rank, and what a loop leaves behind that the rank decides.

``n = rank``, ``while n > 0``, ``n -= 1``: what the names hold before the first round and how a round changes them is written down
(:attr:`trainlint.ir.sketch.Function.carried`), so the rounds are gone through one by one. A loop is unrolled only if ranks
differ in the number of its rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainlint.facts.program import calls_of
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, Call, Compare, Const, List, LoopPhi, Not, Subscript, Term
from trainlint.ir.sketch import Exit, If, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import effects, of_kind, walk
from trainlint.spmd.symbols import UNKNOWN

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Rounds that are gone through, and names that a round changes and the next one asks for.
_MOST_ROUNDS, _MOST_NAMES = 9, 6


#: What the names of a loop hold in one round.
Round = dict[Term, Any]


def left_behind(evaluator: Evaluator, name: LoopPhi, frame: Frame) -> Any:
    """What a name (its ``LoopPhi``, "after") holds behind a ``while`` loop that can be counted; None where it cannot."""
    for loop in of_kind(frame.function, Loop):
        if loop.kind == "while" and (loop.spot.line, loop.spot.column) == (name.line, name.column):
            rounds = None if _leaves(loop) else all_rounds(evaluator, loop, frame)
            held = rounds[-1] if rounds else {}
            return next((value for term, value in held.items() if isinstance(term, LoopPhi) and term.place == name.place), None)
    return None


def _leaves(loop: Loop) -> bool:
    """Whether a loop may be left before its condition says so."""
    return any(isinstance(node, Exit) for node in walk(loop.body))


def emptied(evaluator: Evaluator, loop: Loop, frame: Frame) -> Term | None:
    """The list that a loop goes on for as long as something is in it, and of which each round takes one thing; else None."""
    subject = loop.subject
    if (
        isinstance(subject, Compare)
        and subject.op in ("Gt", "NotEq")
        and isinstance(subject.right, Const)
        and subject.right.value == 0
    ):
        subject = subject.left
        subject = subject.args[0] if isinstance(subject, Call) and len(subject.args) == 1 else subject
    if not isinstance(subject, (List, Call, Subscript)):
        return None
    taking = [
        (node, node.term.callee.name)
        for node in calls_of(frame.function)
        if isinstance(node.term.callee, Attr) and node.term.callee.base is subject
    ]
    if len(taking) != 1:
        return None
    node, name = taking[0]
    return subject if node in loop.body and name in evaluator.program.knowledge.empties else None


def rounds_of(evaluator: Evaluator, loop: Loop, frame: Frame) -> list[Round] | None:
    """The rounds of a ``while`` loop on one rank; None when they cannot be counted."""
    whole = emptied(evaluator, loop, frame)
    if whole is not None:
        items = evaluator.consteval.first_items(whole, frame)
        return [{} for _ in range(items)] if items is not None and items <= _MOST_ROUNDS else None
    found = all_rounds(evaluator, loop, frame)
    return None if found is None else found[:-1]


def all_rounds(evaluator: Evaluator, loop: Loop, frame: Frame) -> list[Round] | None:
    """The same, and last what the names hold when the condition says that it is enough."""
    left = leaving(loop)
    names = deciding((*left, loop.subject), frame)
    if not names:
        return None
    saved = dict(evaluator.loops)
    try:
        held: Round = {name: evaluator.value(frame.function.carried[name][0], frame) for name in names}
        found: list[Round] = []
        while len(found) <= _MOST_ROUNDS + 1:
            if any(isinstance(value, UNKNOWN) for value in held.values()):
                return None
            evaluator.loops.update(held)
            goes_on = evaluator.value(loop.subject, frame)
            if isinstance(goes_on, UNKNOWN):
                return None
            found.append(held)
            if not goes_on:
                return found
            ends = [evaluator.value(test, frame) for test in left]
            if any(isinstance(value, UNKNOWN) for value in ends):
                return None
            if any(ends):
                return [*found, held]
            held = {name: evaluator.value(frame.function.carried[name][1], frame) for name in names}
        return None
    finally:
        evaluator.loops.clear()
        evaluator.loops.update(saved)


def leaving(loop: Loop) -> tuple[Term, ...]:
    """The tests with which an endless loop (``while True``) ends itself, where nothing else does."""
    if not isinstance(loop.subject, Const) or not loop.subject.value:
        return ()
    ends = [node for node in walk(loop.body) if isinstance(node, Exit) and node.kind in ("break", "return")]
    alone = [node for node in loop.body if isinstance(node, If) and len(effects(node.body)) == 1 and not effects(node.orelse)]
    tests = [test for test in alone if effects(test.body)[0] in ends]
    return tuple(test.condition for test in tests) if len(tests) == len(ends) else ()


def deciding(conditions: tuple[Term, ...], frame: Frame) -> list[LoopPhi]:
    """The names of a loop that decide about its conditions, in this round or in a later one."""
    carried = frame.function.carried
    found: list[LoopPhi] = []
    pending = list(conditions)
    while pending:
        for part in parts_of(pending.pop()):
            if not isinstance(part, LoopPhi):
                continue
            if part not in carried or len(found) >= _MOST_NAMES:
                return []
            if part not in found:
                found.append(part)
                pending.append(carried[part][1])
    return found


def is_flag(condition: Term, frame: Frame) -> bool:
    """Whether a loop goes on as long as a flag says, which begins as True or False (``while not done``)."""
    name = condition.operand if isinstance(condition, Not) else condition
    first, _ = frame.function.carried.get(name, (None, None))
    return first is not None and isinstance(first, Const) and first.type == "bool"

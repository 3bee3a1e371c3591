"""The rounds of a loop: how often it runs on each rank, its last round, and loops that have none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from trainlint.ir.bindings import Carried, carried_in
from trainlint.ir.nodes import (
    And,
    Attr,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Entered,
    List,
    LoopPhi,
    Not,
    Param,
    Ref,
    Self,
    Set,
    Subscript,
    Term,
)
from trainlint.ir.order import belongs_to
from trainlint.ir.sketch import Class, Exit, Function, If, Keep, Loop, Store
from trainlint.ir.terms import container_of, is_own, parts_of
from trainlint.ir.walk import effects, of_kind, walk
from trainlint.program.call_graph import methods_of
from trainlint.program.heap import dict_viewed
from trainlint.program.induction import shifted
from trainlint.program.program import calls_of
from trainlint.program.values import Argument, ClassValue, Context, Instance
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import UNKNOWN
from trainlint.spmd.trace import Guard, Node

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder
    from trainlint.spmd.ranks import Evaluator
    from trainlint.spmd.uniform_check import Agreement

#: Rounds that are gone through, and names that a round changes and the next one asks for.
_MOST_ROUNDS, _MOST_NAMES = 9, 6


#: What the names of a loop hold in one round.
Round = dict[Term, Any]


def left_behind(evaluator: Evaluator, name: LoopPhi, frame: Context) -> Any:
    """What a name (its ``LoopPhi``, "exit") holds behind a ``while`` loop that can be counted; None where it cannot."""
    for loop in of_kind(frame.function, Loop):
        if loop.kind == "while" and belongs_to(loop, name):
            rounds = None if _leaves(loop) else all_rounds(evaluator, loop, frame)
            held = rounds[-1] if rounds else {}
            return next((value for term, value in held.items() if isinstance(term, LoopPhi) and term.place == name.place), None)
    return None


def _leaves(loop: Loop) -> bool:
    """Whether a loop may be left before its condition says so."""
    return any(isinstance(node, Exit) for node in walk(loop.body))


def emptied(evaluator: Evaluator, loop: Loop, frame: Context) -> Term | None:
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


def rounds_of(evaluator: Evaluator, loop: Loop, frame: Context) -> list[Round] | None:
    """The rounds of a ``while`` loop on one rank; None when they cannot be counted."""
    whole = emptied(evaluator, loop, frame)
    if whole is not None:
        items = evaluator.consteval.first_items(whole, frame)
        return [{} for _ in range(items)] if items is not None and items <= _MOST_ROUNDS else None
    found = all_rounds(evaluator, loop, frame)
    return None if found is None else found[:-1]


def all_rounds(evaluator: Evaluator, loop: Loop, frame: Context) -> list[Round] | None:
    """The same, and last what the names hold when the condition says that it is enough."""
    left = leaving(loop)
    names = deciding((*left, loop.subject), frame)
    if not names:
        return None
    saved = dict(evaluator.loops)
    try:
        held: Round = {each.name: evaluator.value(each.entry, frame) for each in names}
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
            held = {each.name: evaluator.value(each.back, frame) for each in names}
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


def deciding(conditions: tuple[Term, ...], frame: Context) -> list[Carried]:
    """What a loop carries that decides about its conditions, in this round or in a later one."""
    found: dict[LoopPhi, Carried] = {}
    pending = list(conditions)
    while pending:
        for part in parts_of(pending.pop()):
            if not isinstance(part, LoopPhi):
                continue
            carried = carried_in(frame.function, part)
            if carried is None or len(found) >= _MOST_NAMES:
                return []
            if part not in found:
                found[part] = carried
                pending.append(carried.back)
    return [*found.values()]


def is_flag(condition: Term, frame: Context) -> bool:
    """Whether a loop goes on as long as a flag says, which begins as True or False (``while not done``)."""
    name = condition.operand if isinstance(condition, Not) else condition
    carried = carried_in(frame.function, name) if isinstance(name, LoopPhi) else None
    return carried is not None and isinstance(carried.entry, Const) and carried.entry.type == "bool"


#: How what a loop counts is compared with the end of its count: ``epoch == epochs - 1``, ``epoch >= epochs - 1``.
_REACHES = ("Eq", "GtE")
_RANGE = "builtins.range"


def unless_last(builder: Builder, loop: Loop, frame: Context, again: Node, exhausted: Node) -> Node:
    """The end of a round: the next one, but behind a test that holds in the last round alone what follows the loop."""
    for test in last_rounds(loop):
        builder.at(frame, loop.spot)
        value, asked = builder.asked(test, frame)
        if not asked:
            guard = Guard(frame.module, loop.spot, loop.spot, test, frame)
            again = builder.settled(value, asked, exhausted, again, guard)
    return again


def last_rounds(loop: Loop) -> Iterator[Term]:
    """The parts of tests in a loop that compare what it counts with the end of its count."""
    if loop.kind == "for" and _counted(loop.subject) is not None:
        for node in walk(loop.body):
            for part in _parts(node.condition) if isinstance(node, If) else ():
                if _last_of(part, None) == loop.subject:
                    yield part


def is_last(test: Term, frame: Context) -> bool:
    """Whether a test of a function holds in the last round alone of a loop that calls it, for these arguments."""
    return any(_last_of(part, frame) is not None for part in _parts(test))


def _parts(test: Term) -> tuple[Term, ...]:
    return test.operands if isinstance(test, And) else (test,)


def _last_of(test: Term, frame: Context | None) -> Term | None:
    """What a loop goes over in whose last round alone a comparison holds; parameters are what an activation is handed."""
    if not isinstance(test, Compare) or test.op not in _REACHES:
        return None
    number, plus = _shifted(test.left, frame)
    bound, more = _shifted(test.right, frame)
    if not isinstance(number, Element):
        return None
    counted = _counted(number.of)
    return number.of if counted is not None and counted == (bound, more - plus) else None


def _counted(subject: Term) -> tuple[Term, int] | None:
    """What a ``range`` ends with, as a term and what its last number is besides: ``range(1, n + 1)`` ends with ``n`` and 0."""
    if (
        not isinstance(subject, Call)
        or not isinstance(subject.callee, Ref)
        or subject.callee.name != _RANGE
        or len(subject.args) not in (1, 2)
        or subject.kwargs
    ):
        return None
    stop, more = _shifted(subject.args[-1], None)
    return stop, more - 1


def _shifted(term: Term, frame: Context | None) -> tuple[Term, int]:
    """A term without a whole number that is added to it, or taken from it, and that number."""
    left, number = shifted(term)
    if left is not term:
        inner, more = _shifted(left, frame)
        return inner, more + number
    handed = frame.given(term) if frame is not None and isinstance(term, Param) else None
    return _shifted(handed.term, None) if isinstance(handed, Argument) else (term, 0)


_EQUALITIES = ("Eq", "NotEq")


def is_own_turn(condition: Term, is_of_rank: Callable[[Term], bool]) -> bool:
    """Whether a test compares what a loop draws with something of the rank (``for worker in workers: if worker == rank``).

    Which rank comes first is then a matter of what is gone over, but each has its turn: none of them is left out.
    """
    if not isinstance(condition, Compare) or condition.op not in _EQUALITIES:
        return False
    left, right = condition.left, condition.right
    return (_is_drawn(left) and is_of_rank(right)) or (_is_drawn(right) and is_of_rank(left))


def _is_drawn(term: Term) -> bool:
    """Whether a term is what a loop draws, or a part of it that is written down."""
    while isinstance(term, Attr) or (isinstance(term, Subscript) and isinstance(term.key, Const)):
        term = term.base
    return isinstance(term, Element)


class IdleLoops:
    """Answers for the functions of a program."""

    def __init__(self, analysis: Agreement) -> None:
        self.analysis = analysis
        self.program = analysis.program
        #: The methods that fill what an object gathers, by its class and the attribute; None for what does not begin empty.
        self._known: dict[tuple[int, str], frozenset[str] | None] = {}

    def gathers(self, cls: Class) -> bool:
        """Whether objects of a class gather something, as far as it was asked."""
        return any(known == id(cls) and fillers is not None for (known, _), fillers in self._known.items())

    def is_idle(self, loop: Loop, frame: Context) -> bool:
        """Whether a loop goes over what its object gathers, and the object was given nothing."""
        name = self._gathers(loop.subject)
        owner = frame.receiver
        if name is None or not isinstance(owner, Instance):
            return False
        fillers = self._fillers(ClassValue(owner.module, owner.cls), name)
        if fillers is None or frame.function.name in fillers or "__init__" in fillers:
            return False
        self.analysis.consult(ANY)  # another object may have been given something
        if owner.call is None or owner.frame is None:
            return False
        return not any(self._gives(owner.call, fillers, owner.frame.function))

    def _gathers(self, subject: Term) -> str | None:
        """The attribute of ``self`` that is looped over, as it is or by a view of it."""
        subject = dict_viewed(self.program.knowledge.views, subject) or subject
        return subject.name if isinstance(subject, Attr) and isinstance(subject.base, Self) else None

    def _fillers(self, cls: ClassValue, name: str) -> frozenset[str] | None:
        """The methods that put something into an attribute; None when it does not begin empty."""
        known = self._known
        key = (id(cls.cls), name)
        if key not in known:
            known[key] = self._found(cls, name)
        return known[key]

    def _found(self, cls: ClassValue, name: str) -> frozenset[str] | None:
        stores = self.program.stores(cls, name)
        if not stores or not all(isinstance(value, (Dict, List, Set)) and not value.items for _, _, value in stores):
            return None
        own = [method for _, method in methods_of(self.program, cls)]
        fillers = {function.name for function in own if self._fills(function, name)}
        while True:
            more = {function.name for function in own if any(_asks_itself(function, each) for each in fillers)} - fillers
            if not more:
                return frozenset(fillers)
            fillers |= more

    @property
    def _harmless(self) -> frozenset[str]:
        """The methods of a container that only ask it, or take things out."""
        knowledge = self.program.knowledge
        return frozenset((*knowledge.only_asks, *knowledge.empties, *knowledge.views))

    def _fills(self, function: Function, name: str) -> bool:
        """Whether a method may put something into an attribute of its object."""
        if any(is_own(container_of(node.target), name) for node in of_kind(function, Keep)):
            return True
        harmless = self._harmless
        for call in calls_of(function):
            callee = call.term.callee
            if any(is_own(value, name) for value in _given(call.term)):
                return True
            if isinstance(callee, Attr) and is_own(callee.base, name) and callee.name not in harmless:
                return True
        return False

    def _gives(self, made: Term, fillers: frozenset[str], function: Function) -> Iterator[bool]:
        """Whether a function gives something to an object that it makes, or the object to somebody else: for each statement."""
        for call in calls_of(function):
            callee = call.term.callee
            yield isinstance(callee, Attr) and _is_it(callee.base, made) and callee.name in fillers
            yield any(_is_it(value, made) for value in _given(call.term))
        for store in of_kind(function, Store):
            yield _is_it(store.value, made)
        for left in of_kind(function, Exit):
            yield left.value is not None and _is_it(left.value, made)


def _given(call: Call) -> Iterator[Term]:
    """What a call is given."""
    yield from call.args
    for _, value in call.kwargs:
        yield value


def _is_it(term: Term, made: Term) -> bool:
    """Whether a term is an object by the call that makes it, or what ``with`` binds of that."""
    return term is made or (isinstance(term, Entered) and term.manager is made)


def _asks_itself(function: Function, method: str) -> bool:
    """Whether a method calls another one of its object."""
    return any(is_own(call.term.callee, method) for call in calls_of(function))

"""What a list, dict or tensor of a function holds where it is asked, on one rank (see :mod:`trainlint.program.stores`).

The term of ``box[0]`` says which box, not when. So an evaluation happens at a place (:mod:`~trainlint.spmd.questions`), and what
was put into the box before that step is applied to it, each change under its tests. Where ranks met over it
(``broadcast_object_list(box)``), or where a function that nobody knows was given it, it is taken to be equal from then on. An
answer is given only if the rank, or data of its own, has a part in it: all else is unknown and equal, as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from trainlint.domains.rank_local_data import RankLocalData
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed
from trainlint.ir.nodes import Attr, Call, Const, Dict, List, Param, Set, Term, Tuple
from trainlint.ir.order import made_within, repeated_by
from trainlint.ir.sketch import Exit, Function, If
from trainlint.ir.terms import whole_number
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program, calls_of
from trainlint.program.stores import Change, Contents
from trainlint.program.values import Argument, Context, FunctionValue, Library
from trainlint.spmd.questions import number_of
from trainlint.spmd.symbols import Something, Uniform, Varying, chosen, data_in, negated

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Says that nothing is known of a content.
UNSET = Something("not known")
#: Displays: their items are written down.
_DISPLAYS = (List, Tuple, Set)
#: Tests that are worked out for one question, all changes and the questions in them together.
_MOST_STEPS = 400


class HeapState:
    """Knows what was put into things; ``holding`` is what is being worked out."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.place = evaluator.place
        self.holding: set[tuple[Term, Term | None, Context]] = set()
        self._steps = 0

    def held(self, base: Term, key: Term | None, frame: Context, *, displays: bool = False) -> Any:
        """What something holds under a key (None: as a whole) at the place of the question; ``UNSET`` where nobody knows.

        ``displays``: only what is written down as a list, set or dict is asked about.
        """
        viewed = self.program.ask(Contents).storage
        base = viewed(base)
        while isinstance(base, Param):
            self.evaluator.consulted(base.name)
            bound = frame.given(base)
            if not isinstance(bound, Argument):
                break
            base, frame = viewed(bound.term), bound.frame
        asked = (base, key, frame)
        if self.is_exhausted() or asked in self.holding:
            self.evaluator.partial = True
            return UNSET
        if not self.holding:
            self._steps = 0
        changes = self.program.ask(Contents).changes(frame.function).get(base, ())
        if (not changes or displays) and not isinstance(base, (*_DISPLAYS, Call if not displays else Dict)):
            return UNSET
        self.holding.add(asked)
        step, frame_ = self.place.step, self.place.frame
        saved, self.evaluator.rank_dependent = self.evaluator.rank_dependent, False
        try:
            value = self._held(base, key, changes, frame)
            differs = self.evaluator.rank_dependent
        finally:
            self.place.step, self.place.frame = step, frame_
            self.holding.discard(asked)
            self.evaluator.rank_dependent = saved
        if value is UNSET or self._steps > _MOST_STEPS or not (differs or data_in(value) is not None):
            return UNSET
        self.evaluator.rank_dependent = saved or differs
        return value

    def is_exhausted(self) -> bool:
        """Whether no more is worked out for this question: tests that hang on tests."""
        return self._steps > _MOST_STEPS and bool(self.holding)

    def _held(self, base: Term, key: Term | None, changes: Sequence[Change], frame: Context) -> Any:
        function, step = frame.function, self.place.step_in(frame)
        number = number_of(function, step)
        met = self.settled_at(base, frame)
        if changes or met:
            self.evaluator.place_dependent = True
        self.place.frame = frame
        here = [at for each in met if (at := number_of(function, each)) < number]
        if here or any(_in_one_loop(base, each, step, function) for each in met):
            value: Any = Uniform((base, key, frame))
            since = max(here, default=inf)
            changes = [change for change in changes if since < number_of(function, change.step) < number]
        else:
            value = self._first(base, key, frame)
            changes = [
                change
                for change in changes
                if number_of(function, change.step) < number or _in_one_loop(base, change.step, step, function)
            ]
        for change in changes:
            if change.key is not None and key is not None and change.key is not key:
                if isinstance(change.key, Const) and isinstance(key, Const):
                    continue
                return UNSET
            if value is UNSET:
                value = Uniform((base, key, frame))
            self.place.step = change.step
            value = self._applied(change, 0, key, value, frame)
        return value

    def _applied(self, change: Change, index: int, key: Term | None, old: Any, frame: Context) -> Any:
        """What is there after a change, if this rank makes it."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            self.evaluator.partial = True
            return old  # tests that hang on tests: what is held then is taken to be unknown
        if index == len(change.tests):
            return self._new(change, key, frame)
        test, arm = change.tests[index]
        condition = self.failed(test, frame) if isinstance(test, Failed) else self.evaluator.value(test, frame)
        if not arm:
            condition = negated(condition)
        self.evaluator.rank_dependent = self.evaluator.rank_dependent or isinstance(condition, Varying)
        return chosen(condition, partial(self._applied, change, index + 1, key, old, frame), lambda: old)

    def _new(self, change: Change, key: Term | None, frame: Context) -> Any:
        if change.how == "set" and change.value is not None:
            return self._leading(change.value, frame)
        if change.how == "more" and key is None:
            return Something((change.step, frame))
        value, asked = self.evaluator.evaluate(change.value, frame) if change.value is not None else (None, False)
        return self.mixed(value, (change.step, key, frame), asked=asked)

    def mixed(self, value: Any, key: Any, *, asked: bool) -> Any:
        """Something unknown that was computed with a value."""
        data = data_in(value)
        if data is not None:
            return Uniform(data._replace(key=key))
        return Varying(key) if asked else Uniform(key)

    def failed(self, failed: Failed, frame: Context) -> Any:
        """Whether a handler of a ``try`` runs."""
        return Uniform(("fails", failed.attempt.spot, frame))

    # -- at first --------------------------------------------------------------------------------------------------

    def _first(self, base: Term, key: Term | None, frame: Context) -> Any:
        """What something holds when it is made."""
        if isinstance(base, _DISPLAYS):
            return self._item(base.items, key, frame)
        if isinstance(base, Dict) and key is not None and isinstance(key, Const):
            return next((self.evaluator.value(value, frame) for name, value in reversed(base.items) if name is key), UNSET)
        if not isinstance(base, Call):
            return UNSET
        for value in self.program.values(base.callee, frame):
            filled = self.program.knowledge.filled.get(value.name) if isinstance(value, Library) else None
            if filled is None:
                return UNSET
            if filled.isdigit():
                return int(filled)
            position = 1 if filled == "second" else 0
            if len(base.args) <= position:
                return UNSET
            return self._leading(base.args[position], frame, key)
        return UNSET

    def _leading(self, term: Term, frame: Context, key: Term | None = None) -> Any:
        """A value, or of a display the (first) item."""
        while isinstance(term, (List, Tuple)) and term.items:
            index = whole_number(key) or 0
            if not -len(term.items) <= index < len(term.items):
                return UNSET
            term, key = term.items[index], None
        return self.evaluator.value(term, frame)

    def _item(self, items: Any, key: Term | None, frame: Context) -> Any:
        if key is None and items == ():
            return 0  # as true as an empty list
        if type(items) is not tuple or key is None or not isinstance(key, Const) or type(key.value) is not int:
            return UNSET
        return self.evaluator.value(items[key.value], frame) if -len(items) <= key.value < len(items) else UNSET

    # -- where ranks met over it -----------------------------------------------------------------------------------

    def settled_at(self, base: Term, frame: Context) -> list[Spot]:
        """The steps behind which something is taken to be equal: a collective changed it, or nobody knows who did."""
        key = (base, frame)
        known = self.program.ask(_settled)
        if key not in known:
            found = self.program.ask(RankLocalData).met_over(base, frame)
            given = self.program.ask_of(_given, frame.function).get(base, ())
            found += [call.site for call in given if self._may_settle(call, base, frame)]
            known[key] = found
        return known[key]

    def _may_settle(self, call: Call, base: Term, frame: Context) -> bool:
        knowledge = self.program.knowledge
        harmless = knowledge.leaves | knowledge.derives
        if last_name(call.callee) in knowledge.changes:
            return False
        if isinstance(call.callee, Attr) and call.callee.name in harmless:
            return False
        values = self.program.values(call.callee, frame)
        if any(isinstance(value, Library) and (value.name in harmless or value.name in knowledge.filled) for value in values):
            return False
        first = bool(call.args) and any(stored is base for stored in _stored(self.program, call.args[0]))
        if not first and any(isinstance(value, Library) and value.name in knowledge.fills for value in values):
            return False
        return not values or not all(isinstance(value, FunctionValue) and _only_answers(value.function) for value in values)


def _settled(_program: Program) -> dict[tuple[Term, Context], list[Spot]]:
    """What was found so far of where ranks met over something."""
    return {}


def _given(program: Program, function: Function) -> dict[Term, list[Call]]:
    """The calls of a function by what they are given, also in a list that is written down."""
    found: dict[Term, list[Call]] = {}
    for node in calls_of(function):
        call = node.term
        given = (*call.args, *(value for _, value in call.kwargs))
        for stored in dict.fromkeys(stored for value in given for stored in _stored(program, value)):
            found.setdefault(stored, []).append(call)
    return found


def _stored(program: Program, value: Term) -> Iterator[Term]:
    """What a value is a view of, or itself; and what the items of a list are."""
    yield program.ask(Contents).storage(value)
    if isinstance(value, (List, Tuple)) and type(value.items) is tuple:
        for item in value.items:
            yield from _stored(program, item)


def _only_answers(function: Function) -> bool:
    """Whether a function calls nothing and keeps nothing: it only computes what it returns."""
    return all(isinstance(node, (Exit, If)) for node in statements_of(function))


def _in_one_loop(base: Term, one: Spot, other: Spot | None, function: Function) -> bool:
    """Whether two steps are in one loop that does not make the thing anew in each round."""
    if other is None or (isinstance(base, List) and base.items):
        return False  # where a list is made that is not empty is not known
    loops = [loop for loop in repeated_by(function, one) if loop in repeated_by(function, other)]
    return any(not (isinstance(base, (Call, Dict, List)) and made_within(function, loop, base)) for loop in loops)

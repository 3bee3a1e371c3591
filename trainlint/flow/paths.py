"""Paths: the ways through one round of a training loop, each a sequence of events under the conditions assumed."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.flow.effect_summary import Reach
from trainlint.flow.events import Event, Recognizer
from trainlint.flow.path_condition import Assumed, assume
from trainlint.ir.nodes import Attr, Call, Global, Nested, Select, Term
from trainlint.ir.sketch import Block, CallStep, Exit, If, Keep, Loop, Statement, Store, Try, With
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.handed_back import likely_arms
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue

#: From this many on, ways that have done the same so far become one.
_MANY = 16
#: How much work a round may be: statements, each for so many ways.
_WORK = 12_000
#: What the rest of a round or of a function depends on; an error or the end of the program is no way of a round at all.
_LEAVING = ("continue", "break", "return")


class Way(NamedTuple):
    """One way: what happens in order, what was assumed, and how it ended before its time ("continue", "return" ...)."""

    events: tuple[Event, ...] = ()
    assumed: Assumed = {}  # noqa: RUF012 - never changed, always replaced
    ended: str | None = None


class TooMany(Exception):
    """A round has more ways than anybody wants to walk."""


class Place(NamedTuple):
    """Where in a round the walk is."""

    inner: tuple[Loop, ...] = ()
    tests: tuple[tuple[Term, bool, Context], ...] = ()
    chain: tuple[tuple[CallStep, Context], ...] = ()


class Ways:
    """Walks rounds; one for each round, since it remembers the events it made."""

    def __init__(self, program: Program, recognizer: Recognizer) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.recognizer = recognizer
        self.reach: Reach = program.ask(Reach)
        #: Everything that may happen in the round, on whatever way, handlers of ``try`` included.
        self.all: dict[tuple[Term, Context, str, str], Event] = {}
        self._work = _WORK

    def through(self, block: Block, frame: Context) -> list[Way]:
        """The ways through a block, one for each order of events. Raises :class:`TooMany`."""
        ways = self._block(block, frame, [Way()], Place())
        return list({(way.events, way.ended): way for way in ways}.values())

    def _block(self, block: Block, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        for node in self.reach.of_interest(block):
            going = [way for way in ways if way.ended is None]
            if not going:
                break
            self._work -= len(ways) + 1
            ways = [way for way in ways if way.ended is not None] + self._statement(node, frame, going, place)
            ways = _distinct(ways)
            if len(ways) > _MANY:
                ways = _merged(ways)
            if self._work < 0:
                raise TooMany
            if isinstance(node, If) and (left := _left(node)) is not None:
                place = place._replace(tests=(*place.tests, (node.condition, not left, frame)))
        return ways

    def _statement(self, node: Statement, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        if isinstance(node, CallStep):
            return self._call(node, frame, ways, place)
        if isinstance(node, (Store, Keep)):
            event = self.recognizer.assigned(node, frame)
            return ways if event is None else self._add(ways, event, place)
        if isinstance(node, If):
            return self._branch(node, frame, ways, place)
        if isinstance(node, Loop):
            inner = self._block(node.body, frame, ways, place._replace(inner=(*place.inner, node)))
            return [way._replace(ended=None) if way.ended in ("break", "continue") else way for way in inner]
        if isinstance(node, With):
            return self._block(node.body, frame, ways, place)
        if isinstance(node, Try):
            return self._try(node, frame, ways, place)
        if isinstance(node, Exit):
            return [] if node.kind in ("raise", "exit") else [way._replace(ended=node.kind) for way in ways]
        return ways

    def _branch(self, node: If, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        """Both arms, each for the ways on which the test can have that answer. A test that decides nothing is none."""
        found: list[Way] = []
        entered: dict[int, list[Way]] = {}
        for arm, block in ((True, node.body), (False, node.orelse)):
            going = []
            for way in ways:
                assumed = assume(self.program, way.assumed, node.condition, arm, frame)
                if assumed is not None:
                    inside = way._replace(assumed=assumed)
                    going.append(inside)
                    entered.setdefault(id(way), []).append(inside)
            deeper = place._replace(tests=(*place.tests, (node.condition, arm, frame)))
            found += self._block(block, frame, going, deeper) if going else []
        untouched = {id(way) for way in found}
        idle = [way for way in ways if all(id(inside) in untouched for inside in entered.get(id(way), ()))]
        dropped = {id(inside) for way in idle for inside in entered.get(id(way), ())}
        return [way for way in found if id(way) not in dropped] + [way for way in idle if id(way) in entered]

    def _try(self, node: Try, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        """As if nothing failed; what handlers do is noted among all that may happen."""
        for handler in node.handlers:
            self._block(handler, frame, [Way()], place)
        return self._block((*node.body, *node.orelse, *node.final), frame, ways, place)

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, node: CallStep, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        call = node.term
        if not self.reach.may_lead(call):
            return ways
        targets = self._targets(call, frame)
        if not targets:
            return self._own(node, frame, ways, place)
        if self.recognizer.is_own(call, frame):
            ways = self._own(node, frame, ways, place)  # an optimizer of the project, and what its method does besides
        relevant = [target for target in targets if self.reach.leads(target.module, target.function)]
        if not relevant:
            return ways
        # What runs already does here what it is seen to do there; a wrapper hands on to what is inside, maybe one of its kind.
        relevant = [target for target in relevant if not frame.runs(target.function)]
        if not relevant:
            return self._own(node, frame, ways, place)
        if not all(frame.follows(target.function) for target in relevant):
            return self._add(ways, Event("unknown", "", call, call.site, node.statement, frame), place)
        found: list[Way] = [] if len(relevant) == len(targets) else list(ways)
        for target in relevant:
            inner = self.program.enter(target, call, frame)
            deeper = place._replace(chain=(*place.chain, (node, frame)))
            entered = self._block(target.function.body, inner, ways, deeper)
            found += [way._replace(ended=None) if way.ended != "exit" else way for way in entered]
        return _distinct(found)

    def _own(self, node: CallStep, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        """What the call does itself, after what a closure that it is handed does."""
        if last_name(node.term.callee) == "step":
            for given in (*node.term.args, *(value for _, value in node.term.kwargs)):
                for value in self.program.values(given, frame) if isinstance(given, (Nested, Global, Attr)) else ():
                    if (
                        isinstance(value, FunctionValue)
                        and self.reach.leads(value.module, value.function)
                        and not frame.runs(value.function)
                    ):
                        inner = self.program.enter(value, node.term, frame)
                        deeper = place._replace(chain=(*place.chain, (node, frame)))
                        entered = self._block(value.function.body, inner, ways, deeper)
                        ways = _distinct([way._replace(ended=None) for way in entered])
        either = node.term.callee.base if isinstance(node.term.callee, Attr) else None
        if isinstance(either, Select) and likely_arms(self.program, either, frame)[1:]:
            return self._chosen(node, frame, ways, place)
        for event in self.recognizer.called(node, frame):
            ways = self._add(ways, event, place)
        return ways

    def _chosen(self, node: CallStep, frame: Context, ways: list[Way], place: Place) -> list[Way]:
        """``(scaler.scale(loss) if half else loss).backward()``: one of two, as the test says."""
        callee = node.term.callee
        assert isinstance(callee, Attr)
        either = callee.base
        assert isinstance(either, Select)
        found: list[Way] = []
        for way in ways:
            for arm, part in zip((True, False), either.arms, strict=True):
                assumed = assume(self.program, way.assumed, either.test, arm, frame)
                if assumed is None:
                    continue
                chosen = Call.new(Attr.new(part, callee.name), node.term.args, node.term.kwargs, node.term.site)
                ways_now = [way._replace(assumed=assumed)]
                for event in self.recognizer.called(node._replace(term=chosen), frame):
                    event.term = node.term  # what it is called on is one of two; only the way of doing it is the chosen one's
                    ways_now = self._add(ways_now, event, place)
                found += ways_now
        return found

    def _targets(self, call: Call, frame: Context) -> list[FunctionValue]:
        """The functions of the project that a call may run; a class without ``__init__`` runs none."""
        found = [target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue)]
        if found or any(isinstance(value, ClassValue) for value in self.program.values(call.callee, frame)):
            return found
        return []

    def _add(self, ways: list[Way], event: Event, place: Place) -> list[Way]:
        key = (event.term, event.frame, event.kind, event.way)
        known = self.all.get(key)
        if known is None:
            event.inner, event.tests, event.chain = place.inner, place.tests, place.chain
            known = self.all[key] = event
        return [way._replace(events=(*way.events, known)) for way in ways]


def _left(node: If) -> bool | None:
    """Which answer of a test ends the round or the function, so that the other holds behind it; None: neither, or both."""
    arms = [arm for arm, block in ((True, node.body), (False, node.orelse)) if _leaves(block)]
    return arms[0] if len(arms) == 1 else None


def _leaves(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Exit) and block[-1].kind in _LEAVING


def _distinct(ways: list[Way]) -> list[Way]:
    """Ways that do the same under the same assumptions, once; those that differ in assumptions that led to nothing stay."""
    seen: set[object] = set()
    found = []
    for way in ways:
        key = (way.events, way.ended, frozenset(way.assumed.items()))
        if key not in seen:
            seen.add(key)
            found.append(way)
    return found


def _merged(ways: list[Way]) -> list[Way]:
    """Ways that have done the same, as one that assumes what they agree on."""
    found: dict[object, Way] = {}
    for way in ways:
        key = (way.events, way.ended)
        known = found.get(key)
        if known is None:
            found[key] = way
        else:
            agreed = {test: answer for test, answer in known.assumed.items() if way.assumed.get(test) == answer}
            found[key] = way._replace(assumed=agreed)
    return list(found.values())

"""Paths: the ways through one round of a training loop, each a sequence of events under the conditions assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from trainlint.flow.effect_summary import Composed, Reach
from trainlint.flow.events import Event, Recognizer
from trainlint.flow.path_condition import Assumed, assume, forgotten
from trainlint.ir.abstract_interpretation import Interpreter
from trainlint.ir.nodes import NAMED, Attr, Augmented, Call, Const, Global, Nested, Select, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Keep, Loop, Statement, Store, Try, With, Yield
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.container_parts import turns_in_order
from trainlint.program.contexts import opens
from trainlint.program.handed_back import likely_arms
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue, LibraryObject, Unresolved, Value

#: From this many on, ways that have done the same so far become one.
_MANY = 16
#: How much work a round may be: statements, each for so many ways.
WORK = 12_000
#: What the rest of a round or of a function depends on; an error or the end of the program is no way of a round at all.
_LEAVING = ("continue", "break", "return")
#: What an object does before and behind the ``with`` that it is used for.


class Way(NamedTuple):
    """One way: what happens in order, what was assumed, and how it ended before its time ("continue", "return" ...)."""

    events: tuple[Event, ...] = ()
    assumed: Assumed = {}  # noqa: RUF012 - never changed, always replaced
    ended: str | None = None


class TooMany(Exception):
    """More work than a walk through a round may be."""


class GivenUp(NamedTuple):
    """A function that was too much for an analysis: what there was too much of, and ``about`` what it was not judged.

    ``aside``: other rules have judged it, so that it is said only to those who ask for advice.
    """

    module: str
    function: Function
    limit: str
    about: str
    #: Whether other functions of the file may not have been judged either.
    more: bool = False
    aside: bool = False


class Place(NamedTuple):
    """Where in a round the walk is."""

    inner: tuple[Loop, ...] = ()
    tests: tuple[tuple[Term, bool, Context], ...] = ()
    chain: tuple[tuple[CallStep, Context], ...] = ()


class Ways(Interpreter[list[Way]]):
    """Walks rounds; one for each round, since it remembers the events it made, and where in which activation it is."""

    def __init__(self, program: Program, recognizer: Recognizer) -> None:
        super().__init__()
        self.program = program
        self.index = program.ask(CallGraph)
        self.recognizer = recognizer
        self.reach: Reach = program.ask(Reach)
        self.composed = program.ask(Composed).calls
        #: Everything that may happen in the round, on whatever way, handlers of ``try`` included.
        self.all: dict[tuple[Term, Context, str, str], Event] = {}
        #: What runs where a context manager that is walked yields.
        self._managed: dict[Context, Callable[[list[Way]], list[Way]]] = {}
        self._work = WORK
        self._place = Place()

    def through(self, block: Block, frame: Context) -> list[Way]:
        """The ways through a block, one for each order of events. Raises :class:`TooMany`."""
        self._frame = frame
        return list({(way.events, way.ended): way for way in self.block(block, [Way()])}.values())

    def block(self, block: Block, state: list[Way] | None) -> list[Way]:
        """The ways through a block that some ways come to."""
        place, ways = self._place, state or []
        for node in self.reach.of_interest(block):
            going = [way for way in ways if way.ended is None]
            if not going:
                break
            self._work -= len(ways) + 1
            ways = [way for way in ways if way.ended is not None] + (self.statement(node, going) or [])
            ways = _distinct(ways)
            if len(ways) > _MANY:
                ways = _merged(ways)
            if self._work < 0:
                raise TooMany
            if isinstance(node, If) and (left := _left(node)) is not None:
                self._place = self._place._replace(tests=(*self._place.tests, (node.condition, not left, self._frame)))
        self._place = place
        return ways

    def _inside(self, block: Block, ways: list[Way], place: Place, frame: Context | None = None) -> list[Way]:
        """The ways through a block elsewhere."""
        around = self._place, self._frame
        self._place, self._frame = place, frame or self._frame
        found = self.block(block, ways)
        self._place, self._frame = around
        return found

    def step(self, node: Statement, state: list[Way]) -> list[Way]:
        """What a call does, or an assignment: to a gradient, or one that counts on; where a manager yields, what it is around."""
        if isinstance(node, CallStep):
            return self._call(node, state)
        if isinstance(node, Yield):
            return self._managed[self._frame](state) if self._frame in self._managed else state
        event = self.recognizer.assigned(node, self._frame) if isinstance(node, (Store, Keep)) else None
        if isinstance(node, Store) and isinstance(node.value, Augmented):
            known = [forgotten(self.program, way.assumed, node.target, self._frame) for way in state]
            state = [way if new is way.assumed else way._replace(assumed=new) for way, new in zip(state, known, strict=True)]
        return state if event is None else self._add(state, event)

    def leave(self, node: Exit, state: list[Way]) -> list[Way]:
        """An error, or the end of the program, is no way of a round."""
        return [] if node.kind in ("raise", "exit") else [way._replace(ended=node.kind) for way in state]

    def loop(self, node: Loop, state: list[Way]) -> list[Way]:
        """One round of an inner loop; each turn of one that goes over what is called, or told apart, one after the other."""
        each = turns_of(self.program, node, self._frame)
        if each:
            return self._unrolled(node, each, state)
        inner = self._inside(node.body, state, self._place._replace(inner=(*self._place.inner, node)))
        return [way._replace(ended=None) if way.ended in ("break", "continue") else way for way in inner]

    def _unrolled(self, node: Loop, each: list[Context], state: list[Way]) -> list[Way]:
        """The turns of a loop, in their order."""
        left: list[Way] = []
        for turn in each:
            state = self._inside(node.body, state, self._place, turn)
            left += [way for way in state if way.ended not in (None, "continue")]
            state = [way._replace(ended=None) for way in state if way.ended in (None, "continue")]
        return _distinct(state + [way._replace(ended=None) if way.ended == "break" else way for way in left])

    def branch(self, node: If, state: list[Way]) -> list[Way]:
        """Both arms, each for the ways on which the test can have that answer. A test that decides nothing is none.

        What a turn of a loop decides (``case Phase.UPDATE`` of each phase) is no test of what it does.
        """
        found: list[Way] = []
        entered: dict[int, list[Way]] = {}
        arms: dict[bool, list[Way]] = {True: [], False: []}
        for arm, going in arms.items():
            for way in state:
                assumed = assume(self.program, way.assumed, node.condition, arm, self._frame)
                if assumed is not None:
                    inside = way._replace(assumed=assumed)
                    going.append(inside)
                    entered.setdefault(id(way), []).append(inside)
        settled = not all(arms.values()) and any(frame.drawn for frame in self._frame.active())
        for arm, block in ((True, node.body), (False, node.orelse)):
            deeper = self._place._replace(tests=(*self._place.tests, (node.condition, arm, self._frame)))
            found += self._inside(block, arms[arm], self._place if settled else deeper) if arms[arm] else []
        untouched = {id(way) for way in found}
        idle = [way for way in state if all(id(inside) in untouched for inside in entered.get(id(way), ()))]
        dropped = {id(inside) for way in idle for inside in entered.get(id(way), ())}
        return [way for way in found if id(way) not in dropped] + [way for way in idle if id(way) in entered]

    def attempt(self, node: Try, state: list[Way]) -> list[Way]:
        """As if nothing failed; what handlers do is noted among all that may happen."""
        for handler in node.handlers:
            self.block(handler, [Way()])
        ways = self.block((*node.body, *node.orelse), state)
        found: list[Way] = []
        for ended in dict.fromkeys(way.ended for way in ways):  # who leaves it runs what stands under ``finally``, too
            left = self.block(node.final, [way._replace(ended=None) for way in ways if way.ended == ended])
            found += [way._replace(ended=ended) if way.ended is None else way for way in left]
        return found

    def context(self, node: With, state: list[Way]) -> list[Way]:
        """The body, between what the managers of the project do before it and behind it."""
        return self._manage(node, node.items, state)

    def _manage(self, node: With, items: tuple[Term, ...], ways: list[Way]) -> list[Way]:
        if not items:
            return self.block(node.body, ways)
        frame, place, item, left = self._frame, self._place, items[0], list[Way]()

        def body(ways: list[Way]) -> list[Way]:
            around = self._place, self._frame
            self._place, self._frame = place, frame
            found = self._manage(node, items[1:], ways)
            self._place, self._frame = around
            left.extend(way for way in found if way.ended is not None)
            return [way for way in found if way.ended is None]

        def run(inner: Context, ways: list[Way]) -> list[Way]:
            call = inner.call or item
            assert isinstance(call, Call)
            deeper = place._replace(chain=(*place.chain, (CallStep(call, node.spot), frame)))
            return [way._replace(ended=None) for way in self._inside(inner.function.body, ways, deeper, inner)]

        managers = list(self._managers(item, frame)) if isinstance(item, Call) and self.reach.may_lead(item) else []
        if managers and managers[0].function.generator:
            self._managed[managers[0]] = body
            ways = run(managers[0], ways)
            del self._managed[managers[0]]
        else:
            for each in managers[:1]:
                ways = run(each, ways)
            ways = body(ways)
            for each in managers[1:]:
                ways = run(each, ways)
        return _distinct([*ways, *left])

    def _managers(self, item: Call, frame: Context) -> Iterator[Context]:
        """What a context manager runs that may be a part of a step: a generator, or ``__enter__`` and ``__exit__``."""
        program = self.program
        for each in self.index.managed(item, frame):
            found = each.frames(program, item, frame)
            is_whole = each.generator is not None or (each.enter is not None and each.leave is not None)
            leads = any(self.reach.leads(inner.module, inner.function) for inner in found)
            if is_whole and leads and all(frame.follows(inner.function) for inner in found):
                yield from found
                return

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, node: CallStep, ways: list[Way]) -> list[Way]:
        call, frame = node.term, self._frame
        if not self.reach.may_lead(call):
            return ways
        targets = self._targets(call, frame)
        if not targets:
            return self._own(node, ways)
        if opens(frame.function, call) and any(target.function.generator for target in targets):
            return ways  # what it does is done by the ``with``
        if self.recognizer.clips(call, targets, frame):
            return self._own(node, ways)  # the library's function, written again
        if self.recognizer.is_own(call, frame):
            ways = self._own(node, ways)  # an optimizer of the project, and what its method does besides
        relevant = [target for target in targets if self.reach.leads(target.module, target.function)]
        if not relevant:
            return ways
        # What runs already does here what it is seen to do there; a wrapper hands on to what is inside, maybe one of its kind.
        relevant = [target for target in relevant if not frame.runs(target.function)]
        if not relevant:
            return self._own(node, ways)
        if not all(frame.follows(target.function) for target in relevant):
            return self._add(ways, Event("unknown", "", call, call.site, node.statement, frame))
        found: list[Way] = [] if len(relevant) == len(targets) else list(ways)
        for target in relevant:
            inner = self.program.enter(target, call, frame)
            deeper = self._place._replace(chain=(*self._place.chain, (node, frame)))
            entered = self._inside(target.function.body, ways, deeper, inner)
            found += [way._replace(ended=None) if way.ended != "exit" else way for way in entered]
        return _distinct(found)

    def _own(self, node: CallStep, ways: list[Way]) -> list[Way]:
        """What the call does itself, after what a closure that it is handed does."""
        frame = self._frame
        if node.term in self.composed and (composed := self.program.ask(Composed).block(node, frame)):
            return self.block(composed, ways)
        if last_name(node.term.callee) == "step":
            for given in (*node.term.args, *(value for _, value in node.term.kwargs)):
                for value in self.program.values(given, frame) if isinstance(given, (Nested, Global, Attr)) else ():
                    if (
                        isinstance(value, FunctionValue)
                        and self.reach.leads(value.module, value.function)
                        and not frame.runs(value.function)
                    ):
                        inner = self.program.enter(value, node.term, frame)
                        deeper = self._place._replace(chain=(*self._place.chain, (node, frame)))
                        entered = self._inside(value.function.body, ways, deeper, inner)
                        ways = _distinct([way._replace(ended=None) for way in entered])
        either = node.term.callee.base if isinstance(node.term.callee, Attr) else None
        if isinstance(either, Select) and likely_arms(self.program, either, frame)[1:]:
            return self._chosen(node, ways)
        for event in self.recognizer.called(node, frame):
            ways = self._add(ways, event)
        return ways

    def _chosen(self, node: CallStep, ways: list[Way]) -> list[Way]:
        """``(scaler.scale(loss) if half else loss).backward()``: one of two, as the test says."""
        callee = node.term.callee
        assert isinstance(callee, Attr)
        either = callee.base
        assert isinstance(either, Select)
        found: list[Way] = []
        for way in ways:
            for arm, part in zip((True, False), either.arms, strict=True):
                assumed = assume(self.program, way.assumed, either.test, arm, self._frame)
                if assumed is None:
                    continue
                chosen = Call.new(Attr.new(part, callee.name), node.term.args, node.term.kwargs, node.term.site)
                ways_now = [way._replace(assumed=assumed)]
                for event in self.recognizer.called(node._replace(term=chosen), self._frame):
                    event.term = node.term  # what it is called on is one of two; only the way of doing it is the chosen one's
                    ways_now = self._add(ways_now, event)
                found += ways_now
        return found

    def _targets(self, call: Call, frame: Context) -> list[FunctionValue]:
        """The functions of the project that a call may run; a class without ``__init__`` runs none."""
        found = [target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue)]
        if found or any(isinstance(value, ClassValue) for value in self.program.values(call.callee, frame)):
            return found
        return []

    def _add(self, ways: list[Way], event: Event) -> list[Way]:
        key = (event.term, event.frame, event.kind, event.way)
        known = self.all.get(key)
        if known is None:
            event.inner, event.tests, event.chain = self._place
            known = self.all[key] = event
        return [way._replace(events=(*way.events, known)) for way in ways]


def turns_of(program: Program, loop: Loop, frame: Context) -> list[Context]:
    """The turns of a loop over functions, or over the names of what is done, all of which are written down."""
    if loop.target is None or not isinstance(loop.subject, NAMED):
        return []
    found = turns_in_order(program, loop.target, frame)
    return found if all(_is_done(value) for turn in found for value in program.values(loop.target, turn)) else []


def _is_done(value: Value) -> bool:
    """Whether a value is something that runs, or a constant that says what does."""
    if isinstance(value, LibraryObject):
        return value.name == "functools.partial"
    return isinstance(value, FunctionValue) or (isinstance(value, Unresolved) and isinstance(value.term, Const))


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

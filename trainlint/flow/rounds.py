"""Rounds: the innermost loops in which gradients are computed and applied, each with the ways through it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.flow.effect_summary import COMMON, Composed, Reach
from trainlint.flow.events import Event, Recognizer
from trainlint.flow.objects import Thing
from trainlint.flow.paths import GivenUp, TooMany, Way, Ways, turns_of
from trainlint.ir.nodes import Access, Call, Element, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import Block, Loop
from trainlint.ir.terms import is_call_of, mentions
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import contexts_at
from trainlint.program.loops import loops_leading_to, runs_once
from trainlint.program.program import Program
from trainlint.program.values import Context


class Round(NamedTuple):
    """One activation of a loop's body, or of a whole function that no loop is seen to run (``loop`` is None).

    ``ways`` are the ways through it, ``all`` everything that may happen on any. ``outer`` are the loops around it there.
    """

    frame: Context
    loop: Loop | None
    outer: tuple[Loop, ...]
    ways: tuple[Way, ...]
    all: tuple[Event, ...]

    @property
    def kinds(self) -> set[str]:
        """What happens in it."""
        return {event.kind for event in self.all}

    def of_kind(self, *kinds: str) -> list[Event]:
        """What may happen in it of these kinds."""
        return [event for event in self.all if event.kind in kinds]

    def parts(self) -> tuple[Thing | None, ...]:
        """The optimizers that step in it, and the scalers that step them."""
        steps = self.of_kind("step")
        return (*(step.thing for step in steps), *(step.scaler for step in steps if step.scaler is not None))

    def runs(self, frame: Context) -> bool:
        """Whether it runs an activation: its own, or one that something in the loop called."""
        while frame is not self.frame:
            if frame.caller is None or frame.call is None or self.loop is None:
                return False
            if frame.caller is self.frame and not within(self.frame.function, self.loop, frame.call.site):
                return False
            frame = frame.caller
        return True

    def leads_to(self, frame: Context) -> bool:
        """Whether an activation is its own, one around it, or one that a call in sight in one of these made."""
        around, here, called = [self.frame], self.frame.caller, frame
        while here is not None:
            around.append(here)
            here = here.caller
        while called not in around and called.call is not None and called.caller is not None:
            called = called.caller
        return called in around

    def may_be_changed(self, program: Program, *parts: Thing | None) -> bool:
        """Whether somebody out of sight, or something that is done by hand, may change one of these parts (None: any) in it."""
        return any(event.may_change(program, *parts) for event in self.all)

    def doubt(self, program: Program, *parts: Thing | None) -> Event | None:
        """A call of the only one out of sight who may change one of these parts; None where there are more, or for an engine."""
        changing = [event for event in self.all if event.may_change(program, *parts)]
        if {(event.kind, event.way) for event in changing} != {("unknown", "")}:
            return None
        callees = {event.call.callee for event in changing}
        return changing[0] if len(callees) == 1 and not _is_of_many(callees.pop()) else None

    def is_of_parts(self) -> bool:
        """Whether each turn of the loop steps an optimizer of its own, which the loop hands out: a round is all of its turns."""
        target = self.loop.target if self.loop is not None else None
        steps = self.of_kind("step")
        return bool(steps) and target is not None and all(step.thing and mentions(step.thing.term, target) for step in steps)

    def own_steps(self) -> list[Event]:
        """The steps of optimizers, without those that an optimizer's own `step` makes."""
        steps = self.of_kind("step")
        terms = {step.term for step in steps}
        return [step for step in steps if step.place.call is step.term or step.place.call not in terms]


def _is_of_many(callee: Term) -> bool:
    """Whether what is called is a method of one of many things, as callbacks are, or one of many methods, by a name."""
    if is_call_of(callee, "builtins.getattr"):
        return True
    while isinstance(callee, (Access, Call)):
        callee = callee.stem
    return isinstance(callee, Element)


class Rounds:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        program.ask(Reach)
        self.program = program
        self.knowledge = program.knowledge
        self.recognizer = Recognizer(program)
        self._walked: dict[tuple[int, Context], Round | None] = {}
        self._found: dict[str, list[Round]] = {}
        self._too_much: set[tuple[int, Context]] = set()
        self.given_up: dict[int, GivenUp] = {}

    def around(self, name: str, *also: str) -> list[Round]:
        """The rounds in which a call of this last name happens, and something of each of the kinds ``also``.

        A loop that only goes over several optimizers is no round: the loop around it is.
        """
        key = " ".join((name, *also))
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = list(self._around(name, frozenset(also)))
        return known

    def _around(self, name: str, also: frozenset[str]) -> Iterator[Round]:
        seen: set[tuple[int, Context]] = set()
        for site in self._sites(name):
            for frame in contexts_at(self.program, site):
                found = self._climbed(site, frame, also)
                if found is not None and (key := (id(found.loop or found.frame.function), found.frame)) not in seen:
                    seen.add(key)
                    yield found

    def _sites(self, name: str) -> list[CallSite]:
        """The calls of this name, on what may take part in a step."""
        sites = self.program.ask(CallGraph).sites.get(name, ())
        own = [site for site in sites if name not in COMMON or self.program.ask(Reach).steps(site)]
        return [*own, *self.program.ask(Composed).sites]

    def _climbed(self, site: CallSite, frame: Context, also: frozenset[str]) -> Round | None:
        """The innermost loop around a call, in its function or around those that lead there, in which the rest happens too."""
        part: Round | None = None
        for loop, here in loops_leading_to(site.call, frame):
            if runs_once(loop):
                continue
            found = self.walked(loop.body, here, loop, loops_around(here.function, loop))
            if found is not None and also <= found.kinds and not turns_of(self.program, loop, here):
                if not found.is_of_parts():
                    return found
                part = part or found
            if self._is_too_much(loop, here):
                return part
        return part or self._without_loop(frame, also)

    def outside(self, found: Round) -> Round | None:
        """The round of the loop around that of a round, in its function or in those that lead there."""
        assert found.loop is not None
        for loop, here in loops_leading_to(found.loop, found.frame):
            if loop is not found.loop and not runs_once(loop):
                return self.walked(loop.body, here, loop, loops_around(here.function, loop))
        return None

    def _without_loop(self, frame: Context, also: frozenset[str]) -> Round | None:
        """Where no loop is in sight: the function itself, or the nearest of its callers, in which everything happens."""
        here: Context | None = frame
        while here is not None and here.function.kind != "module":
            found = self.walked(here.function.body, here, None, ())
            if found is not None and also <= found.kinds:
                return found
            if self._is_too_much(None, here):
                return None
            here = here.caller
        return None

    def _is_too_much(self, loop: Loop | None, frame: Context) -> bool:
        return (id(loop or frame.function), frame) in self._too_much

    def walked(self, block: Block, frame: Context, loop: Loop | None, outer: tuple[Loop, ...]) -> Round | None:
        """The round that a block is; None when it has too many ways, or does nothing."""
        key = (id(loop or frame.function), frame)
        if key not in self._walked:
            self._walked[key] = None
            walking = Ways(self.program, self.recognizer)
            try:
                ways = walking.through(block, frame)
            except TooMany:
                self._too_much.add(key)
                limit = "there are too many paths through one iteration"
                frame.cut(limit)
                if loop is not None:
                    given_up = GivenUp(frame.module, frame.function, limit, "the order of its training step", aside=True)
                    self.given_up[id(frame.function)] = given_up
                return None
            events = tuple(walking.all.values())
            self._walked[key] = Round(frame, loop, outer, tuple(ways), events) if events else None
        return self._walked[key]

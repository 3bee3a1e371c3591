"""Protocols: the order that a training step must keep, as automata that are data and are run over the ways through an iteration.

A protocol says which states there are, in which one a way begins, which events move from one to another, and what is reported
where. It is written as the table that the rule's page prints; the words that it adds to events and reports are tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

from trainlint.flow.events import Event
from trainlint.flow.rounds import Round
from trainlint.program.program import Program


class Moment(NamedTuple):
    """An automaton that meets the event of this ``number``.

    ``trail`` are the events that have moved it since it was in its first state, ``tracked`` is the number of the event whose own
    automaton it is, if each of a kind has one.
    """

    program: Program
    round: Round
    events: tuple[Event, ...]
    number: int
    trail: tuple[Event, ...] = ()
    tracked: int | None = None

    @property
    def event(self) -> Event:
        """What it meets."""
        return self.events[self.number]

    @property
    def own(self) -> Event:
        """The event whose own automaton it is."""
        assert self.tracked is not None
        return self.events[self.tracked]

    def last(self, *kinds: str) -> Event:
        """The last event of these kinds that has moved it."""
        return next(event for event in reversed(self.trail) if event.kind in kinds)

    def changes_parts(self) -> bool:
        """Whether this is done by somebody out of sight, or by hand, to what steps in the round."""
        return self.event.may_change(self.program, *self.round.parts())


class Hit(NamedTuple):
    """What was reported, and when."""

    report: str
    moment: Moment


class _Move(NamedTuple):
    to: str
    when: str
    report: str
    unless: tuple[str, ...]


#: The kinds of events, in the words of a page.
_EVENTS = {
    "backward": "backward pass",
    "clear": "gradients cleared",
    "clip": "gradients clipped",
    "schedule": "scheduler step",
    "step": "optimizer step",
    "touch": "gradients changed by hand",
    "unknown": "call out of sight",
    "unscale": "gradients unscaled",
    "update": "scaler updated",
}
_ANY = "*"
#: A condition of an automaton where it meets an event.
Test = Callable[[Moment], object]
#: Conditions that several protocols have.
_TESTS: dict[str, Test] = {
    "": lambda _: True,
    "if it may change these": Moment.changes_parts,
    "the one in question": lambda at: at.number == at.tracked,
}


@dataclass(frozen=True)
class Protocol:
    """An automaton of a rule, which follows what ``of`` says.

    A line of ``table`` is a move: the states it leads from (``*``: any), the kinds of event and, behind a comma, which of these;
    the state it leads to; what is reported then, perhaps ``, unless`` something. Of several moves the first counts; where there
    is none, the state stays. ``starts`` are the states in which a way may begin: the first whose test holds. Each event of the
    kind ``tracks`` has an automaton of its own; otherwise each way has one. ``tests`` are the conditions by their words.
    """

    rule: str
    of: str
    starts: str
    table: str
    tests: Mapping[str, Test] = field(default_factory=dict)
    tracks: str = ""

    @property
    def rows(self) -> list[list[str]]:
        """The cells of the table."""
        return [[cell.strip() for cell in f"{line} |".split("|")[:4]] for line in self.table.strip().splitlines()]

    @cached_property
    def moves(self) -> dict[tuple[str, str], list[_Move]]:
        """The moves from a state on a kind of event. Raises :class:`ValueError` where a condition is not among the tests."""
        moves: dict[tuple[str, str], list[_Move]] = {}
        every = " ".join(f"{states} {to}" for states, _, to, _ in self.rows if states != _ANY)
        for states, event, to, reported in self.rows:
            kinds, _, when = event.partition(", ")
            report, _, unless = reported.partition(", unless ")
            for state, kind in product(set((every if states == _ANY else states).split()), kinds.split()):
                moves.setdefault((state, kind), []).append(_Move(to, when, report, tuple(filter(None, unless.split("; or ")))))
        words = {word for move in chain.from_iterable(moves.values()) for word in (move.when, *move.unless)}
        words.update(when for _, when in self._beginnings)
        if words - _TESTS.keys() != set(self.tests):
            raise ValueError(f"{self.rule}: a condition without a test, or a test without its words: {words ^ set(self.tests)}")
        return moves

    @cached_property
    def _beginnings(self) -> list[tuple[str, str]]:
        """The states in which it may begin, each with its condition."""
        return [(state, when) for state, _, when in (start.partition(", ") for start in self.starts.split(" | "))]

    def _holds(self, words: str, at: Moment) -> bool:
        return bool((_TESTS.get(words) or self.tests[words])(at))

    def over(self, program: Program, rounds: Iterable[Round]) -> Iterator[Hit]:
        """What is reported on some way through these rounds."""
        for found in rounds:
            first = self._first(program, found)
            for way in found.ways:
                for tracked, event in enumerate(way.events) if self.tracks else ((None, None),):
                    if event is None or event.kind == self.tracks:
                        yield from self._run(Moment(program, found, way.events, 0, (), tracked), first)

    def always(self, program: Program, found: Round, tracked: Event) -> Hit | None:
        """What is reported of an event on every way that has it, whichever goes before and behind; None where that differs."""
        hits: list[Hit | None] = []
        start = self._first(program, found)
        # A round in which nothing happens is none: what counts is the one before it, or the one behind.
        kinds = {kind for _, kind in self.moves} - {self.tracks}
        ends = [end for way in found.ways if (end := tuple(event for event in way.events if event.kind in kinds))]
        for way in found.ways:
            if way.events.count(tracked) > 1:
                return None
            for end in (ends if found.loop is not None else [()]) if tracked in way.events else ():
                index = len(end) + way.events.index(tracked)
                hits.append(next(self._run(Moment(program, found, (*end, *way.events, *end), 0, (), index), start), None))
        first = hits[0] if hits else None
        return first if first is not None and all(each is not None and each.report == first.report for each in hits) else None

    def _first(self, program: Program, found: Round) -> str:
        """The state in which the ways through a round begin."""
        at = Moment(program, found, (), 0)
        return next(state for state, when in self._beginnings if self._holds(when, at))

    def _run(self, at: Moment, first: str) -> Iterator[Hit]:
        """What is reported of a sequence of events."""
        state, moves = first, self.moves
        for number, event in enumerate(at.events):
            possible = moves.get((state, event.kind), ())
            at = at._replace(number=number) if possible else at
            move = next((each for each in possible if self._holds(each.when, at)), None)
            if move is not None:
                if move.report and not any(self._holds(each, at) for each in move.unless):
                    yield Hit(move.report, at)
                state = move.to
                at = at._replace(trail=() if state == first else (*at.trail, event))

    def printed(self) -> str:
        """The automaton as a page has it, in Markdown."""
        each = f"each {_EVENTS[self.tracks]} by itself" if self.tracks else "on each path through an iteration"
        begins = ", otherwise in ".join(f"`{state}` {when}".strip() for state, when in self._beginnings)
        rows = ["| state | event | next state | reported |", "|---|---|---|---|"]
        for states, event, to, reported in self.rows:
            kinds, _, when = event.partition(", ")
            told = ", ".join(_EVENTS[kind] for kind in kinds.split()) + (f" ({when})" if when else "")
            begin = "any" if states == _ANY else ", ".join(f"`{state}`" for state in states.split())
            rows.append(f"| {begin} | {told} | `{to}` | {reported} |")
        return "\n".join([f"**{self.of}**, {each}; it begins in {begins}:\n", *rows, ""])

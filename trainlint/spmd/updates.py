"""Steps of optimizers and schedulers that some ranks make and others do not: nothing hangs, and the replicas drift apart.

Each rank has the same weights and the same averaged gradients. They stay the same only while all ranks make the same steps, at
the same learning rate. So a step under a test on the rank, or on what is a rank's own, and a scheduler that is told such a
thing, are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.optimizer_parameters import Replicas, Takers
from trainlint.domains.rank_local_data import Source
from trainlint.finding import Spot
from trainlint.flow.events import Event, Recognizer
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.contexts import contexts_at
from trainlint.program.guards import guards
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Instance, LibraryObject
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.divergence_report import WORDS, ranks
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.uniform_check import Agreement
from trainlint.spmd.writes.reach import Reach, Reaching

#: Ways out after which nobody goes on.
_ENDS = ("raise", "exit")
_KINDS = ("step", "schedule")


class Update(NamedTuple):
    """A step that not all ranks make alike: the event, who makes it (by example rank), and the test that decides.

    ``source``: what a rank has for itself that decides, or that the scheduler is told (``told``); None where the rank decides.
    """

    event: Event
    ranks: tuple[bool, ...]
    test: tuple[str, Spot] | None
    source: Source | None = None
    told: bool = False

    @property
    def reach(self) -> str:
        """Who makes the step, in words."""
        return ranks(self.ranks)

    @property
    def whose(self) -> str:
        """What a rank has for itself that decides, or is told, in words; empty where the rank decides."""
        return "" if self.source is None else WORDS[self.source.word][0]

    @property
    def origins(self) -> tuple[tuple[str, Spot, str], ...]:
        """Where that comes from: file, place, and what is to be said there."""
        source = self.source
        return () if source is None or source.spot is None else ((source.module, source.spot, WORDS[source.word][1]),)


def updates(program: Program) -> Iterator[Update]:
    """All such steps, each once."""
    asked = program.ask(Replicas)
    if not asked.active:
        return
    seen: set[tuple[str, Spot]] = set()
    for found in _Search(program).all():
        place = (found.event.frame.module, found.event.spot)
        if place not in seen:
            seen.add(place)
            yield found


class _Made(NamedTuple):
    """A step in one activation: the optimizers that it is about, and which ranks come to it."""

    event: Event
    optimizers: frozenset[Term]
    reach: Reach

    def balances(self, other: _Made) -> bool:
        """Whether it may be the same step as another one, made by other ranks: of one kind, in one run of one function."""
        return self.event.kind == other.event.kind and self.optimizers == other.optimizers and self.outermost is other.outermost

    @property
    def outermost(self) -> Function:
        """The function in which the activation begins."""
        *_, last = self.event.frame.active()
        return last.function


class _Search:
    """Looks for them in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.recognizer = Recognizer(program)

    def all(self) -> Iterator[Update]:
        made = list(self._made())
        for each in made:
            found = self._by_rank(each, made) or self._by_data(each.event)
            if found is not None:
                yield found

    def _made(self) -> Iterator[_Made]:
        words = self.program.knowledge.step_calls
        for last in sorted({name.rpartition(".")[2] for name, word in words.items() if word == "step"}):
            for site in self.program.ask(CallGraph).sites_named(last):
                if tests_software(self.program, site.module, site.function):
                    continue
                for frame in contexts_at(self.program, site):
                    for event in self.recognizer.called(site.call, frame):
                        optimizers = self.program.ask(Replicas).changed_by(event) if event.kind in _KINDS else frozenset()
                        if optimizers:
                            yield _Made(event, optimizers, self._reach(event.call, frame))

    def _reach(self, call: Call, frame: Context) -> Reach:
        """Which ranks come to a call, from where its activation begins."""
        found = self.program.ask(Reaching).reach(call, frame)
        while frame.caller is not None and frame.call is not None:
            call, frame = frame.call, frame.caller
            found = found.then(self.program.ask(Reaching).reach(call, frame))
        return found

    def _by_rank(self, made: _Made, all_made: list[_Made]) -> Update | None:
        """A step that only some ranks come to, here or elsewhere in the run."""
        reached = made.reach.ranks
        if all(reached) or not any(reached):
            return None
        others = (each.reach.ranks for each in all_made if each.balances(made))
        if all(any(arms) for arms in zip(reached, *others, strict=True)):
            return None
        if self._is_theirs_alone(made):
            return None
        test = next(iter(made.reach.tests), None)
        place = None if test is None else (test.module, test.spot)
        passes = (d for d in self.program.ask(Agreement).reported() if self.program.ask(Agreement).sort(d.event) == "step")
        if any((d.guard.module, d.guard.test) == place for d in passes):
            return None  # the passes under the same test are reported
        return Update(made.event, reached, place)

    def _is_theirs_alone(self, made: _Made) -> bool:
        """Whether the ranks that make a step are those that make the models: the others do not have them."""
        thing, asked = made.event.thing, self.program.ask(Takers)
        models = [
            value
            for each in (thing.made or () if thing is not None else ())
            if each.call is not None and each.frame is not None
            for given in each.call.args[:1]
            for base, frame in asked.bases(given, each.frame, some=True)
            for value in self.program.values(base, frame)
        ]
        return bool(models) and all(
            isinstance(value, (Instance, LibraryObject))
            and value.call is not None
            and value.frame is not None
            and self._reach(value.call, self._activation(value.frame, made)).ranks == made.reach.ranks
            for value in models
        )

    def _activation(self, frame: Context, made: _Made) -> Context:
        """The activation, on the way to a step, in which something was made: what needs none is known without one."""
        return next((each for each in made.event.frame.active() if each.function is frame.function), frame)

    def _by_data(self, event: Event) -> Update | None:
        """A step that each rank makes, or not, by what it has for itself; a scheduler that is told such a thing."""
        everyone = (True,) * WORLD
        thing, call = event.thing, event.call
        if thing is not None and thing.kind == "plateau" and call.args:
            source = self.program.ask(Twins).own_source(call.args[0], event.frame)
            if source is not None:
                return Update(event, everyone, None, source, told=True)
        for guard in guards(self.program, event.frame.function).get(call, ()):
            if guard.kind not in ("test", "left") or guard.exit in _ENDS:
                continue
            for condition, _ in guard.parts:
                source = self.program.ask(Twins).own_source(condition, event.frame)
                if source is not None and not self._is_reported(event.frame.module, condition):
                    return Update(event, everyone, (event.frame.module, guard.spot), source)
        return None

    def _is_reported(self, module: str, condition: Term) -> bool:
        """Whether it is said already that ranks part at a test by what they have for themselves."""
        asked = {d.guard.condition for d in self.program.ask(Twins).reported() if d.guard.module == module}
        return any(part in asked for part in parts_of(condition))

"""What is asked of the functions that a job runs or may run: the calls in them, each with the way to it; what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from trainlint.ir.sketch import Function
from trainlint.preflight.running.elsewhere import Elsewhere
from trainlint.preflight.running.maybe import may_run
from trainlint.preflight.running.reaching import Reach
from trainlint.preflight.ways import Place, Way, after


class Placed(Reach):
    """One script's."""

    def runs_at(self, path: str, line: int) -> bool:
        """Whether the innermost function around a line is reached."""
        around = [each for each in self.program.modules[path].functions.values() if each.spot[0] <= line <= each.spot[2]]
        inner = max(around, key=lambda each: each.spot[:2], default=None)
        return inner is None or inner.name == "<module>" or id(inner) in self.run

    def option_at(self, path: str, line: int) -> str | None:
        """The option, off unless it is said, without which nothing runs that a line calls."""
        options = [each.way.option for each in self._by_line.get((path, line), ()) if each.way is not None]
        return options[0] if options and None not in options else None

    @cached_property
    def _by_line(self) -> dict[tuple[str, int], list[Place]]:
        found: dict[tuple[str, int], list[Place]] = {}
        for place in self.places:
            found.setdefault((place.module, place.spot.line), []).append(place)
        return found

    @cached_property
    def places(self) -> list[Place]:
        """All calls and decorators in the files of the trail, each with whether and how it is seen to run."""
        return [
            place
            for path, each in self._every
            if self._before(each) is not None or (not self._is_idle(each) and self._may_live(path, each))
            for place in self._in(path, each)
        ]

    @cached_property
    def ran(self) -> list[Place]:
        """Those of the functions that run, in the same order: of large projects they are few."""
        return [place for path, each in self._every if self._before(each) is not None for place in self._in(path, each)]

    @property
    def _every(self) -> Iterator[tuple[str, Function]]:
        return ((path, each) for path in sorted(self.files) for each in self.program.modules[path].functions.values())

    def _before(self, function: Function) -> Way | None:
        """What it takes to come to a function, if it runs."""
        return self.run.get(id(function)) or (Way() if id(function) in self._imported else None)

    def _in(self, path: str, function: Function) -> list[Place]:
        known = self._placed.get(id(function))
        if known is None:
            before = self._before(function)
            known = self._placed[id(function)] = [
                Place(path, function, call.term, call.term.site, None if before is None or own is None else after(before, own))
                for call, own in self._led(path, function)
            ]
            pairs = zip(function.decorators, function.decorator_spots, strict=False)
            known += [Place(path, function, term, spot, before) for term, spot in pairs]
        return known

    @cached_property
    def open_part(self) -> Place | None:
        """The call that makes a part of the job by a name which may mean what is not seen."""
        is_told = self.aim is not None and self.aim.is_whole

        def is_idle(function: Function) -> bool:
            """Whether nothing comes to a plain function, and no file of the job speaks of it."""
            return function.cls is None and self._before(function) is None and not self.speaks_of(function)

        found = Elsewhere(self.program, lambda: self.files, self.options.origins, is_told=is_told, is_idle=is_idle)
        return found.first(each for each in self.places if not self.tags.settles(each, self.files))

    @property
    def is_dynamic(self) -> bool:
        """Whether the job makes parts of itself by names that may mean what is not seen."""
        return self.is_chosen or self.open_part is not None

    @cached_property
    def _may_run(self) -> frozenset[int]:
        return may_run(self.program, self.files, self.run, lambda path, inner: self._nested(path).is_used(inner))

    def _is_idle(self, function: Function) -> bool:
        """Whether nothing that may run calls, hands on or looks up what a function is called."""
        return id(function) not in self._may_run

    def inside(self, place: Place) -> list[Place]:
        """The other places of the function that a place is in."""
        return self._by_function.get(id(place.function), [])

    @cached_property
    def _by_function(self) -> dict[int, list[Place]]:
        found: dict[int, list[Place]] = {}
        for place in self.places:
            found.setdefault(id(place.function), []).append(place)
        return found

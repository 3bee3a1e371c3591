"""What something holds that was set from afar, where ranks set other things (see ``settings.py``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainlint.facts.program import Program
from trainlint.facts.values import Bound
from trainlint.model.terms import Term
from trainlint.spmd.questions import Questions
from trainlint.spmd.settings import Setting, Tests, settings
from trainlint.spmd.stored import UNSET
from trainlint.spmd.symbols import UNKNOWN, PerRank, Something

#: Stands for what a rank was left with that only some ranks changed, and nobody can say how.
_OPEN = Something("changed on some ranks")
#: Names that are worked out within one another.
_DEEPEST = 3


class Marked(Questions):
    """The part of the evaluator that goes through such settings, as this rank runs them."""

    #: What is being worked out, by any rank.
    marking: set[object]
    #: Whether an answer was left open since the same question is being worked out.
    stopped: bool
    #: Whether the question is what a rank runs next.
    tracing: bool

    def marked(self, key: object, first: Bound | None, stores: Sequence[Setting]) -> Any:
        """What this rank holds behind all settings, if ranks differ in it; ``UNSET`` where they do not, or nobody knows.

        ``first`` is what was there before, if that is known. Functions that set something are taken to have run.
        """
        if not stores:
            return UNSET
        if key in self.marking or len(self.marking) >= _DEEPEST:
            self.stopped = True
            return UNSET
        known: dict[object, list[tuple[Any, bool]]] = self.program.analyses.setdefault("marked", {})  # type: ignore[assignment]
        found = known.get((key, self.tracing))
        if found is None:
            found = self._found(key, first, stores)
            if not self.marking:
                known[key, self.tracing] = found
        values = [value for value, _ in found]
        if UNSET in values or not any(asked for _, asked in found):
            return UNSET
        here = values[self.rank]
        if _OPEN in values:
            if first is None or all(value is _OPEN for value in values):
                return UNSET  # none of the ranks surely leaves it as it was
            self.asked = True
            return PerRank(key)
        if all(value == here and type(value) is type(here) for value in values):
            return UNSET
        self.asked = True
        return here

    def _found(self, key: object, first: Bound | None, stores: Sequence[Setting]) -> list[tuple[Any, bool]]:
        """What each rank is left with, and whether that depends on the rank."""
        self.marking.add(key)
        before = self.asked
        found: list[tuple[Any, bool]] = []
        try:
            for peer in self.peers():
                found.append(peer.left_after(first, stores))
                if found[-1][0] is UNSET:
                    break
        finally:
            self.marking.discard(key)
            self.asked = before
        return found

    def left_after(self, first: Bound | None, stores: Sequence[Setting]) -> tuple[Any, bool]:
        """What is left behind the settings on this rank, and whether it depends on the rank which that is.

        ``UNSET`` where something unknown, but the same on all ranks, is put there.
        """
        held: Any = UNSET
        ranked = False
        if first is not None:
            held, ranked = self.evaluate(first.term, first.frame)
        for store in stores:
            frame = self.program.frame(store.module, store.function)
            runs, asked = self.comes_to(store, frame)
            ranked = ranked or asked
            if runs is False:
                continue
            value, differs = self.evaluate(store.value, frame)
            if isinstance(value, UNKNOWN) and not isinstance(value, Something) and not differs:
                if not asked:
                    return UNSET, ranked
                value = Something((store.value, frame)) if held is None else _OPEN
            elif runs is None and not differs and not asked:
                continue  # what it is in another mode, without other ranks, say
            elif runs is None and asked and held != value:
                value = _OPEN
            held, ranked = value, ranked or differs
        return held, ranked

    def comes_to(self, store: Setting, frame: Any) -> tuple[bool | None, bool]:
        """Whether this rank comes to a setting (None: it may), and whether that depends on the rank."""
        runs, ranked = self.passes(store.tests, frame)
        if runs is False:
            return False, ranked
        leading = settings(self.program).leading(store.function)
        if not leading:
            return runs, ranked
        ways = [self.passes(tests, caller) for caller, tests in leading]
        ranked = ranked or any(asked for _, asked in ways)
        if all(way is False for way, _ in ways):
            return False, ranked
        return runs if any(way for way, _ in ways) else None, ranked

    def passes(self, tests: Tests, frame: Any) -> tuple[bool | None, bool]:
        """Whether this rank takes these arms of tests (None: it may), and whether that depends on the rank."""
        runs: bool | None = True
        ranked = False
        for condition, arm in tests:
            value, asked = self.evaluate(condition, frame)
            asked = asked and self.differs(condition, frame)
            ranked = ranked or asked
            if isinstance(value, UNKNOWN) and not isinstance(value, Something):
                runs = None
            elif (isinstance(value, Something) or bool(value)) != arm:
                return False, ranked
        return runs, ranked


def being_worked_out(program: Program) -> set[object]:
    """The names and attributes that are being worked out, by all evaluators of a program."""
    known = program.analyses.setdefault("marking", set())
    assert isinstance(known, set)
    return known


def of_attribute(name: str, holder: object) -> tuple[object, ...]:
    """The key of an attribute that is set from afar."""
    return ("attribute", holder, name)


def of_name(path: str, name: str | Term) -> tuple[object, ...]:
    """The key of a name that functions set."""
    return ("name", path, name)

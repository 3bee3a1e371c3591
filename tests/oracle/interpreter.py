"""Runs a program on four ranks, for many inputs, and says whether somebody may wait for ever.

This knows nothing of the analysis it is compared with: it executes the program as Python does.
"""

from __future__ import annotations

import builtins
import difflib
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, ModuleType
from typing import Any

from tests.oracle.inputs import Inputs, assignments, uneven
from tests.oracle.libraries import Domains, Libraries
from tests.oracle.program import Program
from tests.oracle.world import RANKS, Endless, Line, Outcome, World

#: How the interpreter names the files of a program, so that its own frames are told from theirs.
_PREFIX = "<oracle>/"
#: Errors that a program may die of. Any other is a mistake of the generator.
_EXPECTED = (RuntimeError, ValueError, OSError, SystemExit, StopIteration)
#: Hanging runs that are run again to learn which lines are to blame, and how often those who wait are let go in each.
_EXPLAINED = 8
_PARDONS = 4


class Broken(Exception):
    """The program fails in a way no program here should: it says nothing about ranks."""


@dataclass
class Verdict:
    """What the runs showed.

    ``kind`` is None for a program in which nobody ever waits in vain; else how the ranks part: ``rank`` (also with
    the same data on all ranks) or ``data``. ``how`` says what it looks like at the first hang: ``missing`` (somebody is not
    there), ``other`` (ranks wait in different operations), ``group`` (it is about a group that is not the whole world).
    ``collectives`` and ``guards`` are (file, line) where those who wait stand, and behind which the ranks parted.
    """

    kind: str | None = None
    how: str | None = None
    collectives: set[Line] = field(default_factory=set)
    guards: set[Line] = field(default_factory=set)
    runs: int = 0
    inputs: Inputs | None = None

    @property
    def wrong(self) -> bool:
        return self.kind is not None


@cache
def _world() -> World:
    return World()


class Interpreter:
    """One program, compiled once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.domains: Domains = {}
        self.code: dict[str, tuple[CodeType, bool]] = {}
        for name, text in program.files.items():
            module = name.removesuffix(".py").replace("/", ".")
            package = module.endswith("__init__")
            self.code[module.removesuffix(".__init__")] = (compile(text, _PREFIX + name, "exec"), package)
        self.entry = program.entry.removesuffix(".py").replace("/", ".")

    # -- many runs -------------------------------------------------------------------------------------------------

    def verdict(self) -> Verdict:
        """Run the program for many inputs."""
        verdict = Verdict()
        seed = self.program.seed
        self.run(Inputs({}, 0, even=True))  # tells which arguments there are
        places: dict[object, None] = {}
        hanging: list[Inputs] = []
        for inputs in assignments(self.domains, seed):
            outcome = self.run(inputs)
            places |= inputs.places
            verdict.runs += 1
            if _counts(outcome, inputs):
                _note(verdict, outcome, "rank", inputs)
                hanging.append(inputs)
        apart: list[Inputs] = []  # also where the rank is to blame already: data may be so, too, in another place
        for inputs in uneven(self.domains, seed, places) if places else ():
            outcome = self.run(inputs)
            places |= inputs.places
            verdict.runs += 1
            if _counts(outcome, inputs):
                _note(verdict, outcome, "data", inputs)
                apart.append(inputs)
        for inputs in (*_spread(hanging, _EXPLAINED), *_spread(apart, _EXPLAINED)):
            self._explain(inputs, verdict)
        return verdict

    def _explain(self, inputs: Inputs, verdict: Verdict) -> None:
        """Run once more what hangs, to learn which lines are to blame.

        A run shows its first mistake only. To see those behind it, some of those who wait are let go, and the run goes on:
        those after whose pardon the ranks keep step the longest.
        """
        pardons: list[frozenset[int]] = []
        outcome = self.run(inputs, tracing=True, pardons=pardons)
        while outcome.hangs:
            verdict.collectives.update(_own(outcome.lines | outcome.met))
            verdict.guards.update(_own(_parted(outcome)))
            if len(pardons) == _PARDONS:
                return
            try:
                tried = [(self.run(inputs, pardons=[*pardons, who]), who) for who in _sides(outcome)]
            except (Broken, Endless):
                return  # what was never meant to run alone may fail
            best, who = max(tried, key=lambda each: (not each[0].hangs, each[0].aligned))
            if not best.hangs:
                return
            pardons.append(who)
            outcome = self.run(inputs, tracing=True, pardons=pardons)

    # -- one run ---------------------------------------------------------------------------------------------------

    def run(self, inputs: Inputs, *, tracing: bool = False, pardons: list[frozenset[int]] | None = None) -> Outcome:
        """One run on four ranks."""
        world = _world()
        processes = [Process(self, Libraries(rank, world, inputs, self.domains)) for rank in range(RANKS)]
        outcome = world.run([process.main for process in processes], _PREFIX, tracing=tracing, pardons=pardons)
        for error in outcome.errors.values():
            if not isinstance(error, _EXPECTED) or isinstance(error, (RecursionError, NotImplementedError)):
                raise Broken(f"{type(error).__name__}: {error}") from error
        return outcome


class Process:
    """What one rank has loaded."""

    def __init__(self, interpreter: Interpreter, libraries: Libraries) -> None:
        self.interpreter = interpreter
        self.libraries = libraries
        self.modules: dict[str, ModuleType] = {}
        self.builtins = {**vars(builtins), "__import__": self.import_, "print": _print, "open": libraries.risky(OSError)}

    def main(self) -> None:
        """Start the program."""
        self.load(self.interpreter.entry, "__main__")

    def load(self, name: str, called: str | None = None) -> ModuleType:
        known = self.modules.get(name)
        if known is not None:
            return known
        code, package = self.interpreter.code[name]
        module = self.modules[name] = ModuleType(called or name)
        module.__dict__["__builtins__"] = self.builtins
        module.__dict__["__package__"] = name if package else name.rpartition(".")[0]
        if package:
            module.__dict__["__path__"] = []
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(self.load(parent), last, module)
        exec(code, module.__dict__)  # noqa: S102 - programs of our own making
        return module

    def import_(self, name: str, globals_: Any = None, _: Any = None, names: Any = (), level: int = 0) -> ModuleType:
        """``import``, among the program's own modules first."""
        if level:
            package = globals_["__package__"].split(".")
            name = ".".join([*package[: len(package) - level + 1], *([name] if name else [])])
        if name not in self.interpreter.code:
            library = self.libraries.find(name)
            if library is None:
                raise Broken(f"no module {name}")
            return library if names else (self.libraries.find(name.partition(".")[0]) or library)
        module = self.load(name)
        for wanted in names or ():
            if f"{name}.{wanted}" in self.interpreter.code:
                self.load(f"{name}.{wanted}")
        return module if names else self.load(name.partition(".")[0])


def _note(verdict: Verdict, outcome: Outcome, kind: str, inputs: Inputs) -> None:
    verdict.kind = verdict.kind or kind
    verdict.inputs = verdict.inputs or inputs
    groups = {group for group, _ in outcome.waits.values()}
    operations = {operation for _, operation in outcome.waits.values()}
    partial = any(len(group) < RANKS for group in groups)
    verdict.how = verdict.how or ("group" if partial else "other" if len(operations) > 1 else "missing")


def _counts(outcome: Outcome, inputs: Inputs) -> bool:
    """Whether a run shows a mistake: a rank that dies of its data ends the whole job and leaves nobody waiting."""
    return outcome.hangs and (inputs.even or not outcome.errors)


def _print(*_: Any, **__: Any) -> None:
    """What ranks say is not of interest."""


def _spread(hanging: list[Inputs], most: int) -> list[Inputs]:
    """Some of many, from everywhere."""
    return hanging[:: max(1, len(hanging) // most)][:most]


def _sides(outcome: Outcome) -> list[frozenset[int]]:
    """Those who wait, by where they do; all of them, where the others have ended."""
    sides: dict[object, set[int]] = {}
    for rank, stack in outcome.stacks.items():
        sides.setdefault(stack, set()).add(rank)
    found = [frozenset(side) for side in sides.values()]
    return found if len(outcome.stacks) == RANKS and len(found) > 1 else [*found, frozenset(outcome.stacks)]


def _own(lines: Iterable[Line]) -> Iterator[Line]:
    """Places named as the program names its files."""
    return ((posixpath.relpath(name, _PREFIX), line) for name, line in lines)


def _parted(outcome: Outcome) -> set[Line]:
    """The lines behind which a rank that waits went another way than one that does not come (or waits elsewhere)."""
    parted: set[Line] = set()
    for one in outcome.waits:
        for other in range(RANKS):
            left, right = outcome.traces[one], outcome.traces[other]
            if left == right:
                continue
            matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
            parted.update(left[block.a + block.size - 1] for block in matcher.get_matching_blocks() if block.size)
    return parted


def judge(program: Program) -> Verdict:
    """What the interpreter makes of a program."""
    return Interpreter(program).verdict()

"""The two sides of a divergence: who they are, and what each of them runs, and where."""

from __future__ import annotations

from pathlib import PurePath

from trainlint.facts.communication import Communication
from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.symbols import LOCAL, WORLD
from trainlint.spmd.trace import Event, Invoke
from trainlint.spmd.uniform_check import Agreement

#: How a rank left, when it is said that it runs nothing.
_LEFT = {
    "return": "returned",
    "raise": "raised",
    "break": "left the loop",
    "continue": "went on with the next round",
    "exit": "ended the process",
}


def single(ranks_: str) -> bool:
    """Whether somebody is one rank."""
    return ranks_ in ("rank 0", "the last rank")


def ranks(arms: tuple[bool, ...]) -> str:
    """The example ranks that take an arm, as a person would name them."""
    taken = tuple(rank for rank, arm in enumerate(arms) if arm)
    names = {
        (0,): "rank 0",
        tuple(range(1, WORLD)): "the ranks other than 0",
        (WORLD - 1,): "the last rank",
        tuple(range(WORLD - 1)): "the ranks before the last",
        tuple(range(0, WORLD, LOCAL)): "local rank 0 of each node",
        tuple(rank for rank in range(WORLD) if rank % LOCAL): "the ranks other than local rank 0",
    }
    return names.get(taken, "some ranks")


def others(arms: tuple[bool, ...]) -> str:
    """The example ranks that do not take the arm."""
    return ranks(tuple(not arm for arm in arms))


def who(divergence: Divergence) -> tuple[str, str]:
    """Who runs the collective and who does not."""
    if not divergence.certain:
        return "some ranks", "the others"
    reach, miss = ranks(divergence.arms), others(divergence.arms)
    return reach, "the others" if reach == miss else miss


def running(who_: str) -> str:
    """Somebody runs."""
    return f"{who_} {'runs' if single(who_) else 'run'}"


def sides(program: Program, divergence: Divergence, reach: str, miss: str) -> str:
    """What each side runs there, with its place: ``rank 0 runs: barrier (train.py:88); the others: nothing``."""
    runs = f"{running(reach)}: {_named(program, divergence.collective)}"
    exit_ = divergence.exit or divergence.passed
    if exit_ is not None:
        left = f"{_LEFT.get(exit_.kind, 'left')} {_at(exit_.where.module, exit_.where.spot)}"
        return f"{runs}; {miss}: nothing, {'it' if single(miss) else 'they'} {left}"
    instead = divergence.collective_instead
    if instead is None:
        return f"{runs}; {miss}: nothing"
    return f"{runs}; {miss}: {'' if divergence.kind == 'order' else 'next '}{_named(program, instead)}"


def _named(program: Program, event: Event | Invoke) -> str:
    """A collective and its place."""
    name = program.ask(Agreement).collective(event).rpartition(".")[2]
    if isinstance(event, Event):
        return f"{name} ({_at(event.where.module, event.where.spot, word='')})"
    chain = program.ask(Communication).chain(event.target.function)
    if not chain:
        return f"{name} ({_at(event.where.module, event.where.spot, word='')})"
    return f"{name} ({_at(chain[-1].site.module, chain[-1].site.call.term.site, word='')})"


def _at(module: str, spot: Spot, word: str = "at ") -> str:
    """A place in short; of a notebook its name only, since its lines count in cells."""
    name = PurePath(module).name
    return f"{word}{name}" if name.endswith(".ipynb") else f"{word}{name}:{spot.line}"

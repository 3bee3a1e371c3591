"""The list of idioms: short stretches of code that people write, right and (when the maker slips) wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.oracle.maker import Maker, Scope
from tests.oracle.writing import Lines

#: Blocks, calls and loops in one another, at most.
_DEEPEST, _MOST_CALLS, _MOST_ROUNDS = 4, 4, 2


class Idiom(NamedTuple):
    """How to write one idiom, how often, and what must be there: ``loop`` to leave, ``args`` to ask, a ``round`` to spare."""

    make: Callable[[Maker, Scope], Lines]
    weight: int
    needs: frozenset[str]


IDIOMS: dict[str, Idiom] = {}
Make = Callable[[Maker, Scope], Lines]


def idiom(weight: int = 2, needs: str = "") -> Callable[[Make], Make]:
    """Register a function as an idiom under its own name."""

    def register(make: Make) -> Make:
        IDIOMS[make.__name__] = Idiom(make, weight, frozenset(needs.split()))
        return make

    return register


def fits(idiom_: Idiom, scope: Scope) -> bool:
    """Whether an idiom can stand here."""
    needs = idiom_.needs
    if scope.depth > _DEEPEST or scope.calls > _MOST_CALLS:
        return "leaf" in needs
    have = {
        "loop": scope.loop,
        "args": bool(scope.args),
        "round": scope.rounds < _MOST_ROUNDS,
        "counter": bool(scope.counter),
        "owner": scope.owner is not None,
        "returns": scope.returns,
        "top": scope.depth == 0,
        "leaf": True,
    }
    return all(have[need] for need in needs)


def write(maker: Maker, scope: Scope, size: int) -> Lines:
    """A block of idioms; what the program must still contain comes first."""
    lines: Lines = []
    for _ in range(size):
        wanted = [name for name in maker.pending if fits(IDIOMS[name], scope)]
        if wanted and maker.chance(0.6):
            name = maker.rng.choice(wanted)
            maker.pending.remove(name)
        else:
            names = [name for name in IDIOMS if fits(IDIOMS[name], scope)]
            name = maker.rng.choices(names, [IDIOMS[name].weight for name in names])[0]
        maker.writing.append(name)
        lines += IDIOMS[name].make(maker, scope)
        maker.writing.pop()
    return lines or maker.quiet(scope)

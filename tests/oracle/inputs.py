"""What a program does not know when it is written: arguments (the same on all ranks) and data (each rank has its own)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

#: Combinations of arguments that are all tried; of more, so many at random.
_MOST_COMBINATIONS = 24
#: How often data that differs from rank to rank is drawn.
_DRAWS = 10
#: And how all are alike, or one rank is unlike the others, throughout: its number, what it always sees, what the others do.
_APART = ((0, 0, 0), (0, 1, 1), (0, 2, 2), (0, 0, 1), (0, 1, 0), (3, 0, 1), (3, 1, 0), (1, 2, 0), (2, 0, 2), (1, 1, 2), (2, 2, 1))
#: The same at one place only, and what all ranks see at all other places; and at how many places.
_APART_AT = ((0, 2, 0, 0), (3, 0, 2, 1), (1, 1, 0, 2))
_MOST_PLACES = 16


#: Who asks for data that is the same for all ranks.
NOBODY = -1


class Inputs:
    """One assignment: a value for each argument, and how to answer a question for data.

    In an *even* assignment all ranks that ask at the same place get the same data. Then only the rank itself can part
    them. In one with an ``apart`` (one of ``_APART``) one rank always gets one answer, the others always another: its disk is
    full, say, and no attempt of its own ever works. With a ``place`` it is so there only, and elsewhere all get ``elsewhere``.
    """

    def __init__(
        self,
        arguments: dict[str, Any],
        salt: int,
        *,
        even: bool,
        apart: tuple[int, int, int] | None = None,
        place: object = None,
        elsewhere: int = 0,
    ) -> None:
        self.arguments = arguments
        self.salt = salt
        self.even = even
        self.apart = apart
        self.place = place
        self.elsewhere = elsewhere
        #: The places that asked for data.
        self.places: dict[object, None] = {}

    @property
    def asked_for_data(self) -> bool:
        """Whether anything in the program is asked of data."""
        return bool(self.places)

    def argument(self, name: str, default: Any) -> Any:
        """The value of an argument of the command line."""
        return self.arguments.get(name, default)

    def data(self, rank: int, place: object, count: int, choices: int) -> int:
        """The answer (0 to ``choices`` - 1) to a question that data decides, asked for the ``count``-th time at a place."""
        self.places[place] = None
        if self.apart is not None:
            if self.place is not None and place != self.place:
                return min(self.elsewhere, choices - 1)
            one, own, others = self.apart
            return min(own if rank == one else others, choices - 1)
        who = 0 if self.even else rank + 1
        return random.Random(f"{self.salt} {who} {place} {count}").randrange(choices)


def assignments(domains: dict[str, tuple[Any, ...]], seed: int) -> Iterator[Inputs]:
    """Even assignments for the arguments with these possible values: all combinations, or as many as are affordable."""
    rng = random.Random(seed)
    names = sorted(domains)
    total = 1
    for name in names:
        total *= len(domains[name])
    if total <= _MOST_COMBINATIONS:
        chosen = list(product(*(domains[name] for name in names)))
    else:
        chosen = [tuple(rng.choice(domains[name]) for name in names) for _ in range(_MOST_COMBINATIONS)]
    rng.shuffle(chosen)
    for salt, values in enumerate(chosen):
        yield Inputs(dict(zip(names, values, strict=True)), salt, even=True)


def uneven(domains: dict[str, tuple[Any, ...]], seed: int, places: Iterable[object] = ()) -> Iterator[Inputs]:
    """Assignments in which each rank has its own data; of the ``places`` that ask for data, each is tried alone as well."""
    rng = random.Random(seed + 1)
    for salt in range(_DRAWS):
        arguments = {name: rng.choice(values) for name, values in sorted(domains.items())}
        yield Inputs(arguments, salt + 1000, even=False)
    for salt, apart in enumerate(_APART):
        arguments = {name: rng.choice(values) for name, values in sorted(domains.items())}
        yield Inputs(arguments, salt + 2000, even=False, apart=apart)
    for place in list(places)[:_MOST_PLACES]:
        for salt, (*apart, elsewhere) in enumerate(_APART_AT):
            arguments = {name: rng.choice(values) for name, values in sorted(domains.items())}
            one, own, others = apart
            yield Inputs(arguments, salt + 3000, even=False, apart=(one, own, others), place=place, elsewhere=elsewhere)

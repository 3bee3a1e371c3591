"""Texts that grow before they are logged: ``line = "lr {}".format(rate)``, then ``line += …`` in a loop, then ``info(line)``."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trainlint.facts.calls import last_name
from trainlint.model.sketch import Function
from trainlint.model.terms import Term
from trainlint.preflight.jobs import Job
from trainlint.preflight.logs.logged import carried
from trainlint.preflight.values.words import handed, words_of
from trainlint.preflight.ways import Place

#: Loops behind loops that a text grows in.
_MOST = 12


def grown(job: Job, names: Collection[str], wanted: frozenset[str]) -> Iterator[Place]:
    """The places that log a text which loops put together, where something is formatted into it of which a word speaks."""
    for place in job.trail.places:
        if place.way is None or place.term[0] != "call" or last_name(place.term[1]) not in names:
            continue
        given = (part for each in handed(place.term) if each[0] == "lv" for part in _parts(place.function, each))
        if any(_says(job, place.module, part, wanted) for part in given):
            yield place


def _parts(function: Function, name: Term) -> Iterator[Term]:
    """What the text of a name was before the loop, and what each round puts to it."""
    waiting, done = [name], set[Term]()
    while waiting and len(done) < _MOST:
        each = waiting.pop()
        if each in done:
            continue
        done.add(each)
        if each[0] == "bin" and each[1] == "Add":
            waiting += each[2:4]
        elif each[0] == "lv":
            waiting += carried(function, each)
            # a name that a loop binds: its "in" has what it held before
            waiting += [before for inner, (before, _) in function.carried.items() if inner[1:4] == each[1:4]]
        else:
            yield each


def _says(job: Job, path: str, text: Term, wanted: frozenset[str]) -> bool:
    """Whether a text with one of the words has something formatted into it, and is not all written down."""
    if text[0] == "call" and text[1][0] == "a" and text[1][2] == "format" and text[1][1][0] == "c":
        inner = tuple(handed(text))
    elif text[0] == "bin" and text[1] == "Mod" and text[2][0] == "c" and isinstance(text[2][2], str):
        inner = (text[3],)
    else:
        inner = job.program.modules[path].texts.get(text, ())
    if not any(each[0] != "c" for each in inner):
        return False
    return not wanted.isdisjoint(words_of(job.program, path, text, *inner))

"""Texts that grow before they are logged: ``line = "lr {}".format(rate)``, then ``line += …`` in a loop, then ``info(line)``."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trainlint.facts.call_graph import last_name
from trainlint.ir.nodes import Attr, BinOp, Call, Const, LoopPhi, Term
from trainlint.ir.sketch import Function
from trainlint.preflight.jobs import Job
from trainlint.preflight.logs.logged import carried
from trainlint.preflight.values.words import handed, words_of
from trainlint.preflight.ways import Place

#: Loops behind loops that a text grows in.
_MOST = 12


def grown(job: Job, names: Collection[str], wanted: frozenset[str]) -> Iterator[Place]:
    """The places that log a text which loops put together, where something is formatted into it of which a word speaks."""
    for place in job.trail.places:
        if place.way is None or not isinstance(place.term, Call) or last_name(place.term.callee) not in names:
            continue
        given = (part for each in handed(place.term) if isinstance(each, LoopPhi) for part in _parts(place.function, each))
        if any(_says(job, part, wanted) for part in given):
            yield place


def _parts(function: Function, name: Term) -> Iterator[Term]:
    """What the text of a name was before the loop, and what each round puts to it."""
    waiting, done = [name], set[Term]()
    while waiting and len(done) < _MOST:
        each = waiting.pop()
        if each in done:
            continue
        done.add(each)
        if isinstance(each, BinOp) and each.op == "Add":
            waiting += each.sides
        elif isinstance(each, LoopPhi):
            waiting += carried(function, each)
            # a name that a loop binds: its "in" has what it held before
            waiting += [
                before
                for inner, (before, _) in function.carried.items()
                if isinstance(inner, LoopPhi) and inner.place == each.place
            ]
        else:
            yield each


def _says(job: Job, text: Term, wanted: frozenset[str]) -> bool:
    """Whether a text with one of the words has something formatted into it, and is not all written down."""
    if (
        isinstance(text, Call)
        and isinstance(text.callee, Attr)
        and text.callee.name == "format"
        and isinstance(text.callee.base, Const)
    ):
        inner = tuple(handed(text))
    elif isinstance(text, BinOp) and text.op == "Mod" and isinstance(text.left, Const) and isinstance(text.left.value, str):
        inner = (text.right,)
    else:
        inner = text.pieces
    if not any(not isinstance(each, Const) for each in inner):
        return False
    return not wanted.isdisjoint(words_of(job.program, text, *inner))

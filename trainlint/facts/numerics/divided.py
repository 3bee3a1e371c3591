"""Where something is divided by its own norm, or by its standard deviation, and nothing keeps that from 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.contexts import activations
from trainlint.facts.numerics.expressions import applied, operations, reshaped
from trainlint.facts.precision.regimes import regimes
from trainlint.facts.program import Program
from trainlint.facts.sayings import sayings
from trainlint.facts.values import Frame
from trainlint.model.sketch import Function, If, Keep
from trainlint.model.terms import Term, mentions, parts_of
from trainlint.model.walk import of_kind

NORM, DEVIATION, SIZES, _MEAN = "norm", "deviation", "sizes", "mean"
_ABS = "abs"


class Divided(NamedTuple):
    """The call of the norm or deviation (``word``) that something is divided by; of several absolute values the first."""

    site: CallSite
    word: str


def unguarded(program: Program) -> Iterator[Divided]:
    """Each ``x / x.norm(…)`` and ``(x - x.mean()) / x.std()`` where nobody looks at what it is divided by.

    Only where gradients may be recorded: in what only predicts, one row that is not a number harms no other.
    """
    seen: set[Term] = set()
    yield from _by_sizes(program)
    table = program.knowledge.numerics
    names = {name.rpartition(".")[2] for name, word in table.items() if word in (NORM, DEVIATION)}
    for name in sorted(names):
        for site in calls(program).sites_named(name):
            call, frame = site.call.term, program.frame(site.module, site.function)
            found = applied(program, call, frame) if call not in seen else None
            seen.add(call)
            if found is None or found[0] not in (NORM, DEVIATION) or not _divides(program, site, call, *found, frame):
                continue
            if any(regimes(program).of(call, one).grad for one in activations(program, site.module, site.function)):
                yield Divided(site, found[0])


def _divides(program: Program, site: CallSite, call: Term, word: str, given: Term, frame: Frame) -> bool:
    wanted = sayings(program).of(given)
    parts = operations(program, site.function)
    quotients = (part for part in parts if part[0] == "bin" and part[1] == "Div" and reshaped(program, part[3], call))
    if not any(_is_own(program, part[2], word, wanted, frame) for part in quotients):
        return False
    compared = any(_says(program, part, call) for part in parts if part[0] == "cmp")
    return not compared and not _is_looked_at(program, site.function, call)


def _is_own(program: Program, left: Term, word: str, wanted: int, frame: Frame) -> bool:
    """Whether what is divided is what the norm is of; for a deviation, that without its mean."""
    if word == NORM:
        return sayings(program).of(left) == wanted
    if left[0] != "bin" or left[1] != "Sub" or sayings(program).of(left[2]) != wanted or left[3][0] != "call":
        return False
    mean = applied(program, left[3], frame)
    return mean is not None and mean[0] == _MEAN and sayings(program).of(mean[1]) == wanted


def _is_looked_at(program: Program, function: Function, call: Term) -> bool:
    """Whether a function tests the number, or changes some of it."""
    tested = any(_says(program, node.condition, call) for node in of_kind(function, If))
    return tested or any(mentions(node.target, call) for node in of_kind(function, Keep))


def _says(program: Program, term: Term, call: Term) -> bool:
    """Whether a call, or the same one written again, stands in a term."""
    asked = sayings(program)
    wanted = asked.of(call)
    return any(part is call or (part[0] == "call" and asked.of(part) == wanted) for part in parts_of(term))


def _by_sizes(program: Program) -> Iterator[Divided]:
    """Each quotient by the sum of two absolute values (``|x - y| / (|x| + |y|)``)."""
    for site in calls(program).sites_named(_ABS):
        call, frame = site.call.term, program.frame(site.module, site.function)
        sums = (part[3] for part in operations(program, site.function) if part[0] == "bin" and part[1] == "Div")
        if not any(each[0] == "bin" and each[1] == "Add" and each[2] is call and _is_abs(program, each, frame) for each in sums):
            continue
        if any(regimes(program).of(call, one).grad for one in activations(program, site.module, site.function)):
            yield Divided(site, SIZES)


def _is_abs(program: Program, total: Term, frame: Frame) -> bool:
    found = [applied(program, part, frame) if part[0] == "call" else None for part in total[2:]]
    return all(one is not None and one[0] == _ABS for one in found)

"""Does an option bound what a training counts up by itself: images, samples, tokens? ``if seen >= total: break``.

The option may come to the loop through a dict, a parameter and some reckoning, and be called anything: ``--duration``.
"""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.calls import last_name
from trainlint.facts.uses import is_comprehension
from trainlint.finding import Spot
from trainlint.model.sketch import Exit, Function, If, Keep, Loop
from trainlint.model.terms import Term, is_true, parts_of
from trainlint.model.tested import conditions, raising_arms, walk_tested
from trainlint.model.walk import of_kind
from trainlint.preflight.ending.counted import BACKWARD, COUNTERS, ELSE, EPOCHS, LEAVES, takes_steps
from trainlint.preflight.jobs import Job
from trainlint.preflight.saving.counted_up import grows
from trainlint.preflight.values.words import split, words_of

#: Reckoning with a bound that leaves it one.
_RECKONED = frozenset(("Add", "Mult", "FloorDiv", "Div"))
_ROUNDS = frozenset(("int", "float", "max", "min", "round", "ceil", "floor"))
_DEEPEST = 6


class Amount(NamedTuple):
    """The option, by its name, that says how much is trained with, and where the loop asks whether it is enough."""

    name: str
    path: str
    spot: Spot


def amount(job: Job, training: list[tuple[str, Function]]) -> Amount | None:
    """The one in the functions of a training: its outermost loop counts something up, and ends when that is as much."""
    names = {*BACKWARD, *(function.name for _, function in training)}
    for path, function in training:
        way = job.trail.run.get(id(function))
        if way is None or way.looped:
            continue
        loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
        for loop in loops:
            if any(each is not loop and each.spot.holds(loop.spot) for each in loops) or not takes_steps(loop, names):
                continue
            inner = [each for each in loops if each is not loop and loop.spot.holds(each.spot)]
            tests = [
                (node.condition, node.spot) for node in of_kind(function, If) if loop.spot.holds(node.spot) and _leaves(node)
            ]
            tests = [(test, spot) for test, spot in tests if not any(each.spot.holds(spot) for each in inner)]
            steady = _steady(function, loop)
            for test, spot in tests:
                name = _bounds(job, path, (function, steady), test, ("GtE", "Gt"))
                if name is not None:
                    return Amount(name, path, spot)
            for test in _going_on(loop):
                name = _bounds(job, path, (function, steady), test, ("Lt", "LtE"))
                if name is not None:
                    return Amount(name, path, loop.spot)
    return None


def _going_on(loop: Loop) -> list[Term]:
    """The comparisons that a ``while`` needs, each of them, to go on; of those joined by ``or`` any other would do."""
    test = loop.subject
    parts = (test[1] if test[0] == "and" else (test,)) if loop.kind == "while" else ()
    return [each for each in parts if each[0] == "cmp"]


def _leaves(node: If) -> bool:
    """Whether a branch ends the loop, and with no error."""
    last = node.body[-1] if node.body else None
    return isinstance(last, Exit) and last.kind in LEAVES and last.error is None


def _steady(function: Function, loop: Loop) -> frozenset[Term]:
    """What a loop counts in each of its rounds, and not only in some: batches that were skipped end nothing."""
    raising = raising_arms(function.body)
    counted: dict[Term, bool] = {}
    for node, led in walk_tested(loop.body):
        if isinstance(node, Keep) and node.target[0] == "lv":
            tests = [each for each in conditions(led) if each not in raising]
            counted[node.target] = counted.get(node.target, True) and not tests
    return frozenset(each for each, steady in counted.items() if steady)


def _bounds(
    job: Job, path: str, counting: tuple[Function, frozenset[Term]], test: Term, kinds: tuple[str, ...], depth: int = 0
) -> str | None:
    """The option that something which is counted up is compared with, where that alone makes a test hold."""
    function, steady = counting
    if depth > _DEEPEST:
        return None
    if test[0] == "or" or (test[0] == "if" and all(is_true(each) or each[0] in ("cmp", "or", "if") for each in test[2:4])):
        parts = test[1] if test[0] == "or" else [each for each in test[2:4] if not is_true(each)]
        found = [_bounds(job, path, counting, each, kinds, depth + 1) for each in parts]
        if test[0] == "if" and None in found:
            return None
        return next((each for each in found if each is not None), None)
    if test[0] != "cmp" or test[1] not in kinds or not grows(function, test[2]):
        return None
    if not steady.issuperset(each for each in parts_of(test[2]) if each[0] == "lv"):
        return None
    words = frozenset(words_of(job.program, path, test[2]))
    if not words.isdisjoint((*EPOCHS, *ELSE)) and words.isdisjoint(COUNTERS):
        return None
    found_options = _options(job, path, test[3])
    if found_options is None or len(found_options) != 1:
        return None
    name = found_options.pop()
    option = job.options.declared[name]
    is_number = option.default is None or option.default[0] is None or type(option.default[0]) in (int, float)
    return name if is_number and {*split(name)}.isdisjoint((*EPOCHS, *ELSE)) else None


def _options(job: Job, path: str, term: Term, depth: int = 0) -> set[str] | None:
    """The options that a number is made of, with constants alone besides; None where anything else may be in it."""
    if depth > _DEEPEST:
        return None
    if term[0] == "c":
        return set()
    if term[0] == "bin" and term[1] in _RECKONED:
        parts = list(term[2:4])
    elif term[0] == "call" and last_name(term[1]) in _ROUNDS and not term[3]:
        parts = list(term[2])
    elif term[0] == "p" and (origins := job.options.origins.passed(term, path)):
        found = [None if each.value is None else _options(job, each.module, each.value, depth + 1) for each in origins]
        return {name for each in found for name in each or ()} if all(found) else None
    elif term[0] in ("a", "sub", "p"):
        name = job.options.name(term, path)
        written = term[2][2] if term[0] == "sub" and term[2][0] == "c" else term[2]
        return {name} if name is not None and name == written and name in job.options.declared else None
    else:
        return None
    options: set[str] = set()
    for each in parts:
        more = _options(job, path, each, depth + 1)
        if more is None:
            return None
        options |= more
    return options

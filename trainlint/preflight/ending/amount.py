"""Does an option bound what a training counts up by itself: images, samples, tokens? ``if seen >= total: break``.

The option may come to the loop through a dict, a parameter and some reckoning, and be called anything: ``--duration``.
"""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions, raising_arms, walk_tested
from trainlint.ir.nodes import Access, And, BinOp, Call, Compare, Const, LoopPhi, Or, Param, Select, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Exit, Function, If, Keep, Loop
from trainlint.ir.terms import is_true, parts_of
from trainlint.ir.walk import of_kind
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
            if any(within(function, each, loop) for each in loops) or not takes_steps(loop, names):
                continue
            inner = [each for each in loops if within(function, loop, each)]
            asked = [node for node in of_kind(function, If) if within(function, loop, node) and _leaves(node)]
            tests = [(node.condition, node.spot) for node in asked if not any(within(function, each, node) for each in inner)]
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
    parts = (test.operands if isinstance(test, And) else (test,)) if loop.kind == "while" else ()
    return [each for each in parts if isinstance(each, Compare)]


def _leaves(node: If) -> bool:
    """Whether a branch ends the loop, and with no error."""
    last = node.body[-1] if node.body else None
    return isinstance(last, Exit) and last.kind in LEAVES and last.error is None


def _steady(function: Function, loop: Loop) -> frozenset[Term]:
    """What a loop counts in each of its rounds, and not only in some: batches that were skipped end nothing."""
    raising = raising_arms(function.body)
    counted: dict[Term, bool] = {}
    for node, led in walk_tested(loop.body):
        if isinstance(node, Keep) and isinstance(node.target, LoopPhi):
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
    if isinstance(test, Or) or (
        isinstance(test, Select) and all(is_true(each) or isinstance(each, (Compare, Or, Select)) for each in test.arms)
    ):
        parts = test.operands if isinstance(test, Or) else [each for each in test.arms if not is_true(each)]
        found = [_bounds(job, path, counting, each, kinds, depth + 1) for each in parts]
        if isinstance(test, Select) and None in found:
            return None
        return next((each for each in found if each is not None), None)
    if not isinstance(test, Compare) or test.op not in kinds or not grows(function, test.left):
        return None
    if not steady.issuperset(each for each in parts_of(test.left) if isinstance(each, LoopPhi)):
        return None
    words = frozenset(words_of(job.program, path, test.left))
    if not words.isdisjoint((*EPOCHS, *ELSE)) and words.isdisjoint(COUNTERS):
        return None
    found_options = _options(job, path, test.right)
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
    if isinstance(term, Const):
        return set()
    if isinstance(term, BinOp) and term.op in _RECKONED:
        parts = list(term.sides)
    elif isinstance(term, Call) and last_name(term.callee) in _ROUNDS and not term.kwargs:
        parts = list(term.args)
    elif isinstance(term, Param) and (origins := job.options.origins.passed(term, path)):
        found = [None if each.value is None else _options(job, each.module, each.value, depth + 1) for each in origins]
        return {name for each in found for name in each or ()} if all(found) else None
    elif isinstance(term, (Access, Param)):
        name = job.options.name(term, path)
        written = term.selector if isinstance(term, Access) else term.name
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

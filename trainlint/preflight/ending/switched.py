"""Switches that end a training after some batches, for those who look for mistakes: ``if args.debug and i == 5: break``.

Leaving the loop over the batches is not enough, each epoch would only be short: the loop over the epochs ends with the switch as
well, or the function around both is left, or its help says that the script exits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.finding import Spot
from trainlint.ir.nodes import And, BinOp, Call, Compare, Const, Not, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import CallStep, Exit, Function, If
from trainlint.ir.walk import of_kind, walk
from trainlint.preflight.ending.counted import option_of
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence
from trainlint.preflight.values.words import split, words_of

_LEAVES = ("break", "return", "exit")
_BACKWARD = ("backward", "manual_backward")
_COMPARED = ("Lt", "LtE", "Gt", "GtE", "Eq")
#: Words of switches that end a training when it has gained all it can, or that only judge.
_ELSE = frozenset(("early", "patience", "stop", "stopping", "converged", "resume", "eval", "test", "val", "validate", "evaluate"))
#: Words of what is measured, and not counted.
_GAINS = frozenset(("loss", "losses", "acc", "accuracy", "score", "metric", "metrics", "norm", "lr", "time"))
_EXITS = re.compile(r"\b(?:and|then)\s{1,8}exits?\b|\bexits?\s{1,8}(?:after|early)\b|\bsmoke.?test|\bdry.?run", re.IGNORECASE)


def switch(job: Job, training: list[tuple[str, Function]]) -> tuple[str, Evidence] | None:
    """The name of such a switch, and where the loop over the batches is left; ``training`` are the functions of the training."""
    left: list[tuple[str, str, Function, Exit, Spot]] = []
    for path, function in training:
        left += [(name, path, function, node, loop) for name, node, loop in _exits(job, path, function)]
    names = {*_BACKWARD, *(function.name for _, function in training)}
    for name, path, function, node, inner in left:
        if not _steps(function, inner):
            continue
        outside = any(
            name == other and (function is not around or spot != inner) and _is_round(around, spot, names)
            for other, _, around, _, spot in left
        )
        rounds = [each for each in loops_around(function, node) if not is_comprehension(each)]
        whole = node.kind == "exit" or (node.kind == "return" and len(rounds) > 1)
        if outside or whole or _says_so(job, name):
            return name, Evidence(path, node.spot, f"{job.options.written(name)} ends the training here")
    return None


def _exits(job: Job, path: str, function: Function) -> Iterator[tuple[str, Exit, Spot]]:
    """The exits out of loops behind a switch that is off unless it is said, and behind nothing else than a count."""
    for node in of_kind(function, Exit):
        if node.kind not in _LEAVES or node.error is not None:
            continue
        around = [loop for loop in loops_around(function, node) if not is_comprehension(loop)]
        if not around:
            continue
        inner = around[-1]
        tests = [each for each in walk(inner.body) if isinstance(each, If) and within(function, each, node)]
        name = _switch(job, path, [(each.condition, any(one is node for one in walk(each.body))) for each in tests])
        if name is not None:
            yield name, node, inner.spot


def _switch(job: Job, path: str, tests: list[tuple[Term, bool]]) -> str | None:
    """The option among some tests, when all others count."""
    found: list[str] = []
    for test, arm in tests:
        for leaf in test.operands if isinstance(test, And) and arm else (test,):
            if _counts(job, path, leaf):
                continue
            name = option_of(job, leaf, path) if arm and not isinstance(leaf, (Compare, Not)) else None
            declared = job.options.declared.get(name) if name is not None else None
            if declared is None or declared.default not in ((False,), (0,)) or not _ELSE.isdisjoint(split(declared.name)):
                return None
            found.append(declared.name)
    return found[0] if len(set(found)) == 1 else None


def _counts(job: Job, path: str, test: Term) -> bool:
    """Whether a test compares what counts with a whole number that is written down."""
    if not isinstance(test, Compare) or test.op not in _COMPARED or not any(_is_whole(each) for each in test.sides):
        return False
    counted = next((each for each in test.sides if not _is_whole(each)), test)
    while isinstance(counted, BinOp) and _is_whole(counted.right):
        counted = counted.left
    return not isinstance(counted, (Call, BinOp, Const)) and _GAINS.isdisjoint(words_of(job.program, path, *test.sides))


def _is_whole(term: Term) -> bool:
    return bool(isinstance(term, Const) and type(term.value) is int)


def _steps(function: Function, spot: Spot) -> bool:
    """Whether a loop takes steps itself: a backward pass stands in it, and in no loop within it."""
    for node in of_kind(function, CallStep):
        if last_name(node.term.callee) in _BACKWARD:
            around = [loop for loop in loops_around(function, node) if not is_comprehension(loop)]
            if around and around[-1].spot == spot:
                return True
    return False


def _is_round(function: Function, spot: Spot, names: set[str]) -> bool:
    """Whether a loop calls what trains, or holds a loop that does."""
    return any(within(function, spot, node) and last_name(node.term.callee) in names for node in of_kind(function, CallStep))


def _says_so(job: Job, name: str) -> bool:
    """Whether the help of an option says that the script exits."""
    declared = job.options.declared[name]
    for site in job.program.ask(CallGraph).sites.get("add_argument", ()):
        if site.module == declared.module and site.call.term.site == declared.spot:
            said = dict(site.call.term.kwargs).get("help")
            return (
                said is not None
                and isinstance(said, Const)
                and isinstance(said.value, str)
                and bool(_EXITS.search(said.value[:2000]))
            )
    return False

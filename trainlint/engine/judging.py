"""Phase two: the rules ask the linked program, all of them here, or shares of them on workers, each with a copy of the models.

What a rule finds does not depend on who asked before it, so shares find what all find together. But they repeat what rules have
in common, and a single rule may take most of the time. Measured with all rules: on fairseq (907 models) each of two shares takes
0.64 to 0.69 of the CPU time of one process, the longest of eight 0.5; on accelerate (186 models) the longer of two takes 1.1. All
shares together take 1.3 (of two) to 2.3 (of eight). So we start no processes for this, and share only among given workers.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from trainlint.config.target import Target
from trainlint.engine.asking import Answer, Failure, ask
from trainlint.engine.garbage import uncollected
from trainlint.engine.lifetimes import Lifetimes
from trainlint.engine.workers import Workers
from trainlint.ir.sketch import Module
from trainlint.knowledge import Knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.rules import registry
from trainlint.rules.api import Suspect
from trainlint.source.deep import run_deep

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import GivenUp


class Linked(NamedTuple):
    """What a program is made of."""

    modules: dict[str, Module]
    finder: ModuleFinder
    knowledge: Knowledge
    target: Target


#: After so many rules what has served is looked for: in a small program that costs more than a rule does.
_OFTEN = 6


class Asked(NamedTuple):
    """By code what the rules suspect, how those failed that did (what they suspected all the same counts), what was too much."""

    suspects: dict[str, list[Suspect]]
    failed: dict[str, list[Failure]]
    given_up: list[GivenUp]


def judge(program: Program, codes: Sequence[str], *, forgetting: bool = True) -> Asked:
    """Let the rules of these codes ask, here; ``forgetting``: nobody else asks this program when they are done."""
    judged = Asked({}, {}, [])
    rules = registry.load(codes)
    lifetimes = Lifetimes(program, [rule.code for rule in rules])
    for number, rule in enumerate(rules):
        if forgetting and number % _OFTEN == 0:
            lifetimes.before(rule.code)
        answer = ask(rule, program) if rule.finder is not None else Answer([], [])
        if forgetting:
            lifetimes.after()
        judged.suspects[rule.code] = answer.suspects
        if answer.failures:
            judged.failed[rule.code] = answer.failures
    judged.given_up.extend(lifetimes.given_up())
    return judged


def judge_on(workers: Workers, work: Sequence[tuple[Linked, Sequence[str], int]]) -> list[Asked]:
    """Let rules ask on workers: for each program, those of some codes, in so many shares.

    Rules that fail there are left out: they are to be asked again, here.
    """
    items: list[tuple[bytes, Sequence[str]]] = []
    whose: list[int] = []
    for number, (linked, codes, shares) in enumerate(work):
        packed = _packed(linked)
        parts = [codes[len(codes) * each // shares : len(codes) * (each + 1) // shares] for each in range(shares)]
        items += [(packed, part) for part in parts if part]
        whose += [number] * (len(items) - len(whose))
    together = [Asked({}, {}, []) for _ in work]
    for number, answer in zip(whose, workers.map(_judge_share, items), strict=True):
        judged: Asked = pickle.loads(answer)  # noqa: S301 - our own worker wrote it
        together[number].suspects.update(judged.suspects)
        together[number].given_up.extend(judged.given_up)
    return together


def _judge_share(work: tuple[bytes, Sequence[str]]) -> bytes:
    """What a share of the rules finds; of rules that fail, or whose suspects cannot travel, nothing."""
    packed, codes = work
    with uncollected():
        linked: Linked = pickle.loads(packed)  # noqa: S301 - our own process wrote it
        program = Program(*linked[:3], None, linked.target)
        judged = run_deep(lambda: judge(program, codes))
        program.analyses.clear()
    done = Asked({code: found for code, found in judged.suspects.items() if code not in judged.failed}, {}, judged.given_up)
    try:
        return _packed(done)
    except Exception:  # noqa: BLE001 - pickle raises what it likes, and a rule may hand on what it likes
        return _packed(Asked({code: found for code, found in done.suspects.items() if _can_travel(found)}, {}, []))


def _packed(value: object) -> bytes:
    return run_deep(lambda: pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def _can_travel(found: object) -> bool:
    try:
        _packed(found)
    except Exception:  # noqa: BLE001 - as above
        return False
    return True

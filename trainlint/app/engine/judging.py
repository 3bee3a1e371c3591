"""Phase two: the rules ask the linked program, all of them here, or shares of them on workers, each with a copy of the models.

What a rule finds does not depend on who asked before it, so shares find what all find together. But they repeat what rules have
in common, and a single rule may take most of the time. Measured with all rules: on fairseq (907 models) each of two shares takes
0.64 to 0.69 of the CPU time of one process, the longest of eight 0.5; on accelerate (186 models) the longer of two takes 1.1. All
shares together take 1.3 (of two) to 2.3 (of eight). So we start no processes for this, and share only among given workers.

Where there is a deadline the rules that compare ranks come last, since they take as long as all others together. What was not
asked when time was up, or was going on, is left.

A rule is asked about the whole program at once, and one that raises says nothing more. So the file that makes it raise is looked
for, by halves, and the rule is asked again about all others. That file stays in the program: what had been found out about it
until then, and what the others import from it, is still known.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Collection, ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, NamedTuple

from trainlint.app.engine.garbage import uncollected
from trainlint.app.engine.lifetimes import Lifetimes
from trainlint.app.engine.timing import TimeUp, phase
from trainlint.app.engine.workers import Workers
from trainlint.config.target import Target
from trainlint.ir.sketch import Module
from trainlint.knowledge import Knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.rules import registry
from trainlint.rules.api import Suspect
from trainlint.source.deep import run_deep

if TYPE_CHECKING:
    from trainlint.flow.paths import GivenUp
    from trainlint.rules.api import Rule


class Linked(NamedTuple):
    """What a program is made of."""

    modules: dict[str, Module]
    finder: ModuleFinder
    knowledge: Knowledge
    target: Target


#: After so many rules what has served is looked for, or after each where there are so many files: in a small program that costs
#: more than a rule does.
_OFTEN, _LARGE = 6, 100


#: What the codes of the rules that compare ranks begin with.
_COMPARING = "TL1"


class Asked(NamedTuple):
    """By code what the rules suspect, how those failed that did (what they suspected all the same counts), what was too much.

    ``left`` are the codes of rules for which there was no time.
    """

    suspects: dict[str, list[Suspect]]
    failed: dict[str, list[Failure]]
    given_up: list[GivenUp]
    left: list[str]


def judge(program: Program, codes: Sequence[str], *, forgetting: bool = True, hurried: bool = False) -> Asked:
    """Let the rules of these codes ask, here; ``forgetting``: nobody else asks this program when they are done.

    ``hurried``: the program's checkpoint may say that time is up.
    """
    judged = Asked({}, {}, [], [])
    rules = registry.load(codes)
    if hurried:
        rules.sort(key=lambda rule: rule.code.startswith(_COMPARING))
    lifetimes = Lifetimes(program, [rule.code for rule in rules])
    given_up: Iterable[GivenUp] = ()
    for number, rule in enumerate(rules):
        if forgetting and (number % _OFTEN == 0 or len(program.modules) > _LARGE):
            lifetimes.before(rule.code)
        try:
            program.checkpoint()
            with phase(rule.code):
                answer = ask(rule, program) if rule.finder is not None else Answer([], [])
        except TimeUp:
            judged.left.extend(each.code for each in rules[number:])
            break
        if hurried or rule is rules[-1]:
            given_up = list(lifetimes.given_up())
        if forgetting:
            lifetimes.after()
        judged.suspects[rule.code] = answer.suspects
        if answer.failures:
            judged.failed[rule.code] = answer.failures
    judged.given_up.extend(given_up)
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
    together = [Asked({}, {}, [], []) for _ in work]
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
    done = Asked({code: found for code, found in judged.suspects.items() if code not in judged.failed}, {}, judged.given_up, [])
    try:
        return _packed(done)
    except Exception:  # noqa: BLE001 - pickle raises what it likes, and a rule may hand on what it likes
        return _packed(Asked({code: found for code, found in done.suspects.items() if _can_travel(found)}, {}, [], []))


def _packed(value: object) -> bytes:
    return run_deep(lambda: pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def _can_travel(found: object) -> bool:
    try:
        _packed(found)
    except Exception:  # noqa: BLE001 - as above
        return False
    return True


#: With more files than this that make one rule raise, the mistake is none of single files.
_MOST_FAILING = 8


class Failure(NamedTuple):
    """A rule failed because of a file (None: of none that could be told)."""

    path: str | None
    error: Exception


class Answer(NamedTuple):
    """What a rule suspects, and how it failed."""

    suspects: list[Suspect]
    failures: list[Failure]


class _Partly(dict[str, Module]):
    """Modules of which only some are gone through; asked for by its path, each is there."""

    def __init__(self, modules: Mapping[str, Module], shown: Collection[str]) -> None:
        super().__init__(modules)
        self._shown = {path: modules[path] for path in modules if path in shown}

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return self._shown.keys()

    def values(self) -> ValuesView[Module]:  # type: ignore[override]
        return self._shown.values()

    def items(self) -> ItemsView[str, Module]:  # type: ignore[override]
        return self._shown.items()


def ask(rule: Rule, program: Program) -> Answer:
    """Ask a rule, and when it fails ask it again."""
    suspects, error = _asked(rule, program)
    if error is None:
        return Answer(suspects, [])
    if _asked(rule, _part(program, ()))[1] is not None:
        return Answer(suspects, [Failure(None, error)])  # whatever is gone through
    failures: list[Failure] = []
    paths = list(program.modules)
    while error is not None and len(failures) < _MOST_FAILING:
        found = _culprit(rule, program, paths)
        if found is None:
            failures.append(Failure(None, error))
            break
        failures.append(found)
        paths.remove(found.path)  # type: ignore[arg-type]
        more, error = _asked(rule, _part(program, paths))
        suspects += [suspect for suspect in more if suspect not in suspects]
    else:
        if error is not None:
            failures.append(Failure(None, error))
    return Answer(suspects, failures)


def _asked(rule: Rule, program: Program) -> tuple[list[Suspect], Exception | None]:
    """What the rule suspects until it ends, or until it raises."""
    suspects: list[Suspect] = []
    assert rule.finder is not None
    try:
        for suspect in rule.finder(program):
            suspects.append(suspect)  # noqa: PERF402 - those before the exception are wanted too
    except Exception as error:  # noqa: BLE001 - one rule must not end the run
        return suspects, error
    return suspects, None


def _part(program: Program, paths: Collection[str]) -> Program:
    """The program when only these files of it are gone through; what it has found out is not asked again."""
    part = copy.copy(program)
    part.modules = _Partly(program.modules, set(paths))
    part.analyses = dict(program.analyses)
    return part


def _culprit(rule: Rule, program: Program, paths: Sequence[str]) -> Failure | None:
    """The file that makes the rule raise if nothing but it is gone through; None when there is no such file."""
    error: Exception | None = None
    while len(paths) > 1:
        half = len(paths) // 2
        for part in (paths[:half], paths[half:]):
            error = _asked(rule, _part(program, part))[1]
            if error is not None:
                paths = part
                break
        else:
            return None
    if error is None:
        error = _asked(rule, _part(program, paths))[1]
    return None if error is None else Failure(paths[0], error)

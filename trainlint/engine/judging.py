"""Phase two: the rules ask the linked program, here or on workers; what fails is contained, what is no longer asked is forgotten.

A rule at work on a program, and what is saved of its findings when it fails.

A rule is asked about the whole program at once, and one that raises says nothing more. So the file that makes it raise is looked
for, by halves, and the rule is asked again about all others. That file stays in the program: what had been found out about it
until then, and what the others import from it, is still known.

What is forgotten while the rules ask, as soon as no rule that follows is known to ask for it.

What is found out about a program takes more memory than its models, and most of it is asked for by rules that follow one another:
what a rank's conditions are worth, which functions JAX traces, what each term is a part of. A rule that asks for it later all the
same has it found out again, so the table below is about memory only, never about findings.

Phase two: the rules ask the linked program, all of them here, or shares of them on workers, each with a copy of the
models.

What a rule finds does not depend on who asked before it, so shares find what all find together. But they repeat what rules have
in common, and a single rule may take most of the time. Measured with all rules: on fairseq (907 models) each of two shares takes
0.64 to 0.69 of the CPU time of one process, the longest of eight 0.5; on accelerate (186 models) the longer of two takes 1.1. All
shares together take 1.3 (of two) to 2.3 (of eight). So we start no processes for this, and share only among given workers.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from trainlint.config.target import Target
from trainlint.engine.garbage import uncollected
from trainlint.engine.workers import Workers
from trainlint.ir.sketch import Module
from trainlint.knowledge import Knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.rules import registry
from trainlint.rules.api import Suspect
from trainlint.source.deep import run_deep

if TYPE_CHECKING:
    from trainlint.program.values import Context
    from trainlint.rules.api import Rule
    from trainlint.spmd.uniform_check import GivenUp

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


#: The memories of evaluators (see :attr:`trainlint.program.values.Context.answers`) by what is in their own names: all of
#: them, and those of what a rank runs next, which are most of what TL101 leaves, and hardly asked for by another rule.
_EVALUATED, _TRACED = "answers of evaluators", "tracing answers of evaluators"
_MEMORIES = {_EVALUATED: "Evaluator", _TRACED: "tracing answers of "}

#: By rule what none after it asks for: questions in :attr:`trainlint.program.program.Program.analyses`, by their dotted names
#: (so that nothing is imported for it), or memories. Only what is large is listed.
_LAST: Mapping[str, tuple[str, ...]] = {
    "TL101": (_TRACED,),
    "TL103": (_EVALUATED, "trainlint.spmd.local_failures.Failing"),
    "TL109": (_EVALUATED,),
    "TL112": ("trainlint.domains.communication.Communication",),
    "TL215": (_EVALUATED, "trainlint.domains.rank_local_data.RankLocalData"),
    "TL527": ("trainlint.domains.jax.calling_contexts.Activations",),
    "TL534": (
        "trainlint.domains.jax.async_dispatch.Dispatch",
        "trainlint.domains.jax.prng_keys.Keys",
        "trainlint.domains.jax.binding_times.TracedFunctions",
    ),
    "TL552": ("trainlint.domains.tensorflow.pipelines.Pipelines",),
    "TL612": (
        "trainlint.domains.checkpoints.reads.Reads",
        "trainlint.domains.checkpoints.reads.Origins",
        "trainlint.program.def_use.Uses",
    ),
}


def name_of(question: Callable[..., object]) -> str:
    """The dotted name of a class or a function that a program is asked by."""
    return f"{question.__module__}.{question.__qualname__}"


@runtime_checkable
class _Beginning(Protocol):
    """An analysis that makes activations which nobody calls, and follows calls from there."""

    def begun(self) -> set[Context]:
        """These activations."""


class Forgetting:
    """Goes along with the rules, by code, that one program is asked by."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._pending = sorted(_LAST)

    def before(self, code: str) -> None:
        """Forget what no rule from this one on asks for."""
        while self._pending and self._pending[0] < code:
            self._forget(_LAST[self._pending.pop(0)])

    def _forget(self, names: tuple[str, ...]) -> None:
        analyses = self.program.analyses
        for question in [question for question in analyses if name_of(question) in names]:
            answer = analyses.pop(question)
            if isinstance(answer, _Beginning):
                self.program.leave(answer.begun())
        for part in (_MEMORIES[name] for name in names if name in _MEMORIES):
            for frame in self.program.entered():
                for name in [name for name in frame.answers if part in name]:
                    del frame.answers[name]


#: What compares the ranks, by its dotted name: nobody loads it to learn that it was not asked.
_COMPARES = "trainlint.spmd.uniform_check.Agreement"


class Linked(NamedTuple):
    """What a program is made of."""

    modules: dict[str, Module]
    finder: ModuleFinder
    knowledge: Knowledge
    target: Target


class Asked(NamedTuple):
    """By code what the rules suspect, how those failed that did (what they suspected all the same counts), what was too much."""

    suspects: dict[str, list[Suspect]]
    failed: dict[str, list[Failure]]
    given_up: list[GivenUp]


def judge(program: Program, codes: Sequence[str], *, forgetting: bool = True) -> Asked:
    """Let the rules of these codes ask, here; ``forgetting``: nobody else asks this program when they are done."""
    judged = Asked({}, {}, [])
    passing = Forgetting(program)
    for rule in registry.load(codes):
        if forgetting:
            passing.before(rule.code)
        answer = ask(rule, program) if rule.finder is not None else Answer([], [])
        judged.suspects[rule.code] = answer.suspects
        if answer.failures:
            judged.failed[rule.code] = answer.failures
    judged.given_up.extend(_given_up(program))
    return judged


def _given_up(program: Program) -> Iterable[GivenUp]:
    """The functions that were too much for the comparison of the ranks, if somebody asked for that."""
    for question, answer in program.analyses.items():
        if name_of(question) == _COMPARES:
            found: dict[int, GivenUp] = answer.given_up
            return found.values()
    return ()


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

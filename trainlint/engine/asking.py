"""A rule at work on a program, and what is saved of its findings when it fails.

A rule is asked about the whole program at once, and one that raises says nothing more. So the file that makes it raise is looked
for, by halves, and the rule is asked again about all others. That file stays in the program: what had been found out about it
until then, and what the others import from it, is still known.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, NamedTuple

from trainlint.ir.sketch import Module
from trainlint.program.program import Program
from trainlint.rules.api import Suspect

if TYPE_CHECKING:
    from trainlint.rules.api import Rule

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

"""Compares the analysis with the interpreter, program by program, and counts."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.expectations import placed
from tests.oracle.generator import generate
from tests.oracle.interpreter import Verdict, judge
from tests.oracle.program import Program
from tests.oracle.world import Line

#: The rules that say that ranks part. One that does not exist yet is left out.
CODES = ("TL101", "TL102", "TL103", "TL104", "TL105", "TL106", "TL107", "TL108", "TL109")


@dataclass(frozen=True)
class Found:
    """What the analysis reports: the code, the line it names, and the lines of its reasons."""

    code: str
    line: Line
    related: frozenset[Line]
    message: str


@dataclass
class Result:
    """One program as both see it."""

    program: Program
    verdict: Verdict
    found: tuple[Found, ...]

    @property
    def agrees(self) -> bool:
        return bool(self.found) == self.verdict.wrong

    @property
    def right(self) -> bool:
        """Whether the analysis says what the interpreter does, and for the right lines."""
        return self.agrees and all(map(self.named, self.found))

    @property
    def kind(self) -> str:
        """What is wrong with the program, in one word."""
        return self.verdict.kind or "right"

    def named(self, found: Found) -> bool:
        """Whether a finding names the collective or the guard (of a loop, that is the line it is reported on) on its line."""
        verdict = self.verdict
        return found.line in verdict.collectives | verdict.guards or bool(found.related & verdict.guards)


@dataclass
class Score:
    """Counts of programs (and of findings, for the lines)."""

    both: int = 0
    missed: int = 0
    false: int = 0
    neither: int = 0
    named: int = 0
    findings: int = 0

    @property
    def programs(self) -> int:
        return self.both + self.missed + self.false + self.neither

    @property
    def recall(self) -> float:
        return self.both / max(1, self.both + self.missed)

    @property
    def precision(self) -> float:
        return self.both / max(1, self.both + self.false)

    @property
    def wrong(self) -> float:
        """The share of programs that are wrong."""
        return (self.both + self.missed) / max(1, self.programs)

    @property
    def lines(self) -> float:
        """The share of the findings in wrong programs that name the guard or the collective on its line."""
        return self.named / max(1, self.findings)

    def add(self, result: Result) -> None:
        wrong, found = result.verdict.wrong, bool(result.found)
        self.both += wrong and found
        self.missed += wrong and not found
        self.false += found and not wrong
        self.neither += not wrong and not found
        if wrong:
            self.findings += len(result.found)
            self.named += sum(map(result.named, result.found))


@dataclass
class Report:
    """The score over all programs, for each construct, and for each kind of mistake."""

    total: Score = field(default_factory=Score)
    constructs: dict[str, Score] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    slips: dict[str, Score] = field(default_factory=dict)
    disagreements: list[Result] = field(default_factory=list)
    misnamed: list[Result] = field(default_factory=list)

    def add(self, result: Result) -> None:
        self.total.add(result)
        for construct in result.program.constructs:
            self.constructs.setdefault(construct, Score()).add(result)
        if len(result.program.slips) == 1:
            self.slips.setdefault(result.program.slips[0], Score()).add(result)
        self.kinds[result.kind] += 1
        self.missed[result.kind] += result.verdict.wrong and not result.found
        if not result.agrees:
            self.disagreements.append(result)
        elif result.verdict.wrong and not all(map(result.named, result.found)):
            self.misnamed.append(result)

    def text(self) -> str:
        """A table for people."""
        total = self.total
        lines = [
            f"{total.programs} programs, {total.wrong:.1%} of them wrong",
            f"recall {total.recall:.2%}, precision {total.precision:.2%}, right lines {total.lines:.2%} of {total.findings}",
            "",
            *(f"{kind:14} {count:6} programs, {self.missed[kind]:5} missed" for kind, count in sorted(self.kinds.items())),
            "",
            "programs with one mistake, made in",
            *(
                f"{name:26} {each.both + each.missed:4} wrong, {each.missed:4} missed"
                for name, each in sorted(self.slips.items())
            ),
            "",
            "construct                  share  recall  precision",
        ]
        for name, score in sorted(self.constructs.items()):
            lines.append(f"{name:26} {score.programs / total.programs:5.1%}  {score.recall:6.1%}  {score.precision:6.1%}")
        return "\n".join(lines)


def analyse(program: Program, folder: Path) -> tuple[Found, ...]:
    """What trainlint reports of a program."""
    program.write(folder)
    found = placed([folder], select=[*_codes(), "TL005"])
    failed = [each.message for each in found if each.code not in CODES]
    if failed:
        raise RuntimeError(f"the analysis failed on program {program.seed}: {failed}")

    def place(path: Path, line: int) -> Line:
        return (path.resolve().relative_to(folder.resolve()).as_posix(), line)

    return tuple(
        Found(
            each.code, place(each.path, each.span.line), frozenset(place(r.path, r.span.line) for r in each.related), each.message
        )
        for each in found
    )


def _codes() -> Sequence[str]:
    from trainlint.rules.registry import built

    return [code for code in CODES if code in built()]


def compare(program: Program) -> Result:
    """Ask both about a program."""
    with tempfile.TemporaryDirectory(prefix="oracle") as name:
        return Result(program, judge(program), analyse(program, Path(name)))


def compare_seed(seed: int) -> Result:
    """Ask both about the program of this number."""
    return compare(generate(seed))


def score(seeds: Iterable[int], workers: int = 1) -> Report:
    """The report over the programs of these numbers, on so many processes."""
    report = Report()
    if workers == 1:
        results = map(compare_seed, seeds)
        for result in results:
            report.add(result)
        return report
    # Not forked: a process that has judged programs itself has threads for its ranks, and a copy of it would not have them.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for result in pool.map(partial(compare_seed), seeds, chunksize=20):
            report.add(result)
    return report

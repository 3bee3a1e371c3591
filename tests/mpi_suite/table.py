"""What trainlint finds in the cases, as the tables of README.md. ``python -m tests.mpi_suite.table`` writes them there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mpi_suite import published
from tests.mpi_suite.generated import Case, cases
from trainlint import check_paths

PROGRAMS = Path(__file__).parent / "programs"
README = PROGRAMS.parent / "README.md"
FOLDERS = {"microbenchmarks": published.MICROBENCHMARKS, "extension": published.EXTENSION}
BEGIN, END = "<!-- written by table.py: -->\n", "<!-- :written by table.py -->\n"


@dataclass(frozen=True)
class Verdict:
    """What was said of a case: the codes reported at its marked lines, and those reported elsewhere in it."""

    case: Case
    right_codes: tuple[str, ...]
    other_codes: tuple[str, ...]

    @property
    def word(self) -> str:
        """The verdict as a word of the tables."""
        if self.other_codes:
            return "false alarm"
        if self.case.wrong:
            return "found" if self.right_codes else "missed"
        return "silent"


def written() -> Iterator[Case]:
    """The cases that were written by hand: the counterparts of two suites of single programs."""
    for folder in FOLDERS:
        for file in sorted((PROGRAMS / folder).glob("*.py")):
            yield Case(folder, file.stem, file.read_text(encoding="utf-8"))


def verdicts() -> list[Verdict]:
    """All cases with what trainlint's default rules say of them. Each is a file without neighbours that it could import."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    everything = [*cases(), *written()]
    with tempfile.TemporaryDirectory() as folder:
        for each in everything:
            path = Path(folder, each.group, f"{each.name}.py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(each.text, encoding="utf-8")
        for finding in check_paths([Path(folder)]):
            key = (finding.path.parent.name, finding.path.stem)
            found.setdefault(key, []).append((finding.span.line, finding.code))
    return [_verdict(each, found.get((each.group, each.name), [])) for each in everything]


def _verdict(case: Case, reported: list[tuple[int, str]]) -> Verdict:
    marked = {number for number, line in enumerate(case.text.splitlines(), 1) if "# wrong" in line}
    right = sorted({code for line, code in reported if line in marked})
    other = sorted({code for line, code in reported if line not in marked})
    return Verdict(case, tuple(right), tuple(other))


def tables(every: list[Verdict]) -> str:
    """All that README.md says in numbers."""
    return "\n".join([*_classes(every), "", *_programs(every), ""])


def _classes(every: list[Verdict]) -> Iterator[str]:
    yield "| class | wrong | found | correct | false alarms | reported as | PARCOACH: wrong | found | correct | false alarms |"
    yield "|---|--:|--:|--:|--:|---|--:|--:|--:|--:|"
    for group, theirs in published.PARCOACH_ON_MBI.items():
        own = [each for each in every if each.case.group == group]
        yield _row(group, own, theirs)
    known = [each for each in published.PARCOACH_ON_MBI.values() if each is not None]
    total = published.Counts(*(sum(getattr(each, name) for each in known) for name in published.Counts.__annotations__))
    yield _row("all", [each for each in every if each.case.group in published.PARCOACH_ON_MBI], total)
    for group in published.PARCOACH_ON_MBI:
        some = [each for each in every if each.case.group == group and each.case.wrong]
        missed = [each.case.name for each in some if each.word == "missed"]
        if missed and len(missed) < len(some):
            yield ""
            yield f"Missed in the class *{group}*: {', '.join(missed)}."
    alarms = [each for each in every if each.other_codes]
    yield ""
    yield "False alarms: " + ("none." if not alarms else "; ".join(f"{each.case.name} ({each.case.group})" for each in alarms))


def _row(group: str, own: list[Verdict], theirs: published.Counts | None) -> str:
    wrong = [each for each in own if each.case.wrong]
    correct = [each for each in own if not each.case.wrong]
    ours = [len(wrong), sum(bool(each.right_codes) for each in wrong), len(correct), sum(bool(each.other_codes) for each in own)]
    codes = ", ".join(sorted({code for each in wrong for code in each.right_codes})) or "–"
    others = ["–"] * 4 if theirs is None else [theirs.wrong, theirs.found, theirs.correct, theirs.false_alarms]
    return f"| {group} | {_cells(ours)} | {codes} | {_cells(others)} |"


def _cells(values: Iterable[object]) -> str:
    return " | ".join(str(each) for each in values)


def _programs(every: list[Verdict]) -> Iterator[str]:
    for folder, theirs in FOLDERS.items():
        yield f"### {folder.capitalize()}"
        yield ""
        yield "| program | is | trainlint | reported as | PARCOACH | SPMD IR |"
        yield "|---|---|---|---|---|---|"
        own = [each for each in every if each.case.group == folder]
        for each in own:
            number = int(each.case.name[:2])
            others = ("–", "–") if number in published.OTHERWISE_WITH_TORCH[folder] else theirs[number]
            codes = ", ".join([*each.right_codes, *each.other_codes]) or "–"
            kind = "wrong" if each.case.wrong else "correct"
            yield f"| {each.case.name} | {kind} | {each.word} | {codes} | {others[0]} | {others[1]} |"
        yield ""
        yield _summary(own, folder)
        yield ""


def _summary(own: list[Verdict], folder: str) -> str:
    wrong = [each for each in own if each.case.wrong]
    correct = [each for each in own if not each.case.wrong]
    found = sum(each.word == "found" for each in wrong)
    alarms = sum(each.word == "false alarm" for each in own)
    same = [number for number in FOLDERS[folder] if number not in published.OTHERWISE_WITH_TORCH[folder]]
    said = [
        f"{name}, of the same programs, {sum(FOLDERS[folder][each][at] == 'found' for each in same)} found and "
        f"{sum(FOLDERS[folder][each][at] == 'false alarm' for each in same)} false alarms"
        for at, name in enumerate(("PARCOACH", "SPMD IR"))
    ]
    return (
        f"trainlint: {found} of {len(wrong)} wrong programs found, {alarms} false alarms among {len(correct)} correct ones. "
        f"{'. '.join(said)}."
    )


def replaced(text: str, new: str) -> str:
    """The README with other tables."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + new + END + rest.split(END)[1]


if __name__ == "__main__":
    README.write_text(replaced(README.read_text(encoding="utf-8"), tables(verdicts())), encoding="utf-8")

"""What a finding is known by: the same when code moves, another when its line changes, never shared by two findings."""

from __future__ import annotations

from pathlib import Path

from tests.report.samples import SCRIPT, Lines, finding
from trainlint.finding import Finding, Span
from trainlint.fingerprint import fingerprints

ROOT = Path.cwd()


def mark(found: Finding, text: str = SCRIPT) -> str:
    return fingerprints([found], ROOT, Lines(text))[0]


def test_moved_and_indented_lines_are_the_same() -> None:
    indented = SCRIPT.replace("        dist.all", "            dist.all")
    assert mark(finding()) == mark(finding(Span(8, 1, 8, 2)), "#\n#\n" + SCRIPT) == mark(finding(Span(6, 13, 6, 34)), indented)


def test_wording_and_level_do_not_matter() -> None:
    assert mark(finding(message="said anew")) == mark(finding())


def test_line_rule_and_file_matter() -> None:
    others = [
        mark(finding(), SCRIPT.replace("all_reduce(loss)", "all_reduce(total)")),
        mark(finding(code="TL102")),
        mark(finding(path=Path("other.py"))),
    ]
    assert len({mark(finding()), *others}) == 4


def test_equal_findings_are_numbered() -> None:
    twice = fingerprints([finding(), finding()], ROOT, Lines())
    assert len(set(twice)) == 2
    assert twice[0] == mark(finding())


def test_a_line_that_cannot_be_had_is_no_error() -> None:
    assert len(mark(finding(Span(900, 1, 900, 2)))) == 32


TWO = """\
class A:
    def one(
        self,
    ):
# a comment
        run()

    def two(self):
        if self:
            run()
"""


def test_equal_lines_of_two_functions_are_told_apart() -> None:
    """Or a new finding would take the place of one that was repaired, and stay unseen."""
    one, two = finding(Span(6, 9, 6, 14)), finding(Span(10, 13, 10, 18))
    marks = fingerprints([one, two], ROOT, Lines(TWO))
    assert marks == [mark(one, TWO), mark(two, TWO)]
    assert len(set(marks)) == 2
    without = TWO.replace("        if self:\n            run()", "        run()")
    assert mark(finding(Span(9, 9, 9, 14)), without) == marks[1]
    assert mark(two, TWO.replace("class A", "class B")) != marks[1]

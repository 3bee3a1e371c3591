"""Every expectation file is analysed alone and must be reported exactly as its comments say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.expectations import case_id, copy_alone, differences, projects
from trainlint.app.dev import expectations
from trainlint.app.dev.expectations import BadExpectation, Expectation
from trainlint.finding import Finding, Level, Span


@pytest.mark.parametrize("project", projects(), ids=case_id)
def test_reported_as_expected(project: Path, tmp_path: Path) -> None:
    root = copy_alone(project, tmp_path)
    found = differences(root, project.parent.name)
    assert not found, expectations.explain(root, found)


@pytest.mark.parametrize("project", projects(), ids=case_id)
def test_expects_something_or_says_it_is_silent(project: Path) -> None:
    expected = expectations.read_project(project)
    if project.name.startswith("silent_"):
        assert not expected, f"{project.name} calls itself silent and expects {expected[0]}"
    else:
        assert any(each.code == project.parent.name for each in expected), (
            f"{project.name} expects no {project.parent.name}: name it silent_…"
        )


def test_there_are_cases() -> None:
    """An empty folder would make this module pass without looking at anything."""
    assert len(projects()) > 50


# The harness itself must be able to fail.


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A project with two expected findings and one known miss."""
    (tmp_path / "train.py").write_text(
        "first()  # expect: TL101\nsecond()\nthird()  # expect: TL101, TL102\nfourth()  # expect-not-yet: TL102\n",
        encoding="utf-8",
    )
    return tmp_path


def finding(root: Path, line: int, code: str, file: str = "train.py") -> Finding:
    """A finding as the engine would make it."""
    return Finding(code, "some-name", Level.ERROR, root / file, Span(line, 1, line, 2), "only some ranks get here")


def right(root: Path) -> list[Finding]:
    """Exactly what ``sample`` asks for."""
    return [finding(root, 1, "TL101"), finding(root, 3, "TL102"), finding(root, 3, "TL101")]


def test_harness_accepts_exactly_what_is_expected(sample: Path) -> None:
    assert expectations.problems(sample, right(sample)) == []


def test_harness_wants_a_likely_finding_only_where_such_are_asked_for(sample: Path) -> None:
    (sample / "doubt.py").write_text("fifth()  # expect-likely: TL101\n", encoding="utf-8")
    doubted = [*right(sample), finding(sample, 1, "TL101", "doubt.py")]
    assert expectations.problems(sample, right(sample)) == []
    assert expectations.problems(sample, doubted, likely=True) == []
    assert expectations.problems(sample, doubted) == [
        "doubt.py:1: TL101 reported 1 time(s), expected 0: only some ranks get here"
    ]
    assert expectations.problems(sample, right(sample), likely=True) == ["doubt.py:1: TL101 expected 1 time(s), reported 0"]


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (2, "TL101", "train.py:2: TL101 reported 1 time(s), expected 0"),
        (1, "TL101", "train.py:1: TL101 reported 2 time(s), expected 1"),
        (1, "TL102", "train.py:1: TL102 reported 1 time(s), expected 0"),
        (4, "TL102", "train.py:4: TL102 is reported now"),
    ],
)
def test_harness_sees_one_finding_too_many(sample: Path, line: int, code: str, words: str) -> None:
    (difference,) = expectations.problems(sample, [*right(sample), finding(sample, line, code)])
    assert difference.startswith(words)


def test_harness_sees_a_finding_in_a_file_without_expectations(sample: Path) -> None:
    (sample / "other.py").write_text("pass\n", encoding="utf-8")
    differences = expectations.problems(sample, [*right(sample), finding(sample, 1, "TL101", "other.py")])
    assert [each.split(" reported")[0] for each in differences] == ["other.py:1: TL101"]


@pytest.mark.parametrize("index", range(3))
def test_harness_sees_each_missing_finding(sample: Path, index: int) -> None:
    findings = right(sample)
    lost = findings.pop(index)
    (difference,) = expectations.problems(sample, findings)
    assert difference == f"train.py:{lost.span.line}: {lost.code} expected 1 time(s), reported 0"
    assert f"train.py:{lost.span.line}" in expectations.explain(sample, [difference])


def test_harness_sees_a_finding_on_the_wrong_line(sample: Path) -> None:
    findings = right(sample)
    findings[0] = replace(findings[0], span=Span(2, 1, 2, 5))
    assert len(expectations.problems(sample, findings)) == 2


@pytest.mark.parametrize(
    "comment",
    [
        "# expect TL101",
        "# expects: TL101",
        "#expect: TL101",
        "# expect: TL1",
        "# expect: TL101 TL102",
        "# Expect: TL101",
        "# expect: TL101, 102",
    ],
)
def test_malformed_expectations_are_refused(comment: str) -> None:
    with pytest.raises(BadExpectation):
        expectations.read_text(f"barrier()  {comment}\n", "train.py")


def test_expectations_are_comments_not_strings() -> None:
    text = 'doc = """\nbarrier()  # expect: TL101\n"""\nbarrier()  # warm up  # expect: TL101  # see docs\n'
    assert expectations.read_text(text, "a.py") == [Expectation("a.py", 4, "TL101")]


def test_expectations_of_files_that_do_not_parse() -> None:
    assert expectations.read_text("def broken(:  # expect: TL001\n  '''\n", "a.py") == [Expectation("a.py", 1, "TL001")]


def test_strip_removes_only_expectations() -> None:
    text = "a()  # expect: TL101\r\nb()  # why  # expect-not-yet: TL102\n\tc()  # d\n"
    bare = expectations.without(text)
    assert bare == "a()\r\nb()  # why\n\tc()  # d\n"

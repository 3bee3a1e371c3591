"""Repairs, on every expectation file and every page's bad example: they cure, they hurt nothing else, they come to an end."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import fixes
from tests.expectations import case_id, projects
from tests.fixes import Files
from trainlint import check_paths
from trainlint.app.dev import catalogue, pages
from trainlint.app.dev.pages import parse_page
from trainlint.codes import DEFAULT
from trainlint.edits.apply import apply_edits
from trainlint.finding import Applicability, Edit, Finding, Level, Repair, Span


@cache
def cases() -> list[Any]:
    """(code, project) of every expectation project that is to be reported and of every example on a page."""
    found = [
        pytest.param(each.parent.name, expected(each), id=case_id(each))
        for each in projects()
        if not each.name.startswith("silent_")
    ]
    for path in pages.pages_of(catalogue.pages_folder()):
        page = parse_page(path.read_text(encoding="utf-8"))
        example = page.section("Example")
        for number, project in enumerate(example.projects() if example is not None else []):
            files = {name: block.text.encode() for name, block in project.files.items() if name.endswith(".py")}
            if not files:
                continue  # none of the rules over files beside the Python repairs anything yet
            found.append(pytest.param(page.code, files, id=f"page/{page.code}-{number}"))
    return found


#: Of so many cases one is run by default, in turn, and of the pages' examples one of fewer. The others are heavy: they run in CI.
TURNS, OF_PAGES = 25, 3


def in_turn() -> list[Any]:
    """The cases, each with one of the variants in turn; all but some of them are heavy."""
    found, variants = [], list(fixes.VARIANTS)
    for number, case in enumerate(cases()):
        light = number % (OF_PAGES if str(case.id).startswith("page/") else TURNS) == 0
        variant = variants[number % len(variants)]
        found.append(pytest.param(*case.values, variant, id=f"{case.id}-{variant}", marks=() if light else (pytest.mark.heavy,)))
    return found


def expected(project: Path) -> Files:
    """The files of an expectation project."""
    return fixes.read(project) if project.is_dir() else {project.name: project.read_bytes()}


@pytest.mark.parametrize(("code", "files", "variant"), in_turn())
def test_repairs_cure_and_leave_the_rest_alone(code: str, files: Files, variant: str, tmp_path: Path) -> None:
    """Those that are made, those that are only shown, and again where the bytes are laid out in another way."""
    plain, changed = tmp_path / "plain", tmp_path / "changed"
    fixes.write(plain, files)
    before = check_paths([plain], select=[code])
    everything = among_others(plain, code) if fixes.repairable(before) or fixes.shown(before) else []
    for finding in fixes.shown(before):
        made_by_hand(plain, finding, before, everything)
    assert fixes.repair(plain, code) in {0, 1}
    after = fixes.read(plain)
    for name, data in files.items():
        assert_only_edited(
            data, after[name], [each for each in fixes.repairable(before) if each.path.resolve() == (plain / name).resolve()]
        )
    if after == files:
        assert fixes.repairable(before) == []
        return  # and nothing is to be repaired in other bytes either
    left = among_others(plain, code)
    assert fixes.lost(before, [each for each in left if each.code == code]) == []
    # Other rules may report in the same file; their findings need not go, but none may come.
    assert others(left, code) - others(everything, code) == Counter()
    assert fixes.repair(plain, code) in {0, 1}
    assert fixes.read(plain) == after, "a second run changes something"
    change = fixes.VARIANTS[variant]
    fixes.write(changed, {name: change(data) for name, data in files.items()})
    fixes.repair(changed, code)
    assert fixes.read(changed) == {name: change(data) for name, data in after.items()}, "it minds how the bytes are laid out"


def among_others(folder: Path, code: str) -> list[Finding]:
    """What the default rules and this one report."""
    return check_paths([folder], select=sorted({*DEFAULT, code}))


def others(found: list[Finding], code: str) -> Counter[str]:
    return Counter(each.code for each in found if each.code != code)


def made_by_hand(folder: Path, finding: Finding, before: list[Finding], everything: list[Finding]) -> None:
    """A repair that is only shown cures, too, when somebody makes it: here, and then takes it back."""
    assert finding.repair is not None
    data = finding.path.read_bytes()
    edited = apply_edits(data.decode(), finding.repair.edits).encode()
    ast.parse(edited)
    assert not fixes.comments(data) - fixes.comments(edited), "a comment is gone"
    finding.path.write_bytes(edited)
    left = [each for each in among_others(folder, finding.code) if not is_uncovered(each)]
    assert sum(each.code == finding.code for each in left) < len(before), f"line {finding.span.line} is reported still"
    assert len(left) < len(everything), f"the repair of line {finding.span.line} makes another mistake"
    finding.path.write_bytes(data)


def is_uncovered(finding: Finding) -> bool:
    """Whether the case says that this is a mistake which is not reported: the one before it, now repaired, stood for both."""
    line = finding.path.read_text(encoding="utf-8").splitlines()[finding.span.line - 1]
    return f"expect-not-yet: {finding.code}" in line


def assert_only_edited(before: bytes, after: bytes, findings: list[Finding]) -> None:
    """``after`` parses, keeps all comments and every line that no repair names; without repairs it is ``before``."""
    ast.parse(after)
    if not findings:
        assert after == before
        return
    assert after != before, "a repair was offered and not made"
    assert not fixes.comments(before) - fixes.comments(after), "a comment is gone"
    assert fixes.is_subsequence(fixes.untouched_lines(before, findings), after.split(b"\n")), "a line outside the repair changed"


# The checks themselves must be able to fail.

SOURCE = b"import torch\n\n\ndef f(rank):\n    if rank == 0:\n        barrier()  # wait\n    done()  # end\n"


def finding(code: str = "TL101", edit: Edit | None = None, applicability: Applicability = Applicability.UNSAFE) -> Finding:
    """A finding, with a repair of one edit when there is one."""
    repair = None if edit is None else Repair(applicability, "move it", (edit,))
    return Finding(code, "name", Level.ERROR, Path("a.py"), Span(6, 9, 6, 18), "message", repair=repair)


EDIT = Edit(Span(6, 1, 7, 1), "    barrier()  # wait\n")


def test_an_insertion_touches_no_line() -> None:
    insertion = finding(edit=Edit(Span(6, 1, 6, 1), "    first()\n"))
    assert fixes.untouched_lines(SOURCE, [insertion]) == SOURCE.split(b"\n")
    prefix = finding(edit=Edit(Span(6, 1, 6, 1), "first(); "))
    assert len(fixes.untouched_lines(SOURCE, [prefix])) == len(SOURCE.split(b"\n")) - 1


def test_a_finding_that_stays_is_seen() -> None:
    fixable = finding(edit=EDIT)
    assert fixes.lost([fixable, finding()], [finding()]) == []
    assert fixes.lost([fixable], [fixable]) == ["TL101: 1 findings are left of 1, 1 of which were repaired"]
    assert fixes.lost([finding()], [finding()]) == []
    shown = finding(edit=EDIT, applicability=Applicability.DISPLAY)
    assert fixes.lost([shown], [shown]) == []


def test_a_new_finding_is_seen() -> None:
    assert fixes.lost([finding(edit=EDIT)], [finding("TL102")]) == ["TL102: new: 1 findings, before 0"]


REPAIRED = SOURCE.replace(b"    if rank == 0:\n        barrier()", b"    barrier()")
HOIST = Edit(Span(5, 1, 6, 18), "    barrier()")


@pytest.mark.parametrize(
    ("after", "complaint"),
    [
        (REPAIRED.replace(b"# wait", b""), "comment"),
        (REPAIRED.replace(b"import torch", b"import  torch"), "line outside"),
        (REPAIRED.replace(b"    done()", b"    done( )"), "line outside"),
        (SOURCE, "not made"),
    ],
)
def test_damage_is_seen(after: bytes, complaint: str) -> None:
    assert_only_edited(SOURCE, REPAIRED, [finding(edit=HOIST)])
    with pytest.raises(AssertionError, match=complaint):
        assert_only_edited(SOURCE, after, [finding(edit=HOIST)])


def test_code_that_no_longer_parses_is_seen() -> None:
    with pytest.raises(SyntaxError):
        assert_only_edited(SOURCE, b"def f(:\n", [finding(edit=EDIT)])


def test_a_change_without_a_repair_is_seen() -> None:
    with pytest.raises(AssertionError):
        assert_only_edited(SOURCE, SOURCE + b"\n", [])


def test_variants_change_the_bytes() -> None:
    assert all(
        change(SOURCE) != SOURCE and ast.dump(ast.parse(change(SOURCE))) == ast.dump(ast.parse(SOURCE))
        for change in fixes.VARIANTS.values()
    )
    assert fixes.tabs(b"      x\n") == b"\t  x\n"

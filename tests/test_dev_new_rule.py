"""A new rule starts as a page that fails its test and a module that does nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from trainlint.codes import CODES
from trainlint.dev import new_rule
from trainlint.dev.page_text import HEADINGS, parse_page
from trainlint.dev.pages import run_page
from trainlint.finding import Level
from trainlint.rules.api import Rule


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with the one folder that must exist."""
    (tmp_path / "trainlint" / "rules" / "distributed").mkdir(parents=True)
    return tmp_path


def test_a_name_of_the_catalogue_gets_its_code(root: Path) -> None:
    page, module = new_rule.scaffold("distributed/uneven-collective-loop", root)
    assert page == root / "rules/distributed/TL109-uneven-collective-loop.md"
    assert module == root / "trainlint/rules/distributed/tl109_uneven_collective_loop.py"
    text = module.read_text(encoding="utf-8")
    ast.parse(text)
    assert all(each in text for each in ('code="TL109"', "Level.WARNING", 'fix="display"'))


def test_another_name_gets_the_next_free_code(root: Path) -> None:
    last = max(int(code[2:]) for code in CODES if code.startswith("TL1"))
    first, _ = new_rule.scaffold("distributed/some-new-idea", root)
    second, _ = new_rule.scaffold("distributed/another-idea", root)
    assert (first.name[:5], second.name[:5]) == (f"TL{last + 1}", f"TL{last + 2}")


def test_the_new_page_has_every_heading_and_fails(root: Path) -> None:
    page, _ = new_rule.scaffold("distributed/some-new-idea", root)
    parsed = parse_page(page.read_text(encoding="utf-8"))
    assert tuple(each.heading for each in parsed.sections) == HEADINGS
    rule = Rule(parsed.code, "some-new-idea", "TODO", Level.WARNING, "flow", "none", (), "TODO")
    problems = run_page(page, lambda _root, _select: [], rule)
    assert any("still to do" in each for each in problems)
    assert any(f"{parsed.code} expected 1 time(s), reported 0" in each for each in problems)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("uneven-collective-loop", "wanted FAMILY/NAME"),
        ("distributed/Uneven_Loop", "lower case"),
        ("nowhere/some-idea", "is no family"),
        ("data/uneven-collective-loop", "not of the family"),
    ],
)
def test_names_that_cannot_be(target: str, words: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new_rule.main(target, root) == 2
    assert words in capsys.readouterr().out
    assert not (root / "rules").exists()


def test_nothing_is_overwritten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new_rule.main("distributed/uneven-collective-loop", root) == 0
    assert "dev pages TL109" in capsys.readouterr().out
    assert new_rule.main("distributed/uneven-collective-loop", root) == 2
    assert "is there already" in capsys.readouterr().out

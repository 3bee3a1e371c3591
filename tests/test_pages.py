"""Every rule page is run; and the page runner, on small pages with a small engine, must be able to fail."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from trainlint.app.dev import catalogue, pages
from trainlint.app.dev.pages import PageError, parse_page
from trainlint.finding import Applicability, Edit, Finding, Level, Repair, Span
from trainlint.flow.protocols import Protocol
from trainlint.rules.api import Rule

PAGES = pages.pages_of(catalogue.pages_folder())


@pytest.mark.parametrize("path", PAGES, ids=lambda each: each.stem)
def test_page(path: Path) -> None:
    problems = pages.run_page(path)
    assert not problems, "\n".join(problems)


def test_there_are_pages() -> None:
    assert PAGES


def test_every_rule_module_has_its_page() -> None:
    modules = (catalogue.checkout() / "trainlint" / "rules").glob("*/tl[0-9]*_*.py")
    stems = {(each.parent.name, each.stem[:5].upper(), each.stem[6:].replace("_", "-")) for each in modules}
    assert stems == {(each.parent.name, each.stem[:5], each.stem[6:]) for each in PAGES}


def test_what_is_said_to_be_unshown_has_a_page_and_a_reason() -> None:
    assert pages.UNSHOWN.keys() <= {each.stem[:5] for each in PAGES}
    assert all(pages.UNSHOWN.values())


def test_index_is_fresh() -> None:
    assert catalogue.index_is_fresh(catalogue.pages_folder()), "run `trainlint dev pages --bless`"


# A rule as small as can be: `bad()` is reported and repaired to `good()`.

RULE = Rule("TL101", "rank-conditional-collective", "bad() is bad", Level.ERROR, "flow", "unsafe", (), "0.1")


def engine(root: Path, _select: Sequence[str] | None) -> list[Finding]:
    """Reports every line that calls ``bad()``."""
    found = []
    for path in sorted(root.rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "bad()" in line:
                column = line.index("bad()") + 1
                span = Span(number, column, number, column + 5)
                repair = Repair(Applicability.UNSAFE, "be good", (Edit(span, "good()"),))
                found.append(Finding("TL101", RULE.name, Level.ERROR, path, span, "bad", repair=repair))
    return found


RIGHT = """\
# rank-conditional-collective (TL101)

error · on by default · repair: unsafe, safe · since 0.1

## What it finds

Bad things.

## Why it hurts

They are bad.

## Example

```py
bad()  # expect: TL101
x = 1  # kept
```

Repaired:

```py
good()
x = 1  # kept
```

## Use instead

```py
good()
```

## When it stays silent

Always, except when not:

`main.py`:

```py
from other import thing
```

`other.py`:

```py
thing = 1
```

## Repair

It is unsafe because.

## References

- nowhere
"""


def put(tmp_path: Path, text: str) -> Path:
    """A page on disk under its right name."""
    path = tmp_path / "TL101-rank-conditional-collective.md"
    path.write_text(text, encoding="utf-8")
    return path


def run(tmp_path: Path, text: str) -> list[str]:
    """The problems of a page, without its path."""
    path = put(tmp_path, text)
    return [each.removeprefix(f"{path}:") for each in pages.run_page(path, engine, RULE)]


def test_the_automata_of_a_rule_stand_on_its_page(tmp_path: Path) -> None:
    path = catalogue.pages_folder() / "precision" / "TL403-scaler-bypassed.md"
    text = path.read_text(encoding="utf-8")
    rule = catalogue.rule_of(parse_page(text), "precision")
    stale = text.replace("| `mixed` |", "| `scaled` |")
    assert pages.with_protocol(text, rule) == pages.with_protocol(stale, rule) == text != stale
    assert "## Protocol" not in pages.with_protocol(text, RULE)
    copy = tmp_path / path.name
    copy.write_text(stale, encoding="utf-8")
    assert any("`Protocol` is stale" in each for each in pages.run_page(copy, lambda _root, _select: [], rule))


def test_a_condition_of_an_automaton_is_a_test() -> None:
    with pytest.raises(ValueError, match="on Mondays"):
        list(Protocol("TL999", "Steps", "idle", "idle | step, on Mondays | done", {}).moves)


def test_a_right_page_has_no_problems(tmp_path: Path) -> None:
    assert run(tmp_path, RIGHT) == []


@pytest.mark.parametrize(
    ("old", "new", "start"),
    [
        ("x = 1  # kept\n```\n\nRep", "bad()  # kept\n```\n\nRep", "17: TL101 reported 1 time(s), expected 0"),
        ("bad()  # expect: TL101", "good()  # expect: TL101", "16: TL101 expected 1 time(s), reported 0"),
        ("## Use instead\n\n```py\ngood()", "## Use instead\n\n```py\nbad()", "30: TL101 reported 1 time(s), expected 0"),
        ("thing = 1", "bad()", "46: TL101 reported 1 time(s), expected 0"),
        ("good()\nx = 1  # kept", "good()\nx = 2  # kept", "23: the repair makes something else of it"),
        (
            "error · on by default",
            "warning · off",
            "3: the status line must be `error · on by default · repair: unsafe, safe · since 0.1`",
        ),
        ("## Why it hurts\n\nThey are bad.\n\n", "", "1: the headings must be"),
        ("## Repair\n\nIt is unsafe because.\n\n", "", "1: there must be a section `Repair`"),
        ("## References\n\n- nowhere\n", "## References\n", "53: `References` is empty"),
        ("Bad things.", "TODO: things.", "7: still to do"),
        ("Bad things.", "```py\nbad()\n```", "8: a code block under `What it finds` is never run"),
        ("(TL101)", "(TL102)", "1: the file must be called TL102-"),
        ("- nowhere", "```text\nnever closed", "55: this code block is never closed"),
        ("# rank", "rank", "1: the first line must be"),
        ("bad()  # expect: TL101\n", "good()\n", "16: a bad example without"),
        ("## Use instead\n\n```py\n", "## Use instead\n\n```py broken\n(", "30: a broken block stands under `Example`"),
    ],
)
def test_what_is_wrong_with_a_page_is_seen(old: str, new: str, start: str, tmp_path: Path) -> None:
    assert old in RIGHT
    problems = run(tmp_path, RIGHT.replace(old, new, 1))
    assert [each for each in problems if each.startswith(start)], problems


def test_a_page_without_silent_code_is_seen(tmp_path: Path) -> None:
    text = (
        RIGHT.replace("```py\ngood()\n```\n\n## When", "nothing\n\n## When")
        .replace("```py\nfrom", "```text\nfrom")
        .replace("```py\nthing", "```text\nthing")
    )
    assert run(tmp_path, text) == ["1: the page must show at least one silent block"]


BROKEN = RIGHT.replace("## Use", "And:\n\n```py broken\nif bad()  # expect: TL101\n```\n\n## Use", 1)


def test_a_broken_block_is_run_but_is_no_project() -> None:
    page = parse_page(BROKEN)
    example = page.section("Example")
    assert example is not None
    assert [block.text for block in example.broken] == ["if bad()  # expect: TL101\n"]
    assert len(example.projects()) == 1


def test_a_broken_block_must_be_reported_where_it_says(tmp_path: Path) -> None:
    assert run(tmp_path, BROKEN) == []
    assert run(tmp_path, BROKEN.replace("if bad()  #", "if good()  #")) == ["30: TL101 expected 1 time(s), reported 0"]
    assert run(tmp_path, BROKEN.replace("if bad()  #", "bad()  #")) == ["30: this block can be parsed: it is not broken"]
    assert run(tmp_path, BROKEN.replace("if bad()  # expect: TL101", "if bad()")) == [
        "30: a bad example without `# expect: TL101`",
        "30: TL101 reported 1 time(s), expected 0: bad",
    ]


def test_only_an_unshown_rule_may_have_no_bad_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start, end = RIGHT.index("```py\nbad()"), RIGHT.index("## Use instead")
    silent = RIGHT[:start] + "It cannot be shown.\n\n" + RIGHT[end:]
    assert run(tmp_path, silent) == ["1: the example must expect TL101 at least once"]
    monkeypatch.setattr(pages, "UNSHOWN", {"TL101": "for a reason"})
    assert run(tmp_path, silent) == []
    assert run(tmp_path, RIGHT) == ["1: the example is said to be unshown, and is shown"]


@pytest.mark.parametrize(("code", "name", "selected"), [("TL101", RULE.name, ["TL101"]), ("TL002", "unused-suppression", None)])
def test_a_bad_block_about_the_linter_is_run_under_all_default_rules(
    code: str, name: str, selected: list[str] | None, tmp_path: Path
) -> None:
    asked: list[Sequence[str] | None] = []

    def watched(root: Path, select: Sequence[str] | None) -> list[Finding]:
        if any("expect" in each.read_text(encoding="utf-8") for each in root.rglob("*.py")):
            asked.append(select)
        return []

    path = tmp_path / f"{code}-{name}.md"
    path.write_text(RIGHT.replace("TL101", code).replace(RULE.name, name), encoding="utf-8")
    pages.run_page(path, watched, Rule(code, name, "", Level.WARNING, "syntax", "safe", (), "0.1"))
    assert asked == [selected]


def test_bless_rewrites_what_is_generated_and_nothing_else(tmp_path: Path) -> None:
    stale = RIGHT.replace("error · on by default", "warning · none").replace("good()\nx = 1  # kept", "stale()")
    path = put(tmp_path, stale)
    assert pages.bless_page(path, engine, RULE)
    assert path.read_text(encoding="utf-8") == RIGHT
    assert not pages.bless_page(path, engine, RULE)


def test_named_blocks_form_one_project_and_unnamed_ones_their_own() -> None:
    page = parse_page(
        "# a-b (TL101)\n\ns\n\n## Example\n`a.py`:\n```py\n1\n```\n```py\n2\n```\n"
        "`b/c.py`:\n```py\n3\n```\nRepaired:\n`a.py`:\n```py\n4\n```\n"
    )
    section = page.section("Example")
    assert section is not None
    named, unnamed = section.projects()
    assert {name: block.text for name, block in named.files.items()} == {"a.py": "1\n", "b/c.py": "3\n"}
    assert named.repaired["a.py"].text == "4\n"
    assert [block.text for block in unnamed.files.values()] == ["2\n"]


def test_a_file_named_twice_is_refused() -> None:
    page = parse_page("# a-b (TL101)\n\ns\n\n## Example\n`a.py`:\n```py\n1\n```\n`a.py`:\n```py\n2\n```\n")
    with pytest.raises(PageError, match=r"^12: a\.py stands here twice"):
        page.sections[0].projects()


def test_a_repaired_block_needs_something_to_repair() -> None:
    page = parse_page("# a-b (TL101)\n\ns\n\n## Example\nRepaired:\n```py\n1\n```\n")
    with pytest.raises(PageError, match=r"^8: a `Repaired:` block"):
        page.sections[0].projects()


def test_the_command_says_which_code_has_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pages.main(["TL101"], folder=tmp_path) == 2
    assert "no page for TL101" in capsys.readouterr().out


def test_a_new_index_is_written_once(tmp_path: Path) -> None:
    assert catalogue.write_index(tmp_path)
    assert not catalogue.write_index(tmp_path)
    (tmp_path / "README.md").write_text("edited by hand", encoding="utf-8")
    assert not catalogue.index_is_fresh(tmp_path)

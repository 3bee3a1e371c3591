"""``trainlint rule`` and ``trainlint config``: explanations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from trainlint import pages
from trainlint.codes import CODES

PAGE = "# missing-set-epoch (TL201)\n\n```py\nfor x in y:  # expect: TL201\n    pass\n```\n"


@pytest.fixture(autouse=True)
def one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world in which TL201 is the only rule with a page."""
    folder = tmp_path / "installed/_pages/data"
    folder.mkdir(parents=True)
    (folder / "TL201-missing-set-epoch.md").write_text(PAGE)
    monkeypatch.setattr(pages, "_PACKAGE", tmp_path / "installed")


@pytest.mark.parametrize("word", ["TL201", "tl201", "missing-set-epoch", "Missing_Set_Epoch"])
def test_a_page_by_code_or_name(run: Run, word: str) -> None:
    done = run("rule", word)
    assert (done.exit_code, done.stdout) == (0, PAGE.replace("  # expect: TL201", ""))


def test_the_page_of_a_rule_that_is_off_says_so_and_why(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "installed/_pages/distributed/TL103-data-dependent-collective.md"
    page.parent.mkdir()
    page.write_text("# data-dependent-collective (TL103)\n\nwarning · on\n\n## What it finds\n\nMuch.\n", encoding="utf-8")
    lines = run("rule", "TL103").stdout.split("\n\n")
    assert lines[1] == "warning · on"
    assert lines[2].startswith("Off by default (preview): ")
    assert lines[2].endswith(": --preview turns it on.")
    assert lines[3:] == ["## What it finds", "Much.\n"]


def test_a_page_on_a_terminal(run: Run) -> None:
    done = run("rule", "TL201", "--color", "always")
    assert "\x1b[" in done.stdout
    assert "```" not in done.stdout


def test_a_planned_rule_is_known(run: Run) -> None:
    done = run("rule", "TL103")
    assert done.exit_code == 0
    assert done.stdout.startswith("TL103 (data-dependent-collective) is planned, and not part of this version yet.\n")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("TL1011", "There is no rule 'TL1011'. Did you mean 'TL101'?"),
        ("missing-set-epok", "Did you mean 'missing-set-epoch'?"),
        ("zzz", "There is no rule 'zzz'. `trainlint rule --all` lists them."),
    ],
)
def test_an_unknown_rule(run: Run, word: str, said: str) -> None:
    done = run("rule", word)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("epoch", ["TL201", "TL214", "TL612", "TL712"]),  # in their names
        ("Set Epoch", ["TL201", "TL214"]),
        ("TL11", [code for code in CODES if code.startswith("TL11")]),
        ("bypassed", ["TL117", "TL403", "TL716"]),
        ("for x in y", ["TL201"]),  # on its page
    ],
)
def test_other_words_are_searched_for(run: Run, words: str, codes: list[str]) -> None:
    done = run("rule", words)
    assert (done.exit_code, [line.split()[0] for line in done.stdout.splitlines()]) == (0, codes)
    assert [rule["code"] for rule in json.loads(run("rule", words, "--output-format", "json").stdout)] == codes


@pytest.mark.parametrize("words", [(), ("TL201", "--all")])
def test_a_rule_or_all(run: Run, words: tuple[str, ...]) -> None:
    done = run("rule", *words)
    assert done.exit_code == 2
    assert "Give either a rule or --all." in done.stderr


def test_all_as_text(run: Run) -> None:
    listed, _, reasons = run("rule", "--all").stdout.partition("\n\n")
    lines = listed.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert [line.split()[0] for line in reasons.splitlines()] == ["on", "preview", "advice"]
    assert "TL201  error    on       safe            missing-set-epoch" in lines
    assert "TL101  error    on       unsafe/safe     rank-conditional-collective (planned)" in lines
    assert "TL103  warning  preview  display         data-dependent-collective (planned)" in lines
    assert "TL801  advice   advice   display         sync-every-step (planned)" in lines
    assert "TL001  error    on       -               unreadable-source (planned)" in lines


def test_all_as_json(run: Run) -> None:
    rules = {rule["code"]: rule for rule in json.loads(run("rule", "--all", "--output-format", "json").stdout)}
    assert list(rules) == list(CODES)
    assert rules["TL201"] == {
        "code": "TL201",
        "name": "missing-set-epoch",
        "family": "data",
        "level": "error",
        "default": True,
        "state": "on",
        "reason": "errors are on by default",
        "repairs": ["safe"],
        "status": "stable",
        "explanation": PAGE.replace("  # expect: TL201", ""),
    }
    assert (rules["TL801"]["default"], rules["TL801"]["status"], rules["TL801"]["explanation"]) == (False, "planned", None)
    assert (rules["TL103"]["default"], rules["TL103"]["state"]) == (False, "preview")
    assert "--preview" in rules["TL103"]["reason"]
    assert "--advice" in rules["TL801"]["reason"]
    assert (rules["TL801"]["default"], rules["TL801"]["state"]) == (False, "advice")


def test_all_says_of_what_is_on_what_the_settings_say(run: Run) -> None:
    shown = run("check", "--isolated", "--show-settings").stdout
    on = next(line for line in shown.splitlines() if line.startswith("# rules that are on: ")).split(": ")[1].split()
    rules = json.loads(run("rule", "--all", "--output-format", "json").stdout)
    assert [rule["code"] for rule in rules if rule["state"] == "on"] == on
    assert [rule["code"] for rule in rules if rule["default"]] == on
    lines = [line.split() for line in run("rule", "--all").stdout.partition("\n\n")[0].splitlines()]
    assert [words[0] for words in lines if words[2] == "on"] == on


def test_one_as_json(run: Run) -> None:
    assert json.loads(run("rule", "TL201", "--output-format", "json").stdout)["name"] == "missing-set-epoch"


def test_config_lists_options_and_explains_one(run: Run) -> None:
    assert "\nper-file-ignores " in run("config").stdout
    explained = run("config", "target-versions").stdout
    assert explained.startswith("target-versions\n\n")
    assert explained.endswith("\n")


def test_config_with_an_unknown_option(run: Run) -> None:
    done = run("config", "selct")
    assert done.exit_code == 2
    assert 'did you mean "select"?' in done.stderr

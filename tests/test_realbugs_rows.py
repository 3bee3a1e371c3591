"""The rows of the benchmark of real bugs: what they must be, and that no repository is in both halves.

Some of them are exam material: a test that fails names rows by their ids, and shows nothing of them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.realbugs.rows import HERE, KEYS, Row, half_of, known_before, project_of, read, row_of
from benchmarks.realbugs.shown import kept, written
from trainlint.codes import CODES

ROOT = Path(__file__).resolve().parents[1]
HALVES = {"practice": "P", "exam": "E"}
RESERVED = ROOT.parent / "shared" / "reserved.txt"
"""Repositories that are kept for judging by others: a list that not everybody has."""

GOOD = {
    "id": "P001",
    "repo": "some-body/some.thing",
    "parent": "0" * 40,
    "fix": "1" * 40,
    "path": "a/train.py",
    "line": 3,
    "end_line": 4,
    "function": "train",
    "scope": "function",
    "sure": 0.9,
    "what": "It hangs.",
    "how_fixed": "It no longer does.",
    "codes": ["TL101"],
    "fixed_path": None,
    "fixed_line": 3,
    "decidable": True,
    "why": "",
}


def rows(half: str) -> list[Row]:
    found, wrong = read(HERE / f"{half}.jsonl")
    assert not wrong
    return found


def every() -> list[Row]:
    return [row for half in HALVES for row in rows(half)]


def unread() -> list[dict[str, object]]:
    return [json.loads(line) for line in (HERE / "unread.jsonl").read_text(encoding="utf-8").splitlines()]


def new() -> list[Row]:
    """Those that nobody knew who built trainlint when the benchmark began."""
    return [row for row in every() if not known_before(row.repo)]


class TestTheRowsThatAreKept:
    @pytest.mark.parametrize("half", HALVES)
    def test_they_are_numbered_in_their_order(self, half: str) -> None:
        assert [row.id for row in rows(half)] == [f"{HALVES[half]}{number:03}" for number in range(1, len(rows(half)) + 1)]

    def test_there_are_enough_of_both(self) -> None:
        sizes = [len(rows(half)) for half in HALVES]
        assert min(sizes) >= 200
        assert max(sizes) <= 1.5 * min(sizes)

    def test_their_codes_exist(self) -> None:
        assert not [row.id for row in every() if not CODES.keys() >= set(row.codes)]

    def test_no_code_is_named_twice(self) -> None:
        assert not [row.id for row in every() if len(set(row.codes)) < len(row.codes)]

    def test_no_bug_is_there_twice(self) -> None:
        places = Counter((project_of(row.repo), row.fix, row.path, row.line, row.codes[0]) for row in every())
        assert max(places.values()) == 1

    def test_what_cannot_be_decided_says_why(self) -> None:
        assert not [row.id for row in every() if not row.decidable and not row.why]

    def test_parent_and_fix_are_not_the_same(self) -> None:
        assert not [row.id for row in every() if row.parent == row.fix]

    @pytest.mark.parametrize("half", HALVES)
    def test_each_repository_is_in_the_half_that_the_rule_says(self, half: str) -> None:
        assert not [row.id for row in rows(half) if half_of(row.repo) != half]

    def test_no_project_is_in_both_halves(self) -> None:
        assert not {project_of(row.repo) for row in rows("practice")} & {project_of(row.repo) for row in rows("exam")}

    def test_no_repository_and_no_code_has_most_of_the_new_rows(self) -> None:
        assert max(Counter(project_of(row.repo) for row in new()).values()) <= 4
        assert max(Counter(row.codes[0] for row in new()).values()) <= 15

    @pytest.mark.skipif(not RESERVED.exists(), reason="there is no list of reserved repositories beside the checkout")
    def test_no_reserved_repository_is_among_them(self) -> None:
        reserved = {line.strip().lower() for line in RESERVED.read_text(encoding="utf-8").splitlines()}
        assert not [row.id for row in every() if row.repo.lower() in reserved]
        assert not [number for number, each in enumerate(unread(), 1) if str(each["repo"]).lower() in reserved]


class TestTheUnreadRepositories:
    def test_there_are_as_many_in_both_halves(self) -> None:
        assert Counter(each["half"] for each in unread()) == {"practice": 20, "exam": 20}

    def test_each_is_there_once_and_has_no_row(self) -> None:
        names = [project_of(str(each["repo"])) for each in unread()]
        assert len(set(names)) == len(names)
        assert not set(names) & {project_of(row.repo) for row in every()}

    def test_they_say_what_they_are(self) -> None:
        for each in unread():
            assert list(each) == ["repo", "commit", "files", "lines", "half"]
            assert re.fullmatch(r"[0-9a-f]{40}", str(each["commit"]))
            assert isinstance(each["files"], int)
            assert 20 <= each["files"] <= 400


class TestTheSplit:
    def test_other_names_of_a_project_go_where_it_goes(self) -> None:
        assert project_of("flwrlabs/flower") == project_of("Adap/Flower") == "adap/flower"
        assert half_of("flwrlabs/flower") == half_of("adap/flower")

    def test_known_ones_are_practice(self) -> None:
        assert known_before("karpathy/NANOgpt")
        assert half_of("karpathy/NANOgpt") == "practice"
        assert not known_before("some/thing")

    def test_one_in_six_of_the_others_is_practice(self) -> None:
        halves = Counter(half_of(f"some/thing-{number}") for number in range(6000))
        assert 0.15 < halves["practice"] / 6000 < 0.185


class TestReading:
    def test_a_row_has_all_keys_and_no_others(self) -> None:
        assert tuple(GOOD) == KEYS
        assert row_of(GOOD).codes == ("TL101",)
        assert row_of(GOOD).family == "TL1"

    @pytest.mark.parametrize("key", KEYS)
    def test_a_missing_key_is_named(self, key: str) -> None:
        with pytest.raises(ValueError, match=f"^no {key}$"):
            row_of({name: value for name, value in GOOD.items() if name != key})

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("id", ""),
            ("id", 3),
            ("repo", "../.."),
            ("repo", "a/.."),
            ("repo", "a"),
            ("repo", "a/b/c"),
            ("repo", "--git-dir=/tmp/x"),
            ("parent", "--output=/tmp/x"),
            ("parent", "0" * 39),
            ("fix", None),
            ("path", "../train.py"),
            ("path", "/etc/passwd"),
            ("path", ".git/config"),
            ("path", ""),
            ("line", 0),
            ("line", True),
            ("line", "3"),
            ("end_line", 2),
            ("function", 3),
            ("scope", "here"),
            ("sure", 1.1),
            ("sure", float("nan")),
            ("codes", []),
            ("codes", "TL101"),
            ("codes", ["E501"]),
            ("codes", [["TL101"]]),
            ("fixed_path", "a/../../b.py"),
            ("fixed_line", 0),
            ("decidable", 1),
            ("why", None),
        ],
    )
    def test_an_impossible_value_is_refused_and_not_shown(self, key: str, value: object) -> None:
        with pytest.raises(ValueError, match=rf"^{key} ") as caught:
            row_of({**GOOD, key: value})
        assert "passwd" not in str(caught.value)

    def test_an_unknown_key_is_refused(self) -> None:
        with pytest.raises(ValueError, match="unknown keys: reader"):
            row_of({**GOOD, "reader": "me"})

    def test_lines_that_are_no_rows_are_named_and_the_others_read(self, tmp_path: Path) -> None:
        good = json.dumps(GOOD)
        deep = "[" * 100_000
        lines = [good, "{", "", "[]", deep, '"\\ud800"', json.dumps({**GOOD, "line": -1}), good]
        (tmp_path / "rows.jsonl").write_text("\n".join(lines))
        found, wrong = read(tmp_path / "rows.jsonl")
        assert found == [row_of(GOOD)] * 2
        assert [each.partition(":")[0] for each in wrong] == ["line 2", "line 4", "line 5", "line 6", "line 7"]
        assert wrong[0] == "line 2: not JSON"
        assert wrong[-1] == "line 7: line is not what it must be"

    def test_bytes_that_are_no_text_are_no_row(self, tmp_path: Path) -> None:
        (tmp_path / "rows.jsonl").write_bytes(b"\xff\x00\n")
        assert read(tmp_path / "rows.jsonl") == ([], ["line 1: not JSON"])


class TestWhatIsShown:
    def test_the_readme_shows_the_rows_and_the_results_that_are_kept(self) -> None:
        readme = (HERE / "README.md").read_text(encoding="utf-8")
        assert written(readme, kept()) == readme

    def test_results_of_an_exam_hold_no_single_row(self) -> None:
        for (_, half), one in kept().items():
            assert ("each" in one) == (half == "practice")
            assert one["rows file"] == f"{half}.jsonl"

    def test_results_of_practice_are_of_these_rows(self) -> None:
        ids = [row.id for row in rows("practice")]
        for (_, half), one in kept().items():
            if half == "practice":
                assert [each["id"] for each in one["each"]] == ids

    def test_results_are_of_so_many_rows(self) -> None:
        assert {linter for linter, half in kept() if half == "exam"} >= {
            "trainlint",
            "trainlint-all",
            "torchfix",
            "ruff",
            "pylint",
        }
        for (_, half), one in kept().items():
            assert one["total"]["rows"] == len(rows(half))

    def test_a_file_without_markers_is_left_alone(self) -> None:
        with pytest.raises(ValueError, match="there is no"):
            written("# Real bugs\n", kept())

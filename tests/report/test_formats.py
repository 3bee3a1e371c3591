"""The formats for programs: one line each, JSON, counts; and the lines at the end of a run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.report.samples import HOIST, TRAIN, finding, unsafe
from trainlint.app.report import concise, json_format, summary
from trainlint.app.report.style import Style
from trainlint.finding import Applicability, Edit, Level, Place, Repair, Span

PLAIN = Style()
DISPLAY = Repair(Applicability.DISPLAY, "Think", ())


class TestConcise:
    def test_one_line_for_each_finding(self) -> None:
        found = [
            finding(repair=HOIST),
            finding(repair=unsafe()),
            finding(repair=DISPLAY),
            finding(Span(5, 1, 5, 2), "head\nreason", path=Path("nb.ipynb"), cell=3),
        ]
        assert concise.render(found, style=PLAIN) == (
            "train.py:6:9: TL101 [*] only rank 0 runs `dist.all_reduce`\n"
            "train.py:6:9: TL101 only rank 0 runs `dist.all_reduce`\n"
            "train.py:6:9: TL101 only rank 0 runs `dist.all_reduce`\n"
            "nb.ipynb:cell 3:5:1: TL101 head\n"
        )

    def test_unsafe_repairs_have_a_star_when_they_are_enabled(self) -> None:
        assert "TL101 [*] only" in concise.render([finding(repair=unsafe())], style=PLAIN, unsafe=True)
        assert "[*]" not in concise.render([finding(repair=DISPLAY)], style=PLAIN, unsafe=True)

    def test_a_finding_is_one_line_whatever_its_file_is_called(self) -> None:
        text = concise.render([finding(path=Path("a\nb\x1b[2J.py"))], style=PLAIN)
        assert text == "a\\x0ab\\x1b[2J.py:6:9: TL101 only rank 0 runs `dist.all_reduce`\n"

    def test_colour(self) -> None:
        assert concise.render([finding(repair=HOIST)], style=Style(colour=True)) == (
            "\x1b[1mtrain.py\x1b[0m\x1b[36m:\x1b[0m6\x1b[36m:\x1b[0m9\x1b[36m:\x1b[0m "
            "\x1b[1;91mTL101\x1b[0m [\x1b[36m*\x1b[0m] only rank 0 runs `dist.all_reduce`\n"
        )

    def test_paths_are_relative_to_the_working_directory_only_below_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        paths = [tmp_path / "here/a.py", tmp_path / "here2/b.py", Path("./sub/../c.py"), Path("../d.py")]
        text = concise.render([finding(path=path) for path in paths], style=PLAIN)
        shown = [line.split(":")[0] for line in text.splitlines()]
        assert shown == ["a.py", f"{tmp_path}/here2/b.py", "c.py", f"{tmp_path}/d.py"]


class TestJson:
    def test_every_key(self) -> None:
        one = finding(level=Level.WARNING, related=(Place(Path("main.py"), Span(2, 3, 2, 8), "called from here"),), repair=HOIST)
        assert json.loads(json_format.render([one], url_of={"TL101": "https://example.org/TL101"})) == [
            {
                "cell": None,
                "code": "TL101",
                "end_location": {"column": 30, "row": 6},
                "filename": str(Path.cwd() / "train.py"),
                "fix": {
                    "applicability": "safe",
                    "edits": [
                        {
                            "content": "    dist.all_reduce(loss)\n",
                            "end_location": {"column": 1, "row": 7},
                            "location": {"column": 1, "row": 5},
                        }
                    ],
                    "message": "Move the call out of the `if`",
                },
                "level": "warning",
                "location": {"column": 9, "row": 6},
                "message": "only rank 0 runs `dist.all_reduce`",
                "name": "rank-conditional-collective",
                "noqa_row": 6,
                "related": [
                    {
                        "filename": str(Path.cwd() / "main.py"),
                        "location": {"column": 3, "row": 2},
                        "message": "called from here",
                    }
                ],
                "severity": "warning",
                "url": "https://example.org/TL101",
            }
        ]

    def test_what_may_be_null(self) -> None:
        (plain,) = json.loads(json_format.render([finding(path=Path("nb.ipynb"), cell=2, level=Level.ADVICE)]))
        assert (plain["fix"], plain["url"], plain["related"], plain["cell"]) == (None, None, [], 2)
        assert (plain["level"], plain["severity"]) == ("advice", "info")

    @pytest.mark.parametrize("applicability", ["safe", "unsafe", "display"])
    def test_applicability_has_the_words_of_ruff(self, applicability: str) -> None:
        repair = Repair(Applicability(applicability), "x", ())
        assert json.loads(json_format.render([finding(repair=repair)]))[0]["fix"]["applicability"] == applicability

    def test_any_text_survives_and_nothing_reaches_a_terminal(self) -> None:
        name = "a\x1b[2J\udcff日\u2028.py"
        text = json_format.render(
            [finding(path=Path(name), repair=Repair(Applicability.SAFE, "x", (Edit(Span(1, 1, 1, 1), "é"),)))]
        )
        assert text.replace("\n", "").isprintable()
        assert text.isascii()
        assert json.loads(text)[0]["filename"] == str(Path.cwd() / name)

    def test_no_findings(self) -> None:
        assert json_format.render([]) == "[]\n"

    def test_keys_order_and_types_are_those_of_ruff(self, tmp_path: Path) -> None:
        ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
        if ruff is None:
            pytest.skip("ruff is not installed")
        (tmp_path / "a.py").write_text("import os\n")
        command = [ruff, "check", "--isolated", "--no-cache", "--select", "F401", "--output-format", "json", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        theirs = json.loads(done.stdout)[0]
        ours = json.loads(json_format.render([finding(repair=HOIST)], url_of={"TL101": "https://example.org"}))[0]
        extra = {"level", "related"}
        assert [key for key in ours if key not in extra] == list(theirs)
        assert _types({key: value for key, value in ours.items() if key not in extra}) == _types(theirs)


def _types(value: Any) -> Any:
    """The shape of JSON data: keys in order, and the type of everything."""
    if isinstance(value, dict):
        return [(key, _types(inner)) for key, inner in value.items()]
    return [_types(value[0])] if isinstance(value, list) else type(value)


class TestStatistics:
    found = (
        [finding(repair=HOIST)] * 9
        + [finding(code="TL102", name="collective-after-rank-exit", repair=repair) for repair in (HOIST, unsafe(), None)]
        + [finding(code="TL103", name="data-dependent-collective", repair=DISPLAY)] * 3
    )

    def test_text(self) -> None:
        assert summary.by_rule(self.found, style=PLAIN) == (
            "9\tTL101\t[*] rank-conditional-collective\n"
            "3\tTL102\t[-] collective-after-rank-exit\n"
            "3\tTL103\t[ ] data-dependent-collective\n"
        )

    def test_without_any_repair_there_are_no_brackets(self) -> None:
        found = [finding()] * 10 + [finding(code="TL102", name="other", repair=unsafe())]
        assert summary.by_rule(found, style=PLAIN) == "10\tTL101\trank-conditional-collective\n 1\tTL102\tother\n"
        assert " 1\tTL102\t[*] other\n" in summary.by_rule(found, style=PLAIN, unsafe=True)

    def test_json(self) -> None:
        assert json.loads(summary.by_rule_as_json(self.found, unsafe=True)) == [
            {"code": "TL101", "name": "rank-conditional-collective", "count": 9, "fixable": True, "fixable_count": 9},
            {"code": "TL102", "name": "collective-after-rank-exit", "count": 3, "fixable": False, "fixable_count": 2},
            {"code": "TL103", "name": "data-dependent-collective", "count": 3, "fixable": False, "fixable_count": 0},
        ]


class TestSummary:
    @pytest.mark.parametrize(
        ("findings", "fixed", "unsafe_enabled", "expected"),
        [
            ([], 0, False, "All checks passed!\n"),
            ([], 2, False, "Found 2 findings (2 fixed, 0 remaining).\n"),
            ([None], 0, False, "Found 1 error.\n"),
            ([None, None], 1, False, "Found 3 findings (1 fixed, 2 remaining).\n"),
            ([HOIST], 0, False, "Found 1 error.\n[*] 1 fixable with the `--fix` option.\n"),
            (
                [HOIST, unsafe(), DISPLAY],
                0,
                False,
                (
                    "Found 3 errors.\n"
                    "[*] 1 fixable with the `--fix` option (1 hidden fix can be enabled with the `--unsafe-fixes` option).\n"
                ),
            ),
            ([HOIST, unsafe(), DISPLAY], 0, True, "Found 3 errors.\n[*] 2 fixable with the `--fix` option.\n"),
            (
                [unsafe(), unsafe()],
                0,
                False,
                "Found 2 errors.\nNo fixes available (2 hidden fixes can be enabled with the `--unsafe-fixes` option).\n",
            ),
        ],
    )
    def test_after_a_check(self, findings: list[Repair | None], fixed: int, unsafe_enabled: bool, expected: str) -> None:
        found = [finding(repair=repair) for repair in findings]
        assert summary.after_check(found, fixed, style=PLAIN, unsafe=unsafe_enabled) == expected

    @pytest.mark.parametrize(
        ("hidden", "fixed", "expected"),
        [
            (0, 0, "No findings would be fixed.\n"),
            (0, 1, "Would fix 1 finding.\n"),
            (0, 2, "Would fix 2 findings.\n"),
            (1, 2, "Would fix 2 findings (1 additional fix available with `--unsafe-fixes`).\n"),
            (2, 1, "Would fix 1 finding (2 additional fixes available with `--unsafe-fixes`).\n"),
            (1, 0, "No findings would be fixed (1 fix available with `--unsafe-fixes`).\n"),
        ],
    )
    def test_after_a_diff(self, hidden: int, fixed: int, expected: str) -> None:
        assert summary.after_diff([finding(repair=unsafe())] * hidden + [finding()], fixed) == expected

    def test_the_list_of_repairs(self) -> None:
        one, other = ("TL101", "rank-conditional-collective"), ("TL201", "missing-set-epoch")
        fixed = {TRAIN: {one: 1, other: 10}, Path("a.py"): {one: 1}}
        assert summary.total_fixed(fixed) == 12
        assert summary.fixed_list(fixed, style=PLAIN) == (
            "Fixed 12 findings:\n"
            "- a.py:\n"
            "    1 \N{MULTIPLICATION SIGN} TL101 (rank-conditional-collective)\n"
            "- train.py:\n"
            "    10 \N{MULTIPLICATION SIGN} TL201 (missing-set-epoch)\n"
            "     1 \N{MULTIPLICATION SIGN} TL101 (rank-conditional-collective)\n"
        )
        assert not summary.fixed_list({}, style=PLAIN)

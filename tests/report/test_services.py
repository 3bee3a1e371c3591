"""The formats that services read: each is read back as the service does it, and nothing in a file can break out of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from tests.report.samples import HOIST, SCRIPT, TRAIN, Lines, finding, unsafe
from trainlint.app.report import annotations, build_servers, concise, formats, json_format, rdjson, sarif
from trainlint.app.report.style import Style
from trainlint.config.settings import FORMATS
from trainlint.finding import Applicability, Edit, Level, Place, Repair, Span

CALLER = Place(Path("main.py"), Span(2, 3, 2, 8), "called from here")
TITLE, MESSAGE = "title=TL101 rank-conditional-collective", "only rank 0 runs `dist.all_reduce`"
NASTY = Path("odd:name,50%\n::error::x.py")
SCHEMA: dict[str, Any] = json.loads((Path(__file__).parent / "sarif-2.1.0.json").read_text(encoding="utf-8"))


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - it is our own


def test_every_format_is_a_whole_document_without_findings() -> None:
    for form in FORMATS:
        text = formats.render(form, [], formats.Look(Style(), False, Lines()))
        assert text == "" or text.endswith("\n")
        if form in ("json", "gitlab", "sarif", "rdjson"):
            json.loads(text)
    assert parsed(formats.render("junit", [], formats.Look(Style(), False, Lines()))).get("failures") == "0"


class TestGithub:
    def test_a_command_for_each_finding(self) -> None:
        found = [finding(related=(CALLER,)), finding(Span(3, 1, 5, 2), level=Level.WARNING), finding(level=Level.ADVICE, cell=2)]
        assert annotations.render_github(found).splitlines() == [
            f"::error file=train.py,line=6,endLine=6,col=9,endColumn=30,{TITLE}::{MESSAGE}",
            f"::warning file=train.py,line=3,endLine=5,{TITLE}::{MESSAGE}",
            f"::notice file=train.py,{TITLE}::cell 2, line 6: {MESSAGE}",
        ]

    def test_nothing_in_a_name_or_message_begins_a_command(self) -> None:
        text = annotations.render_github([finding(path=NASTY, message="100%\r\n::stop-commands::x")])
        assert len(text.splitlines()) == 1
        assert "file=odd%3Aname%2C50%25%0A%3A%3Aerror%3A%3Ax.py," in text
        assert text.endswith("::100%25\\x0d\n")  # the first line, its control characters spelled out


class TestAzure:
    def test_a_command_for_each_finding(self) -> None:
        assert annotations.render_azure([finding(), finding(level=Level.ADVICE, cell=2)]).splitlines() == [
            f"##vso[task.logissue type=error;sourcepath=train.py;linenumber=6;columnnumber=9;code=TL101;]{MESSAGE}",
            f"##vso[task.logissue type=warning;sourcepath=train.py;code=TL101;]cell 2, line 6: {MESSAGE}",
        ]

    def test_nothing_in_a_name_or_message_begins_a_command(self) -> None:
        text = annotations.render_azure([finding(path=Path("a];b.py"), message="x\n##vso[task.complete]%")])
        assert len(text.splitlines()) == 1
        assert "sourcepath=a%5D%3Bb.py;" in text
        assert text.endswith("]x%0A##vso[task.complete]%AZP25\n")


def test_pylint_form() -> None:
    text = concise.render_for_pylint([finding(message="head\nreason"), finding(path=Path("n.ipynb"), cell=3)])
    assert text == "train.py:6: [TL101] head\nn.ipynb:cell 3:6: [TL101] only rank 0 runs `dist.all_reduce`\n"
    # The regular expression with which Jenkins' plugin reads this form of pylint's output.
    assert all(re.match(r"^[^:]+:(cell \d+:)?\d+: \[(\D\D?\d*)\S*\] .+$", line) for line in text.splitlines())


def test_grouped() -> None:
    found = [finding(repair=HOIST), finding(Span(12, 1, 12, 2)), finding(path=Path("z.ipynb"), cell=1)]
    assert concise.render_grouped(found, style=Style()) == (
        "train.py:\n"
        "  6:9  TL101 [*] only rank 0 runs `dist.all_reduce`\n"
        "  12:1 TL101 only rank 0 runs `dist.all_reduce`\n"
        "\n"
        "z.ipynb:\n"
        "  cell 1:6:9 TL101 only rank 0 runs `dist.all_reduce`\n"
    )


def test_json_lines() -> None:
    rows = [json.loads(line) for line in json_format.render_lines([finding(), finding(code="TL102")]).splitlines()]
    assert [row["code"] for row in rows] == ["TL101", "TL102"]


def test_gitlab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_PROJECT_DIR", str(Path.cwd()))
    rows = json.loads(build_servers.render_gitlab([finding(), finding(), finding(level=Level.WARNING, cell=4)], Lines()))
    assert rows[0] == {
        "check_name": "TL101 rank-conditional-collective",
        "description": "only rank 0 runs `dist.all_reduce`",
        "severity": "major",
        "fingerprint": rows[0]["fingerprint"],
        "location": {"path": "train.py", "positions": {"begin": {"line": 6, "column": 9}, "end": {"line": 6, "column": 30}}},
    }
    assert [row["severity"] for row in rows] == ["major", "major", "minor"]
    assert len({row["fingerprint"] for row in rows}) == 3
    assert rows[2]["description"].startswith("cell 4, line 6: ")


class TestRdjson:
    def test_columns_count_bytes(self) -> None:
        lines = Lines('é = "日"; dist.barrier()\n')
        found = json.loads(rdjson.render([finding(Span(1, 10, 1, 24))], lines))["diagnostics"][0]
        assert found["location"]["range"] == {"start": {"line": 1, "column": 13}, "end": {"line": 1, "column": 27}}

    def test_a_repair_is_one_suggestion(self) -> None:
        edits = (Edit(Span(6, 9, 6, 13), "torch"), Edit(Span(1, 1, 1, 1), "import torch\n"))
        found = json.loads(rdjson.render([finding(repair=unsafe(edits), related=(CALLER,))], Lines()))["diagnostics"][0]
        (suggestion,) = found["suggestions"]
        assert suggestion["range"] == {"start": {"line": 1, "column": 1}, "end": {"line": 6, "column": 13}}
        assert suggestion["text"] == "import torch\n" + SCRIPT[: SCRIPT.index("dist.all_reduce")] + "torch"
        assert found["related_locations"][0]["message"] == "called from here"

    def test_edits_of_one_line(self) -> None:
        repair = unsafe((Edit(Span(1, 1, 1, 2), "x"), Edit(Span(1, 5, 1, 6), "y")))
        assert rdjson.as_one(repair, ["a + b"]) == Edit(Span(1, 1, 1, 6), "x + y")

    def test_what_is_only_shown_is_not_suggested(self) -> None:
        shown = Repair(Applicability.DISPLAY, "Think", HOIST.edits)
        assert "suggestions" not in json.loads(rdjson.render([finding(repair=shown)], Lines()))["diagnostics"][0]


class TestJunit:
    def test_a_suite_for_each_file(self) -> None:
        top = parsed(build_servers.render_junit([finding(message="a < b & \x00 c"), finding(path=Path("z.py"), code="TL102")]))
        assert (top.get("tests"), top.get("failures")) == ("2", "2")
        assert [suite.get("name") for suite in top] == ["train.py", "z.py"]
        case = top[0][0]
        assert (case.get("name"), case.get("classname"), case.get("line")) == (
            "TL101 rank-conditional-collective",
            "train.py",
            "6",
        )
        assert case[0].text == "line 6, column 9: a < b & \\x00 c"

    def test_a_clean_run_is_a_test_that_passed(self) -> None:
        top = parsed(build_servers.render_junit([]))
        assert [case.tag for case in top.iter("testcase")] == ["testcase"]


class TestSarif:
    def log(self, *found: Any, root: Path | None = None) -> dict[str, Any]:
        log: dict[str, Any] = json.loads(sarif.render(found, Lines(), root))
        jsonschema.Draft7Validator(SCHEMA).validate(log)
        return log

    def test_it_follows_the_schema(self) -> None:
        shown = Repair(Applicability.DISPLAY, "Think", HOIST.edits)
        self.log()
        log = self.log(
            finding(related=(CALLER,), repair=HOIST),
            finding(code="TL201", name="missing-set-epoch", level=Level.WARNING, repair=shown),
            finding(path=Path("a b%.ipynb"), cell=3, level=Level.ADVICE, repair=HOIST),
            finding(path=Path("/elsewhere/é.py")),
        )
        run = log["runs"][0]
        assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["TL101", "TL201"]
        assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
        assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 0, 0]
        assert ["fixes" in result for result in run["results"]] == [True, False, False, False]
        where = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
        assert where[2] == {"uri": "a%20b%25.ipynb", "uriBaseId": "%SRCROOT%"}
        assert where[3] == {"uri": "file:///elsewhere/%C3%A9.py"}

    def test_the_way_ends_at_the_finding(self) -> None:
        result = self.log(finding(related=(CALLER,)))["runs"][0]["results"][0]
        steps = [step["location"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
        lines = [step["physicalLocation"]["region"]["startLine"] for step in steps]
        assert lines == [2, 6]
        assert result["relatedLocations"][0]["message"]["text"] == "called from here"

    def test_a_repair_says_what_is_deleted_and_inserted(self) -> None:
        change = self.log(finding(repair=HOIST))["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]
        assert change["replacements"] == [
            {
                "deletedRegion": {"startLine": 5, "startColumn": 1, "endLine": 7, "endColumn": 1},
                "insertedContent": {"text": "    dist.all_reduce(loss)\n"},
            }
        ]

    def test_rules_bring_their_pages(self) -> None:
        rule = self.log(finding())["runs"][0]["tool"]["driver"]["rules"][0]
        assert rule["shortDescription"]["text"] == "rank-conditional-collective (TL101)"
        assert "## " in rule["help"]["markdown"]

    def test_fingerprints_do_not_move_with_the_lines(self) -> None:
        here = sarif.render([finding()], Lines())
        moved = sarif.render([finding(Span(9, 9, 9, 30))], Lines("\n\n\n" + SCRIPT))
        marks = [json.loads(text)["runs"][0]["results"][0]["partialFingerprints"] for text in (here, moved)]
        assert marks[0] == marks[1]

    def test_names_count_from_the_root(self, tmp_path: Path) -> None:
        log = self.log(finding(path=tmp_path / "pkg" / TRAIN), root=tmp_path)
        location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        assert location["uri"] == "pkg/train.py"

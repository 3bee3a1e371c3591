"""The checklists of the sample repositories are those that were judged by hand, line by line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.checklist import ITEMS
from trainlint.app.preflight.report import Report, as_data
from trainlint.app.preflight.run import preflight

ROOT = Path(__file__).parents[2]
#: For each script the verdict of each line: judged by hand, by reading the samples.
JUDGED: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "samples.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report on a copy: around the samples themselves stands this project."""
    folder = tmp_path_factory.mktemp("samples")
    for each in (ROOT / "sample_repos").iterdir():
        shutil.copytree(each, folder / each.name)
        (folder / each.name / ".git").mkdir()
    outcome = preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True)))
    report = as_data(outcome)
    for job in report["jobs"]:
        job["script"] = str(Path(job["script"]).relative_to(folder))
    return report


def test_each_sample_has_one_job(report: Report) -> None:
    assert [job["script"] for job in report["jobs"]] == sorted(JUDGED)


@pytest.mark.parametrize("script", sorted(JUDGED))
def test_verdicts_are_the_judged_ones(script: str, report: Report) -> None:
    job = next(each for each in report["jobs"] if each["script"] == script)
    assert {line["name"]: line["verdict"] for line in job["lines"]} == JUDGED[script]


def test_each_line_of_each_job_is_there_and_says_why(report: Report) -> None:
    names = [item.name for item, _ in ITEMS]
    assert len(set(names)) == len(names)
    for job in report["jobs"]:
        assert [line["name"] for line in job["lines"]] == names
        assert sum(job["counts"].values()) == len(names)
        for line in job["lines"]:
            assert line["why"].endswith(".")
            assert line["verdict"] != "seen" or line["evidence"] or line["name"] == "collectives"
            assert line["command"] or line["verdict"] != "unknown"


def test_evidence_is_in_the_files(report: Report) -> None:
    for job in report["jobs"]:
        for line in job["lines"]:
            for proof in line["evidence"]:
                lines = Path(proof["filename"]).read_text(encoding="utf-8").splitlines()
                assert 1 <= proof["row"] <= len(lines)

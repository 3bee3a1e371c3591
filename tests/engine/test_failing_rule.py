"""A rule that raises loses what it would have said of the file that makes it raise, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click.testing
import pytest

from trainlint.app.cli.main import main
from trainlint.app.engine.driver import check
from trainlint.app.engine.result import Result
from trainlint.config import Overrides, find_settings
from trainlint.program.program import Program
from trainlint.rules import registry
from trainlint.rules.api import Suspect

HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"


class Trouble(Exception):
    """What the failing rule raises."""


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> set[str]:
    """The names of the files on which TL101 raises, when it has gone to work."""
    names: set[str] = set()
    (rule,) = registry.load(["TL101"])
    before = rule.finder
    assert before is not None

    def fails(program: Program) -> Iterator[Suspect]:
        assert before is not None
        suspects = list(before(program))
        for path in program.modules:
            if Path(path).name in names:
                raise Trouble(path)
            yield from (suspect for suspect in suspects if suspect.path == path)

    monkeypatch.setattr(rule, "finder", fails)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "reports"))
    (tmp_path / "reports").mkdir()
    return names


def run(folder: Path, *names: str) -> Result:
    settings = find_settings(folder, Overrides(flags={"select": ["TL0", "TL101"]}), isolated=True)
    return check([folder / name for name in names] or [folder], settings)


def found(result: Result) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for finding in result.findings:
        files.setdefault(finding.path.name, []).append(finding.code)
    return files


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for number in range(7):
        (folder / f"a{number}.py").write_text("import a0\n" + HANGS)
    return folder


def test_a_failure_is_said_also_where_its_code_is_not_selected(project: Path, breaks: set[str]) -> None:
    breaks.add("a3.py")
    command = ["check", "--isolated", "--no-cache", "--select", "TL101", str(project / "a3.py")]
    done = click.testing.CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert "All checks passed" not in done.stdout
    assert "trainlint itself failed" in done.stderr


def test_all_other_files_keep_their_findings(project: Path, breaks: set[str]) -> None:
    breaks.add("a3.py")
    result = run(project)
    assert found(result) == {f"a{number}.py": ["TL005" if number == 3 else "TL101"] for number in range(7)}
    assert result.internal_errors == 1


def test_several_files(project: Path, breaks: set[str]) -> None:
    breaks.update(("a0.py", "a3.py", "a6.py"))
    result = run(project)
    assert found(result) == {f"a{number}.py": ["TL005" if number % 3 == 0 else "TL101"] for number in range(7)}
    assert result.internal_errors == 3


def test_a_rule_that_fails_everywhere_is_given_up(project: Path, breaks: set[str]) -> None:
    for number in range(20):
        (project / f"b{number}.py").write_text("import a0\n" + HANGS)
    breaks.update(path.name for path in project.iterdir())
    result = run(project)
    assert {code for codes in found(result).values() for code in codes} == {"TL005"}
    assert result.internal_errors == 9


def test_a_rule_that_fails_whatever_the_files_are_says_so_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (rule,) = registry.load(["TL101"])

    def fails(_program: Program) -> Iterator[Suspect]:
        raise Trouble

    monkeypatch.setattr(rule, "finder", fails)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = run(project)
    assert (found(result), result.internal_errors) == ({"a0.py": ["TL005"]}, 1)
    assert "TL101 failed with Trouble, findings are missing" in result.findings[0].message


def test_what_the_file_that_fails_says_to_others_is_still_known(project: Path, breaks: set[str]) -> None:
    (project / "shared.py").write_text("import torch.distributed as dist\n\n\ndef sync():\n    dist.barrier()\n")
    (project / "uses.py").write_text(
        "import torch.distributed as dist\nfrom shared import sync\n\nif dist.get_rank() == 0:\n    sync()\n"
    )
    breaks.add("shared.py")
    after = found(run(project))
    assert after["uses.py"] == ["TL101"], after


def test_a_file_that_was_not_named_is_named_in_the_message(project: Path, breaks: set[str]) -> None:
    (project / "pyproject.toml").write_text("[tool.trainlint]\n")
    (project / "uses.py").write_text("import a3\n" + HANGS)
    breaks.add("a3.py")
    result = run(project, "uses.py")
    assert sorted(found(result)["uses.py"]) == ["TL005", "TL101"]
    (message,) = (finding.message for finding in result.findings if finding.code == "TL005")
    assert f"TL101 failed on {project / 'a3.py'} with Trouble" in message


@pytest.mark.usefixtures("breaks")
def test_a_rule_that_does_not_fail_is_asked_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    (rule,) = registry.load(["TL101"])
    before = rule.finder
    assert before is not None
    monkeypatch.setattr(rule, "finder", lambda program: asked.append(1) or before(program))
    assert set(found(run(project))) == {f"a{number}.py" for number in range(7)}
    assert len(asked) == 1


def test_the_command_ends_with_2_and_leaves_a_report_without_the_code(project: Path, tmp_path: Path, breaks: set[str]) -> None:
    (project / "a3.py").write_text(HANGS + "secret = 'swordfish'\n")
    breaks.add("a3.py")
    done = click.testing.CliRunner().invoke(main, ["check", "--isolated", "--output-format", "concise", str(project)])
    assert done.exit_code == 2
    assert done.stdout.count(": TL101 ") == 6
    (line,) = (line for line in done.stdout.splitlines() if "TL005" in line)
    assert "a3.py:1:1: TL005 TL101 failed on this file with Trouble, its findings there are missing; the report is in " in line
    (report,) = (tmp_path / "reports").iterdir()
    assert str(report) in line
    assert "swordfish" not in report.read_text()
    assert "Trouble" in report.read_text()


def test_a_site_that_fails_loses_that_finding_alone(project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (rule,) = registry.load(["TL101"])

    def fails(suspect: Suspect) -> None:
        if suspect.path.endswith("a3.py"):
            raise Trouble

    monkeypatch.setattr(rule, "repairer", fails)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = run(project)
    assert set(found(result)) == {f"a{number}.py" for number in range(7)}
    assert "TL005" in found(result)["a3.py"]
    assert [codes for name, codes in found(result).items() if name != "a3.py"] == [["TL101"]] * 6

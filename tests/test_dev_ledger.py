"""The ledger keeps verdicts over runs and prints what moved."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from trainlint.app.dev import ledger
from trainlint.app.dev.ledger import Entry, commit_of, enclosing_function
from trainlint.finding import Finding, Level, Span

SOURCE = "class Trainer:\n    def fit(self):\n        first()\n        second()\n\n\nthird()\n"


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    """A folder with one repository in it, without git."""
    (tmp_path / "repos" / "acme+vision").mkdir(parents=True)
    (tmp_path / "repos" / "acme+vision" / "train.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "repos" / "notes").mkdir()
    return tmp_path / "repos"


def finding(folder: Path, line: int, code: str = "TL101", message: str = "hangs") -> Finding:
    """A finding in the repository's only file."""
    return Finding(code, "name", Level.ERROR, folder / "train.py", Span(line, 1, line, 5), message)


def run(repositories: Path, lines: list[int], *, write: bool = False, message: str = "hangs", commit: str = "c1") -> int:
    """The command with an engine that reports the given lines."""
    return ledger.main(
        repositories,
        write,
        commits={"acme+vision": commit},
        ledger=repositories.parent / "ledger",
        check=lambda folder: [finding(folder, line, message=message) for line in lines],
    )


def stored(repositories: Path) -> list[Entry]:
    """What the ledger holds."""
    return ledger.read(repositories.parent / "ledger" / "acme+vision.jsonl")


def judge(repositories: Path, verdict: str) -> None:
    """Give every entry a verdict."""
    ledger.write(
        repositories.parent / "ledger" / "acme+vision.jsonl",
        [replace(each, verdict=verdict, why="read it") for each in stored(repositories)],
    )


def test_new_findings_are_printed_and_stored_only_when_asked(repositories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repositories, [3, 7]) == 0
    out = capsys.readouterr().out
    assert "+ TL101 train.py:3 in Trainer.fit: to be judged" in out
    assert "+ TL101 train.py:7 in module" in out
    assert stored(repositories) == []
    run(repositories, [3, 7], write=True)
    record = json.loads((repositories.parent / "ledger" / "acme+vision.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert record == {
        "repository": "acme/vision",
        "commit": "c1",
        "path": "train.py",
        "line": 3,
        "function": "Trainer.fit",
        "rule": "TL101",
        "verdict": "unjudged",
        "why": "",
    }


def test_verdicts_survive_another_wording(repositories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(repositories, [3], write=True)
    judge(repositories, "true")
    capsys.readouterr()
    run(repositories, [3], write=True, message="worded otherwise")
    assert "1 known, 0 new, 0 vanished" in capsys.readouterr().out
    assert [each.verdict for each in stored(repositories)] == ["true"]


def test_vanished_findings_are_printed_with_their_verdict(repositories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(repositories, [3, 7], write=True)
    judge(repositories, "true")
    capsys.readouterr()
    run(repositories, [7], write=True)
    assert "- TL101 train.py:3 in Trainer.fit: was true read it" in capsys.readouterr().out
    assert [each.line for each in stored(repositories)] == [7]


def test_another_line_of_the_same_commit_is_another_finding(repositories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(repositories, [3], write=True)
    judge(repositories, "false")
    capsys.readouterr()
    run(repositories, [4])
    assert "0 known, 1 new, 1 vanished" in capsys.readouterr().out


def test_a_verdict_follows_its_function_to_another_commit(repositories: Path) -> None:
    run(repositories, [3], write=True)
    judge(repositories, "false")
    run(repositories, [4], write=True, commit="c2")
    (entry,) = stored(repositories)
    assert (entry.line, entry.commit, entry.verdict) == (4, "c2", "false")


def test_unsure_counts_as_false_and_unjudged_as_nothing() -> None:
    verdicts = ["true", "true", "true", "false", "unsure", "unjudged"]
    lines = ledger.table(
        [Entry("a.py", line, "TL101", verdict=verdict, why="w") for line, verdict in enumerate(verdicts)]
    ).splitlines()
    assert lines[0].split() == ["rule", "findings", "true", "false", "unsure", "unjudged", "precision"]
    assert lines[1].split() == ["TL101", "6", "3", "1", "1", "1", "60.0%"]
    assert lines[2].split()[0] == "all"
    assert ledger.table([Entry("a.py", 1, "TL102")]).splitlines()[1].split()[-1] == "–"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "ledger.jsonl:1"),
        ('{"path": "a"}', "line"),
        ('{"path": "a", "line": 1, "rule": "TL101", "verdict": "maybe", "why": "x"}', "maybe"),
        ('{"path": "a", "line": 1, "rule": "TL101", "verdict": "true"}', "why"),
        ('{"path": "a", "line": 1, "rule": "TL101"}\n' * 2, "twice"),
    ],
)
def test_a_malformed_ledger_is_named_with_its_line(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ledger.BadLedger, match=words):
        ledger.read(path)


def test_a_folder_without_repositories_is_an_error(tmp_path: Path) -> None:
    assert ledger.main(tmp_path, check=lambda _folder: []) == 2


def test_enclosing_function(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(SOURCE, encoding="utf-8")
    assert [enclosing_function(path, line) for line in (1, 3, 7)] == ["Trainer", "Trainer.fit", ""]
    broken = tmp_path / "b.py"
    broken.write_text("def f(:\n", encoding="utf-8")
    assert enclosing_function(broken, 1) == ""


def test_commit_of_a_repository(tmp_path: Path) -> None:
    assert commit_of(tmp_path) is None
    for command in (["init", "-q"], ["-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", "--allow-empty", "-m", "m"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    commit = commit_of(tmp_path)
    assert commit is not None
    assert len(commit) == 40


def test_ledgers_in_the_repository_can_be_read() -> None:
    for path in sorted((Path(__file__).parent / "ledger").glob("*.jsonl")):
        assert all(each.repository.replace("/", "+") == path.stem for each in ledger.read(path))

"""A sweep over a few small repositories: one table, one log each, and what went wrong is a row."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.conftest import run as run  # noqa: PLC0414 - a fixture
from tests.engine.test_workers import Losing, Refusing
from trainlint.app.sweep import one, running
from trainlint.app.sweep.running import Plan, Repository, Results, Swept, repositories, rows, sweep

HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"
CLEAN = "print('hello')\n"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The repositories whose checking was begun, in a process of their own or not."""
    begun: list[str] = []
    really = running.check_elsewhere

    def check(job: str, timeout: float) -> str:
        begun.append(Path(json.loads(job)["path"]).name)
        return really(job, timeout)

    monkeypatch.setattr(running, "check_elsewhere", check)
    return begun


def make(root: Path, **repositories: dict[str, str]) -> None:
    for name, files in repositories.items():
        for file, text in files.items():
            path = root / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def table(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def short(path: Path) -> list[tuple[str, str, str | None, str | None]]:
    return [(row["repository"], row["status"], row["file"], row["code"]) for row in table(path)]


def test_one_table_and_a_log_each(run: Run, tmp_path: Path, started: list[str]) -> None:
    make(
        tmp_path,
        hangs={"train.py": HANGS},
        clean={"a.py": CLEAN},
        configured={"deep/train.py": HANGS, "trainlint.toml": 'ignore = ["TL101"]\nfix = true\n'},
        wrong={"a.py": CLEAN, "trainlint.toml": "select = 3\n"},
    )
    # What lies above a repository is not its configuration, nor part of it.
    make(tmp_path, **{".": {"trainlint.toml": 'select = ["TL9"]\n', "other.py": HANGS, ".git/HEAD": "ref: x\n"}})
    (tmp_path / "list.txt").write_text("hangs\nclean\nconfigured\nwrong\nmissing\n")
    result = run("sweep", "list.txt", "-j", "2")
    assert result.exit_code == 2
    assert short(tmp_path / "trainlint-sweep.jsonl") == [
        ("hangs", "finding", "train.py", "TL101"),
        ("clean", "clean", None, None),
        ("configured", "clean", None, None),
        ("wrong", "error", None, None),
        ("missing", "error", None, None),
    ]
    wrong, missing = table(tmp_path / "trainlint-sweep.jsonl")[-2:]
    assert "select" in wrong["error"]
    assert missing["error"] == "the folder cannot be read: No such file or directory"
    assert "missing: the folder cannot be read" in result.stderr
    assert "Checked 3 repositories: 1 findings" in result.stderr
    assert not result.stdout
    folder = tmp_path / "trainlint-sweep-sarif"
    assert sorted(path.name for path in folder.glob("*.sarif")) == ["clean.sarif", "configured.sarif", "hangs.sarif"]
    log = json.loads((folder / "hangs.sarif").read_text())
    assert [found["ruleId"] for found in log["runs"][0]["results"]] == ["TL101"]
    (here,) = log["runs"][0]["results"][0]["locations"]
    assert here["physicalLocation"]["artifactLocation"] == {"uri": "train.py", "uriBaseId": "%SRCROOT%"}
    assert (tmp_path / "configured" / "deep" / "train.py").read_text() == HANGS

    # What was checked to its end is not checked again; what was not, is.
    before = (tmp_path / "trainlint-sweep.jsonl").read_bytes()
    started.clear()
    assert run("sweep", "list.txt", "-j", "2").exit_code == 2
    assert sorted(started) == ["missing", "wrong"]
    assert (tmp_path / "trainlint-sweep.jsonl").read_bytes() == before

    # Other settings, or a shorter list, are noticed.
    started.clear()
    assert run("sweep", "hangs", "clean", "--select", "TL3").exit_code == 0
    assert sorted(started) == ["clean", "hangs"]
    assert [row[:2] for row in short(tmp_path / "trainlint-sweep.jsonl")] == [("hangs", "clean"), ("clean", "clean")]
    assert sorted(path.name for path in folder.glob("*.sarif")) == ["clean.sarif", "hangs.sarif"]


def test_findings_and_nothing_wrong_is_one(run: Run, tmp_path: Path, started: list[str]) -> None:
    make(tmp_path, hangs={"train.py": HANGS})
    assert run("sweep", "-", "-q", "--isolated", input="hangs\n").exit_code == 1
    assert run("sweep", "-", "-q", "--isolated", "--exit-zero", input="hangs\n").exit_code == 0
    assert started == ["hangs"]
    assert run("sweep", "-", "-q", "--isolated", "--exit-zero", "--again", input="hangs\n").exit_code == 0
    assert started == ["hangs", "hangs"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("sweep", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("sweep", "bad.txt"), "bad.txt:1: this is not JSON"),
        (("sweep", "ok.txt", "--select", "TL1x"), "TL1x"),
        (("sweep", "ok.txt", "--executor", "ssh://host"), "there is only dask://HOST:PORT"),
        (("sweep", "ok.txt", "--config", "nothing.toml"), "neither a file nor KEY=VALUE"),
        (("sweep",), "Missing argument"),
    ],
)
def test_wrong_usage_starts_nothing(run: Run, tmp_path: Path, started: list[str], words: tuple[str, ...], says: str) -> None:
    (tmp_path / "bad.txt").write_text("{")
    (tmp_path / "ok.txt").write_text("x\n")
    result = run(*words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert not started


def swept(tmp_path: Path, executor: Executor, **plan: Any) -> Swept:
    make(tmp_path, a={"train.py": HANGS}, b={"train.py": CLEAN}, c={"train.py": HANGS})
    listed = repositories([("list", "\n".join(str(tmp_path / name) for name in "abc"))])
    return sweep(listed, Plan({}, **plan), Results(tmp_path / "out"), executor)


def statuses(done: Swept) -> list[tuple[str, str]]:
    return [(repository.name, row["status"]) for repository, answer in done.answers for row in rows(repository, answer)]


ALL = [("a", "finding"), ("b", "clean"), ("c", "finding")]


@pytest.mark.parametrize(
    ("executor", "lost"),
    [
        (lambda: Losing(1, BrokenExecutor("a worker died")), 2),
        (lambda: Losing(0, OSError("the network is gone")), 3),
        (Refusing, 1),
    ],
)
def test_what_an_executor_loses_is_checked_once_and_here(tmp_path: Path, executor: Callable[[], Executor], lost: int) -> None:
    done = swept(tmp_path, executor())
    assert statuses(done) == ALL
    assert done.lost == lost


def test_a_repository_that_takes_too_long_is_a_row(tmp_path: Path) -> None:
    done = swept(tmp_path, Losing(10, OSError()), timeout=0.01)
    assert statuses(done) == [(name, "timeout") for name in "abc"]
    assert done.answers[0][1]["error"] == "this took longer than 0.01 seconds"


def test_a_process_that_dies_is_started_again_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    dies = f"import os, signal; open({str(mark)!r}, 'a').write('x'); os.kill(os.getpid(), signal.{signal.SIGKILL.name})"
    monkeypatch.setattr(one, "_START", dies)
    answer = json.loads(one.check_elsewhere("{}", 60))
    assert (answer["status"], answer["error"]) == ("lost", "the process that checked it ended with signal 9")
    assert mark.read_text() == "xx"


def test_a_worker_of_another_version_is_not_believed(tmp_path: Path) -> None:
    class Old(Losing):
        def submit(self, _fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            return super().submit(lambda *_: json.dumps({"version": "0.0", "status": "checked"}), *args, **kwargs)

    assert statuses(swept(tmp_path, Old(10, OSError()))) == [(name, "error") for name in "abc"]


REPOSITORY = Repository("/a", "a", None, "a")
ANSWER: dict[str, Any] = {"status": "checked", "files": 1, "findings": [{"code": "TL101", "line": 3}], "sarif": "{}"}


def test_a_result_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.keep(REPOSITORY, "key", ANSWER)
    known = results.known(REPOSITORY, "key")
    assert known is not None
    assert known["findings"] == ANSWER["findings"]
    assert results.known(REPOSITORY, "another") is None
    path = tmp_path / "a.sweep.json"
    good = path.read_bytes()
    for end in range(0, len(good), 7):
        path.write_bytes(good[:end])
        assert results.known(REPOSITORY, "key") is None
    path.write_bytes(good)
    (tmp_path / "a.sarif").unlink()
    assert results.known(REPOSITORY, "key") is None


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"status": "checked"},
        {**ANSWER, "files": "1"},
        {**ANSWER, "findings": {}},
        {**ANSWER, "findings": ["x"]},
        {**ANSWER, "findings": [{"line": "3"}]},
        {**ANSWER, "findings": [{"line": True}]},
        {**ANSWER, "findings": [{"evil": 3}]},
        {**ANSWER, "status": "error"},
    ],
)
def test_a_result_of_another_form_is_not_believed(tmp_path: Path, answer: Any) -> None:
    results = Results(tmp_path)
    (tmp_path / "a.sarif").write_text("{}")
    (tmp_path / "a.sweep.json").write_text(json.dumps({"key": "key", "answer": answer}))
    assert results.known(REPOSITORY, "key") is None


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from trainlint.app.sweep.running import write_whole

    path = tmp_path / "table.jsonl"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]

"""Baselines and other revisions, driven as a user drives them: the program, real files, real git repositories."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.driven import run_here
from trainlint.app.cli import known_findings
from trainlint.app.cli.main import main
from trainlint.app.engine import driver
from trainlint.app.engine.revision import Exported, Revision, exported, in_place, resolved
from trainlint.config import find_settings

BAD = """\
import torch.distributed as dist


def save(rank, model):
    if rank == 0:
        dist.barrier()
"""
SECOND = BAD.replace("save", "load").replace("barrier", "all_reduce")


def trainlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "GITHUB_ACTIONS"}
    return run_here(folder, ["check", "--isolated", "--output-format", "concise", *arguments], environment)


def git(folder: Path, *arguments: str) -> str:
    settings = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "commit.gpgsign=false",
    ]
    return subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "old.py").write_text(BAD, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    return tmp_path


class TestBaseline:
    def test_only_new_findings_fail(self, project: Path) -> None:
        written = trainlint(project, "--write-baseline", "base.json")
        assert (written.returncode, written.stderr) == (0, "1 finding written to base.json\n")
        (project / "old.py").write_text("# moved\n\n" + BAD, encoding="utf-8")
        assert trainlint(project, "--baseline", "base.json").returncode == 0
        (project / "new.py").write_text(SECOND, encoding="utf-8")
        run = trainlint(project, "--baseline", "base.json")
        assert run.returncode == 1
        assert [line.split(":")[0] for line in run.stdout.splitlines() if "TL1" in line] == ["new.py"]

    def test_fixed_findings_are_pruned_on_request(self, project: Path) -> None:
        (project / "new.py").write_text(SECOND, encoding="utf-8")
        trainlint(project, "--write-baseline", "base.json")
        (project / "old.py").write_text("", encoding="utf-8")
        before = (project / "base.json").read_text(encoding="utf-8")
        assert trainlint(project, "--baseline", "base.json").returncode == 0
        assert (project / "base.json").read_text(encoding="utf-8") == before
        # What was not looked at is not fixed.
        assert "0 fixed" in trainlint(project, "--baseline", "base.json", "--prune-baseline", "pyproject.toml", "new.py").stderr
        assert "1 fixed finding taken" in trainlint(project, "--baseline", "base.json", "--prune-baseline").stderr
        assert list(json.loads((project / "base.json").read_text(encoding="utf-8"))["files"]) == ["new.py"]

    def test_the_configuration_may_name_it(self, project: Path) -> None:
        trainlint(project, "--write-baseline", "base.json")
        (project / "pyproject.toml").write_text('[tool.trainlint]\nbaseline = "base.json"\n', encoding="utf-8")
        (project / "deep").mkdir()
        run = subprocess.run(
            [sys.executable, "-m", "trainlint", "check", ".."], cwd=project / "deep", capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "files": [1]}', "[" * 100_000, "\xff\x00"]
    )
    def test_what_is_no_baseline_ends_the_run(self, project: Path, text: str) -> None:
        (project / "base.json").write_bytes(text.encode("latin-1"))
        run = trainlint(project, "--baseline", "base.json")
        assert run.returncode == 2
        assert "base.json" in run.stderr
        assert "Traceback" not in run.stderr

    def test_a_missing_one_ends_the_run(self, project: Path) -> None:
        run = trainlint(project, "--baseline", "nowhere.json")
        assert (run.returncode, "nowhere.json" in run.stderr) == (2, True)

    @pytest.mark.heavy
    def test_a_new_finding_does_not_take_the_place_of_an_equal_one(self, project: Path) -> None:
        trainlint(project, "--write-baseline", "base.json")
        repaired = BAD.replace("    if rank == 0:\n        dist", "    dist")
        (project / "old.py").write_text(repaired + BAD.replace("save", "load"), encoding="utf-8")
        run = trainlint(project, "--baseline", "base.json")
        assert "old.py:11:9: TL101" in run.stdout


REPAIRABLE = """\
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(dataset, model):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        for batch in loader:
            model(batch).sum().backward()
"""


class TestRepairs:
    """What is known is not repaired: it was put off, and a repair of new code must not bring old code into a change."""

    @pytest.mark.heavy
    def test_only_what_is_new_to_the_baseline_is_repaired(self, project: Path) -> None:
        old, new = project / "old.py", project / "new.py"
        old.write_text(REPAIRABLE, encoding="utf-8")
        trainlint(project, "--write-baseline", "base.json")
        new.write_text(REPAIRABLE, encoding="utf-8")
        shown = trainlint(project, "--baseline", "base.json", "--diff")
        assert shown.returncode == 1
        assert "+++ new.py\n" in shown.stdout
        assert "old.py" not in shown.stdout
        assert shown.stderr == "Would fix 1 finding.\nNot repaired, because known already: 1 finding.\n"
        run = trainlint(project, "--baseline", "base.json", "--fix")
        assert (run.returncode, run.stdout) == (0, "Found 1 finding (1 fixed, 0 remaining).\n")
        assert run.stderr == "Not repaired, because known already: 1 finding.\n"
        assert old.read_text(encoding="utf-8") == REPAIRABLE
        assert "set_epoch" in new.read_text(encoding="utf-8")

    def test_in_one_file(self, project: Path) -> None:
        old = project / "old.py"
        old.write_text(REPAIRABLE, encoding="utf-8")
        trainlint(project, "--write-baseline", "base.json")
        second = REPAIRABLE.replace("train(", "tune(").replace("epoch", "step")
        old.write_text(REPAIRABLE + second, encoding="utf-8")
        run = trainlint(project, "--baseline", "base.json", "--fix")
        assert run.returncode == 0
        assert old.read_text(encoding="utf-8").count("set_epoch(step)") == 1
        assert "set_epoch(epoch)" not in old.read_text(encoding="utf-8")
        assert trainlint(project, "--baseline", "base.json").returncode == 0

    @pytest.mark.heavy
    def test_without_a_baseline_all_is_repaired(self, project: Path) -> None:
        (project / "old.py").write_text(REPAIRABLE, encoding="utf-8")
        run = trainlint(project, "--fix")
        assert (run.returncode, run.stderr) == (0, "")

    @pytest.mark.heavy
    def test_a_new_baseline_remembers_what_is_left(self, project: Path) -> None:
        """The old one does not stand in the way of ``--fix`` when a new one is written."""
        (project / "old.py").write_text(REPAIRABLE, encoding="utf-8")
        run = trainlint(project, "--fix", "--write-baseline", "base.json")
        assert (run.returncode, run.stderr) == (0, "0 findings written to base.json\n")

    @pytest.mark.heavy
    def test_only_what_is_new_since_a_revision_is_repaired(self, project: Path) -> None:
        old, new = project / "old.py", project / "new.py"
        old.write_text(REPAIRABLE, encoding="utf-8")
        git(project, "init")
        git(project, "add", ".")
        git(project, "commit", "-m", "one")
        new.write_text(REPAIRABLE.replace("train", "tune"), encoding="utf-8")
        run = trainlint(project, "--diff-base", "HEAD", "--fix")
        assert (run.returncode, run.stderr) == (0, "Not repaired, because known already: 1 finding.\n")
        assert old.read_text(encoding="utf-8") == REPAIRABLE
        assert "set_epoch" in new.read_text(encoding="utf-8")


class TestRevision:
    @pytest.fixture
    def repository(self, project: Path) -> Path:
        git(project, "init")
        git(project, "add", ".")
        git(project, "commit", "-m", "one")
        return project

    def test_what_was_there_is_left_out(self, repository: Path) -> None:
        (repository / "old.py").write_text("# moved\n" + BAD, encoding="utf-8")
        assert trainlint(repository, "--diff-base", "HEAD").returncode == 0
        (repository / "new.py").write_text(SECOND, encoding="utf-8")
        before = git(repository, "status", "--porcelain"), git(repository, "worktree", "list")
        run = trainlint(repository, "--diff-base", "HEAD", ".")
        assert run.returncode == 1
        assert "new.py:6:9: TL101" in run.stdout
        assert "old.py" not in run.stdout
        assert before == (git(repository, "status", "--porcelain"), git(repository, "worktree", "list"))

    @pytest.mark.heavy
    def test_with_a_baseline(self, repository: Path) -> None:
        """Of two equal findings in one function, one of which both know, the other is new."""
        trainlint(repository, "--write-baseline", "base.json")
        again = "    print(rank)\n    if rank == 0:\n        dist.barrier()\n"
        (repository / "old.py").write_text(BAD + again, encoding="utf-8")
        run = trainlint(repository, "--baseline", "base.json", "--diff-base", "HEAD")
        assert [line.split(" ")[0] for line in run.stdout.splitlines() if "TL101" in line] == ["old.py:9:9:"]

    def test_a_renamed_file_keeps_its_findings(self, repository: Path) -> None:
        git(repository, "mv", "old.py", "moved.py")
        assert trainlint(repository, "--diff-base", "HEAD").returncode == 0
        assert trainlint(repository, "--diff-base", "HEAD", "moved.py").returncode == 0

    def test_a_revision_is_checked_once(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(repository)
        monkeypatch.setenv("XDG_CACHE_HOME", str(repository / ".git/caches"))
        monkeypatch.delenv("TRAINLINT_RAISE", raising=False)
        monkeypatch.setattr(driver, "_FEWEST_KEPT", 1)
        revisions: list[Revision] = []

        def counted(revision: Revision) -> AbstractContextManager[Exported]:
            revisions.append(revision)
            return exported(revision)

        monkeypatch.setattr(known_findings, "exported", counted)

        def run(*words: str) -> int:
            return CliRunner().invoke(main, ["check", "--isolated", "--diff-base", "HEAD", *words]).exit_code

        assert [run(), run(), run()] == [0, 0, 0]
        assert len(revisions) == 1
        assert run("--no-cache") == 0
        assert run("--select", "TL101") == 0
        assert len(revisions) == 3  # other settings may find something else
        (repository / "new.py").write_text(SECOND, encoding="utf-8")
        assert [run(), run()] == [1, 1]
        git(repository, "add", ".")
        git(repository, "commit", "-m", "more")
        assert [run(), run()] == [0, 0]
        assert len(revisions) == 4

    def test_a_change_in_one_file_that_hangs_another(self, repository: Path) -> None:
        (repository / "sync.py").write_text("def finish():\n    pass\n", encoding="utf-8")
        (repository / "main.py").write_text(
            "from sync import finish\n\n\ndef run(rank):\n    if rank == 0:\n        finish()\n", encoding="utf-8"
        )
        git(repository, "add", ".")
        git(repository, "commit", "-m", "two")
        (repository / "sync.py").write_text(
            "import torch.distributed as dist\n\n\ndef finish():\n    dist.barrier()\n", encoding="utf-8"
        )
        run = trainlint(repository, "--diff-base", "HEAD", "sync.py")
        assert run.returncode == 1
        assert "main.py:6:9: TL101" in run.stdout

    @pytest.mark.parametrize("revision", ["nowhere", "--help", "HEAD:old.py", ""])
    def test_a_revision_that_is_none(self, repository: Path, revision: str) -> None:
        run = trainlint(repository, f"--diff-base={revision}")
        assert run.returncode == 2
        assert run.stderr.startswith("Error: ")

    def test_no_repository(self, project: Path) -> None:
        run = trainlint(project, "--diff-base", "HEAD")
        assert run.returncode == 2
        assert "not a git repository" in run.stderr


def test_annotations_by_themselves_in_a_workflow(project: Path) -> None:
    environment = {**os.environ, "GITHUB_ACTIONS": "true"}
    command = [sys.executable, "-m", "trainlint", "check", "--isolated"]
    run = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env=environment)
    assert run.stdout.startswith("::error file=old.py,line=6,")
    chosen = subprocess.run(
        [*command, "--output-format", "concise"], cwd=project, capture_output=True, text=True, check=False, env=environment
    )
    assert chosen.stdout.startswith("old.py:6:9: TL101")


class TestFilesOfACommit:
    """What a commit hook sees: the files that changed. What was wrong before in other files is no mistake of the commit."""

    HELPER = "import torch.distributed as dist\n\n\ndef finish():\n    dist.barrier()\n"
    CALLER = "from helper import finish\n\n\ndef run(rank):\n    if rank == 0:\n        finish()\n"

    @pytest.fixture
    def committed(self, project: Path) -> Path:
        (project / "old.py").unlink()
        (project / "helper.py").write_text(self.HELPER, encoding="utf-8")
        (project / "caller.py").write_text(self.CALLER, encoding="utf-8")
        git(project, "init")
        git(project, "add", ".")
        git(project, "commit", "-m", "start")
        return project

    def test_an_older_finding_in_another_file_is_a_note_with_the_reason(self, committed: Path) -> None:
        (committed / "helper.py").write_text(self.HELPER + "\n\nX = 1\n", encoding="utf-8")
        run = trainlint(committed, "helper.py")
        assert run.returncode == 0
        first, passed, count = run.stdout.splitlines()
        assert first.startswith("caller.py:6:9: TL101 `barrier` runs on ")
        assert first.endswith(" (older; shown because `helper.py` changed)")
        assert (passed, count) == ("All checks passed!", "1 older finding in files that were not changed.")

    def test_what_the_change_brought_into_another_file_fails(self, committed: Path) -> None:
        (committed / "helper.py").write_text(self.HELPER.replace("dist.barrier()", "pass"), encoding="utf-8")
        git(committed, "commit", "-am", "no barrier")
        (committed / "helper.py").write_text(self.HELPER, encoding="utf-8")
        run = trainlint(committed, "helper.py")
        assert run.returncode == 1
        assert "(older" not in run.stdout

    def test_an_older_finding_in_a_changed_file_fails(self, committed: Path) -> None:
        assert trainlint(committed, "caller.py").returncode == 1

    def test_what_was_judged_before_the_commit_is_not_judged_after_it(
        self, committed: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(committed / "caches"))
        monkeypatch.delenv("TRAINLINT_NO_CACHE", raising=False)
        monkeypatch.setattr(driver, "_FEWEST_KEPT", 1)
        settings = find_settings(committed)
        driver.check([committed], settings, kept_for="")
        (committed / "helper.py").write_text(self.HELPER + "\n\ndef other():\n    dist.all_gather()\n", encoding="utf-8")
        (committed / "new.py").write_text(SECOND, encoding="utf-8")  # it was not there
        then = in_place(resolved("HEAD", committed))
        assert then is not None
        before = driver.check([committed / "helper.py"], settings, kept_for="", then=then)
        assert [finding.path.name for finding in before.findings] == ["caller.py"]
        assert before.statistics["files judged"] == 0
        assert driver.check([committed / "helper.py"], settings, kept_for="").statistics["files judged"] > 0

    @pytest.mark.parametrize(
        ("name", "text"),
        [("helper.py", None), ("pyproject.toml", "[project]\n"), ("setup.py", "SAME = 2\n"), ("run.sh", "python caller.py\n")],
    )
    def test_where_more_has_changed_than_python_it_is_put_elsewhere(self, committed: Path, name: str, text: str | None) -> None:
        (committed / "setup.py").write_text("SAME = 1\n", encoding="utf-8")
        git(committed, "add", "setup.py")
        git(committed, "commit", "-m", "more")
        there = resolved("HEAD", committed)
        assert in_place(there) is not None
        (committed / name).unlink(missing_ok=True)
        if text is not None:
            (committed / name).write_text(text, encoding="utf-8")
            git(committed, "add", name)
        assert in_place(there) is None

    def test_without_a_commit_all_is_new(self, project: Path) -> None:
        (project / "helper.py").write_text(self.HELPER, encoding="utf-8")
        (project / "caller.py").write_text(self.CALLER, encoding="utf-8")
        run = trainlint(project, "helper.py")
        assert run.returncode == 1
        assert run.stderr == ""

"""The hooks, run by the real pre-commit: it installs this checkout by itself and decides whether a commit is made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.conftest import BAD, CALLER, HELPER, REPAIRED, git

pytestmark = pytest.mark.heavy  # pre-commit builds an environment and fills it from the package index


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps what it installed: once for all tests."""
    return tmp_path_factory.mktemp("pre-commit-home")


class Project:
    """A git project with one of the hooks installed."""

    def __init__(self, folder: Path, repository: Path, home: Path, hook: str) -> None:
        self.folder = folder
        self.home = home
        revision = git(repository, "rev-parse", "HEAD").strip()
        text = f"repos:\n- repo: {repository}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n"
        git(folder, "init")
        git(folder, "config", "user.name", "t")
        git(folder, "config", "user.email", "t@example.org")
        self.write(".pre-commit-config.yaml", text)
        git(folder, "add", ".")
        git(folder, "commit", "-m", "start", "--no-verify")
        done = self.run(sys.executable, "-m", "pre_commit", "install")
        assert done.returncode == 0, done.stdout + done.stderr

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PYTHON"))}
        environment["PRE_COMMIT_HOME"] = str(self.home)
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, env=environment, timeout=600)

    def commit(self) -> subprocess.CompletedProcess[str]:
        git(self.folder, "add", ".")
        return self.run("git", "commit", "-m", "change")


def test_a_bad_commit_is_refused_and_a_clean_one_passes(tmp_path: Path, repository: Path, home: Path) -> None:
    project = Project(tmp_path, repository, home, "trainlint")
    project.write("train.py", BAD)
    refused = project.commit()
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "TL101" in refused.stdout + refused.stderr
    assert "train.py:6:9" in refused.stdout + refused.stderr
    assert project.read("train.py") == BAD
    project.write("train.py", REPAIRED)
    assert project.commit().returncode == 0


def test_a_repair_stops_the_commit_once(tmp_path: Path, repository: Path, home: Path) -> None:
    project = Project(tmp_path, repository, home, "trainlint-fix")
    project.write("train.py", BAD)
    assert project.commit().returncode == 1
    assert project.read("train.py") == REPAIRED
    assert project.commit().returncode == 0


def test_a_change_in_one_file_that_hangs_another(tmp_path: Path, repository: Path, home: Path) -> None:
    project = Project(tmp_path, repository, home, "trainlint")
    project.write("sync.py", "def finish():\n    pass\n")
    project.write("main.py", CALLER)
    assert project.commit().returncode == 0
    project.write("sync.py", HELPER)
    refused = project.commit()
    assert refused.returncode == 1
    assert "main.py:6:9" in refused.stdout + refused.stderr


def test_a_configuration_beside_the_script_is_checked_too(tmp_path: Path, repository: Path, home: Path) -> None:
    project = Project(tmp_path, repository, home, "trainlint")
    project.write("trainlint.toml", 'extend-select = ["TL922"]\n')
    project.write("ds.json", '{"train_batch_size": 8, "zero_optimization": {"stage": 2, "offload_param": {"device": "cpu"}}}\n')
    refused = project.commit()
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "ds.json:1" in refused.stdout + refused.stderr
    project.write("ds.json", '{"train_batch_size": 8, "zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}}\n')
    assert project.commit().returncode == 0

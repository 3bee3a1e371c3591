"""A copy of this checkout as a repository of its own, which is how other programs install it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".nox", "tests", "sample_repos", "__pycache__", ".*_cache", "dist", "build")


def git(folder: Path, *arguments: str) -> str:
    """What git printed, with nobody's configuration."""
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
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(["git", *settings, *arguments], cwd=folder, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with the checkout as it is now."""
    folder = tmp_path_factory.mktemp("clone") / "trainlint"
    shutil.copytree(ROOT, folder, ignore=_LEFT_OUT)
    git(folder, "init")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "-m", "as it is")
    return folder

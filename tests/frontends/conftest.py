"""What the tests of other programs share: small projects, and this checkout as a repository, which is how it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.frontends.environments import ROOT, Environment

#: A file with one finding: TL101 in line 6, column 9; the same after its repair.
BAD = """\
import torch.distributed as dist


def save(rank, model):
    if rank == 0:
        dist.barrier()
"""
HARDCODED = """\
import torch.distributed as dist


def main():
    dist.init_process_group("nccl", world_size=8, rank=3)
"""
"""What only a preview rule reports (line 5, column 5)."""

REPAIRED = BAD.replace("    if rank == 0:\n        dist", "    dist")
#: ``sync.py``, and a file with a finding (line 6, column 9) because of what ``sync.py`` does.
HELPER = "import torch.distributed as dist\n\n\ndef finish():\n    dist.barrier()\n"
CALLER = "from sync import finish\n\n\ndef run(rank):\n    if rank == 0:\n        finish()\n"

_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".nox", "tests", "sample_repos", "__pycache__", ".*_cache", "node_modules", "dist", "build"
)


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


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with nothing but this checkout in it. To be left as it is."""
    return Environment(tmp_path_factory.mktemp("environment"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one bad file, ``bad.py``."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "bad.py").write_text(BAD, encoding="utf-8")
    return folder

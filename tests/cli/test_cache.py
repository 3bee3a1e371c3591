"""What is kept from run to run: taken when nothing has changed, and never when it is not ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.driven import environment

HANGS = "import torch.distributed as dist\n\n\ndef save(rank):\n    if rank == 0:\n        dist.barrier()\n"
CALLS = "from m0 import finish\n\n\ndef run(rank):\n    if rank == 0:\n        finish()\n"
MANY = 24
HOLDS = """\
import fcntl, sys, time
file = open(sys.argv[1])
fcntl.flock(file, fcntl.LOCK_EX)
print("mine", flush=True)
time.sleep(60)
"""
FOUND = "m1.py:6:9: TL101"


class Project:
    """Files of which one hangs, and what the program says of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.home = folder / "caches"
        (self.folder / ".git").mkdir(parents=True)
        for number in range(MANY):
            self.write(f"m{number}.py", "import torch.distributed as dist\n\n\ndef finish():\n    print(dist)\n")
        self.write("m1.py", HANGS)

    @property
    def cache(self) -> Path:
        return self.folder / ".trainlint_cache"

    @property
    def entry(self) -> Path:
        (only,) = self.cache.glob("*.json")
        return only

    @property
    def known(self) -> Path:
        """What is known of single files."""
        (only,) = self.cache.glob("*.files")
        return only

    @property
    def entries(self) -> list[Path]:
        """All that is kept: of the run, of single files, and their models."""
        return [self.entry, self.known, *sorted(self.cache.glob("*.models"))]

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def check(self, *words: str, **more: str) -> tuple[str, int]:
        """What is found, and how many files were parsed for that."""
        command = [sys.executable, "-m", "trainlint", "check", "--output-format", "concise", "--no-preview", "-v", *words]
        variables = environment(**{"XDG_CACHE_HOME": str(self.home), **more})
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, encoding="utf-8", check=False, env=variables, timeout=60
        )
        assert done.returncode in (0, 1), done.stderr
        parsed = re.search(r"files parsed: (\d+)", done.stderr)
        assert parsed, done.stderr
        return done.stdout, int(parsed[1])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_second_run_reads_what_the_first_found(project: Project) -> None:
    first, parsed = project.check()
    assert FOUND in first
    assert parsed > 0
    assert project.check() == (first, 0)
    assert project.check("--no-cache") == (first, parsed)
    assert project.check(TRAINLINT_NO_CACHE="1") == (first, parsed)
    full = project.check("--output-format", "full")[0], project.check("--output-format", "full", "--no-cache")[0]
    assert full[0] == full[1]
    assert "5 |     if rank == 0:" in full[0]


@pytest.mark.heavy
def test_no_cache_writes_none(project: Project) -> None:
    project.check("--no-cache")
    project.check(TRAINLINT_NO_CACHE="1")
    assert not project.cache.exists()


@pytest.mark.heavy
def test_whatever_matters_is_noticed(project: Project) -> None:
    project.check()
    project.write("m2.py", CALLS)
    project.write("m0.py", "import torch.distributed as dist\n\n\ndef finish():\n    dist.barrier()\n")
    found, parsed = project.check()
    assert ("m2.py:6:9: TL101" in found, parsed > 0) == (True, True)
    assert project.check("--select", "TL2")[0] == "All checks passed!\n"
    assert FOUND not in project.check("m2.py")[0]
    project.write("trainlint.toml", 'ignore = ["TL101"]\n')
    assert FOUND not in project.check()[0]
    (project.folder / "trainlint.toml").unlink()
    assert project.check() == (found, 0)
    (project.folder / "m1.py").unlink()
    assert FOUND not in project.check()[0]
    assert len(list(project.cache.glob("*.json"))) > 1


@pytest.mark.heavy
def test_a_script_beside_the_code_is_noticed_where_a_rule_reads_it(project: Project) -> None:
    project.write("pyproject.toml", '[project]\ndependencies = ["torch==2.4"]\n')
    project.write(
        "m3.py", "import torch\n\n\ndef run(model):\n    torch.use_deterministic_algorithms(True)\n    return model.cuda()\n"
    )
    words = ("--select", "TL903")
    assert "TL903" in project.check(*words)[0]
    assert "TL903" in project.check(*words)[0]
    project.write("run.sh", "export CUBLAS_WORKSPACE_CONFIG=:4096:8\npython m3.py\n")
    assert "TL903" not in project.check(*words)[0]


@pytest.mark.heavy
def test_repairs_are_not_made_from_what_is_kept(project: Project) -> None:
    project.check()
    assert project.check("--fix", "--unsafe-fixes")[1] > 0
    assert "if rank" not in (project.folder / "m1.py").read_text()


@pytest.mark.heavy
def test_only_the_newest_are_kept(project: Project) -> None:
    project.check()
    first = project.entry
    os.utime(first, (1, 1))
    for number in range(40):
        (project.cache / f"{number:064x}.json").write_bytes(b"")
    project.write("m3.py", "X = 1\n")
    found = project.check()
    assert len(list(project.cache.glob("*.json"))) == 32
    assert not first.exists()
    assert project.check() == (found[0], 0)


def emptied(data: bytes) -> bytes:
    signature, text = data[:32], json.loads(data[32:])
    return signature + json.dumps({name: [] for name in text}).encode()


def flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "damage",
    [emptied, flipped, lambda data: data[:50], lambda data: data[32:], lambda _: b"", lambda _: os.urandom(5000)],
    ids=["emptied", "flipped", "cut", "unsigned", "nothing", "noise"],
)
def test_what_was_changed_is_not_believed(project: Project, damage: Callable[[bytes], bytes]) -> None:
    first = project.check()
    for entry in project.entries:
        data = entry.read_bytes()
        entry.write_bytes(data[:-1] if entry.suffix == ".models" else damage(data))
    assert project.check() == first
    assert project.check() == (first[0], 0)  # it is written anew
    project.entry.unlink()
    assert project.check() == (first[0], 0)  # and so is what is known of single files


@pytest.mark.heavy
def test_what_came_with_a_repository_is_not_believed(project: Project, tmp_path: Path) -> None:
    """Somebody commits what their own trainlint has kept, on a file that looked otherwise to it."""
    first = project.check()
    assert project.check(XDG_CACHE_HOME=str(tmp_path / "another")) == first
    assert project.check() == first  # and now the other's entry is there


class TestTheFolder:
    def test_a_link_is_not_followed(self, project: Project, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        project.cache.symlink_to(elsewhere)
        assert FOUND in project.check()[0]
        assert list(elsewhere.iterdir()) == []

    @pytest.mark.heavy
    def test_an_entry_that_is_a_link_is_replaced(self, project: Project, tmp_path: Path) -> None:
        first = project.check()
        target = tmp_path / "target"
        target.write_bytes(project.entry.read_bytes())
        before = target.read_bytes()
        for entry in project.entries:
            entry.unlink()
            entry.symlink_to(target)
        assert project.check() == first
        assert target.read_bytes() == before
        assert [entry for entry in project.entries if entry.is_symlink()] == []

    @pytest.mark.heavy
    def test_pipes_and_folders_are_no_entries(self, project: Project) -> None:
        first = project.check()
        entries = project.entries
        for entry in entries:
            entry.unlink()
            os.mkfifo(entry)
        lock = entries[0].with_suffix(".lock")
        lock.unlink()
        lock.mkdir()
        assert project.check() == first
        for entry in entries:
            entry.unlink()
            entry.mkdir()
        assert project.check() == first

    @pytest.mark.heavy
    def test_a_file_in_its_place(self, project: Project) -> None:
        project.cache.write_text("")
        assert FOUND in project.check()[0]

    @pytest.mark.heavy
    def test_no_home(self, project: Project) -> None:
        assert FOUND in project.check(XDG_CACHE_HOME="/dev/null/nowhere")[0]
        assert not project.cache.exists()

    @pytest.mark.heavy
    def test_another_place(self, project: Project, tmp_path: Path) -> None:
        first, _ = project.check(TRAINLINT_CACHE_DIR=str(tmp_path / "there"))
        assert project.check(TRAINLINT_CACHE_DIR=str(tmp_path / "there")) == (first, 0)
        assert not project.cache.exists()

    @pytest.mark.heavy
    def test_git_does_not_see_it(self, project: Project) -> None:
        (project.folder / ".git").rmdir()
        subprocess.run(["git", "init", "-q", "."], cwd=project.folder, check=True)
        project.check()
        listed = subprocess.run(["git", "status", "--porcelain"], cwd=project.folder, check=True, capture_output=True, text=True)
        assert project.cache.is_dir()
        assert ".trainlint_cache" not in listed.stdout


@pytest.mark.heavy
def test_two_at_once_work_once(project: Project) -> None:
    command = [sys.executable, "-m", "trainlint", "check", "--output-format", "concise", "-v"]
    variables = environment(XDG_CACHE_HOME=str(project.home))
    for number in range(60):  # long enough for both to begin
        project.write(f"more{number}.py", HANGS * 40)
    begun = [subprocess.Popen(command, cwd=project.folder, env=variables, stdout=-1, stderr=-1, text=True) for _ in range(2)]
    said = [process.communicate(timeout=120) for process in begun]
    assert said[0][0] == said[1][0]
    assert sorted("files parsed: 0" in errors for _, errors in said) == [False, True]


@pytest.mark.heavy
def test_who_waits_is_woken_by_the_death_of_the_other(project: Project) -> None:
    project.check()
    lock = project.entry.with_suffix(".lock")
    project.entry.unlink()
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(lock)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "mine\n"
        variables = environment(XDG_CACHE_HOME=str(project.home))
        command = [sys.executable, "-m", "trainlint", "check"]
        waiting = subprocess.Popen(command, cwd=project.folder, env=variables, stdout=-1)
        time.sleep(2)
        assert waiting.poll() is None
        holder.kill()
        assert "m1.py:6:9" in waiting.communicate(timeout=60)[0].decode()

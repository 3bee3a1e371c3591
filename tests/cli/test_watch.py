"""``check --watch``: the real program on a pipe and in a terminal, with files that change under it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"
FINE = "import torch.distributed as dist\n\ndist.barrier()\n"
PATIENCE = 60

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of Unix")


class Watching:
    """A running ``trainlint check --watch``; ``until`` reads on to a text and returns what came up to its end."""

    def __init__(self, folder: Path, *words: str, terminal: bool = False) -> None:
        self.rest = ""
        command = [sys.executable, "-m", "trainlint", "check", "--watch", "--output-format", "concise", *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        environment.pop("GITHUB_ACTIONS", None)
        if terminal:
            self.reading, end = os.openpty()
            self.process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=end, stdout=end, stderr=end, start_new_session=True
            )
        else:
            self.reading, end = os.pipe()
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=end, stderr=subprocess.STDOUT)
        os.close(end)

    def until(self, text: str) -> str:
        came = self.rest
        deadline = time.monotonic() + PATIENCE
        while text not in came:
            ready, _, _ = select.select([self.reading], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{text!r} did not come, but {came!r}"
            read = os.read(self.reading, 65536)
            assert read, f"it ended without {text!r}, with {came!r}"
            came += read.decode()
        end = came.index(text) + len(text)
        self.rest = came[end:]
        return came[:end]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.reading)

    def interrupt(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard() -> Iterator[None]:
    """A shell starts what runs in its background deaf to Ctrl-C, and so would be the programs that are started here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "build" / "project"  # a name that is left out below a project, but not above it
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text("")
    (folder / "train.py").write_text(FINE)
    return folder


@pytest.fixture
def watching(project: Path) -> Iterator[Watching]:
    with_pipe = Watching(project)
    yield with_pipe
    with_pipe.close()


def test_what_changes_is_checked_again(project: Path, watching: Watching) -> None:
    first = watching.until("Watching for file changes.")
    assert "Starting linter in watch mode..." in first
    assert "Found 0 errors. Watching for file changes." in first
    assert "\x1b" not in first

    (project / "train.py").write_text(HANGS)
    second = watching.until("train.py:4:5: TL101")
    assert "File change detected..." in second
    assert "Found 1 error. Watching for file changes." in second

    (project / "pyproject.toml").write_text('[tool.trainlint]\nignore = ["TL101"]\n')
    watching.until("Found 0 errors.")

    (project / "pyproject.toml").write_text('[tool.trainlint]\nignore = ["TL1o1"]\n')
    watching.until('unknown rule selector "TL1o1"')
    watching.until("Found 0 errors.")  # by the configuration from before

    (project / "pyproject.toml").write_text("")
    assert "TL101" in watching.until("train.py:4:5: TL101")

    (project / "notes.txt").write_text("nothing for a linter")
    (project / "train.py").unlink()
    assert "No Python files" not in watching.until("Found 0 errors.")
    assert watching.interrupt() == 0


@pytest.mark.heavy
def test_a_file_outside_of_what_is_checked_gives_facts(project: Path) -> None:
    (project / "ranks.py").write_text("import torch.distributed as dist\n\n\ndef sync():\n    pass\n")
    (project / "train.py").write_text(HANGS.replace("dist.barrier()", "sync()") + "\n")
    (project / "train.py").write_text("from ranks import sync\n" + (project / "train.py").read_text())
    watching = Watching(project, "train.py")
    try:
        watching.until("Found 0 errors.")
        (project / "ranks.py").write_text("import torch.distributed as dist\n\n\ndef sync():\n    dist.barrier()\n")
        assert "train.py:5:5: TL101" in watching.until("train.py:5:5: TL101")
        assert watching.interrupt() == 0
    finally:
        watching.close()


def parsed(text: str) -> int:
    """How many files were parsed, by what ``--verbose`` says; 0 when it says nothing."""
    numbers = re.findall(r"files parsed: (\d+)", text)
    return int(numbers[-1]) if numbers else 0


def test_what_did_not_change_is_not_read_again(project: Path) -> None:
    (project / "ranks.py").write_text("import torch.distributed as dist\n\n\ndef sync():\n    dist.barrier()\n")
    (project / "broken.py").write_text(FINE + "def f(:\n")
    (project / "bad.py").write_text(HANGS)
    (project / "main.py").write_text(
        "import torch.distributed as dist\nfrom ranks import sync\n\nif dist.get_rank() == 0:\n    sync()\n"
    )
    watching = Watching(project, "-v")
    try:
        first = watching.until("main.py:5:5: TL101")
        assert parsed(first) == 4
        (project / "train.py").write_text(f"{FINE}# changed\n")
        second = watching.until("main.py:5:5: TL101")
        assert parsed(second) == 1
        assert second.partition("Watching")[2] == first.partition("Watching")[2]
        assert "broken.py:4:" in second
        # What is said of a file follows from another that changed.
        (project / "ranks.py").write_text("def sync():\n    pass\n")
        third = watching.until("Found 2 errors.")  # one in bad.py, and that broken.py cannot be parsed
        assert parsed(third) <= 1
        watching.until("broken.py:4:")
        (project / "bad.py").unlink()
        (project / "broken.py").write_text(HANGS)
        assert "bad.py" not in watching.until("broken.py:4:5: TL101")
        assert watching.interrupt() == 0
    finally:
        watching.close()


@pytest.mark.heavy
def test_repairs_are_written_and_seen(project: Path) -> None:
    (project / "bad.py").write_text(HANGS)
    watching = Watching(project, "--fix")
    try:
        watching.until("Found 0 errors.")
        assert (project / "bad.py").read_text() == FINE
        (project / "train.py").write_text(HANGS)
        watching.until("Found 0 errors.")
        assert (project / "train.py").read_text() == FINE
        (project / "bad.py").write_text(HANGS.replace("dist.barrier()", "pass"))
        watching.until("Found 0 errors.")
        assert "pass" in (project / "bad.py").read_text()
        assert watching.interrupt() == 0
    finally:
        watching.close()


@pytest.mark.heavy
def test_a_terminal_is_cleared(project: Path) -> None:
    (project / "train.py").write_text(HANGS)
    watching = Watching(project, terminal=True)
    try:
        first = watching.until("train.py")
        assert first.startswith("\x1b[2J\x1b[3J\x1b[H")
        assert "Found 1 error. Watching for file changes." in first
        (project / "train.py").write_text(FINE)
        assert "\x1b[2J\x1b[3J\x1b[H" in watching.until("Found 0 errors.")
        assert watching.interrupt() == 0
    finally:
        watching.close()


@pytest.mark.parametrize("words", [("--diff",), ("--show-settings",), ("--write-baseline", "known.json"), ("--prune-baseline",)])
def test_what_makes_no_sense_is_refused(project: Path, words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "trainlint", "check", "--watch", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"--watch cannot be used with {words[0]}." in done.stderr


def test_without_watchfiles_it_says_what_to_install(project: Path) -> None:
    program = "import sys; sys.modules['watchfiles'] = None; from trainlint.app.cli.main import main; main(['check', '--watch'])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "--watch needs the package watchfiles" in done.stderr
    assert done.stdout == ""

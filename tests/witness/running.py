"""Runs the programs of the witnesses as they are and as trainlint repairs them, each in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import fixes
from trainlint.app.dev import expectations

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
SECONDS = 120


@dataclass(frozen=True)
class Rank:
    """How the process of one rank ended."""

    status: int
    said: str
    complained: str


def program(name: str) -> Path:
    """A program as it was written."""
    return PROGRAMS / f"{name}.py"


def repaired(name: str, folder: Path) -> Path:
    """A program as trainlint's own command repairs it, for all that its comments expect; ``folder`` is empty."""
    copy = folder / program(name).name
    before = expectations.without(program(name).read_text(encoding="utf-8"))
    copy.write_text(before, encoding="utf-8")
    for code in sorted({each.code for each in expectations.read_project(program(name))}):
        status = fixes.repair(folder, code)
        assert status == 0, f"{code} is left in {copy}, or the repair failed (exit code {status})"
    assert copy.read_text(encoding="utf-8") != before, "nothing was repaired"
    return copy


def observe(observer: str, *arguments: object) -> Any:
    """What ``observers/OBSERVER.py ARGUMENTS`` prints as its last line, which is JSON."""
    run = subprocess.run(
        [sys.executable, HERE / "observers" / f"{observer}.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def launch(path: Path, folder: Path, ranks: int = 2) -> list[Rank]:
    """Run a program as a job of some ranks on this machine; how each ended, by rank."""
    where = Path(tempfile.mkdtemp(dir=folder))
    common = {
        **os.environ,
        "WORLD_SIZE": str(ranks),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_free_port()),
        "GLOO_SOCKET_IFNAME": "lo",
        "WITNESS_FILE": str(where / "file"),
    }
    processes = [
        subprocess.Popen(
            [sys.executable, HERE / "observers" / "rank.py", path, where],
            env={**common, "RANK": str(rank), "LOCAL_RANK": str(rank)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(ranks)
    ]
    try:
        said = [each.communicate(timeout=SECONDS) for each in processes]
    finally:
        for each in processes:
            each.kill()
    shutil.rmtree(where)
    return [Rank(each.returncode, *texts) for each, texts in zip(processes, said, strict=True)]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])

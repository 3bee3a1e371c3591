"""A sweep that things happen to: a Dask cluster that loses a worker, a sweep that is killed. Nothing is lost, nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy

HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"
MANY = 14
#: A cluster of two workers, each a process; it says where it is and ends with its stdin.
CLUSTER = """
import json, sys
import distributed
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        print(json.dumps([cluster.scheduler_address, pids]), flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A list of repositories; every other one has a finding, two cannot be read."""
    names = []
    for number in range(MANY):
        names.append(f"repo{number:02}")
        folder = tmp_path / names[-1]
        folder.mkdir()
        (folder / "train.py").write_text(HANGS if number % 2 else "print()\n")
    text = "".join(f"{tmp_path / name}\n" for name in [*names, "missing1", "missing2"])
    path = tmp_path / "list.txt"
    path.write_text(text)
    return path


def command(listed: Path, out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "trainlint", "sweep", str(listed), "--isolated", "-o", str(out), *more]


def finished(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.sweep.json")}


def wait_for(count: int, folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Until so many repositories are finished; the sweep must not be."""
    end = time.monotonic() + 120
    while len(finished(folder)) < count:
        assert process.poll() is None, process.stderr.read() if process.stderr is not None else ""
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def undisturbed(listed: Path, tmp_path: Path) -> bytes:
    """The table of a sweep that nothing happens to."""
    out = tmp_path / "undisturbed.jsonl"
    run = subprocess.run(command(listed, out, "-j", "2"), capture_output=True, check=False, timeout=300)
    assert run.returncode == 2, run.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["status"] for row in rows] == ["clean", "finding"] * (MANY // 2) + ["error", "error"]
    return out.read_bytes()


@pytest.fixture
def cluster() -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler, and the processes of its workers."""
    with subprocess.Popen([sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        address, pids = json.loads(process.stdout.readline())
        yield address.replace("tcp://", "dask://"), pids
        assert process.stdin is not None
        process.stdin.close()


def test_a_worker_that_is_killed_in_the_middle(
    listed: Path, tmp_path: Path, undisturbed: bytes, cluster: tuple[str, list[int]]
) -> None:
    address, pids = cluster
    out = tmp_path / "dask.jsonl"
    with subprocess.Popen(command(listed, out, "--executor", address), stderr=subprocess.PIPE) as sweep:
        wait_for(3, tmp_path / "dask-sarif", sweep)
        os.kill(pids[0], signal.SIGKILL)
        assert len(finished(tmp_path / "dask-sarif")) < MANY  # it was in the middle
        _, said = sweep.communicate(timeout=300)
    assert sweep.returncode == 2, said
    assert out.read_bytes() == undisturbed
    assert len(list((tmp_path / "dask-sarif").glob("*.sarif"))) == MANY


def test_a_cluster_that_goes_away(listed: Path, tmp_path: Path, undisturbed: bytes, cluster: tuple[str, list[int]]) -> None:
    address, pids = cluster
    out = tmp_path / "gone.jsonl"
    with subprocess.Popen(command(listed, out, "--executor", address, "--timeout", "60"), stderr=subprocess.PIPE) as sweep:
        wait_for(2, tmp_path / "gone-sarif", sweep)
        scheduler = int(subprocess.check_output(["ps", "-o", "ppid=", "-p", str(pids[0])]))
        for pid in (scheduler, *pids):
            os.kill(pid, signal.SIGKILL)
        _, said = sweep.communicate(timeout=300)
    assert sweep.returncode == 2, said
    assert out.read_bytes() == undisturbed


def test_a_sweep_that_is_killed_goes_on_where_it_stopped(listed: Path, tmp_path: Path, undisturbed: bytes) -> None:
    out, folder = tmp_path / "killed.jsonl", tmp_path / "killed-sarif"
    with subprocess.Popen(command(listed, out, "-j", "2"), stderr=subprocess.PIPE) as sweep:
        wait_for(3, folder, sweep)
        sweep.kill()
    assert not out.exists()
    before = {name: (folder / name).stat().st_mtime_ns for name in finished(folder)}
    assert 3 <= len(before) < MANY
    run = subprocess.run(command(listed, out, "-j", "2"), capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 2, run.stderr
    assert f"{len(before)} of them before" in run.stderr
    assert {name: (folder / name).stat().st_mtime_ns for name in before} == before  # not written anew
    assert out.read_bytes() == undisturbed


def test_no_process_outlives_a_sweep_that_is_killed(listed: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed.jsonl"
    with subprocess.Popen(command(listed, out, "-j", "2"), stderr=subprocess.PIPE) as sweep:
        wait_for(1, tmp_path / "killed-sarif", sweep)
        children = subprocess.run(["pgrep", "-P", str(sweep.pid)], capture_output=True, text=True, check=False).stdout.split()
        sweep.kill()
    end = time.monotonic() + 20
    while any(Path("/proc", child).exists() for child in children):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_table_as_parquet(listed: Path, tmp_path: Path, undisturbed: bytes) -> None:
    import pyarrow.parquet

    out = tmp_path / "table.parquet"
    folder = str(tmp_path / "undisturbed-sarif")
    run = subprocess.run(command(listed, out, "--folder", folder), capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 2, run.stderr
    assert f"{MANY} of them before" in run.stderr
    assert pyarrow.parquet.read_table(out).to_pylist() == [json.loads(line) for line in undisturbed.splitlines()]

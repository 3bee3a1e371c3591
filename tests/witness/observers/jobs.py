"""``jobs.py RANKS AT_ONCE``: runs many small jobs of some ranks each, told on standard input, and prints how every rank ended.

Standard input is JSON: a list of jobs, each with ``program`` (the file whose ``main`` every rank runs), ``folder`` (empty; the
ranks' working folder and what they print) and ``seconds`` (the timeout of the process group). ``AT_ONCE`` jobs run side by
side, since most of them only wait. The last line of the output is JSON: for each job, in order, an outcome for each rank.

Every rank of every job is a process of its own. It is forked from this one, which has imported PyTorch and done nothing with
it: that takes a tenth of a second instead of two. Before ``main`` the ranks set up a gloo process group and wait for each
other, so that what is measured begins at the same time; after it each stays until all are through, because a rank that has
nothing more to say is busy with other things in a real job. If it ended, gloo would close its connections, and the rank that
waits for it would fail for another reason than its timeout. They find each other through a file, since a port that is free
now may be taken by another job's connection a moment later.
"""

from __future__ import annotations

import datetime as dt
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

LONGEST = 60.0  # seconds that a rank waits for the others outside of the program
LIMIT = 120.0  # seconds for one job, all in all
# Imported here once. torch.nn.parallel needs the compiler, torch._dynamo, when a model is wrapped.
PRELOADED = ["torch._dynamo", "torch.distributed.fsdp", "torch.distributed.checkpoint.state_dict", "torch.nn.parallel"]
TORCH = Path(torch.__file__).parent


def meet(folder: Path, where: str, rank: int, ranks: int) -> None:
    """Say that this rank has come so far, and wait for the others."""
    (folder / f"{where}.{rank}").touch()
    limit = time.monotonic() + LONGEST
    while len(list(folder.glob(f"{where}.*"))) < ranks and time.monotonic() < limit:
        time.sleep(0.01)


def place(frame: traceback.FrameSummary, program: Path) -> list[Any]:
    """Where a frame is: relative to the program's folder or to the package torch, its line, its function."""
    path = Path(frame.filename)
    for root in (program.parent, TORCH.parent):
        if path.is_relative_to(root):
            return [path.relative_to(root).as_posix(), frame.lineno, frame.name]
    return [frame.filename, frame.lineno, frame.name]


def outcome(program: Path) -> dict[str, Any]:
    """How the program's ``main`` ends: what it returns, that it leaves, or what it raises and where that comes from."""
    began = time.monotonic()
    sys.path.insert(0, str(program.parent))
    try:
        ended = {"returned": importlib.import_module(program.stem).main()}
    except SystemExit as left:
        ended = {"left": left.code or 0}
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the outcome
        ended = {
            "raised": f"{type(error).__module__}.{type(error).__qualname__}",
            "message": str(error),
            "places": [place(each, program) for each in traceback.extract_tb(error.__traceback__)],
        }
    return {**ended, "seconds": round(time.monotonic() - began, 1)}


def run(job: dict[str, Any], rank: int, ranks: int) -> None:
    """What one rank does; it leaves its outcome in the job's folder."""
    folder = Path(job["folder"])
    output = os.open(folder / f"output.{rank}", os.O_WRONLY | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks), GLOO_SOCKET_IFNAME="lo")
    os.chdir(folder)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    meet(folder, "start", rank, ranks)
    store, limit = f"file://{folder / 'store'}", dt.timedelta(seconds=job["seconds"])
    dist.init_process_group("gloo", store, rank=rank, world_size=ranks, timeout=limit)
    meet(folder, "begin", rank, ranks)
    ended = outcome(Path(job["program"]))
    (folder / f"outcome.{rank}").write_text(json.dumps(ended), encoding="utf-8")
    meet(folder, "end", rank, ranks)


def start(job: dict[str, Any], ranks: int) -> list[int]:
    """Fork the ranks of a job; their process ids."""
    started = []
    for rank in range(ranks):
        child = os.fork()
        if child == 0:
            try:
                run(job, rank, ranks)
            except BaseException:  # noqa: BLE001  # told in the rank's output; nothing of it may reach the parent's code
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(0)
        started.append(child)
    return started


def ended(job: dict[str, Any], rank: int) -> dict[str, Any]:
    """The outcome of a rank that has ended, or what it printed instead."""
    folder = Path(job["folder"])
    file = folder / f"outcome.{rank}"
    said = (folder / f"output.{rank}").read_text(encoding="utf-8", errors="replace")
    return {**(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"lost": True}), "said": said}


def main(ranks: int, at_once: int) -> None:
    """See the module."""
    jobs = json.load(sys.stdin)
    for each in PRELOADED:
        importlib.import_module(each)
    waiting, running = list(range(len(jobs))), {}
    while waiting or running:
        while waiting and len(running) < at_once:
            number = waiting.pop(0)
            running[number] = (start(jobs[number], ranks), time.monotonic() + LIMIT)
        time.sleep(0.02)
        for number, (processes, limit) in list(running.items()):
            left = [each for each in processes if os.waitpid(each, os.WNOHANG) == (0, 0)]
            if time.monotonic() > limit:
                for each in left:
                    os.kill(each, 9)
            if left:
                running[number] = (left, limit)
            else:
                del running[number]
    print(json.dumps([[ended(job, rank) for rank in range(ranks)] for job in jobs]))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

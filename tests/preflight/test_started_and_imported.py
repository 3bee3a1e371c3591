"""What runs because it is imported, processes that a script starts itself, ranks that come out of a function, loaders of JAX.

All programs are looked at in one run; each lies in a folder of its own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import JobData, as_data
from trainlint.app.preflight.run import preflight

#: A training in a file of its own; what stands at its top, and what a script does with it.
_LOOP = """\
import numpy as np
import torch
import torch.distributed as dist
{top}
def begin(rank_and_count=(None, None)):
    rank, count = rank_and_count
    if rank is None:
        return 1, 0
    dist.init_process_group("nccl", rank=rank, world_size=count)
    return count, rank
def main(rank=None, count=None):
    count, rank = begin((rank, count))
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    def keep():
        if {test}:
            torch.save({{"net": net.state_dict(), "optimizer": optimizer.state_dict()}}, "last.pt")
    for epoch in range(3):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        keep()
"""
_ALONE = "from loop import main\nmain()\n"
_EACH = """\
import multiprocessing as mp
from loop import main
if __name__ == "__main__":
    for rank in range(4):
        mp.Process(target=main, args=(rank, 4)).start()
"""
_OTHER = """\
import multiprocessing as mp
from loop import main
def watch(number):
    print(number)
if __name__ == "__main__":
    for number in range(4):
        mp.Process(target=watch, args=(number,)).start()
    main()
"""
_CONSTANT = "torch.manual_seed(0)"

#: By name: what stands at the top of the file of the training, the test before a save, the script, and what is so.
PROGRAMS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "seeded at the top": (_CONSTANT, "rank == 0", _ALONE, {"seeds": "seen"}),
    "seeded when it is the script": (
        'if __name__ == "__main__":\n    torch.manual_seed(0)',
        "rank == 0",
        _ALONE,
        {"seeds": "missing"},
    ),
    "a generator that is kept": ("DRAWS = torch.Generator().manual_seed(0)", "rank == 0", _ALONE, {"seeds": "missing"}),
    "seeded by a function that is called there": (
        "def fix():\n    torch.manual_seed(0)\nfix()",
        "rank == 0",
        _ALONE,
        {"seeds": "seen"},
    ),
    "seeded by a function that runs at the end": (
        "import atexit\ndef fix():\n    torch.manual_seed(0)\natexit.register(fix)",
        "rank == 0",
        _ALONE,
        {"seeds": "missing"},
    ),
    "a rank out of a function": ("", "rank == 0", _EACH, {"rank-zero": "seen", "launch": "seen"}),
    "a number out of a function": ("", "count == 4", _EACH, {"rank-zero": "unknown", "launch": "seen"}),
    "processes for something else": ("", "rank == 0", _OTHER, {"launch": "unknown"}),
}

_JAX = """\
import jax
import optax
{imports}
class DataLoader:
    def __init__(self, rows):
        self.rows = rows
    def __iter__(self):
        return iter(self.rows)
class Board:
    def setup(self):
        print("board")
Board().setup()
weights = jax.numpy.zeros(4)
optimizer = optax.sgd(0.1)
state = optimizer.init(weights)
def loss_of(weights, batch):
    return ((weights * batch) ** 2).mean()
for batch in {loader}:
    gradients = jax.grad(loss_of)(weights, batch)
    updates, state = optimizer.update(gradients, state)
    weights = optax.apply_updates(weights, updates)
"""
#: By name: what else is imported, what the batches come from, and what is so.
LOADERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "a loader of the project": ("", "DataLoader([1.0, 2.0])", {"pinned": "not-needed", "workers": "not-needed"}),
    "a loader of Grain": (
        "import grain.python as grain",
        "grain.DataLoader(data_source=[1.0])",
        {"pinned": "not-needed", "workers": "unknown"},
    ),
    "a loader of PyTorch": (
        "import torch",
        "torch.utils.data.DataLoader([1.0, 2.0], pin_memory=True, num_workers=2)",
        {"pinned": "seen", "workers": "seen"},
    ),
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JobData]:
    """For each program, by its name, its lines and command lines."""
    folder = tmp_path_factory.mktemp("programs")
    names = [*PROGRAMS, *LOADERS]
    for number, name in enumerate(names):
        (folder / str(number) / ".git").mkdir(parents=True)
        if name in PROGRAMS:
            top, test, script, _ = PROGRAMS[name]
            (folder / str(number) / "loop.py").write_text(_LOOP.format(top=top, test=test), encoding="utf-8")
        else:
            imports, loader, _ = LOADERS[name]
            script = _JAX.format(imports=imports, loader=loader)
        (folder / str(number) / "train.py").write_text(script, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    scripts = [job for job in report["jobs"] if Path(job["script"]).name == "train.py"]
    return {names[int(Path(job["script"]).parent.name)]: job for job in scripts}


@pytest.mark.parametrize("name", [*PROGRAMS, *LOADERS])
def test_verdicts_are_those_of_a_reader(name: str, jobs: dict[str, JobData]) -> None:
    expected = PROGRAMS[name][-1] if name in PROGRAMS else LOADERS[name][-1]
    found = {line["name"]: line["verdict"] for line in jobs[name]["lines"]}
    assert {each: found[each] for each in expected} == expected


def test_a_script_that_starts_its_processes_needs_no_launcher(jobs: dict[str, JobData]) -> None:
    own = jobs["a rank out of a function"]
    told = next(str(line["command"]) for line in own["lines"] if line["name"] == "communication")
    assert told.startswith("NCCL_DEBUG=INFO python ")

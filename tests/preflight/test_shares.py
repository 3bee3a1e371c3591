"""Loaders of a package beside the script, that hand on what they are given; data that ranks share without a sampler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preflight.programs import verdicts
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

LOADERS = """\
from torch.utils.data import DataLoader

class Base(DataLoader):
    def __init__(self, data, transform=None, **kwargs):
        self.transform = transform
        kwargs.pop("dataset", None)
        {before}
        super().__init__(data, collate_fn=list, **kwargs)

class Near(Base):
    def __init__(self, data, hops, **kwargs):
        self.hops = hops
        super().__init__(data, **kwargs)
"""
BATCH = """\
class Batch:
    def apply(self, function):
        for name in vars(self):
            function(getattr(self, name))

    def pin_memory(self):
        return self.apply(lambda each: each.pin_memory())
"""
SCRIPT = """\
import sys
sys.path.append("..")
import torch
from kit.batch import Batch
from kit.loaders import Near

batch = Batch()
batch.apply(print)
net = torch.nn.Linear(4, 2)
options = {options}
train_loader = Near(list(range(8)), hops=2, shuffle=True, **options)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in train_loader:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
RANKS = """\
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
{imports}

rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
dist.init_process_group("nccl")
net = DistributedDataParallel(torch.nn.Linear(4, 2))
indices = torch.arange(800)
{loaders}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""
TORCH = "from torch.utils.data import DataLoader, Subset"
DGL = "from dgl.dataloading import DataLoader"


@pytest.mark.parametrize(
    ("options", "before", "expected"),
    [
        ("dict(batch_size=4, num_workers=4)", "pass", ("seen", "missing")),
        ("{'batch_size': 4, 'num_workers': 4, 'pin_memory': True}", "pass", ("seen", "seen")),
        ("dict(batch_size=4)", "pass", ("missing", "missing")),
        ("dict(num_workers=4)", "kwargs.pop('num_workers', None)", ("missing", "missing")),
        ("dict(num_workers=4)", "kwargs.update(told())", ("unknown", "unknown")),
        ("told()", "pass", ("unknown", "unknown")),
    ],
    ids=["of a call", "a dict", "without", "taken out", "filled up", "not seen"],
)
def test_what_is_handed_on_level_by_level_decides(tmp_path: Path, options: str, before: str, expected: tuple[str, str]) -> None:
    """And a method that says how a batch is pinned pins none."""
    (tmp_path / ".git").mkdir()
    files = {
        "examples/train.py": SCRIPT.format(options=options),
        "kit/__init__.py": "import torch\n",
        "kit/loaders.py": LOADERS.format(before=before),
        "kit/batch.py": BATCH,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    script = tmp_path / "examples" / "train.py"
    (job,) = as_data(preflight([script], settings_for(Request(paths=(str(script),), isolated=True))))["jobs"]
    lines = {line["name"]: line for line in job["lines"]}
    assert (lines["workers"]["verdict"], lines["pinned"]["verdict"]) == expected
    if expected[0] == "seen":
        assert all(each["filename"].endswith("train.py") for each in lines["workers"]["evidence"])


CUT = {
    "split by rank": (TORCH, "train_loader = DataLoader(Subset(data, indices.split(100)[rank]), shuffle=True)", "seen"),
    "every other one": (TORCH, "train_loader = DataLoader(Subset(data, indices[rank::world_size]), shuffle=True)", "seen"),
    "in another name": (TORCH, "own = indices.chunk(world_size)[rank]\ntrain_loader = DataLoader(own, shuffle=True)", "seen"),
    "never shuffled": (TORCH, "train_loader = DataLoader(indices.chunk(world_size)[rank])", "unknown"),
    "not cut": (TORCH, "train_loader = DataLoader(indices, shuffle=True, generator=seeds[rank])", "unknown"),
    "a text": (TORCH, "train_loader = DataLoader(read('a,b'.split(',')[rank]), shuffle=True)", "unknown"),
    "only the evaluation's": (
        TORCH,
        "val_loader = DataLoader(indices.chunk(world_size)[rank], shuffle=True)\ntrain_loader = DataLoader(data, shuffle=True)",
        "unknown",
    ),
    "told to": (DGL, "train_loader = DataLoader(graph, indices, sampler, shuffle=True, use_ddp=True)", "seen"),
    "told not to": (DGL, "train_loader = DataLoader(graph, indices, sampler, shuffle=True, use_ddp=False)", "unknown"),
    "another's word": (TORCH, "train_loader = DataLoader(indices, shuffle=True, use_ddp=True)", "unknown"),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The verdicts of all of them."""
    sources = {name: RANKS.format(imports=imports, loaders=loaders) for name, (imports, loaders, _) in CUT.items()}
    return verdicts(tmp_path_factory.mktemp("shared"), sources)


@pytest.mark.parametrize("name", CUT)
def test_what_each_rank_takes_for_itself_is_shared(shared: dict[str, dict[str, str]], name: str) -> None:
    """Without any sampler, where the loader draws anew."""
    assert shared[name]["set-epoch"] == CUT[name][2]


def test_a_library_has_words_of_its_own_for_pinned_memory(tmp_path: Path) -> None:
    """DGL's loader reads what its graph has pinned."""
    told = "train_loader = DataLoader(graph, indices, sampler, shuffle=True, use_uva={})"
    found = verdicts(tmp_path, {word: RANKS.format(imports=DGL, loaders=told.format(word)) for word in ("True", "False")})
    assert (found["True"]["pinned"], found["False"]["pinned"]) == ("seen", "unknown")

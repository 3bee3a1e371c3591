"""A script that uses a package which lies beside it: what the job never makes there says nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCRIPT = """\
import torch
from torch.utils.data import DataLoader
from kit import Cloud
{more}
data = Cloud("data")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
PACKAGE = """\
import torch
from .big import Big, squeeze{also}
from .data import Cloud
"""
BIG = """\
import outer
import torch
from torch.utils.checkpoint import checkpoint

class Big(outer.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 2)

    def forward(self, x):
        with torch.autocast("cuda", torch.bfloat16):
            return checkpoint(self.inner, x)

    def keep(self, path):
        torch.save(self.state_dict(), path)

def squeeze(net):
    return torch.compile(net)
"""
DATA = """\
import torch
from .io import write

class Cloud(torch.utils.data.Dataset):
    def __init__(self, root):
        self.root = root
        self.process()
        self.items = torch.load(root + "/data.pt")

    def process(self):
        data = [(torch.rand(4), torch.rand(2)) for _ in range(8)]
        write(data, self.root + "/data.pt")

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def with_big(self):
        from .big import Big
        return Big()
"""
IO = """\
import torch

def write(data, path):
    torch.save(data, path)
"""
REGISTRY = """\
import outer
import torch
from torch.utils.checkpoint import checkpoint

KINDS = {}

def register(cls):
    KINDS[cls.__name__] = cls
    return cls

@register
class Wide(outer.Module):
    def forward(self, x):
        return checkpoint(torch.relu, x)
"""


def _lines(folder: Path, files: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The verdict of each line, and its reason."""
    (folder / ".git").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    script = folder / "examples" / "train.py"
    (job,) = as_data(preflight([script], settings_for(Request(paths=(str(script),), isolated=True))))["jobs"]
    return {line["name"]: (line["verdict"], line["why"]) for line in job["lines"]}


def _files(more: str = "", also: str = "", **others: str) -> dict[str, str]:
    return {
        "examples/train.py": "import sys\nsys.path.append('..')\n" + SCRIPT.format(more=more),
        "kit/__init__.py": PACKAGE.format(also=also),
        "kit/big.py": BIG,
        "kit/data.py": DATA,
        "kit/io.py": IO,
        **{f"kit/{name}.py": text for name, text in others.items()},
    }


def test_what_the_job_never_makes_keeps_no_line_open(tmp_path: Path) -> None:
    """Nor does a method of data that nothing calls; and data that are kept are no checkpoints."""
    lines = _lines(tmp_path, _files())
    assert {name: lines[name][0] for name in ("mixed-precision", "compile", "saves", "loads", "frequency", "resumes")} == {
        "mixed-precision": "missing",
        "compile": "missing",
        "saves": "missing",
        "loads": "missing",
        "frequency": "missing",
        "resumes": "missing",
    }
    assert {lines[name][0] for name in ("contents", "pruned", "atomic")} == {"not-needed"}
    assert lines["gradient-checkpointing"][1].startswith("All activations are kept")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("from kit import Big\nhead = Big()\n", "seen"),
        ("from kit import Big\nKINDS = [Big]\nhead = KINDS[0]()\n", "unknown"),
        ("import kit\nimport os\nhead = getattr(kit, os.environ['HEAD'])()\n", "unknown"),
        ("import kit\nimport os\nhead = vars(kit)[os.environ['HEAD']]()\n", "unknown"),
        ("head = data = Cloud('other').with_big()\n", "unknown"),
    ],
    ids=["made", "held", "taken by name", "held by the module", "made by a method"],
)
def test_what_the_job_may_make_counts(tmp_path: Path, more: str, expected: str) -> None:
    """However it comes to it."""
    verdict = _lines(tmp_path, _files(more))["mixed-precision"][0]
    assert verdict in (expected, "seen")


def test_what_is_registered_may_be_made(tmp_path: Path) -> None:
    """Who looks it up could not be determined."""
    lines = _lines(tmp_path, _files(also="\nfrom .wide import Wide", wide=REGISTRY))
    assert not lines["gradient-checkpointing"][1].startswith("All activations are kept")


@pytest.mark.parametrize(
    ("save", "expected"),
    [
        ("write(net.state_dict(), 'data/last.pt')", "seen"),
        ("write({'model': net.state_dict()}, 'processed.pt')", "seen"),
        ("write(data.items, 'data/processed.pt')", "missing"),
    ],
    ids=["a state", "a dict of one", "data"],
)
def test_whoever_hands_it_over_says_what_is_saved(tmp_path: Path, save: str, expected: str) -> None:
    """One function writes data and states."""
    files = _files("from kit.io import write\n")
    files["examples/train.py"] += save + "\n"
    assert _lines(tmp_path, files)["saves"][0] == expected


def test_a_load_of_processed_files_is_none_of_a_state(tmp_path: Path) -> None:
    """Even where a state is loaded elsewhere; that one counts."""
    files = _files()
    files["examples/train.py"] += "net.load_state_dict(torch.load('weights.pt'))\n"
    assert _lines(tmp_path / "both", files)["loads"][0] == "seen"
    assert _lines(tmp_path / "data", _files())["loads"][0] == "missing"

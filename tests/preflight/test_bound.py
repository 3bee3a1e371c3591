"""Options that are parameters of bound functions; objects of unknown libraries that autocast; weights narrowed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

BOUND = """\
import argbind
import torch
from torch.utils.data import DataLoader, TensorDataset
{more}

class Net(torch.nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.layer = torch.nn.Linear(width, 2)

    def forward(self, x):
        return self.layer(x)

{makes}


{binds}
def train(args, num_iters: int = 500, max_norm: float = 0.0):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (x,) in enumerate(DataLoader(TensorDataset(torch.rand(8, 4)))):
        optimizer.zero_grad()
        {before}
            loss = net(x).square().mean()
        loss.backward()
        if max_norm:
            torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        optimizer.step()
        is_last = step == num_iters - 1
        if is_last:
            break


if __name__ == "__main__":
    args = argbind.parse_args()
    with argbind.scope(args):
        train(args)
"""


def looked(folder: Path, files: dict[str, str]) -> dict[str, Any]:
    """The lines of ``train.py`` by their names."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (job,) = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))["jobs"]
    return {line["name"]: line for line in job["lines"]}


def program(binds: str, before: str = "if True:", makes: str = "", more: str = "") -> str:
    """A training with a function that is, or is not, bound."""
    return BOUND.format(binds=binds, before=before, makes=makes, more=more)


@pytest.mark.parametrize(
    ("binds", "dry_run", "clipping"),
    [
        ("@argbind.bind(without_prefix=True)", "python train.py --num_iters 10", "--max_norm"),
        ("@argbind.bind()", "python train.py --train.num_iters 10", "--train.max_norm"),
        ("@argbind.bind('slow', 'fast')", "python train.py --train.num_iters 10", "--train.max_norm"),
        ("@torch.no_grad", "python train.py, stopped after ten steps", ""),
    ],
)
def test_parameters_of_what_is_bound_are_options(tmp_path: Path, binds: str, dry_run: str, clipping: str) -> None:
    found = looked(tmp_path, {"train.py": program(binds)})
    assert found["first-steps"]["command"] == dry_run
    assert found["dry-run"]["verdict"] == ("seen" if clipping else "missing")
    assert not clipping or (found["clipping"]["verdict"] == "unknown" and clipping in found["clipping"]["why"])


@pytest.mark.parametrize(("said", "verdict"), [("1.0", "seen"), ("0.0", "unknown")])
def test_a_file_says_what_bound_parameters_are(tmp_path: Path, said: str, verdict: str) -> None:
    files = {
        "train.py": program("@argbind.bind(without_prefix=True)"),
        "conf/base.yml": f"seed: 3\nmax_norm: {said}\nnum_iters: 100\n",
        "go.sh": "python train.py --args.load conf/base.yml\n",
    }
    assert looked(tmp_path, files)["clipping"]["verdict"] == verdict


def test_a_class_is_bound(tmp_path: Path) -> None:
    own = "class Loop:\n    def __init__(self, max_steps: int = 7):\n        pass\n\nLoop = argbind.bind(Loop)"
    assert looked(tmp_path, {"train.py": program("", makes=own)})["dry-run"]["verdict"] == "seen"


@pytest.mark.parametrize(
    ("more", "makes", "before", "verdict"),
    [
        ("from machines import Runner", "runner = Runner()", "with runner.autocast():", "unknown"),
        ("from accelerate import Accelerator", "runner = Accelerator()", "with runner.autocast():", "seen"),
        ("from torch.cuda import amp", "", "with amp.autocast():", "seen"),
        ("from machines import amp", "", "with amp.autocast():", "seen"),
        ("", "", "if True:", "missing"),
    ],
)
def test_who_autocasts(tmp_path: Path, more: str, makes: str, before: str, verdict: str) -> None:
    makes = f"{makes}\ndef run(runner, net, x):\n    {before}\n        return net(x)\n"
    text = program("", makes=makes, more=more).replace(
        "= net(x).square()", f"= run({'runner' if 'runner' in makes[:8] else 0}, net, x)"
    )
    assert looked(tmp_path, {"train.py": text})["mixed-precision"]["verdict"] == verdict


HALVED = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--fp16_growth", type=float, default=0.1)
parser.add_argument("--use_fp16", action="store_true")
args = parser.parse_args()

def narrow(layer):
    if isinstance(layer, torch.nn.Linear):
        layer.weight.data = layer.weight.data.{to}()

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 2))

    def narrow(self):
        self.layers.apply(narrow)

    def forward(self, x):
        return self.layers(x)

net = Net()
if args.use_fp16:
    net.narrow()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.rand(8, 4))):
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("to", "line", "verdict"),
    [
        ("half", "python train.py --use_fp16", "seen"),
        ("half", "python train.py", "unknown"),
        ("float", "python train.py", "unknown"),
    ],
)
def test_weights_are_narrowed_by_hand(tmp_path: Path, to: str, line: str, verdict: str) -> None:
    found = looked(tmp_path, {"train.py": HALVED.format(to=to), "go.sh": f"{line}\n"})["mixed-precision"]
    assert found["verdict"] == verdict
    assert verdict == "seen" or "--use_fp16" in found["why"]

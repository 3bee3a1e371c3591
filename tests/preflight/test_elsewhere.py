"""Parts that are found by a name: what the name may mean lies in the project, or elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

TRAIN = """\
import argparse
import torch
from torch.utils.data import DataLoader
from finding import make
{before}
parser = argparse.ArgumentParser()
parser.add_argument("--net", default="small")
parser.add_argument("--file", default=None)
args = parser.parse_args()
net = {made}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader([]):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
SMALL = "import torch\nclass SmallNet(torch.nn.Linear):\n    pass\n"
BY_ARGUMENT = """\
import importlib
def search(kind, module):
    found = importlib.import_module(module)
    for name, each in found.__dict__.items():
        if name.lower() == kind:
            return each
def make(name):
    return search(name + "net", {module})()
"""
BY_FILE = """\
import importlib
import os
def of_file(path):
    return importlib.import_module(os.path.basename(path).split(".")[0]).SmallNet()
def of_name(name):
    return importlib.import_module(".".join(["nets", name.replace("-", "_")])).SmallNet()
def make(path, name):
    if path is not None:
        return of_file(path)
    return of_name(name)
"""
BY_SHELF = """\
import hydra
def make(shelf, name):
    target = shelf[name]
    kind = hydra.utils.get_method(path=target) if isinstance(target, str) else target
    return kind()
"""
SHELVES = 'KNOWN = {"small": "nets.small.SmallNet", "flat": "torch.nn.Flatten"}\n'

CASES: dict[str, tuple[dict[str, str], str]] = {
    "all calls hand a name of the project": (
        {"train.py": TRAIN.format(before="", made="make(args.net)"), "finding.py": BY_ARGUMENT.format(module="'nets.' + name")},
        "missing",
    ),
    "one call hands anything": (
        {"train.py": TRAIN.format(before="", made="make(args.net)"), "finding.py": BY_ARGUMENT.format(module="name")},
        "unknown",
    ),
    "a file that nobody names unless an option is said": (
        {"train.py": TRAIN.format(before="", made="make(args.file, args.net)"), "finding.py": BY_FILE},
        "missing",
    ),
    "a file that is always named": (
        {"train.py": TRAIN.format(before="", made="make(args.net, args.net)"), "finding.py": BY_FILE},
        "unknown",
    ),
    "an item of a dict of names": (
        {
            "train.py": TRAIN.format(before="from shelves import KNOWN", made="make(KNOWN, args.net)"),
            "finding.py": BY_SHELF,
            "shelves.py": SHELVES,
        },
        "missing",
    ),
    "an item of a dict that somebody hands over": (
        {
            "train.py": TRAIN.format(before="import json", made="make(json.load(open(args.file)), args.net)"),
            "finding.py": BY_SHELF,
        },
        "unknown",
    ),
    "a dict of names of the project's own": (
        {
            "train.py": TRAIN.format(before="from shelves import KNOWN", made="make(KNOWN, args.net)"),
            "finding.py": "import importlib\ndef make(shelf, name):\n    where, _, kind = shelf[name].rpartition('.')\n"
            "    return getattr(importlib.import_module(where), kind)()\n",
            "shelves.py": SHELVES,
        },
        "unknown",
    ),
    "names that a loop takes from a list": (
        {
            "train.py": TRAIN.format(before="", made="make()"),
            "finding.py": "import importlib\nfrom nets.small import SmallNet\ndef make():\n"
            "    for name in ['torch.utils.tensorboard', 'tensorboardX']:\n"
            "        writer = importlib.import_module(name).SummaryWriter()\n    return SmallNet()\n",
        },
        "missing",
    ),
    "what is run as code": (
        {
            "train.py": TRAIN.format(before="", made="make(args.net)"),
            "finding.py": "import importlib\ndef make(name):\n    return instantiate({'net': name})\n"
            "def instantiate(names):\n    return eval(names['net'])()\n",
        },
        "unknown",
    ),
}


@pytest.mark.parametrize("case", list(CASES))
def test_only_what_may_lie_elsewhere_hides_something(tmp_path: Path, case: str) -> None:
    """A name that can only mean what the project has hides nothing; the sentence speaks of no configuration."""
    files, verdict = CASES[case]
    (tmp_path / ".git").mkdir()
    for name, text in {**files, "nets/__init__.py": "", "nets/small.py": SMALL}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    job = next(each for each in report["jobs"] if each["script"].endswith("train.py"))
    line = next(each for each in job["lines"] if each["name"] == "clipping")
    assert (line["verdict"], "configuration" in line["why"]) == (verdict, False)

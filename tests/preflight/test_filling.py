"""Configurations that are imported as data, and registries that a package fills as it is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import CheckedLine, as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

LOOP = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.rand(8, 4))):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
"""
READS = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset
from reading import read

parser = argparse.ArgumentParser()
parser.add_argument("--file")
given = read(parser.parse_args().file)
net = torch.nn.Linear(4, 2)
"""
READING = """\
import os
import sys
from importlib import import_module

def read(file):
    sys.path.insert(0, os.path.dirname(file))
    {name} = import_module(os.path.basename(file)[:-3])
    return {value}
"""
VALUES = "cfg = {key: value for key, value in module.__dict__.items() if not key.startswith('_')}\n    return cfg"
DATA = READING.replace("return {value}", VALUES).replace("{name}", "module")
SHELF = """\
class Registry:
    def __init__(self):
        self.made = {}

    def named(self, name):
        def keep(function):
            self.made[name] = function
            return function
        return keep

    def get(self, name):
        return self.made[name]

BUILDERS = Registry()
"""
NET = """\
import torch
from nets.registry import BUILDERS

class Net(torch.nn.Linear):
    def forward(self, x):
        return torch.utils.checkpoint.checkpoint(super().forward, x)

@BUILDERS.named("net")
def build():
    return Net(4, 2)
"""
TAKES = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset
from {package}.registry import BUILDERS

parser = argparse.ArgumentParser()
parser.add_argument("--net", default="net")
net = BUILDERS.get(parser.parse_args().net)()
"""


def looked(folder: Path, files: dict[str, str]) -> dict[str, CheckedLine]:
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    target = folder / "train.py"
    (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
    return {line["name"]: line for line in job["lines"]}


@pytest.mark.parametrize(
    ("reading", "verdict"),
    [
        (DATA, "missing"),
        # what it is read for nobody says; the module itself goes on; something of it is run
        (DATA.replace("cfg", "found"), "unknown"),
        (DATA.replace("return cfg", "return cfg, module"), "unknown"),
        (DATA.replace("return cfg", "module.change(cfg)\n    return cfg"), "unknown"),
        (READING.format(name="cfg", value="cfg"), "unknown"),
    ],
)
def test_a_configuration_that_is_imported_hides_nothing(tmp_path: Path, reading: str, verdict: str) -> None:
    assert looked(tmp_path, {"train.py": READS + LOOP, "reading.py": reading})["compile"]["verdict"] == verdict


@pytest.mark.parametrize(
    ("package", "files", "is_there"),
    [
        ("nets", {"nets/net.py": NET}, True),
        # it fills another registry; it only imports it
        ("shelves", {"nets/net.py": NET, "shelves/registry.py": SHELF, "shelves/__init__.py": ""}, False),
        ("nets", {"nets/net.py": NET.replace('@BUILDERS.named("net")\n', "")}, False),
    ],
)
def test_what_fills_a_registry_belongs_to_the_job(tmp_path: Path, package: str, files: dict[str, str], is_there: bool) -> None:
    beside = {"nets/__init__.py": "from .net import build\n", "nets/registry.py": SHELF}
    found = looked(tmp_path, {"train.py": TAKES.format(package=package) + LOOP, **beside, **files})
    assert (found["gradient-checkpointing"]["evidence"] != []) is is_there

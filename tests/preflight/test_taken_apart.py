"""Names of classes that stand in dicts, and that a function of the project's own takes apart to find them: known, or open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

MAKING = """\
import importlib

class Settings(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value

def find(name):
    parts = name.split(".")
    for whole, rest in [(".".join(parts[:i]), ".".join(parts[i:])) for i in range(len(parts), 0, -1)]:
        try:
            return getattr(importlib.import_module({whole}), rest)
        except ImportError:
            pass

def folder_of(name):
    return find(name).__file__

def make(*args, class_name=None, **kwargs):
    assert class_name is not None
    return find(class_name)(*args, **kwargs)
"""
NETS = """\
import torch

class Small(torch.nn.Linear):
    pass

class Large(torch.nn.Linear):
    pass
"""
CLIPPED = """\
import torch

class Large(torch.nn.Linear):
    def clip(self):
        torch.nn.utils.clip_grad_norm_(self.parameters(), 1.0)

    def forward(self, x):
        self.clip()
        return super().forward(x)
"""
LOOP = """\
import torch
from making import make

def train(network={}, rate=0.1):
    net = make(4, 2, **network)
    optimizer = torch.optim.SGD(net.parameters(), lr=rate)
    for step in range(100):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(torch.rand(8, 4)), torch.rand(8, 2)).backward()
        optimizer.step()
"""
START = """\
import argparse
import json
from loop import train
from making import Settings, find, folder_of

parser = argparse.ArgumentParser()
parser.add_argument("--net")
parser.add_argument("--large", action="store_true")

def main():
    args = parser.parse_args()
    s = Settings()
    s.network = Settings(bias=True)
    {named}
    print(json.dumps(s))
    train(**s)

main()
"""
BOTH = """if args.large:
        s.network.class_name = "nets.Large"
    else:
        s.network.class_name = "nets.Small"
"""

#: For each case what sets the name, what is imported of it, what the file of networks holds, and what is said of clipping.
CASES = {
    "constants": (BOTH, "whole", NETS, "missing"),
    "a keyword": ("s.network = Settings(class_name='nets.Small')", "whole", NETS, "missing"),
    "a library's": ("s.network.class_name = 'torch.nn.Linear'", "whole", NETS, "missing"),
    "an option": ("s.network.class_name = args.net", "whole", NETS, "unknown"),
    "sometimes an option": (f"{BOTH}    if args.net:\n        s.network.class_name = args.net", "whole", NETS, "unknown"),
    "from a file": ("s.network.update(json.load(open('net.json')))", "whole", NETS, "unknown"),
    "more is put before it": (BOTH, "'more.' + whole", NETS, "unknown"),
    "somebody else asks for a name": (f"{BOTH}    print(folder_of(args.net))", "whole", NETS, "unknown"),
    "one that clips": ("s.network.class_name = 'nets.Large'", "whole", CLIPPED, "unknown"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder: Path = tmp_path_factory.mktemp("apart")
    for number, (named, whole, nets, _) in enumerate(CASES.values()):
        own = folder / str(number)
        (own / ".git").mkdir(parents=True)
        files = {
            "train.py": START.format(named=named),
            "loop.py": LOOP,
            "nets.py": nets,
            "making.py": MAKING.replace("{whole}", whole),
        }
        for name, text in files.items():
            (own / name).write_text(text, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    verdicts = {
        int(job["script"].split("/")[-2]): {line["name"]: line["verdict"] for line in job["lines"]}
        for job in report["jobs"]
        if job["script"].endswith("train.py")
    }
    return {name: verdicts[number]["clipping"] for number, name in enumerate(CASES)}


@pytest.mark.parametrize("name", CASES)
def test_what_is_made_by_a_name_in_a_dict(found: dict[str, str], name: str) -> None:
    assert found[name] == CASES[name][3]

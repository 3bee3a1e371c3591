"""Dicts that are filled step by step, and handed on as ``**settings``: what they hold is followed, or not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preflight.programs import verdicts

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """\
import argparse
import json
import torch
from outside import read

class Settings(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value

def empty(settings):
    settings.num_workers = 0

def show(settings):
    print(settings.num_workers)

def train(loader_settings={{}}, processes=0, lr=0.1):
    net = torch.nn.Linear(4, 2)
    loader = torch.utils.data.DataLoader(list(range(8)), batch_size=2, {given})
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    s = Settings()
    {filled}
    {handed}

main()
"""
UNPACKED, EITHER, SCALAR = "**loader_settings", "**(loader_settings or {})", "num_workers=processes"

TWO_WAYS = """s.loader_settings = Settings()
    if read(args):
        s.loader_settings.num_workers = 2
    else:
        s.loader_settings.num_workers = 1
"""

FILLED = {
    "attributes": ("s.loader_settings = Settings(pin_memory=True, num_workers=args.threads)", UNPACKED, "seen seen"),
    "off": ("s.loader_settings = Settings(pin_memory=False, num_workers=0)", UNPACKED, "missing missing"),
    "nothing": ("s.lr = 0.2", UNPACKED, "missing missing"),
    "outside": ("s.update(read(args))", UNPACKED, "unknown unknown"),
    "an item from outside": ("s.loader_settings = read(args)", UNPACKED, "unknown unknown"),
    "items": ("s['loader_settings'] = dict(num_workers=2, pin_memory=True)", UNPACKED, "seen seen"),
    "updated": ("s.update(loader_settings=dict(num_workers=2))", UNPACKED, "seen missing"),
    "set in two ways": (TWO_WAYS, UNPACKED, "seen missing"),
    "set in one way": (
        "s.loader_settings = Settings()\n    if read(args):\n        s.loader_settings.num_workers = 3",
        UNPACKED,
        "unknown missing",
    ),
    "set deeper": ("s['loader_settings'] = dict()\n    s['loader_settings']['num_workers'] = 3", UNPACKED, "seen missing"),
    "changed by a function": (
        "s.loader_settings = Settings(num_workers=2)\n    empty(s.loader_settings)",
        UNPACKED,
        "unknown missing",
    ),
    "shown by a function": (
        "s.loader_settings = Settings(num_workers=2)\n    show(s.loader_settings)\n    print(json.dumps(s))",
        UNPACKED,
        "seen missing",
    ),
    "one or the other": ("s.loader_settings = Settings(num_workers=2)", EITHER, "seen missing"),
    "neither": ("s.lr = 0.2", EITHER, "missing missing"),
    "either from outside": ("s = read(args)", EITHER, "unknown unknown"),
    "a number": ("s.processes = 3", SCALAR, "seen missing"),
    "a number from outside": ("s = read(args)", SCALAR, "unknown missing"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("unpacked")
    sources = {
        name: PROGRAM.format(filled=filled, given=given, handed="train(**s)") for name, (filled, given, _) in FILLED.items()
    }
    return verdicts(folder, sources)


@pytest.mark.parametrize("name", FILLED)
def test_what_callers_unpack_gets_to_the_loader(found: dict[str, dict[str, str]], name: str) -> None:
    assert f"{found[name]['workers']} {found[name]['pinned']}" == FILLED[name][2]

"""The word "loss" beside a value: the label of an option that is printed once tells no loss, a tag of what is reported does."""

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

taken = {{}}

def report(name, value):
    taken.setdefault(name, []).append(value)
    return value

parser = argparse.ArgumentParser()
parser.add_argument("--kind", default="mse")
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
{before}
with open("stats.jsonl", "a") as file:
    for step in range(100):
        x, y = torch.rand(8, 4), torch.rand(8, 2)
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        {during}
{after}
"""
REPORTED = "report('Loss/train', loss)"
WRITTEN = "file.write(json.dumps(dict(stats=taken)))"

CASES = {
    "a label": ("print(f'Weights & loss: {args.kind}')", "pass", "", "missing"),
    "a label, with a format": ("print('Loss: {}'.format(args.kind))", "pass", "", "missing"),
    "a loss behind the label": ("", "pass", "print(f'Loss: {float(loss)}')", "seen"),
    "a label and a loss": ("print(f'Loss: {args.kind}')", "print(f'Loss: {float(loss)}')", "", "seen"),
    "reported and written": ("print(f'Loss: {args.kind}')", f"{REPORTED}; {WRITTEN}", "", "seen"),
    "reported, and never written": ("", REPORTED, "", "missing"),
    "something else is reported": ("", f"report('Progress/step', step); {WRITTEN}", "", "missing"),
    "options are written": ("", f"{REPORTED}; file.write(json.dumps(vars(args)))", "", "missing"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("labels")
    sources = {
        name: PROGRAM.format(before=before, during=during, after=after) for name, (before, during, after, _) in CASES.items()
    }
    return verdicts(folder, sources)


@pytest.mark.parametrize("name", CASES)
def test_what_a_word_beside_a_value_means(found: dict[str, dict[str, str]], name: str) -> None:
    assert found[name]["log-loss"] == CASES[name][3]

"""Whether each save has a file of its own, where an option picks it, other scripts save too, or the process ends behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.preflight.programs import verdicts
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: A training: which options there are, and what each round ends with.
PROGRAM = """\
import argparse
import os
import sys
import torch
parser = argparse.ArgumentParser()
{options}
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def keep(path):
    torch.save({{"net": net.state_dict(), "optimizer": optimizer.state_dict()}}, path)
def train():
    for step in range(9):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {saves}
train()
"""
REQUIRED = 'parser.add_argument("--latest", type=int, required=True)'
TWO = """
        if args.latest == 0:
            keep("net_%d.pt" % step)
        else:
            keep("net_{}.pt".format(99))
"""
BOTH = 'keep("net_%d.pt" % step)\n        '

CASES: dict[str, tuple[tuple[str, str], dict[str, str]]] = {
    "an option without a value picks": ((REQUIRED, TWO), {"pruned": "unknown", "atomic": "unknown"}),
    "it picks the path": (
        (REQUIRED, 'keep("net.pt" if args.latest else f"net_{step}.pt")'),
        {"pruned": "unknown", "atomic": "unknown"},
    ),
    "each save has a file of its own unless it is said": (
        (REQUIRED.replace("required=True", "default=0"), TWO),
        {"pruned": "missing", "atomic": "not-needed"},
    ),
    "no option picks": (
        ("", BOTH + 'if loss < 1: keep("best.pt")\n        else: keep("other.pt")'),
        {"pruned": "missing", "atomic": "missing"},
    ),
    "another one is written over besides": ((REQUIRED, TWO + '        keep("last.pt")'), {"atomic": "missing"}),
    "other ones have names of their own besides": ((REQUIRED, TWO + '        keep(f"more_{step}.pt")'), {"pruned": "missing"}),
    "weights alone are written over": (
        ("", BOTH + 'torch.save(net.state_dict(), "best.pt")'),
        {"pruned": "missing", "atomic": "not-needed"},
    ),
    "nothing but weights is saved": (
        ("", 'torch.save(net.state_dict(), f"net_{step}.pt")\n        torch.save(net.state_dict(), "best.pt")'),
        {"pruned": "missing", "atomic": "missing"},
    ),
    "the process ends behind the one save": (
        ("", BOTH + 'if loss < 0.1:\n            keep("last.pt")\n            print("done")\n            os._exit(0)'),
        {"atomic": "not-needed"},
    ),
    "a setting names the file": (("", "keep(args.checkpoint)"), {"pruned": "not-needed", "atomic": "missing"}),
    "it ends for another reason": (
        ("", BOTH + 'keep("last.pt")\n        if loss < 0.1:\n            os._exit(0)'),
        {"atomic": "missing"},
    ),
}

#: What two scripts share: one counts, the other writes over.
SHARED = """\
import torch
def folder_of(step, steps):
    digits = max(6, len(str(steps)))
    return f"out/{step:0{digits}d}"
def save_checkpoint(net, folder):
    net.save_pretrained(folder + "/net")
"""
SCRIPT = """\
import torch
from models import make
from shared import folder_of, save_checkpoint
def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(9):
        optimizer.zero_grad()
        net(torch.rand(8, 4)).sum().backward()
        optimizer.step()
        save_checkpoint(net, {folder})
if __name__ == "__main__":
    train(make())
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """By the name of its program what each line says."""
    sources = {name: PROGRAM.format(options=options, saves=saves.strip()) for name, ((options, saves), _) in CASES.items()}
    return verdicts(tmp_path_factory.mktemp("programs"), sources)


@pytest.mark.parametrize("name", CASES)
def test_verdicts_are_those_of_a_reader(name: str, found: dict[str, dict[str, str]]) -> None:
    wanted = CASES[name][1]
    assert {item: found[name][item] for item in wanted} == wanted


def test_only_the_calls_of_the_script_itself_say_what_its_files_are_called(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "shared.py").write_text(SHARED, encoding="utf-8")
    (tmp_path / "counts.py").write_text(SCRIPT.format(folder="folder_of(step, 9)"), encoding="utf-8")
    (tmp_path / "again.py").write_text(SCRIPT.format(folder='"out/last"'), encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    told = {Path(job["script"]).stem: {line["name"]: line["verdict"] for line in job["lines"]} for job in report["jobs"]}
    assert (told["counts"]["atomic"], told["counts"]["pruned"]) == ("not-needed", "missing")
    assert (told["again"]["atomic"], told["again"]["pruned"]) == ("missing", "not-needed")

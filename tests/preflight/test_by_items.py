"""Options that a loop declares whose names and defaults stand in the fields of a class, or in a dict."""

from __future__ import annotations

import pytest

from tests.preflight.programs import verdicts

#: A training whose options are the keys that two things have: what the defaults are, and where the loop stops.
PROGRAM = """\
import argparse
from dataclasses import asdict, dataclass
from typing import Optional
import torch

HELP = {{"quick": "a few steps", "quick_batches": "how many", "precise": "which", "batch_limit": "when", "fused": "compiled"}}

@dataclass(frozen=True)
class Options:
    quick: bool = False
    quick_batches: int = 2
    precise: str = "{precise}"
    batch_limit: Optional[int] = None
    fused: bool = False
    path: str = ""

    def as_dict(self):
        return asdict(self)

def parsed():
    parser = argparse.ArgumentParser()
    {defaults}
    for name in HELP.keys() & defaults.keys():
        default = defaults[name]
        kwargs = {{"help": HELP[name]}}
        if default is False:
            kwargs["action"] = "store_true"
        elif default is not None:
            kwargs["type"] = type(default)
            kwargs["default"] = default
        parser.add_argument(f"--{{name}}", **kwargs)
    return parser.parse_args()

class Trainer:
    def __init__(self, args):
        for name, default in Options().as_dict().items():
            setattr(self, name, getattr(args, name, default))
        use_scaler = self.precise == "half" and torch.cuda.is_available()
        self.scaler = torch.amp.GradScaler("cuda", enabled=use_scaler)

    def fit(self, net, optimizer, data):
        {before}
        for step, batch in enumerate(data):
            with self.scaler.scale(net(batch).square().mean()) as loss:
                loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            if {stops}:
                break

def main():
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    Trainer(parsed()).fit(net, optimizer, torch.utils.data.DataLoader(torch.rand(8, 4)))

main()
"""
FIELDS = {"precise": "full", "defaults": "defaults = Options().as_dict()", "before": "pass"}
CHOSEN = 'names = set()\n        if self.fused:\n            names = {"net"}\n'
EACH = "        for name in names:\n            net = torch.compile(net)"

CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "a switch and a number": (
        {**FIELDS, "stops": "self.quick and step == self.quick_batches"},
        {"dry-run": "seen", "mixed-precision": "unknown"},
    ),
    "a number that is none": (
        {**FIELDS, "stops": "self.batch_limit is not None and step >= self.batch_limit"},
        {"dry-run": "seen"},
    ),
    "no option": ({**FIELDS, "stops": "step >= self.path"}, {"dry-run": "missing"}),
    "a precision that is on": (
        {**FIELDS, "precise": "half", "stops": "step >= self.path"},
        {"mixed-precision": "seen"},
    ),
    "by a plain asdict": (
        {**FIELDS, "defaults": "defaults = asdict(Options())", "stops": "self.quick and step == self.quick_batches"},
        {"dry-run": "seen", "mixed-precision": "unknown"},
    ),
    "a loop over what is filled behind an option": (
        {**FIELDS, "before": CHOSEN + EACH, "stops": "step >= self.path"},
        {"compile": "unknown"},
    ),
    "a loop over what is filled behind it, and then": (
        {**FIELDS, "before": CHOSEN + '        names.add("net")\n' + EACH, "stops": "step >= self.path"},
        {"compile": "seen"},
    ),
    "a loop over what is filled anyway": (
        {**FIELDS, "before": 'names = {"net"}\n' + EACH, "stops": "step >= self.path"},
        {"compile": "seen"},
    ),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """For each program the verdicts of its lines; all are looked at in one run."""
    return verdicts(tmp_path_factory.mktemp("jobs"), {name: PROGRAM.format(**parts) for name, (parts, _) in CASES.items()})


@pytest.mark.parametrize("name", CASES)
def test_options_of_a_loop(answers: dict[str, dict[str, str]], name: str) -> None:
    """What nobody says is off, and what stops the loop can be said."""
    expected = CASES[name][1]
    assert {line: answers[name][line] for line in expected} == expected

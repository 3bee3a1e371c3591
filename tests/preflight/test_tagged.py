"""Configurations whose tags name classes and functions (HyperPyYAML): what is made because of them, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

TRAIN = """\
import sys
import torch
from hyperpyyaml import load_hyperpyyaml
from parts.making import make_loader

class Autocast:
    def __init__(self, *args, **kwargs):
        if kwargs.get("dtype", torch.float32) != torch.float32:
            self.context = torch.autocast(*args, **kwargs)

def main():
    with open(sys.argv[1]) as text:
        hparams = load_hyperpyyaml(text)
    net = hparams["net"]
    optimizer = torch.optim.SGD(net.parameters(), lr=hparams["lr"])
    autocast = Autocast("cuda", dtype=hparams["dtype"])
    for batch in make_loader(torch.rand(8, 4), **hparams["loader"]):
        loss = net(batch).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

main()
"""
SEEDING = """\
import random
import torch
import parts.making

def seed_all(seed):
    torch.manual_seed(seed)
    random.seed(seed)
"""
MAKING = "import torch\n\ndef make_loader(data, **options):\n    return torch.utils.data.DataLoader(data, **options)\n"
NET = "import torch\nimport parts.making\n\nclass Net(torch.nn.Linear):\n    {inside}\n"
PLAIN = """\
# !apply:parts.seeding.other [1]
seed: 1
__set_seed: !apply:parts.seeding.seed_all [!ref <seed>]
lr: 0.1
batch_size: 2
net: !new:parts.net.Net
   in_features: 4
   out_features: 2
loader:
   batch_size: !ref <batch_size>
   {option}
"""
UNSEEDED = PLAIN.replace("__set_seed: !apply", "__set_seed: !name")


def _texts(option: str = "drop_last: True", inside: str = "pass", **files: str) -> dict[str, str]:
    return {
        "train.py": TRAIN,
        "parts/__init__.py": "",
        "parts/seeding.py": SEEDING,
        "parts/making.py": MAKING,
        "parts/net.py": NET.format(inside=inside),
        "hparams/one.yaml": PLAIN.format(option=option),
        **{f"hparams/{name}.yaml": text for name, text in files.items()},
    }


RECOMPUTES = "def forward(self, x):\n        return torch.utils.checkpoint.checkpoint(super().forward, x)"
CASES: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "the file that the line names": (
        _texts(other=UNSEEDED.format(option="pin_memory: True")),
        "python train.py hparams/one.yaml",
        {
            "seeds": "seen",
            "pinned": "missing",
            "log-memory": "missing",
            "mixed-precision": "unknown",
        },
    ),
    "files that all seed": (
        _texts(other=PLAIN.format(option="drop_last: False")),
        "python train.py hparams/file.yaml",
        {"seeds": "seen", "pinned": "missing", "log-memory": "missing"},
    ),
    "one of two that seeds": (
        _texts(other=UNSEEDED.format(option="pin_memory: True")),
        "python train.py hparams/file.yaml",
        {"seeds": "unknown", "pinned": "unknown"},
    ),
    "what is made recomputes": (
        _texts(inside=RECOMPUTES),
        "python train.py hparams/one.yaml",
        {"gradient-checkpointing": "seen", "log-memory": "missing"},
    ),
    "a part that no file has": (
        _texts(other=PLAIN.format(option="sampler: !new:parts.sampler.Sampler")),
        "python train.py hparams/other.yaml",
        {"seeds": "seen", "log-memory": "unknown"},
    ),
    "an argument of what is made": (
        _texts(option="gradient_checkpointing: True"),
        "python train.py hparams/one.yaml",
        {"seeds": "seen", "log-memory": "unknown"},
    ),
    "a seed of a library": (
        _texts(other=PLAIN.format(option="drop_last: True").replace("parts.seeding.seed_all", "torch.manual_seed")),
        "python train.py hparams/other.yaml",
        {"seeds": "unknown"},
    ),
    "no file at all": (
        {name: text for name, text in _texts().items() if not name.startswith("hparams")},
        "python train.py hparams/one.yaml",
        {"seeds": "unknown", "pinned": "unknown", "log-memory": "unknown"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_tags_name(tmp_path: Path, name: str) -> None:
    """What all files make is made, what one of them may make is not known, and what none speaks of is missing."""
    texts, line, expected = CASES[name]
    (tmp_path / ".git").mkdir()
    for path, text in {**texts, "README.md": f"# Recipe\n\n```bash\n{line}\n```\n"}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    target = tmp_path / "train.py"
    (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
    found = {line["name"]: line["verdict"] for line in job["lines"]}
    assert {each: found[each] for each in expected} == expected

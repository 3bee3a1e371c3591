"""Jobs whose modules are named by the keys of a configuration: ``import_module(config.trainer.type).Trainer(…)``."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

SCRIPT = """\
import argparse
from own.config import Config
from own.made import made
parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
args = parser.parse_args()
config = Config(args.config)
trainer = made(config)
step = 0
while True:
    for x in config.batches():
        trainer.update(x)
        trainer.end(x, step)
        step += 1
        if step >= config.max_iter:
            raise SystemExit
"""
BASE = """\
import torch

class Base:
    def __init__(self, config):
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
    def end(self, x, step):
        torch.save({"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict()}, f"{step}.pt")
    def update(self, x):
        self.optimizer.zero_grad()
        self.net(x).sum().backward()
        self.optimizer.step()
"""
CLIPPED = """\
    def update(self, x):
        self.optimizer.zero_grad()
        self.net(x).sum().backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
"""
TRAINER = "import torch\nfrom own.trainers.base import Base\n\nclass Trainer(Base):\n    kind = 'one'\n"
FILES = {
    "train.py": SCRIPT,
    "own/__init__.py": "",
    "own/config.py": (
        "import yaml\n\nclass Config:\n    def __init__(self, path):\n"
        "        self.__dict__.update(yaml.safe_load(open(path)))\n"
        "    def batches(self):\n        return []\n"
    ),
    "own/made.py": (
        "import importlib\n\ndef made(config):\n    found = importlib.import_module(config.trainer.type)\n"
        "    return found.Trainer(config)\n"
    ),
    "own/trainers/__init__.py": "",
    "own/trainers/base.py": BASE,
    "own/trainers/one.py": TRAINER,
    "own/trainers/two.py": TRAINER + CLIPPED,
    "configs/one.yaml": "max_iter: 100\ntrainer:\n  type: own.trainers.one\n",
    "configs/two.yaml": "max_iter: 100\ntrainer:\n  type: own.trainers.two\n",
}
ONE, TWO = "python train.py --config configs/one.yaml\n", "python train.py --config configs/two.yaml\n"


def lines(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """The verdicts of the script among some files; none where it is no job."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    report = as_data(preflight([folder / "train.py"], settings_for(Request(paths=(str(folder),), isolated=True))))
    return {line["name"]: line["verdict"] for job in report["jobs"] for line in job["lines"]}


@pytest.mark.parametrize(
    ("changed", "verdicts"),
    [
        # what both trainers do is so, what only one of them does is not known
        ({}, {"saves": "seen", "contents": "seen", "clipping": "unknown", "dry-run": "seen"}),
        ({"run.sh": ONE + TWO}, {"saves": "seen", "clipping": "unknown"}),
        ({"run.sh": ONE}, {"saves": "seen", "clipping": "unknown"}),
        ({"run.sh": TWO}, {"saves": "seen", "clipping": "seen"}),
        # a dict in place of an object, and a key of the file's own top
        (
            {"own/made.py": FILES["own/made.py"].replace("config.trainer.type", 'config["trainer"]["type"]')},
            {"saves": "seen", "clipping": "unknown"},
        ),
    ],
    ids=["all files", "two lines", "one line", "another line", "items"],
)
def test_what_files_name_is_imported(tmp_path: Path, changed: dict[str, str], verdicts: dict[str, str]) -> None:
    found = lines(tmp_path, {**FILES, **changed})
    assert {name: found[name] for name in verdicts} == verdicts


@pytest.mark.parametrize(
    "changed",
    [
        {"configs/one.yaml": "trainer:\n  kind: own.trainers.one\n", "configs/two.yaml": "other:\n  type: own.trainers.one\n"},
        {"configs/one.yaml": "trainer:\n  type: lib.trainers.one\n", "configs/two.yaml": "trainer:\n  type: adam\n"},
    ],
    ids=["other keys", "modules of nobody here"],
)
def test_what_no_file_names_is_not(tmp_path: Path, changed: dict[str, str]) -> None:
    assert lines(tmp_path, {**FILES, **changed}) == {}

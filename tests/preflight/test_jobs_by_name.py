"""Which scripts are jobs: trainers that are inherited, classes that are chosen by names, and what only looks like it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

STEP = """\
import torch
from models.base import Base

class {name}(Base):
    def __init__(self):
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def optimize(self, x, y):
        self.loss(x, y).backward()
        self.optimizer.step()

    def loss(self, x, y):
        return torch.nn.functional.mse_loss(self.net(x), y)

    def test(self, x):
        return self.net(x)
"""
BASE = "from abc import abstractmethod\n\nclass Base:\n    @abstractmethod\n    def optimize(self, x, y):\n        pass\n"
MADE = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset
from models import make

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="plain")
model = make(parser.parse_args().model)
loader = DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2)))
for epoch in range(3):
    for x, y in loader:
"""
TRAINS, TESTS = MADE + "        model.optimize(x, y)\n", MADE + "        model.test(x)\n"
BY_OPTION = """\
import importlib

def make(name):
    module = importlib.import_module("models." + name + "_model")
    return module.Model()
"""
LISTED = """\
import importlib
import os
from models.registry import REGISTRY

folder = os.path.dirname(os.path.abspath(__file__))
names = [name[:-3] for name in os.listdir(folder) if name.endswith("_model.py")]
modules = [importlib.import_module(f"models.{name}") for name in names]

def make(name):
    return REGISTRY[name]()
"""
TWO = {
    "models/base.py": BASE,
    "models/plain_model.py": STEP.format(name="Model"),
    "models/other_model.py": STEP.format(name="Model"),
}
BY_TEXT = """\
import importlib
import torch
from torch.utils.data import DataLoader, TensorDataset

def construct(name, **given):
    module, _, cls = name.rpartition(".")
    return getattr(importlib.import_module(module), cls)(**given)

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
given = dict(class_name={text!r})
loss = construct(given["class_name"], net=net)
for x, y in DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2))):
    optimizer.zero_grad()
    loss.accumulate(x, y)
    optimizer.step()
"""
LOSS = """\
import torch

class Loss:
    def accumulate(self, x, y):
        raise NotImplementedError()

class Squared(Loss):
    def __init__(self, net):
        self.net = net

    def accumulate(self, x, y):
        torch.nn.functional.mse_loss(self.net(x), y).backward()
"""
COMPARES = """\
import torch

def main():
    net = torch.nn.Linear(4, 2)
    for name, value in net.named_parameters():
        print(name, value.size())
    net.zero_grad()
    loss = net(torch.rand(1, 4)).mean()
    loss.backward()
    for name, value in net.named_parameters():
        print(name, value.grad)

if __name__ == "__main__":
    main()
"""
TRAINER = """\
import transformers

class Mine(transformers.Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        return model(**inputs).loss

class Deeper(Mine):
    pass
"""
#: A loop that names a file of transforms, and whether that is all there is.
TRANSFORMS = """\
import importlib
import os

for name in os.listdir({folder}):
    if name.endswith(".py") and not name.startswith("_"):
        importlib.import_module("transforms." + name[:-3])

def apply(x):
    return x
"""
LOOP = """\
import torch
from torch.utils.data import DataLoader, TensorDataset
from transforms import apply

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2))):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(apply(x)), y).backward()
    optimizer.step()
"""
IMPORTING = """\
import importlib

def apply(x):
    return importlib.import_module({name}).apply(x)
"""

SETUP = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

def setup(epochs: int = 3):
    torch.manual_seed(1)
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2))):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
"""
HYDRA = """\
import hydra

@hydra.main(config_path="configs", config_name="train.yaml")
def main(cfg):
    trainer = hydra.utils.instantiate(cfg.trainer, callbacks=[])
    trainer.fit(model=hydra.utils.instantiate(cfg.model))

main()
"""
LOADS = """\
from torch.utils.data import DataLoader

def load(data, options={}):
    return DataLoader(data, **options)
"""
FILLED = """\
import torch
from torch.utils.data import TensorDataset
from made import load

class Box(dict):
    pass

def main():
    options = Box()
    options.num_workers = 3
    run(dict(data=TensorDataset(torch.rand(8, 4), torch.rand(8, 2))))

def run(given):
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in load(**given):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()

main()
"""

#: For each case its files, and the framework of the job of ``train.py`` with some of its verdicts; None: it is no job.
CASES: dict[str, tuple[dict[str, str], tuple[str, dict[str, str]] | None]] = {
    "a trainer of the project's own": (
        {"train.py": f"{TRAINER}\nMine(model=None).train()\n"},
        ("transformers", {"contents": "not-needed"}),
    ),
    "one that is made elsewhere": (
        {
            "mine.py": f"{TRAINER}\ndef make(model):\n    return Deeper(model=model)\n",
            "train.py": "from mine import make\n\ndef main():\n    trainer = make(None)\n    trainer.train()\n\nmain()\n",
        },
        ("transformers", {}),
    ),
    "one that is kept": (
        {
            "mine.py": TRAINER,
            "train.py": (
                "from mine import Mine\n\nclass Run:\n    def __init__(self):\n        self.trainer = Mine(model=None)\n\n"
                "    def go(self):\n        self.trainer.train()\n\nRun().go()\n"
            ),
        },
        ("transformers", {}),
    ),
    "one that only evaluates": ({"train.py": f"{TRAINER}\nMine(model=None).evaluate()\n"}, None),
    "one that does something else under that name": (
        {"train.py": f"{TRAINER}\n    def train(self):\n        print(self.model)\n\nDeeper(model=None).train()\n"},
        None,
    ),
    "a model of Keras": (
        {
            "train.py": (
                "import tensorflow as tf\n\nclass Net(tf.keras.Model):\n    def call(self, x):\n        return x\n\n"
                "net = Net()\nnet.compile('sgd', 'mse')\nnet.fit([1.0], [1.0])\n"
            )
        },
        ("keras", {}),
    ),
    "a model of Keras that only predicts": (
        {
            "train.py": (
                "import tensorflow as tf\n\nclass Net(tf.keras.Model):\n    def call(self, x):\n        return x\n\n"
                "net = Net()\nnet.predict([1.0])\n"
            )
        },
        None,
    ),
    "a model that an option chooses": (
        {**TWO, "models/__init__.py": BY_OPTION, "train.py": TRAINS},
        ("loop", {"compile": "unknown", "clipping": "unknown"}),
    ),
    "a model that an option chooses, and only evaluates": (
        {**TWO, "models/__init__.py": BY_OPTION, "train.py": TESTS},
        None,
    ),
    "a model of a registry": (
        {
            **{path: text.replace("class Model", "@register\nclass Model") for path, text in TWO.items()},
            "models/registry.py": "REGISTRY = {}\n\ndef register(cls):\n    REGISTRY[cls.__name__] = cls\n    return cls\n",
            "models/__init__.py": LISTED,
            "train.py": TRAINS,
        },
        ("loop", {"compile": "unknown"}),
    ),
    "a loss whose name is a text": (
        {"loss.py": LOSS, "train.py": BY_TEXT.format(text="loss.Squared")},
        ("loop", {"compile": "unknown"}),
    ),
    "a loss whose name is a text of somebody else": (
        {"loss.py": LOSS, "train.py": BY_TEXT.format(text="elsewhere.Squared")},
        None,
    ),
    "a comparison of gradients": ({"train.py": COMPARES}, None),
    "a command line of the project's own": (
        {
            "train.py": (
                "from pytorch_lightning.utilities.cli import LightningCLI\n\nclass Mine(LightningCLI):\n    pass\n\nMine()\n"
            )
        },
        ("lightning", {"dry-run": "seen"}),
    ),
    "a command line that is only read": (
        {
            "train.py": (
                "from lightning.pytorch.cli import LightningCLI\n\ncli = LightningCLI(run=False)\ncli.trainer.test(cli.model)\n"
            )
        },
        None,
    ),
    "a command line whose trainer trains": (
        {
            "train.py": (
                "from lightning.pytorch.cli import LightningCLI\n\ncli = LightningCLI(run=False)\ncli.trainer.fit(cli.model)\n"
            )
        },
        ("lightning", {}),
    ),
    "a trainer of the options of a command line": (
        {
            "train.py": (
                "import argparse\nfrom pytorch_lightning import Trainer\nargs = argparse.ArgumentParser().parse_args()\n"
                "trainer = Trainer.from_argparse_args(args)\ntrainer.fit(None)\n"
            )
        },
        ("lightning", {}),
    ),
    "a command of another file": (
        {"train.py": SETUP, "main.py": "import jsonargparse\nfrom train import setup\n\njsonargparse.CLI({'pretrain': setup})\n"},
        ("loop", {"seeds": "seen"}),
    ),
    "a function that another file only imports": (
        {"train.py": SETUP, "main.py": "from train import setup\n\nprint({'pretrain': setup})\n"},
        None,
    ),
    "options that are filled where the job begins": (
        {"train.py": FILLED, "made.py": LOADS},
        ("loop", {"workers": "unknown"}),
    ),
    "options that nobody fills": (
        {"train.py": FILLED.replace("    options.num_workers = 3\n", ""), "made.py": LOADS},
        ("loop", {"workers": "missing"}),
    ),
    "a loss that is chosen, and nothing that saves": (
        {"loss.py": LOSS, "train.py": BY_TEXT.format(text="loss.Squared")},
        ("loop", {"frequency": "unknown", "contents": "unknown", "pruned": "unknown", "atomic": "unknown"}),
    ),
    "a trainer that a configuration names": (
        {"train.py": HYDRA, "configs/trainer/default.yaml": "_target_: lightning.pytorch.trainer.Trainer\nmax_epochs: 3\n"},
        ("lightning", {}),
    ),
    "a trainer of somebody else that a configuration names": (
        {"train.py": HYDRA, "configs/train.yaml": "trainer:\n  _target_: elsewhere.Trainer\n"},
        None,
    ),
    "a trainer that no configuration names": ({"train.py": HYDRA}, None),
    "all of a folder": (
        {
            "train.py": LOOP,
            "transforms/__init__.py": TRANSFORMS.format(folder="os.path.dirname(__file__)"),
            "transforms/flips.py": "import torch\n\ndef flip(x):\n    return torch.flip(x, (0,))\n",
        },
        ("loop", {"compile": "missing"}),
    ),
    "all of a folder, in which something is compiled": (
        {
            "train.py": LOOP,
            "transforms/__init__.py": TRANSFORMS.format(folder="os.path.dirname(__file__)"),
            "transforms/flips.py": "import torch\n\n@torch.compile\ndef flip(x):\n    return torch.flip(x, (0,))\n",
        },
        ("loop", {"compile": "unknown"}),
    ),
    "a file that is written down": (
        {
            "train.py": LOOP,
            "transforms/__init__.py": IMPORTING.format(name="'transforms.flips'"),
            "transforms/flips.py": "import torch\n\ndef apply(x):\n    return torch.flip(x, (0,))\n",
        },
        ("loop", {"compile": "missing"}),
    ),
    "a file that somebody else names": (
        {
            "train.py": LOOP,
            "transforms/__init__.py": IMPORTING.format(name="__import__('os').environ['TRANSFORM']"),
        },
        ("loop", {"compile": "unknown"}),
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """For each case the job of its script."""
    folder = tmp_path_factory.mktemp("cases")
    names = {f"case{number}": name for number, name in enumerate(CASES)}
    for place, name in names.items():
        for path, text in CASES[name][0].items():
            file = folder / place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (folder / place / ".git").mkdir()
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    scripts = {(path.parts[0], path.name): job for job in report["jobs"] if (path := Path(job["script"]).relative_to(folder))}
    return {names[place]: job for (place, name), job in scripts.items() if name == "train.py"}


@pytest.mark.parametrize("case", CASES)
def test_what_trains_is_a_job(case: str, found: dict[str, dict[str, Any]]) -> None:
    wanted = CASES[case][1]
    job = found.get(case)
    assert (job is None) is (wanted is None)
    if job is not None and wanted is not None:
        verdicts = {line["name"]: line["verdict"] for line in job["lines"]}
        assert (job["framework"], {name: verdicts[name] for name in wanted[1]}) == wanted


REGISTRY = """\
class Registry:
    mapping = {"runners": {}, "tasks": {}}

    @classmethod
    def register(cls, kind, name):
        def wrap(made):
            cls.mapping[kind][name] = made
            return made
        return wrap

    @classmethod
    def take(cls, kind, name):
        return cls.mapping[kind].get(name, None)

registry = Registry()
"""
RUNNER = """\
from registry import registry

@registry.register("runners", "plain")
class PlainRunner:
    def __init__(self, task, model):
        self.task = task
        self.model = model

    def train(self):
        for epoch in range(3):
            self.{called}(epoch)

    def train_epoch(self, epoch):
        return self.task.{asked}(model=self.model)

    def test_epoch(self, epoch):
        return self.task.judge(model=self.model)
"""
TASK = """\
import torch
from registry import registry

@registry.register("tasks", "plain")
class PlainTask:
    def train_epoch(self, model):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in torch.rand(8, 4):
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()

    def judge(self, model):
        return model(torch.rand(4))
"""
BEHIND = """\
import argparse
import torch
import runners
import tasks
from registry import registry

parser = argparse.ArgumentParser()
parser.add_argument("--runner", default="plain")
parser.add_argument("--task", default="plain")
args = parser.parse_args()
task = registry.take("tasks", args.task)()
runner = registry.take("runners", args.runner)(task, torch.nn.Linear(4, 2))
runner.{does}()
"""


@pytest.mark.parametrize(
    ("does", "called", "asked", "found"),
    [
        ("train", "train_epoch", "train_epoch", ["train.py"]),
        ("train", "test_epoch", "train_epoch", []),
        ("train", "train_epoch", "judge", []),
    ],
)
def test_a_task_of_a_registry_in_a_runner_of_a_registry(
    tmp_path: Path, does: str, called: str, asked: str, found: list[str]
) -> None:
    files = {
        "registry.py": REGISTRY,
        "runners.py": RUNNER.format(called=called, asked=asked),
        "tasks.py": TASK,
        "train.py": BEHIND.format(does=does),
    }
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    target = tmp_path / "train.py"
    report = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))
    assert [Path(job["script"]).name for job in report["jobs"]] == found

"""Trainings that hide: objects of classes that nobody names, functions on a command line; and what is none all the same."""

from __future__ import annotations

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.run import preflight

STEP = """\
import torch

def train(lr=0.1):
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for x in torch.rand(8, 4):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
"""
TRAINERS = """\
import torch

REGISTRY = {{}}

def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls

class Base:
    def {name}(self):
        raise NotImplementedError

@register
class Plain{cls}(Base):
    def __init__(self):
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def {name}(self):
        for x in torch.rand(8, 4):
            self.net(x).sum().backward()
            self.optimizer.step()

    def evaluate(self):
        return self.net(torch.rand(8, 4))

@register
class Other{cls}(Plain{cls}):
    def {name}(self):
        for x in torch.rand(8, 4):
            self.net(x).mean().backward()
            self.optimizer.step()

def build(name):
    return REGISTRY[name]()
"""
BUILT = "import sys\nfrom trainers import build\n\n{name} = build(sys.argv[1])\n{name}.{method}()\n"
ENGINE = """\
from abc import ABC, abstractmethod

class Engine(ABC):
    def backward(self, out):
        out.sum().backward()

    @abstractmethod
    def round_of(self, net): ...

class Forward(Engine):
    def round_of(self, net):
        for x in range(3):
            self.backward(net(x))

class Interleaved(Engine):
    def round_of(self, net):
        for x in range(3):
            {does}
"""
WITH_ENGINE = """\
import torch
import yaml
from dacite import from_dict
from engine import Engine

class Settings:
    engine: Engine

class Run:
    def __init__(self, path):
        self.engine = from_dict(Settings, yaml.safe_load(open(path))).engine
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def go(self):
        for _ in range(10):
            self.engine.round_of(self.net)
            self.optimizer.step()
            self.optimizer.zero_grad()

Run("settings.yaml").go()
"""
TRAIN, RUN = TRAINERS.format(name="train", cls="Trainer"), TRAINERS.format(name="run", cls="Runner")
FIT = TRAINERS.format(name="fit", cls="Trainer")
#: The same, of whose registry nothing is known.
HIDDEN_TRAIN, HIDDEN_RUN = (each.replace("REGISTRY[name]()", "imported(name)") for each in (TRAIN, RUN))
CLICK = f"import click\n{STEP}\n@click.group()\ndef cli():\n    pass\n\n@cli.command()\ndef run():\n    {{}}\n\ncli()\n"
TYPER = f"import typer\n{STEP}\napp = typer.Typer()\n\n@app.command()\ndef main(lr: float = 0.1):\n    train(lr)\n\napp()\n"
#: For each case its files, and whether ``train.py`` is a job.
CASES: dict[str, tuple[dict[str, str], bool]] = {
    "a trainer out of a registry": (
        {"train.py": BUILT.format(name="trainer", method="train"), "trainers.py": TRAIN},
        True,
    ),
    "a runner out of a registry": (
        {"train.py": BUILT.format(name="runner", method="run"), "trainers.py": RUN},
        True,
    ),
    "a trainer that only evaluates": (
        {"train.py": BUILT.format(name="trainer", method="evaluate"), "trainers.py": TRAIN},
        False,
    ),
    "a model whose mode is set": (
        {"train.py": BUILT.format(name="model", method="train"), "trainers.py": HIDDEN_TRAIN},
        False,
    ),
    "a runner that may only evaluate": (
        {
            "train.py": BUILT.format(name="runner", method="run"),
            "trainers.py": HIDDEN_RUN
            + "\nclass TestRunner(Base):\n    def run(self):\n        return 1\n",
        },
        False,
    ),
    "an engine of an abstract class": ({"train.py": WITH_ENGINE, "engine.py": ENGINE.format(does="self.backward(net(x))")}, True),
    "an engine that may only predict": ({"train.py": WITH_ENGINE, "engine.py": ENGINE.format(does="print(net(x))")}, False),
    "a command of click": ({"train.py": CLICK.format("train()")}, True),
    "another command of click": ({"train.py": CLICK.format("pass")}, False),
    "a command of typer": ({"train.py": TYPER}, True),
    "an experiment of sacred": (
        {"train.py": "import sacred\n" + STEP + "\nex = sacred.Experiment()\n\n@ex.automain\ndef main(lr):\n    train(lr)\n"},
        True,
    ),
    "all functions of a file": ({"train.py": "import fire\n" + STEP + "\nfire.Fire()\n"}, True),
    "a class on the command line": (
        {"train.py": "import fire\nfrom trainers import PlainTrainer\n\nfire.Fire(PlainTrainer)\n", "trainers.py": FIT},
        True,
    ),
    "another function on the command line": (
        {"train.py": "import fire\n" + STEP + "\ndef show():\n    pass\n\nfire.Fire(show)\n"},
        False,
    ),
    "a function that runs somewhere else": (
        {"train.py": "import ray\n" + STEP + "\n@ray.remote\ndef go():\n    train()\n\nray.get(go.remote())\n"},
        True,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The cases whose script is a job."""
    folder = tmp_path_factory.mktemp("hidden")
    names = {f"case{number}": name for number, name in enumerate(CASES)}
    for place, name in names.items():
        for path, text in CASES[name][0].items():
            file = folder / place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (folder / place / ".git").mkdir()
    checklists = preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))).checklists
    return {names[each.path.relative_to(folder).parts[0]] for each in checklists if each.path.name == "train.py"}


@pytest.mark.parametrize("case", CASES)
def test_what_hides_a_training_is_a_job(case: str, found: set[str]) -> None:
    assert (case in found) is CASES[case][1]

"""What a configuration that Hydra puts together says by default: groups from the root on, overrides, callbacks, loaders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """\
import hydra
import lightning as L
import torch
from data import Digits

callbacks = {
    "rate": "lightning.pytorch.callbacks.LearningRateMonitor",
    "bar": "lightning.pytorch.callbacks.RichProgressBar",
}

class Net(L.LightningModule):
    def __init__(self, hparams):
        super().__init__()
        self.save_hyperparameters(hparams)
        self.digits = Digits()
        self.net = torch.nn.Linear(4, 2)
    def training_step(self, batch, number):
        return self.net(batch).mean()
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)
    def train_dataloader(self):
        return self.digits.train_dataloader(**self.hparams.loader)

def make(shelf, name):
    return hydra.utils.get_class(path=shelf[name])()

@hydra.main(config_path="conf", config_name="main")
def main(config):
    profiler = None
    if config.trainer.get("profiler", None) is not None:
        profiler = hydra.utils.instantiate(config.trainer.profiler)
    called = [make(callbacks, name) for name, _ in config.callbacks.items()]
    L.Trainer(callbacks=called, profiler=profiler, **config.trainer).fit(Net(config))

main()
"""
FILES = {
    "train.py": SCRIPT,
    "data.py": "from elsewhere import Digits\n",
    "conf/main.yaml": "defaults:\n  - _self_\n  - experiment: base\n  - callbacks:\n    - base\n    - more\nseed: 1\n",
    "conf/experiment/base.yaml": "# @package _global_\ndefaults:\n  - /pipeline: digits\n",
    "conf/pipeline/digits.yaml": "# @package _global_\ndefaults:\n  - images\n  - override /loader: fast\n",
    "conf/pipeline/images.yaml": "# @package _global_\ndefaults:\n  - /loader: slow\n  - /trainer: usual\n",
    "conf/loader/slow.yaml": "num_workers: 0\n",
    "conf/loader/fast.yaml": "num_workers: 4\npin_memory: false\n",
    "conf/trainer/usual.yaml": "# _target_: lightning.Trainer\nmax_epochs: 3\ngradient_clip_val: null\n",
    "conf/callbacks/base.yaml": "# _target_ is in the code\nrate:\n  logging_interval: step\n",
    "conf/callbacks/more.yaml": "# _target_ is in the code\nbar:\n  leave: true\n",
}

CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "as it is": (
        {},
        {
            "workers": "seen",
            "pinned": "unknown",
            "log-learning-rate": "seen",
            "compile": "missing",
            "clipping": "unknown",
            "log-gradient-norm": "missing",
        },
    ),
    "without the override": (
        {"conf/pipeline/digits.yaml": "# @package _global_\ndefaults:\n  - images\n"},
        {"workers": "unknown"},
    ),
    "without the callback": (
        {"conf/callbacks/base.yaml": "# _target_ is in the code\nbar:\n  leave: true\n"},
        {"log-learning-rate": "missing"},
    ),
    "a line that chooses others": ({"run.sh": "python train.py callbacks=more\n"}, {"log-learning-rate": "missing"}),
    "a profiler of which nobody knows": (
        {"conf/trainer/usual.yaml": "max_epochs: 3\nprofiler:\n  _target_: others.Profiler\n"},
        {"compile": "unknown"},
    ),
}


@pytest.mark.parametrize("case", list(CASES))
def test_what_hydra_puts_together(tmp_path: Path, case: str) -> None:
    changed, wanted = CASES[case]
    (tmp_path / ".git").mkdir()
    for name, text in {**FILES, **changed}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    found = {line["name"]: line["verdict"] for line in report["jobs"][0]["lines"]}
    assert {name: found[name] for name in wanted} == wanted


#: Everything is made by the configuration: of Hydra, or of Lightning's command line.
PARTS = """\
import lightning as L
import torch
from torch.utils.data import DataLoader

class Net(L.LightningModule):
    def training_step(self, batch, number):
        loss = self(batch).mean()
        self.log("train/loss", loss)
        return loss

class Data(L.LightningDataModule):
    def __init__(self, settings=None, num_workers=0):
        super().__init__()
        self.save_hyperparameters()
        self.settings = settings
    def train_dataloader(self):
        return DataLoader(range(9), num_workers={workers}, pin_memory=True)

class Norms(L.Callback):
    def on_after_backward(self, trainer, model):
        model.log("grad_norm", torch.stack([each.grad.norm() for each in model.parameters()]).norm())
"""
COMPOSED = {
    "train.py": """\
import hydra

@hydra.main(config_path="conf", config_name="main")
def main(cfg):
    data = hydra.utils.instantiate(cfg.data)
    net = hydra.utils.instantiate(cfg.model)
    callbacks = [hydra.utils.instantiate(each) for _, each in cfg.callbacks.items()]
    trainer = hydra.utils.instantiate(cfg.trainer, callbacks=callbacks)
    trainer.fit(model=net, datamodule=data)

main()
""",
    "own/parts.py": PARTS.replace("{workers}", "self.hparams.num_workers"),
    "own/__init__.py": "",
    "conf/main.yaml": "defaults:\n  - data: digits\n  - model: net\n  - callbacks: usual\n  - trainer: usual\n",
    "conf/data/digits.yaml": "_target_: own.parts.Data\nnum_workers: 4\n",
    "conf/model/net.yaml": "_target_: own.parts.Net\n",
    "conf/callbacks/usual.yaml": "norms:\n  _target_: own.parts.Norms\n"
    "every:\n  _target_: lightning.pytorch.callbacks.ModelCheckpoint\n  save_top_k: -1\n",
    "conf/trainer/usual.yaml": "_target_: lightning.Trainer\ngradient_clip_val: 1.0\nmax_epochs: 3\n",
}
TOLD = {
    "train.py": "from lightning.pytorch.cli import LightningCLI\n\n"
    "cli = LightningCLI(run=False)\ncli.trainer.fit(model=cli.model, datamodule=cli.datamodule)\n",
    "own/parts.py": PARTS.replace("{workers}", "self.settings.num_workers"),
    "own/__init__.py": "",
    "run.sh": "python train.py -c conf.yaml\n",
    "conf.yaml": """\
seed_everything: 1
model:
  class_path: own.parts.Net
data:
  class_path: own.parts.Data
  init_args:
    settings:
      num_workers: 4
trainer:
  gradient_clip_val: 1.0
  callbacks:
    - class_path: own.parts.Norms
    - class_path: lightning.pytorch.callbacks.ModelCheckpoint
      init_args:
        save_top_k: -1
""",
}
MADE = {
    **dict.fromkeys(("workers", "pinned", "clipping", "log-loss", "log-gradient-norm", "saves"), "seen"),
    **dict.fromkeys(("compile", "mixed-precision", "pruned", "log-learning-rate"), "missing"),
}


@pytest.mark.parametrize(
    ("files", "changed", "wanted"),
    [
        (COMPOSED, {}, MADE),
        (COMPOSED, {"conf/data/digits.yaml": "_target_: own.parts.Data\nnum_workers: 0\n"}, {"workers": "unknown"}),
        (COMPOSED, {"conf/callbacks/usual.yaml": "all: {}\n"}, {"log-gradient-norm": "unknown", "pruned": "not-needed"}),
        (COMPOSED, {"run.sh": "python train.py model=other\n"}, {"compile": "unknown", "clipping": "seen"}),
        (TOLD, {}, {**MADE, "seeds": "seen"}),
        (TOLD, {"run.sh": "python train.py\n"}, {"clipping": "missing", "log-gradient-norm": "missing"}),
    ],
)
def test_what_a_configuration_has_made(
    tmp_path: Path, files: dict[str, str], changed: dict[str, str], wanted: dict[str, str]
) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {**files, **changed}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    found = {line["name"]: line["verdict"] for line in report["jobs"][0]["lines"]}
    assert {name: found[name] for name in wanted} == wanted


#: A script that imports nothing of what trains: the configuration names it.
NAMED = {
    "train.py": """\
import hydra
from hydra.utils import instantiate

@hydra.main(config_path="conf", config_name="main")
def main(cfg):
    trainer = instantiate(cfg.trainer.made, cfg.trainer)
    trainer.fit()

if __name__ == "__main__":
    main()
""",
    "own/__init__.py": "",
    "own/trainer.py": """\
import torch
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self, cfg):
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=cfg.lr)
    def fit(self):
        for x in DataLoader([], num_workers=4):
            self.optimizer.zero_grad()
            self.net(x).mean().backward()
            self.optimizer.step()
""",
}
HOLDS = "trainer:\n  made:\n    _target_: own.trainer.Trainer\n  lr: 0.1\n"


@pytest.mark.parametrize(
    ("configurations", "scripts"),
    [
        ({"main.yaml": HOLDS}, 1),
        ({"large.yaml": HOLDS, "usual.yaml": "seed: 1\n"}, 1),
        ({"large.yaml": HOLDS, "small.yaml": HOLDS}, 0),
        ({"main.yaml": "seed: 1\n", "large.yaml": HOLDS}, 0),
    ],
)
def test_a_job_that_only_a_configuration_names(tmp_path: Path, configurations: dict[str, str], scripts: int) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {**NAMED, **{f"conf/{name}": text for name, text in configurations.items()}}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))["jobs"]
    assert len(found) == scripts

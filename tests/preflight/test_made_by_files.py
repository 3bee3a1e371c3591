"""Jobs of which a file says what they make: YAML that a launch line names, dicts; and packages that look like a framework's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: A package of the project's own that has the name of a framework; scripts that import nothing but the project's own modules.
OWN_ENGINE = {
    "own/__init__.py": "",
    "own/engine/__init__.py": "",
    "own/engine/deepspeed/__init__.py": "",
    "own/engine/deepspeed/engine.py": (
        "import torch\n\nclass Engine:\n    def __init__(self, net):\n        self.net = net\n"
        "    def advance(self, loss):\n        self.net.backward(loss)\n        self.net.step()\n"
        "    def judge(self, x):\n        return self.net(x)\n"
    ),
    "own/work.py": (
        "import deepspeed\nimport torch\nfrom own.engine.deepspeed.engine import Engine\n\n"
        "def engine():\n    return Engine(deepspeed.initialize(model=torch.nn.Linear(4, 2))[0])\n\n"
        "def fit(batches):\n    mine = engine()\n    for x in batches:\n        mine.advance(mine.judge(x).sum())\n\n"
        "def judge(batches):\n    mine = engine()\n    return [mine.judge(x) for x in batches]\n"
    ),
}
#: A trainer of Lightning whose options the command line has.
LENT = """\
import argparse
import torch
import pytorch_lightning as pl

class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 2)

    def training_step(self, batch, index):
        return self.net(batch).sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

parser = argparse.ArgumentParser()
parser = pl.Trainer.add_argparse_args(parser)
args = parser.parse_args()
trainer = {made}
trainer.fit(Net(), torch.utils.data.DataLoader(range(8)))
"""
#: What a trainer decides by such options.
BY_OPTIONS = ("dry-run", "mixed-precision", "clipping", "log-gradient-norm", "loads", "resumes")


def _lent(made: str, *verdicts: str) -> tuple[dict[str, str], tuple[str, dict[str, str]]]:
    return {"train.py": LENT.format(made=made)}, ("lightning", dict(zip(BY_OPTIONS, verdicts, strict=True)))


#: Callbacks that dicts name, for what finds classes by names.
FINDS = """\
import importlib

def instantiate_from_config(config):
    module, name = config["target"].rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**config.get("params", dict()))
"""
BY_DICTS = """\
import torch
import pytorch_lightning as pl
from omegaconf import OmegaConf
from pytorch_lightning.callbacks import LearningRateMonitor
from finding import instantiate_from_config

class Net(pl.LightningModule):
    def training_step(self, batch, index):
        return batch.sum()

class Memory(pl.Callback):
    def on_train_epoch_end(self, trainer, module):
        print(torch.cuda.max_memory_allocated())

rate = 0.1
print(f"learning rate {{rate}}")
saves = {{"target": "pytorch_lightning.callbacks.ModelCheckpoint", "params": {saves}}}
loggers = {{
    "wandb": {{"target": "pytorch_lightning.loggers.WandbLogger"}},
    "files": {{"target": "pytorch_lightning.loggers.CSVLogger"}},
}}
more = OmegaConf.load("more.yaml")
logger = instantiate_from_config(OmegaConf.merge(loggers["files"], more))
more = {{"memory": {{"target": "train.Memory"}}, "rate": {{"target": "train.LearningRateMonitor"}}, "saves": saves}}
callbacks = {merged}
trainer = pl.Trainer(max_steps=3, logger=logger, callbacks=[instantiate_from_config(callbacks[each]) for each in callbacks])
trainer.fit(Net(), torch.utils.data.DataLoader(range(8)))
"""
BEST = '{"save_last": True, "monitor": "loss"}'


def _by_dicts(verdicts: dict[str, str], saves: str = BEST, merged: str = "OmegaConf.merge(more, {})") -> Any:
    files = {
        "train.py": BY_DICTS.format(saves=saves, merged=merged),
        "finding.py": FINDS,
        "requirements.txt": "pytorch-lightning==1.4.2\n",
    }
    return files, ("lightning", verdicts)


#: A job of which a file that it is handed says all that it makes.
BY_FILE = """\
import argparse
import pytorch_lightning as pl
from omegaconf import OmegaConf
from torch.utils.data import DataLoader
from finding import instantiate_from_config

class Data(pl.LightningDataModule):
    def __init__(self, batch_size, num_workers=None):
        super().__init__()
        self.batch_size = batch_size
        self.num_workers = num_workers if num_workers is not None else batch_size * 2
        self.train_dataloader = self._train_dataloader

    def _train_dataloader(self):
        return DataLoader(range(8), batch_size=self.batch_size, num_workers=self.num_workers)

parser = argparse.ArgumentParser()
parser.add_argument("--base"{default})
config = OmegaConf.load(parser.parse_args().base)
trainer = pl.Trainer(max_steps=3)
trainer.fit(instantiate_from_config(config.model), instantiate_from_config(config.data))
"""
MODEL = """\
import torch
import pytorch_lightning as pl

class {name}(pl.LightningModule):
    def __init__(self, width):
        super().__init__()
        self.net = torch.nn.Linear(width, width)

    def training_step(self, batch, index):
        loss = {loss}.sum()
        self.log("loss", loss)
        return loss
"""
DATA = "data:\n  target: train.Data\n  params:\n    batch_size: 4\n"
MODELS = {
    "finding.py": FINDS,
    "models/plain.py": MODEL.format(name="Plain", loss="self.net(batch)"),
    "models/deep.py": MODEL.format(name="Deep", loss="torch.utils.checkpoint.checkpoint(self.net, batch)"),
    "configs/plain.yaml": "model:\n  target: models.plain.Plain\n  params:\n    width: 4\n" + DATA,
    "configs/deep.yaml": "model:\n  target: models.deep.Deep\n  params:\n    width: 4\n" + DATA,
    "configs/sampling.yaml": "model:\n  target: models.missing.Missing\n",
}
#: Options with dots in their names, which the code reads as they are written.
DOTS = """\
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--train.clip", action="store_true")
parser.add_argument("--data.workers", type=int, default=0)
parser.add_argument("--eval.steps", type=int, default=-1)
args = nested(parser.parse_args())
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(range(8), num_workers=args.data.workers):
    net(x).sum().backward()
    if args.train.clip:
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    if args.eval.steps == -1:
        print(net(x))
"""
TOLD = {"log-loss": "seen", "compile": "missing", "workers": "seen", "pinned": "missing"}


def _by_file(verdicts: dict[str, str], line: str = "", default: str = "", **more: str) -> Any:
    files = {**MODELS, "train.py": BY_FILE.format(default=default), **more}
    return {**files, **({"README.md": f"```\n{line}\n```\n"} if line else {})}, ("lightning", verdicts)


#: For each case its files, and the framework of the job of ``train.py`` with some of its verdicts; None: it is no job.
CASES: dict[str, tuple[dict[str, str], tuple[str, dict[str, str]] | None]] = {
    "a package of the project's own with the name of a framework": (
        {**OWN_ENGINE, "train.py": "from own.work import fit\n\nfit(range(3))\n"},
        ("deepspeed", {"log-loss": "missing"}),
    ),
    "a script that only imports what trains": (
        {**OWN_ENGINE, "train.py": "from own.work import judge\n\njudge(range(3))\n"},
        None,
    ),
    "options that a trainer lends, and is made of": _lent(
        "pl.Trainer.from_argparse_args(args)", "seen", "unknown", "unknown", "unknown", "seen", "seen"
    ),
    "all options, of which a trainer's are some": _lent(
        "pl.Trainer(**vars(args))", "seen", "unknown", "unknown", "unknown", "seen", "seen"
    ),
    "options that a trainer lends, and is told nothing of": _lent(
        "pl.Trainer(max_epochs=3)", "missing", "missing", "missing", "missing", "missing", "missing"
    ),
    "options that a trainer lends, and one that is told": (
        {
            "train.py": LENT.format(made="pl.Trainer.from_argparse_args(args)"),
            "train.sh": "python train.py --gradient_clip_val 1.0 --precision 32\n",
        },
        ("lightning", {"clipping": "seen", "mixed-precision": "unknown"}),
    ),
    "callbacks that dicts name": _by_dicts({"log-memory": "seen", "log-learning-rate": "seen", "atomic": "missing"}),
    "callbacks that dicts name, and nothing makes": _by_dicts(
        {"log-memory": "unknown", "log-learning-rate": "unknown", "atomic": "not-needed"}, merged="OmegaConf.load('others.yaml')"
    ),
    "a last one beside files that are as new": _by_dicts({"atomic": "not-needed"}, saves='{"save_last": True}'),
    "a file that a line names": _by_file({**TOLD, "gradient-checkpointing": "seen"}, "python train.py --base configs/deep.yaml"),
    "a file that an option names": _by_file({**TOLD, "gradient-checkpointing": "seen"}, default=", default='configs/deep.yaml'"),
    "any file of a folder": _by_file({**TOLD, "gradient-checkpointing": "unknown"}, "python train.py --base configs/<name>.yaml"),
    "a file that nobody names": _by_file(
        {"log-loss": "unknown", "compile": "unknown", "gradient-checkpointing": "unknown"}, "python train.py --base $1"
    ),
    "a file that says that there are no workers": _by_file(
        {"workers": "missing", "pinned": "missing"},
        "python train.py --base configs/deep.yaml",
        **{"configs/deep.yaml": MODELS["configs/deep.yaml"] + "    num_workers: 0\n"},
    ),
    "a file with a class that nobody sees": _by_file(
        {"compile": "unknown"},
        "python train.py --base configs/deep.yaml",
        **{"configs/deep.yaml": MODELS["configs/deep.yaml"].replace("models.deep.Deep", "models.deep.Other")},
    ),
    "options with dots": (
        {"train.py": DOTS},
        ("loop", {"clipping": "unknown", "workers": "unknown", "dry-run": "missing", "launch": "not-needed"}),
    ),
    "options with dots that are said": (
        {"train.py": DOTS, "README.md": "```\npython --help\ntorchrun --module train --train.clip --data.workers 4\n```\n"},
        ("loop", {"clipping": "seen", "workers": "seen", "launch": "seen"}),
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
def test_what_files_say_that_it_makes_is_made(found: dict[str, dict[str, Any]], case: str) -> None:
    """Its verdicts rest on it."""
    wanted = CASES[case][1]
    assert (case in found) is (wanted is not None)
    if wanted is not None:
        job = found[case]
        verdicts = {line["name"]: line["verdict"] for line in job["lines"]}
        assert (job["framework"], {name: verdicts[name] for name in wanted[1]}) == wanted

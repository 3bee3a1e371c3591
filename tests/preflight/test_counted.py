"""What loops count against, whatever it is called; and lines, numbers and lengths that only look like it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

BEGINS = """\
import argparse
import sys
import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--num-epochs", type=int, default=500)
parser.add_argument("--many", type=int, default=500)
parser.add_argument("--patience", type=int, default=5)
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.rand(8, 4)), num_workers=2)

"""
STEP = "optimizer.zero_grad(); net(x).sum().backward(); optimizer.step()"
ENDLESS = f"""\
iteration = 0
batches = iter(loader)
while True:
    (x,) = next(batches)
    {STEP}
    if (iteration + 1) == args.many:
        sys.exit()
    iteration += 1
"""
NUMBERED = f"""\
for epoch in range(args.num_epochs):
    for i, (x,) in enumerate(loader):
        {STEP}
        if i + 1 >= args.many:
            break
"""
#: A run that has failed, rounds without a gain, an evaluation that is cut short.
FAILED = ENDLESS.replace("sys.exit()", "raise RuntimeError")
NO_GAIN = ENDLESS.replace("args.many", "args.patience")
JUDGES = f"""\
for epoch in range(args.num_epochs):
    for (x,) in loader:
        {STEP}
    for i, (x,) in enumerate(loader):
        net(x)
        if i >= args.many:
            break
"""
FITTER = f"""\
class Fitter:
    def __init__(self, cfg):
        self.loader = loader
        {{sets}}

    def fit(self):
        for epoch in range(args.num_epochs):
            batches = iter(self.loader)
            for _ in range({{bound}}):
                (x,) = next(batches)
                {STEP}

def start(cfg):
    Fitter(cfg).fit()

start(args)
"""
LENGTH = FITTER.format(sets="self.max_iter = len(self.loader) // 2", bound="self.max_iter")
TOLD = FITTER.format(sets="self.rounds = cfg.max_iter", bound="self.rounds")


def looked(folder: Path, files: dict[str, str]) -> dict[str, Any]:
    """The lines of ``train.py`` by their names."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    jobs = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))["jobs"]
    return {line["name"]: line for job in jobs if job["script"].endswith("train.py") for line in job["lines"]}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (ENDLESS, "seen"),
        (NUMBERED, "seen"),
        (FAILED, "missing"),
        (NO_GAIN, "missing"),
        (JUDGES, "missing"),
        (LENGTH, "missing"),
        (TOLD, "seen"),
    ],
    ids=["endless", "numbered", "failed", "no gain", "judges", "length", "told"],
)
def test_what_a_loop_counts_against(tmp_path: Path, text: str, verdict: str) -> None:
    assert looked(tmp_path, {"train.py": BEGINS + text})["dry-run"]["verdict"] == verdict


COMPILED = """\
import functools

import jax
import optax
from absl import app
from ml_collections import config_flags

CONFIG = config_flags.DEFINE_config_file("config", "settings.py")


def step(params, batch, scale):
    grads = jax.grad(lambda each: (each * batch * scale).sum())(params)
    return optax.apply_updates(params, grads)


def main(argv):
    config = CONFIG.value
    compiled = jax.pmap(functools.partial(step, scale=2.0))
    params = 1.0
    for number in range(3, config.num_train_steps):
        params = compiled(params, number)


if __name__ == "__main__":
    app.run(main)
"""
SETTINGS = """\
import ml_collections


def get_config():
    config = ml_collections.ConfigDict()
    config.num_train_steps = 1000
    return config
"""


def test_a_loop_may_call_what_a_step_was_made_into(tmp_path: Path) -> None:
    found = looked(tmp_path, {"train.py": COMPILED, "settings.py": SETTINGS})
    assert found["dry-run"]["verdict"] == "seen"
    assert found["first-steps"]["command"] == "python train.py --config.num_train_steps=10"


TRAINER = """\
import sys

from omegaconf import OmegaConf
from transformers import HfArgumentParser, Trainer, TrainingArguments

parser = HfArgumentParser(TrainingArguments)
if sys.argv[1].endswith(".yaml"):
    (given,) = parser.parse_dict(OmegaConf.to_container(OmegaConf.load(sys.argv[1])))
else:
    (given,) = parser.parse_args_into_dataclasses()
Trainer(args=given).train()
"""
HELD = "learning_rate: 1.0e-4\ndataloader_num_workers: 4\nddp_timeout: 7200\n"


@pytest.mark.parametrize(
    ("line", "code", "verdicts"),
    [
        ("torchrun train.py settings.yaml", TRAINER, ("seen", "seen")),
        ("torchrun train.py settings.yaml dataloader_num_workers=0", TRAINER, ("unknown", "seen")),
        ("torchrun train.py --data settings.yaml", TRAINER, ("unknown", "not-needed")),
        (
            "torchrun train.py settings.yaml",
            TRAINER.replace("OmegaConf.load", "print").replace("parse_dict", "print"),
            ("unknown", "not-needed"),
        ),
    ],
    ids=["handed over", "said behind it", "an option", "not read"],
)
def test_a_file_of_arguments_is_said(tmp_path: Path, line: str, code: str, verdicts: tuple[str, str]) -> None:
    found = looked(tmp_path, {"train.py": code, "settings.yaml": HELD, "go.sh": f"{line}\n"})
    assert (found["workers"]["verdict"], found["timeout"]["verdict"]) == verdicts


FEWER = f"""\
parser.add_argument("--max-dataset-size", type=int, default=10**9)
parser.add_argument("--eval-samples", type=int, default=100)
args = parser.parse_args()

class Pictures:
    def __init__(self, paths):
        paths = sorted(paths)[:args.max_dataset_size]
        self.paths = paths

def fit():
    for epoch in range(args.num_epochs):
        for x in DataLoader(Pictures(["a"]), num_workers=2):
            {STEP}

fit()
"""


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (FEWER, "python train.py --max-dataset-size 10 --num-epochs 1"),
        (FEWER.replace("[:args.max_dataset_size]", "[:args.eval_samples]"), "python train.py, stopped after ten steps"),
        (FEWER.replace("range(args.num_epochs)", "range(9)"), "python train.py, stopped after ten steps"),
        (
            FEWER.replace("[:args.max_dataset_size]", "; print(args.max_dataset_size)"),
            "python train.py, stopped after ten steps",
        ),
    ],
    ids=["fewer", "judged", "epochs elsewhere", "only printed"],
)
def test_fewer_data_and_one_epoch(tmp_path: Path, text: str, command: str) -> None:
    assert looked(tmp_path, {"train.py": BEGINS + text})["first-steps"]["command"] == command


KERAS = """\
import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_integer("examples", 50000, "")
flags.DEFINE_integer("batch_size", 64, "")
flags.DEFINE_integer("epochs", 50, "")


def main(argv):
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    model.compile("sgd", "mse")
    steps = {steps}
    model.fit(tf.data.Dataset.range(8), epochs=FLAGS.epochs, steps_per_epoch=steps)


app.run(main)
"""


@pytest.mark.parametrize(
    ("steps", "command"),
    [
        ("FLAGS.examples // FLAGS.batch_size", "python train.py --examples 640 --epochs 1"),
        ("1000", "python train.py, stopped after ten steps"),
    ],
)
def test_steps_of_an_epoch_of_keras(tmp_path: Path, steps: str, command: str) -> None:
    assert looked(tmp_path, {"train.py": KERAS.format(steps=steps)})["first-steps"]["command"] == command


def test_a_file_of_arguments_is_handed_over_again(tmp_path: Path) -> None:
    both = TRAINER.replace("OmegaConf.load(sys.argv[1])", "OmegaConf.merge(OmegaConf.load(sys.argv[1]), OmegaConf.from_cli())")
    for name, code, command in [
        ("dots", both, "torchrun train.py settings.yaml max_steps=10"),
        ("alone", TRAINER, "torchrun train.py settings.yaml, with `max_steps: 10` in that file"),
    ]:
        (tmp_path / name).mkdir()
        files = {"train.py": code, "settings.yaml": HELD, "go.sh": "torchrun train.py settings.yaml\n"}
        assert looked(tmp_path / name, files)["first-steps"]["command"] == command


OVERWRITTEN = f"""\
parser.add_argument("--max-steps", type=int, default=1000)
parser.add_argument("--max-epochs", type=int, default=None)
args = parser.parse_args()
if args.max_epochs is not None:
    args.max_steps = args.max_epochs * len(loader)
step = 0
while step < args.max_steps:
    for (x,) in loader:
        {STEP}
        step += 1
"""


def test_an_option_that_sets_another_one_anew_is_left_out(tmp_path: Path) -> None:
    shown = "```\npython train.py --max-epochs 10 --patience 3\n```\n"
    found = looked(tmp_path, {"train.py": BEGINS + OVERWRITTEN, "README.md": shown})
    assert found["first-steps"]["command"].endswith("README.md:2, but for --max-epochs, which would hold instead")


def test_a_module_is_started_from_where_people_are_told_to(tmp_path: Path) -> None:
    shown = "```\ncd nets && python -m small.train --many 4\n```\n"
    found = looked(tmp_path, {"nets/small/train.py": BEGINS + ENDLESS, "README.md": shown})
    assert found["first-steps"]["command"] == "cd nets && python -m small.train --many 10"


EITHER = f"""\
parser.add_argument("--slowing", type=int, default=0)
parser.add_argument("--whole", type=int, default=600)
parser.add_argument("--forever", action="store_true")
args = parser.parse_args()
step = done = 0
while {{goes_on}}:
    (x,) = next(iter(loader))
    {STEP}
    step += 1
    done += 1
"""


@pytest.mark.parametrize(
    ("goes_on", "verdict", "command"),
    [
        ("step < args.whole", "seen", "python train.py --whole 10"),
        ("step < args.whole or args.forever", "seen", "python train.py --whole 10"),
        (
            "not args.slowing or step < args.slowing or step + done < args.whole",
            "seen",
            "python train.py --slowing 10 --whole 10",
        ),
        ("not args.slowing or step < args.whole", "missing", "python train.py, stopped after ten steps"),
        ("step < args.whole or x.mean() > 0.1", "missing", "python train.py, stopped after ten steps"),
        ("step < args.whole and x.mean() > 0.1", "seen", "python train.py --whole 10"),
    ],
)
def test_a_loop_that_one_of_two_parts_keeps_going(tmp_path: Path, goes_on: str, verdict: str, command: str) -> None:
    found = looked(tmp_path, {"train.py": BEGINS + EITHER.format(goes_on=goes_on)})
    assert (found["dry-run"]["verdict"], found["first-steps"]["command"]) == (verdict, command)

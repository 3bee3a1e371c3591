"""The name of a call is not enough: what is seeded, removed, moved, saved, and by which signals a job is told.

Each small program beside the correct one that looks the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.preflight.programs import verdicts
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: A training with two places to fill in: what stands before it, and what each round ends with.
ROUNDS = """\
import argparse
import os
import shutil
import signal
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler
from torch.utils.data.distributed import DistributedSampler
{before}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train():
    for epoch in range(3):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
{round}
train()
"""

#: What a shared sampler of the project's own is; ``{more}`` are further methods.
SAMPLER = """
dist.init_process_group("nccl")
class Endless(Sampler):
    def __init__(self, size):
        self.size = size
        self.rank = {rank}
        self.count = dist.get_world_size()
    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(0)
        while True:
            yield from torch.randperm(self.size, generator=generator)[self.rank :: self.count]
{more}
class Task:
    def get_loader(self, data):
        return DataLoader(data, sampler=Endless(len(data)))
    def get_eval_loader(self, data):
        return DataLoader(data, sampler=DistributedSampler(data, shuffle=False))
task = Task()
loader = task.get_loader([1])
judged = task.get_eval_loader([1])
"""

#: A seed that is drawn where a file says none.
DRAWN = """\
import json
import random
def begin(path):
    with open(path) as file:
        opt = json.load(file)
    seed = {seed}
    if seed is None:
        seed = random.randint(1, 1000)
    torch.manual_seed(seed)
begin(os.environ["SETTINGS"])
"""
#: A training that goes on from what it saved, without its scaler.
SCALED = """\
import os
import torch
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
scaler = {scaler}
saved = torch.load("last.pt")
net.load_state_dict(saved["net"])
optimizer.load_state_dict(saved["optimizer"])
for epoch in range(3):
    loss = net(torch.rand(8, 4)).square().mean()
    optimizer.zero_grad()
    if scaler is not None:
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        optimizer.step()
    torch.save({{"net": net.state_dict(), "optimizer": optimizer.state_dict()}}, "last.pt")
"""

KERAS = """\
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
model.compile(loss="mse")
{before}
model.fit([[1.0]], [[1.0]], epochs=3, callbacks=[{callback}])
"""


def torch(before: str = "", each: str = "") -> str:
    """A training of PyTorch."""
    return ROUNDS.format(before=dedent(before), round=indent(dedent(each), " " * 8))


PROGRAMS: dict[str, tuple[str, dict[str, str]]] = {
    "a generator of its own": (torch("torch.Generator().manual_seed(1)"), {"seeds": "missing"}),
    "a generator in an attribute": (
        torch("class Order:\n    def __init__(self, generator):\n        generator.manual_seed(1)\nOrder(torch.Generator())"),
        {"seeds": "missing"},
    ),
    "the one that all draw from": (torch("torch.default_generator.manual_seed(1)"), {"seeds": "seen"}),
    "both": (torch("torch.Generator().manual_seed(1)\ntorch.manual_seed(1)"), {"seeds": "seen"}),
    "workers of a loader": (
        torch("def seed_worker(n):\n    torch.manual_seed(n)\nloader = DataLoader([1], worker_init_fn=seed_worker)"),
        {"seeds": "missing"},
    ),
    "a seed drawn anew": (torch(DRAWN.format(seed="opt['train']['seed']")), {"seeds": "unknown"}),
    "a seed that is there": (torch(DRAWN.format(seed="len(opt)")), {"seeds": "seen"}),
    "an item that is drawn alike": (
        torch("class Data:\n    def __getitem__(self, n):\n        torch.manual_seed(n)\n        return n\nData()[1]"),
        {"seeds": "missing"},
    ),
    "an endless sampler that asks for its rank": (torch(SAMPLER.format(rank="dist.get_rank()", more="")), {"set-epoch": "seen"}),
    "one that no rank is known to": (torch(SAMPLER.format(rank="0", more="")), {"set-epoch": "unknown"}),
    "one that waits to be told": (
        torch(SAMPLER.format(rank="dist.get_rank()", more="    def set_epoch(self, epoch):\n        self.epoch = epoch")),
        {"set-epoch": "unknown"},
    ),
    "an abort button": (torch("signal.signal(signal.SIGABRT, lambda *_: print(1))"), {"preemption": "missing"}),
    "signals of a loop": (
        torch("for each in (signal.SIGINT, signal.SIGTERM):\n    signal.signal(each, lambda *_: print(1))"),
        {"preemption": "seen"},
    ),
    "a signal of SLURM": (torch("signal.signal(signal.SIGUSR1, lambda *_: print(1))"), {"preemption": "seen"}),
    "what happens anyway": (torch("signal.signal(signal.SIGTERM, signal.SIG_DFL)"), {"preemption": "missing"}),
    "written in another way": (
        torch(
            """
            def split_up(folder):
                path = os.path.join(folder, "model.pt")
                state = torch.load(path)
                os.remove(path)
                torch.save(state["head"], os.path.join(folder, "head.pt"))
            """,
            "torch.save(net.state_dict(), os.path.join(f'checkpoint_{epoch}', 'model.pt'))\nsplit_up(f'checkpoint_{epoch}')",
        ),
        {"pruned": "missing"},
    ),
    "one that is too old": (
        torch(
            """
            def keep(epoch):
                os.remove(f"checkpoint_{epoch - 5}.pt")
                torch.save(net.state_dict(), f"checkpoint_{epoch}.pt")
            """,
            "keep(epoch)",
        ),
        {"pruned": "seen"},
    ),
    "a count in what is saved": (
        torch("", "state = dict(epoch=epoch + 1, net=net.state_dict())\ntorch.save(state, 'checkpoint.pt')"),
        {"pruned": "not-needed", "atomic": "missing"},
    ),
    "a name that a function of a constant makes": (
        torch(
            """
            NAME = "{}-{:06d}.pt"
            parser = argparse.ArgumentParser()
            parser.add_argument("--name", default="x")
            args = parser.parse_args()
            def name_of(number):
                return NAME.format(args.name, number)
            def keep(name, model):
                model.save_weights(os.path.join("out", name))
            """,
            "keep(name_of(epoch), net)",
        ),
        {"atomic": "not-needed", "pruned": "missing"},
    ),
    "the same name each time": (
        torch("def keep(name, model):\n    model.save_weights(os.path.join('out', name))", "keep('net.pt', net)"),
        {"atomic": "missing", "pruned": "not-needed"},
    ),
    "a folder that is put away": (
        torch(
            "os.rename('checkpoints', 'checkpoints_backup')",
            "torch.save({'net': net.state_dict()}, 'checkpoints/net.pt')",
        ),
        {"atomic": "missing"},
    ),
    "a last one that is put away": (
        torch(
            """
            def keep():
                os.rename("checkpoint.pt", "checkpoint_old.pt")
                torch.save(net.state_dict(), "checkpoint.pt")
            """,
            "keep()",
        ),
        {"atomic": "seen"},
    ),
    "a file that is named when it is whole": (
        torch("", "torch.save(net.state_dict(), 'checkpoint.tmp')\nos.rename('checkpoint.tmp', 'checkpoint.pt')"),
        {"atomic": "seen"},
    ),
    "operators and no model": (
        torch("torch.npu.set_compile_mode(jit_compile=True)"),
        {"compile": "missing"},
    ),
    "a scaler that there may be": (
        SCALED.format(scaler='torch.amp.GradScaler() if getattr(torch, os.environ["DTYPE"]) == torch.float16 else None'),
        {"contents": "seen"},
    ),
    "a scaler that there is": (SCALED.format(scaler="torch.amp.GradScaler()"), {"contents": "missing"}),
    "Keras: files of their own, of TensorFlow": (
        KERAS.format(before="", callback="tf.keras.callbacks.ModelCheckpoint('out/ckpt-{epoch:d}', save_weights_only=True)"),
        {"pruned": "missing", "atomic": "not-needed", "contents": "seen", "rank-zero": "not-needed"},
    ),
    "Keras: one file, of HDF5": (
        KERAS.format(before="", callback="tf.keras.callbacks.ModelCheckpoint('out/net.h5', save_weights_only=True)"),
        {"pruned": "not-needed", "atomic": "missing", "contents": "missing"},
    ),
    "Keras: averages": (
        KERAS.format(
            before="import tensorflow_addons as tfa",
            callback="tfa.callbacks.AverageModelCheckpoint(False, 'out/net-{epoch}', save_weights_only=True)",
        ),
        {"saves": "seen", "frequency": "seen", "pruned": "missing"},
    ),
    "Keras: a checkpoint that is only read": (
        KERAS.format(before="tf.train.Checkpoint(model=model).restore('out/net').expect_partial()", callback=""),
        {"saves": "missing"},
    ),
    "Keras: a checkpoint that is written": (
        KERAS.format(before="ckpt = tf.train.Checkpoint(model=model)\nckpt.save('out/net')", callback=""),
        {"saves": "seen"},
    ),
}


Look = Callable[[Mapping[str, str]], dict[str, str]]


@pytest.fixture
def looked(tmp_path: Path) -> Look:
    """The verdicts of the lines of one project's train.py."""

    def look(files: Mapping[str, str]) -> dict[str, str]:
        (tmp_path / ".git").mkdir()
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        report = as_data(preflight([tmp_path / "train.py"], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
        return {line["name"]: line["verdict"] for line in report["jobs"][0]["lines"]}

    return look


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    return verdicts(tmp_path_factory.mktemp("about"), {name: text for name, (text, _) in PROGRAMS.items()})


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_asked_what_a_call_is_about(name: str, found: dict[str, dict[str, str]]) -> None:
    wanted = PROGRAMS[name][1]
    assert {line: found[name][line] for line in wanted} == wanted


LIGHTNING = """\
import torch
import lightning
from lightning.pytorch.callbacks import ModelCheckpoint
class Net(lightning.LightningModule):
    def training_step(self, batch, index):
        return batch.sum()
trainer = lightning.Trainer(max_epochs=3, callbacks=[ModelCheckpoint({given})])
trainer.fit(Net(), [torch.ones(1)])
"""


@pytest.mark.parametrize(
    ("given", "asked", "verdict"),
    [
        ("filename='best'", "lightning==2.1.0", "missing"),
        ("filename='best'", "lightning>=2.4", "not-needed"),
        ("filename='best'", "torch", "not-needed"),
        ("filename='best-{epoch}'", "lightning==2.1.0", "not-needed"),
        ("filename='best', save_top_k=3", "lightning==2.1.0", "not-needed"),
        ("monitor='loss'", "lightning==2.1.0", "not-needed"),
    ],
)
def test_lightning_writes_over_a_file_of_one_name(looked: Look, given: str, asked: str, verdict: str) -> None:
    lines = looked({"train.py": LIGHTNING.format(given=given), "requirements.txt": f"{asked}\n"})
    assert lines["atomic"] == verdict


TRAINER = """\
import signal
from transformers import HfArgumentParser, Trainer, TrainingArguments
(args,) = HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()
Trainer(model=None, args=args).train()
"""


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [("transformers>=4.55,<=5.8.0", "unknown"), ("transformers<5", "missing"), ("transformers", "missing")],
)
def test_a_trainer_of_newer_releases_may_save_at_a_signal(looked: Look, asked: str, verdict: str) -> None:
    assert looked({"train.py": TRAINER, "requirements.txt": f"{asked}\n"})["preemption"] == verdict


OTHER = """\
import argparse
def fetch(count):
    return count
{main}parser = argparse.ArgumentParser()
{main}parser.add_argument("--num-workers", type=int, default=4)
{main}fetch(parser.parse_args().num_workers)
"""


@pytest.mark.parametrize(("main", "verdict"), [('if __name__ == "__main__":', "not-needed"), ("", "unknown")])
def test_an_option_of_another_script_is_not_that_of_the_job(looked: Look, main: str, verdict: str) -> None:
    other = OTHER.format(main="    " if main else "").replace("    parser =", f"{main}\n    parser =")
    lines = looked({"train.py": "import fetching\n" + torch("fetching.fetch(1)"), "fetching.py": other})
    assert lines["workers"] == verdict


SAVER = """\
import os
class Saver:
    def prune_checkpoints(self, paths):
        for path in paths[:-3]:
            os.remove(path)
"""


@pytest.mark.parametrize(("name", "verdict"), [("os.environ['SAVER']", "unknown"), ("'saver'", "missing")])
def test_a_class_that_somebody_names_may_remove_old_ones(looked: Look, name: str, verdict: str) -> None:
    before = f"import importlib\nimport saver\nmade = importlib.import_module({name})"
    text = torch(before, "torch.save(net.state_dict(), f'checkpoint_{epoch}.pt')")
    assert looked({"train.py": text, "saver.py": SAVER})["pruned"] == verdict

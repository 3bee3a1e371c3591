"""Switches that are followed to the option or the default that decides them: through dicts, attributes, names, parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.preflight.test_options import loop
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import CheckedLine, as_data
from trainlint.app.preflight.run import preflight


@pytest.fixture
def looked(tmp_path: Path):  # type: ignore[no-untyped-def]
    def look(**files: str) -> dict[str, CheckedLine]:
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        target = tmp_path / "train.py"
        (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
        return {line["name"]: line for line in job["lines"]}

    return look


FROM_DICT = """
import argparse
import torch


def of_model():
    settings = dict(width=4, clip=0.0)
    settings.update(of_precision(), compile=False)
    return settings


def of_precision():
    return {"amp": False, **{"total_steps": 100}}


def declare(parser, defaults):
    for key, value in defaults.items():
        kind = str if value is None else type(value)
        parser.add_argument(NAME, default=value, type=kind)


def read():
    defaults = dict(seed=3)
    defaults["workers"] = 2
    defaults.update(of_model())
    parser = argparse.ArgumentParser()
    declare(parser, defaults)
    return parser.parse_args()


args = read()
torch.manual_seed(args.seed)
if args.seed:
    torch.cuda.manual_seed(args.seed)
model = torch.nn.Linear(2, 2)
if args.compile:
    model = torch.compile(model)
if args.clip > 0:
    torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
"""


@pytest.mark.parametrize("name", ['f"--{key}"', '"--" + key', '"--%s" % key', '"--{}".format(key)'])
def test_options_that_a_loop_declares_from_a_dict(looked, name: str) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=FROM_DICT.replace("NAME", name) + loop(workers="args.workers", amp="args.amp"))
    for line, option in (("compile", "--compile"), ("clipping", "--clip"), ("mixed-precision", "--amp")):
        assert found[line]["verdict"] == "unknown"
        assert f"only with {option}, which is off" in found[line]["why"]
    assert found["seeds"]["verdict"] == found["workers"]["verdict"] == "seen"
    assert found["first-steps"]["command"] == "python train.py --total_steps 10"


def test_a_dict_whose_keys_no_parser_is_told_is_no_option(looked) -> None:  # type: ignore[no-untyped-def]
    script = FROM_DICT.replace("parser.add_argument(NAME, default=value, type=kind)", "print(key, kind)")
    found = looked(train=script + loop())
    for line in ("compile", "clipping"):  # nobody knows what these values are
        assert found[line]["verdict"] == "unknown"
        assert "only with" not in found[line]["why"]


KEYWORDS = """
import torch
import mlxu

FLAGS, FLAGS_DEF = mlxu.define_flags_with_default(seed=42, compile=False, clip=0.5, total_steps=100)
torch.manual_seed(FLAGS.seed)
model = torch.nn.Linear(2, 2)
if FLAGS.compile:
    model = torch.compile(model)
if FLAGS.clip > 0:
    torch.nn.utils.clip_grad_norm_(model.parameters(), FLAGS.clip)
"""


def test_options_that_one_call_declares_by_its_keywords(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=KEYWORDS + loop())
    assert "only with --compile, which is off" in found["compile"]["why"]
    assert found["clipping"]["verdict"] == "seen"
    assert found["first-steps"]["command"] == "python train.py --total_steps 10"


ADDED = """
import configargparse
import torch

parser = configargparse.ArgumentParser()
parser.add("--seed", "-seed", type=int, default={seed})
opt = parser.parse_args()
names = set()
names.add("--compile")


def seed_all(number):
    if number > 0:
        torch.manual_seed(number)


seed_all(opt.seed)
"""


def test_options_of_configargparse_behind_a_test_of_a_parameter(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=ADDED.format(seed=-1) + loop())
    assert "only with --seed, which is off" in found["seeds"]["why"]
    assert found["compile"]["verdict"] == "missing"
    assert looked(train=ADDED.format(seed=3) + loop())["seeds"]["verdict"] == "seen"


SAVES = """
import argparse
import os
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

parser = argparse.ArgumentParser()
parser.add_argument("--keep-last", type=int, default={keep})
parser.add_argument("--out", default="")
parser.add_argument("--sharded", action="store_true")
args = parser.parse_args()
dist.init_process_group("nccl")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
for epoch in range(3):
    for x, y in torch.utils.data.DataLoader(data):
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    if args.sharded:
        dcp.save({{"model": net.state_dict()}}, checkpoint_id=f"sharded_{{epoch}}")
    if {saves}:
        torch.save({{"model": net.state_dict(), "optimizer": optimizer.state_dict()}}, f"out/checkpoint_{{epoch}}.pt")
        if {prunes}:
            os.remove(f"out/checkpoint_{{epoch - 3}}.pt")
"""


@pytest.mark.parametrize(
    ("keep", "saves", "prunes", "verdict"),
    [
        ("-1", "dist.get_rank() == 0", "args.keep_last > 0", "unknown"),
        ("3", "dist.get_rank() == 0", "args.keep_last > 0", "seen"),
        ("-1", "dist.get_rank() == 0 and args.out", "epoch > 3", "seen"),
        ("-1", "dist.get_rank() == 0", "cfg.keep_n is not None", "unknown"),
        ("-1", "dist.get_rank() == 0", "epoch > 3", "seen"),
    ],
)
def test_what_removes_checkpoints_with_an_option_only(  # type: ignore[no-untyped-def]
    looked, keep: str, saves: str, prunes: str, verdict: str
) -> None:
    script = SAVES.format(keep=keep, saves=saves, prunes=prunes)
    if "args.out" in saves:
        script = script.replace("if args.sharded", "if args.sharded and args.out")
    found = looked(train=script.replace("cfg.", "load().").replace("args = ", "from settings import load\nargs = "))["pruned"]
    assert found["verdict"] == verdict
    if verdict == "unknown" and "args" in prunes:
        assert "only with --keep-last, which is off" in found["why"]


@pytest.mark.parametrize(("saves", "verdict"), [("dist.get_rank() == 0", "seen"), ("epoch > 1", "unknown")])
def test_a_save_of_all_ranks_with_an_option_speaks_for_no_other_save(looked, saves: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=SAVES.format(keep=-1, saves=saves, prunes="epoch > 3"))["rank-zero"]
    assert found["verdict"] == verdict
    assert "test of the rank" in found["why"] or verdict == "unknown"


HELD = """
import argparse
import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--clip-norm", type=float, default=None)
parser.add_argument("--report-to", type=str, default={report!r})
parser.add_argument("--recompute", action="store_true")
args = parser.parse_args()
args.compiled = "compile" in args.report_to
dist.init_process_group("nccl")


def backend(args):
    if getattr(args, "compiled", False):
        return torch
    return None


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 4)
        self.saves_memory = {recompute}

    def set_recompute(self, on=True):
        self.saves_memory = on

    def forward(self, x):
        if self.saves_memory and self.training:
            return torch.utils.checkpoint.checkpoint(self.inner, x)
        return self.inner(x)


def make_step(model, args):
    norm = getattr(args, "clip_norm", {clip})

    def step(loss):
        loss.backward()
        if norm is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), norm)

    return step


class Keeper:
    def __init__(self, model, rank):
        self.model = model
        self.writes = rank == 0

    def keep(self, epoch):
        if self.writes:
            torch.save(self.model.state_dict(), f"model_{{epoch}}.pt")


net = Block()
{switch}
if backend(args) is not None:
    net = torch.compile(net)
keeper = Keeper(net, dist.get_rank())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step = make_step(net, args)
data = torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 4))
for epoch in range(3):
    for x, y in torch.utils.data.DataLoader(data):
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        step(loss)
        optimizer.step()
    keeper.keep(epoch)
"""


def held(report: str = "", recompute: str = "False", clip: str = "None", switch: str = "pass") -> str:
    return HELD.format(report=report, recompute=recompute, clip=clip, switch=switch)


def test_switches_in_attributes_closures_and_results_are_options(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=held(recompute="args.recompute"))
    assert "only with --clip-norm, which is off" in found["clipping"]["why"]
    assert "only with --report-to, which is off" in found["compile"]["why"]
    assert "only with --recompute, which is off" in found["gradient-checkpointing"]["why"]
    assert found["rank-zero"]["verdict"] == "seen"
    assert looked(train=held(report="all,compile"))["compile"]["verdict"] == "seen"


@pytest.mark.parametrize(
    ("recompute", "switch", "verdict"),
    [
        ("False", "pass", "unknown"),
        ("True", "pass", "seen"),
        ("False", "net.set_recompute()", "seen"),
        ("False", "net.saves_memory = True", "seen"),
        ("False", "setattr(net, 'saves_memory', True)", "seen"),
        ("False", "if args.recompute:\n    net.set_recompute()", "unknown"),
    ],
)
def test_an_attribute_that_only_ever_is_off(looked, recompute: str, switch: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=held(recompute=recompute, switch=switch))["gradient-checkpointing"]
    assert found["verdict"] == verdict
    assert "--recompute" in found["why"] or "args" not in switch


COUNTS = """
import torch


def create(datasets, counts):
    made = []
    for dataset, count in zip(datasets, counts):
        made.append(torch.utils.data.DataLoader(dataset, batch_size=2, num_workers=count))
    return made


net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
(loader,) = create([data], counts=COUNT)
for x, y in loader:
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("count", "verdict"), [("[4]", "seen"), ("[4, 4]", "seen"), ("[read()]", "unknown")])
def test_a_number_of_workers_that_zip_takes_out_of_a_list(looked, count: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    assert looked(train=COUNTS.replace("COUNT", count))["workers"]["verdict"] == verdict


METHODS = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--torchcompile", action="store_true")
parser.add_argument("--strategy", default="task")
args = parser.parse_args()


class Task(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def compile_it(self):
        self.net = torch.compile(self.net)

    def train_step(self, loss):
        loss.backward()
        self.after()

    def after(self):
        pass


class Clip(Task):
    def after(self):
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)


class Other(Clip):
    def compile_it(self):
        self.net = torch.compile(self.net, mode="max-autotune")


def make():
    return {cls}(torch.nn.Linear(4, 2))


task = make()
if {test}:
    task.compile_it()
optimizer = torch.optim.SGD(task.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
for x, y in torch.utils.data.DataLoader(data):
    loss = torch.nn.functional.mse_loss(task.net(x), y)
    loss.backward()
    task.train_step(loss)
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("cls", "test", "verdict"),
    [
        ("Clip", "args.torchcompile and args.strategy == 'task'", "unknown"),
        ("Other", "args.torchcompile and args.strategy == 'task'", "unknown"),
        ("Clip", "args.strategy == 'task'", "seen"),
        ("Other", "args.strategy == 'task'", "seen"),
    ],
)
def test_a_method_of_a_derived_class_runs_as_it_is_called(looked, cls: str, test: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=METHODS.format(cls=cls, test=test))
    assert found["compile"]["verdict"] == verdict
    assert found["clipping"]["verdict"] == "seen"
    assert verdict == "seen" or "only with --torchcompile" in found["compile"]["why"]

"""Repairs in code that also runs on one process: they must not break that run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trainlint import check_paths
from trainlint.finding import Applicability

SAMPLERS = """
import torch
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler


def train(data, args, model, optimizer):
    sampler = {sampler}
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(args.epochs):
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
"""

BARRIERS = """
import torch.distributed as dist


def load(args, read):
    if {test}:
        dist.barrier()
    return read(args.path)
"""


def diff(tmp_path: Path, source: str, code: str) -> str:
    """What ``--diff`` shows for a file, with all repairs."""
    (tmp_path / "train.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "trainlint", "check", "train.py", "--isolated", "--select", code, "--diff", "--unsafe-fixes"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    ("sampler", "test"),
    [
        ("DistributedSampler(data)", ""),
        ("DistributedSampler(data) if args.many else None", "sampler is not None"),
        ("DistributedSampler(data) if args.many else RandomSampler(data)", 'hasattr(sampler, "set_epoch")'),
    ],
)
def test_only_a_sampler_that_can_be_told_is_told_the_epoch(tmp_path: Path, sampler: str, test: str) -> None:
    shown = diff(tmp_path, SAMPLERS.format(sampler=sampler), "TL201")
    assert "+" in shown
    assert "sampler.set_epoch(epoch)" in shown
    assert (f"if {test}:" in shown) if test else ("if " not in shown)


def test_a_barrier_is_not_moved_to_where_one_process_meets_it_alone(tmp_path: Path) -> None:
    assert "-        dist.barrier()" in diff(tmp_path, BARRIERS.format(test="args.local_rank != 0"), "TL101")
    assert diff(tmp_path, BARRIERS.format(test="args.local_rank not in [-1, 0]"), "TL101") == ""


def test_what_took_real_numbers_only_is_unsafe_beside_complex_ones(tmp_path: Path) -> None:
    less = "import torch\n\n\ndef less(x):\n    return torch.exp(x) - 1\n"
    for text, applied in ((less, 1), (less + "\n\ndef part(z):\n    return z.imag\n", 0)):
        (tmp_path / "train.py").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "trainlint", "check", "train.py", "--isolated", "--select", "TL417", "--diff"]
        shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        assert shown.count("+    return torch.expm1(x)") == applied


COMPILED = """
import torch


def load(model, path):
    {load}


def main(model, args):
    if args.compile:
        model = torch.compile(model)
    load(model, args.resume)
    torch.save(model.state_dict(), args.path)
"""


def test_keys_that_a_loader_out_of_sight_may_read_are_not_changed_safely(tmp_path: Path) -> None:
    for load, applied in (("model.load_state_dict(torch.load(path))", 0), ("return torch.load(path)", 1)):
        (tmp_path / "train.py").write_text(COMPILED.format(load=load), encoding="utf-8")
        command = [sys.executable, "-m", "trainlint", "check", "train.py", "--isolated", "--select", "TL563", "--diff"]
        shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        assert shown.count('+    torch.save(getattr(model, "_orig_mod", model).state_dict(), args.path)') == applied


HALF_MET = """
import torch.distributed as dist


def send(batch, adapter):
    if dist.get_rank() != 0:
        dist.barrier()
        return
    payload = adapter.build(batch)
    if payload is not None:
        adapter.post(payload)
        {meeting}
"""


def test_a_barrier_is_not_moved_where_the_others_meet_it_on_some_way(tmp_path: Path) -> None:
    assert "-        dist.barrier()" in diff(tmp_path, HALF_MET.format(meeting="adapter.close()"), "TL101")
    assert diff(tmp_path, HALF_MET.format(meeting="dist.barrier()"), "TL101") == ""


SCALED = """
def train(model, loader, optimizer, gpus, steps, weights):
    total = 0.0
    for batch in loader:
        loss = model(batch)
        if {test}:
            loss = {value}
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss
    return total
"""


@pytest.mark.parametrize(
    ("test", "value", "repaired"),
    [
        ("gpus > 1", "loss.mean()", True),
        ("steps > 1", "loss / steps", True),
        ("weights", "sum(weights)", False),  # of one of two things nobody knows that both are tensors
    ],
)
def test_a_loss_that_is_scaled_in_some_modes_is_detached(tmp_path: Path, test: str, value: str, *, repaired: bool) -> None:
    shown = diff(tmp_path, SCALED.format(test=test, value=value), "TL302")
    assert ("+        total += loss.detach()" in shown) == repaired


SCALER = """
import torch


def scaler():
    return torch.cuda.amp.GradScaler()
"""


@pytest.mark.parametrize(
    ("requirement", "safe"), [("", False), ("numpy", False), ("torch", False), ("torch>=2.4", True), ("torch==2.5.1", True)]
)
def test_what_needs_a_new_release_is_safe_only_where_the_project_asks_for_one(
    tmp_path: Path, requirement: str, *, safe: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(f"{requirement}\n", encoding="utf-8")
    (tmp_path / "train.py").write_text(SCALER, encoding="utf-8")
    command = [sys.executable, "-m", "trainlint", "check", "train.py", "--isolated", "--select", "TL904", "--diff"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert ("torch.amp.GradScaler(" in shown) == safe
    assert "torch.amp.GradScaler(" in diff(tmp_path, SCALER, "TL904")


#: Deprecated since 1.10: the repair needs that version.
MESH = """
import torch

{test}

def grid(x):
    return torch.meshgrid(x, x)
"""


@pytest.mark.parametrize(
    ("files", "test", "safe"),
    [
        ({}, "", False),
        ({"requirements.txt": "torch>=1.10"}, "", True),
        ({"requirements.txt": "torch", "README.md": "It needs PyTorch 1.7+."}, "", None),
        ({"README.md": "Tested with [PyTorch](https://pytorch.org) 1.13.1"}, "", True),
        ({"README.md": "PyTorch 1.13", "docker/Dockerfile": "FROM pytorch/pytorch:1.4-cuda10.1-cudnn7-runtime"}, "", None),
        ({"docs/INSTALL.rst": "torch >= 2.0"}, "", True),
        ({"environment_cpu.yml": "dependencies:\n  - pytorch=1.6"}, "", None),
        ({"README.md": "PyTorch 1.13"}, 'OLD = torch.__version__ < "1.8"\nif OLD:\n    torch.outer = torch.ger', False),
        ({"README.md": "PyTorch 1.13"}, 'assert torch.__version__ > "1.8"', True),
        ({}, "from torch.nn.attention import sdpa_kernel", True),
        ({"README.md": "PyTorch 1.6"}, "from torch.nn.attention import sdpa_kernel", None),
    ],
)
def test_a_keyword_of_a_later_version_is_a_safe_repair_only_where_that_version_is_sure(
    tmp_path: Path, files: dict[str, str], test: str, *, safe: bool | None
) -> None:
    # None: what is there names a version in which nothing is deprecated yet, and nothing is reported.
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "train.py").write_text(MESH.format(test=test), encoding="utf-8")
    found = [each for each in check_paths([tmp_path], select=["TL905"]) if "meshgrid" in each.message]
    repairs = [each.repair.applicability for each in found if each.repair is not None]
    assert repairs == ([] if safe is None else [Applicability.SAFE if safe else Applicability.UNSAFE])


HALVES = """
import torch
import torch.nn.functional as F


def loss(x, y):
    p = torch.sigmoid(x)
    return -(y * torch.log(p) + (1 - y) * torch.log({rest})).mean()
"""


@pytest.mark.parametrize(
    ("rest", "written"),
    [
        ("1 - p", "(y * F.logsigmoid(x) + (1 - y) * F.logsigmoid(-x))"),
        ("1 - torch.sigmoid(x)", "(y * F.logsigmoid(x) + (1 - y) * F.logsigmoid(-x))"),
        ("1 - torch.sigmoid(x + 1)", "(y * F.logsigmoid(x) + (1 - y) * F.logsigmoid(-(x + 1)))"),
        ("1 - p + 1e-6", None),
        ("2 - p", None),
    ],
)
def test_both_logarithms_of_a_probability_become_one_function_each_or_none(
    tmp_path: Path, rest: str, written: str | None
) -> None:
    shown = diff(tmp_path, HALVES.format(rest=rest), "TL411")
    assert (written in shown) if written is not None else ("logsigmoid" not in shown)


TIMED = """
import time

import torch


def timed(model, x, args):
    {moves}
    start = time.time()
    model(x)
    return time.time() - start
"""


@pytest.mark.parametrize(
    ("moves", "added"),
    [
        ("model.cuda()", ["torch.cuda.synchronize()"]),
        ("model.cuda(); model(x)", ["torch.cuda.synchronize()"] * 2),
        ("if args.gpu:\n        model.cuda()", ["if torch.cuda.is_available():", "    torch.cuda.synchronize()"]),
        ("model.cuda(args.gpu)", ["torch.cuda.synchronize(args.gpu)"]),
        ("torch.cuda.set_device(args.gpu); model.cuda(args.gpu)", ["torch.cuda.synchronize()"]),
        ('model.to("cuda:1")', ['torch.cuda.synchronize("cuda:1")']),
    ],
)
def test_the_device_is_waited_for_that_the_program_uses(tmp_path: Path, moves: str, added: list[str]) -> None:
    shown = diff(tmp_path, TIMED.format(moves=moves), "TL802")
    assert [line[5:].replace("'", '"') for line in shown.splitlines() if line.startswith("+ ")] == added


AFTER_WORK = """
import time

import torch


def timed(model, x):
    start = time.time()
    model(x)
    return time.time() - start


def main(model, x):
    model.cuda()
    model(x)
    return timed(model, x)
"""


def test_the_work_of_the_caller_is_waited_for_before_the_clock_starts(tmp_path: Path) -> None:
    assert diff(tmp_path, AFTER_WORK, "TL802").count("+    torch.cuda.synchronize()") == 2


LISTS = """
def train(model, loader, opt, criterion):
    losses, outputs = [], []
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss)
        outputs.append({kept})
    return losses, outputs
"""


@pytest.mark.parametrize(("kept", "safe"), [("out.detach()", True), ("x", True), ("out", False), ('{"out": out}', False)])
def test_a_loss_is_detached_safely_only_where_nothing_else_keeps_its_graph(tmp_path: Path, kept: str, *, safe: bool) -> None:
    (tmp_path / "train.py").write_text(f"import torch\n{LISTS.replace('{kept}', kept)}", encoding="utf-8")
    found = [each for each in check_paths([tmp_path], select=["TL301"]) if "`losses`" in each.message]
    assert [each.repair.applicability is Applicability.SAFE for each in found if each.repair is not None] == [safe]


EVALUATION = """
import torch


class Trainer:
    def evaluate(self, model, valid, test):
        model.eval()
        for x, y in valid:
            print((model(x).argmax(-1) == y).sum().item())
        {after}
"""


@pytest.mark.parametrize(
    ("after", "written"),
    [
        ("", "        with torch.no_grad():"),
        ("for x, y in test:\n            print((model(x).argmax(-1) != y).sum().item())", "    @torch.no_grad()"),
        ("print(model(test).mean().item())", "    @torch.no_grad()"),
        ("self.base = model(test)", "        with torch.no_grad():"),
        ("return model(test)", "        with torch.no_grad():"),
    ],
)
def test_a_function_that_evaluates_in_several_places_is_run_under_no_grad_as_a_whole(
    tmp_path: Path, after: str, written: str
) -> None:
    (tmp_path / "train.py").write_text(EVALUATION.format(after=after), encoding="utf-8")
    (found,) = check_paths([tmp_path], select=["TL303"])
    assert found.repair is not None
    assert found.repair.edits[0].content.splitlines()[0] == written


LOADERS = """
from torch.utils.data import DataLoader


def train(model, optimizer, data, valid):
    loader = DataLoader(data, batch_size=64, num_workers=8)
    checked = DataLoader(valid, batch_size=64, {workers})
    for image in loader:
        optimizer.zero_grad()
        model(image.cuda()).backward()
        optimizer.step()
    return checked
"""


@pytest.mark.parametrize(
    ("workers", "loaders"), [("num_workers=8", 2), ("num_workers=0", 2), ("**options", 1), ("pin_memory=True", 1)]
)
def test_loaders_that_are_made_side_by_side_are_pinned_alike(tmp_path: Path, workers: str, loaders: int) -> None:
    shown = diff(tmp_path, LOADERS.format(workers=workers), "TL206")
    assert sum(line.startswith("+ ") and "pin_memory=True" in line for line in shown.splitlines()) == loaders


def test_batches_that_no_worker_reads_are_not_pinned(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(LOADERS.replace(", num_workers=8", "").format(workers="num_workers=8"), encoding="utf-8")
    assert check_paths([tmp_path], select=["TL206"]) == []


HELPER = """
from torch.utils.data import DataLoader


def put(batch{parameter}):
    return batch.to({device})


def train(model, optimizer, data, device):
    model.cuda()
    for batch in DataLoader(data, batch_size=64, num_workers=8, pin_memory=True):
        optimizer.zero_grad()
        model(put(batch{argument})).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("parameter", "device", "argument", "found"), [("", '"cuda"', "", 1), (", device", "device", ', "cuda"', 0)]
)
def test_a_helper_that_is_told_the_device_may_copy_to_the_host(
    tmp_path: Path, parameter: str, device: str, argument: str, found: int
) -> None:
    text = HELPER.format(parameter=parameter, device=device, argument=argument)
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    assert len(check_paths([tmp_path], select=["TL210"])) == found


WORKER = """
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world):
    dist.init_process_group("nccl", rank=rank, world_size=world)
    dist.barrier()
    train(rank)


def train(rank):
    {choice}
    return torch.nn.Linear(3, 3).cuda()


mp.spawn(worker, args=(4,), nprocs=4)
"""


@pytest.mark.parametrize(("choice", "repaired"), [("print(rank)", True), ("torch.cuda.set_device(rank)", False)])
def test_a_gpu_that_a_function_selects_later_is_not_selected_twice(tmp_path: Path, choice: str, *, repaired: bool) -> None:
    (tmp_path / "train.py").write_text(WORKER.format(choice=choice), encoding="utf-8")
    (found,) = check_paths([tmp_path], select=["TL110"])
    assert (found.repair is not None) == repaired


WIDE = """
from torch.utils.data import DataLoader


def train(model, optimizer, data, collate):
    loader = DataLoader(data, batch_size=64, num_workers=8, collate_fn=collate){comment}
    for image in loader:
        optimizer.zero_grad()
        model(image.cuda()).backward()
        optimizer.step()
"""
#: As black writes it.
NARROW = [
    "    loader = DataLoader(",
    "        data, batch_size=64, num_workers=8, collate_fn=collate, pin_memory=True",
    "    )",
]


@pytest.mark.parametrize(
    ("files", "comment", "wrapped"),
    [
        ({}, "", True),
        ({"pyproject.toml": "[tool.black]\nline-length = 80\n"}, "", True),
        ({"ruff.toml": "line-length = 120\n"}, "", False),
        ({"setup.cfg": "[flake8]\nmax-line-length = 150\n"}, "", False),
        ({}, "  # both", False),
        (
            {},
            "\n"
            + "    # a comment that goes on and on, as all of the comments do in this file, to its very end, which is here" * 3,
            True,
        ),
        (
            {},
            3 * "\n    # a comment that goes on and on, as all of the comments do in this file, to its very end, which is here",
            False,
        ),
    ],
)
def test_a_line_that_a_repair_makes_too_long_is_wrapped(
    tmp_path: Path, files: dict[str, str], comment: str, *, wrapped: bool
) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    shown = diff(tmp_path, WIDE.format(comment=comment), "TL206")
    added = [line[1:] for line in shown.splitlines() if line.startswith("+ ")]
    assert (added == NARROW) if wrapped else (len(added) == 1)


PARTS = """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = {"a": nn.Linear(3, 3),
                      "b": nn.Linear(3, 3)}

    def forward(self, x):
        return self.parts["a"](x)
"""


def test_lines_that_are_aligned_with_a_bracket_move_along_with_it(tmp_path: Path) -> None:
    shown = diff(tmp_path, PARTS, "TL714")
    assert '+        self.parts = nn.ModuleDict({"a": nn.Linear(3, 3),\n+' + " " * 36 + '"b": nn.Linear(3, 3)})' in shown

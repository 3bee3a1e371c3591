"""``trainlint explain``: the real program, in small projects."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.driven import run_here
from tests.spmd.test_given_up import MANY, program

UTIL = """\
import torch.distributed as dist


def is_main():
    return dist.get_rank() == 0


def sync_all(model):
    dist.barrier()
    return model
"""
TRAIN = """\
import torch.distributed as dist
from util import is_main, sync_all


class Trainer:
    def __init__(self, args):
        self.main = is_main()
        self.args = args

    def save(self, model):
        if not self.main:
            return
        if self.args.sharded:
            sync_all(model)


def main(args):
    rank = dist.get_rank()
    trainer = Trainer(args)
    for epoch in range(args.epochs):
        if rank == 0:
            print(epoch)
        trainer.save(args.model)


if __name__ == "__main__":
    main(None)
"""
SPLIT = """\
import torch.distributed as dist


def wait():
    if dist.get_rank() != 0:
        dist.barrier()


def arrive():
    if dist.get_rank() == 0:
        dist.barrier()


def prepare(build):
    wait()
    build()
    arrive()
"""
SILENT = """\
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def run(loader, net, group, cfg):
    model = DistributedDataParallel(net)
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        if cfg.sync:
            dist.barrier()
        if dist.get_rank() == 0:
            dist.all_reduce(loss, group=group)
            dist.barrier()  # noqa: TL101
            cfg.writer.speak(loss)
        if loss > 3:
            dist.barrier()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {"util": UTIL, "train": TRAIN, "split": SPLIT, "silent": SILENT}.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def explain(folder: Path, *words: str, columns: int = 80) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return run_here(folder, ["explain", *words], {**variables, "COLUMNS": str(columns)})


def account(folder: Path, *words: str) -> dict[str, Any]:
    done = explain(folder, *words, "--output-format", "json")
    assert (done.stderr, done.returncode) == ("", 0)
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def texts(steps: list[dict[str, Any]]) -> list[str]:
    """Each step with its depth as dots, and the line where it points."""
    return ["." * each["depth"] + each["text"] + (f" @{each['location']['row']}" if each["location"] else "") for each in steps]


def seen(told: dict[str, Any], source: str) -> dict[str, Any]:
    (found,) = [each for each in told["values"] if each["source"] == source]
    return dict(found)


STEP = """\
import torch.distributed as dist


def step(model, batch, criterion, losses, optimizer):
    model.train()
    for each in range(3):
        optimizer.zero_grad()
        loss = criterion(model(batch), batch)
        loss.backward()
        optimizer.step()
        losses.append(loss)
    dist.barrier()
"""


class TestValues:
    def test_the_way_to_where_a_value_is_made(self, project: Path) -> None:
        value = seen(account(project, "train.py:11"), "self.main")
        assert value["over_ranks"] == {
            "word": "rank-dependent",
            "text": "True on rank 0; False on ranks 1, 2, 3",
            "by_rank": ["True", "False", "False", "False"],
            "location": None,
        }
        assert texts(value["origin"]) == [
            "`Trainer.main` is stored by `__init__`: `util.is_main()` @7",
            ".`is_main` returns `torch.distributed.get_rank() == 0` @5",
            "..`torch.distributed.get_rank`: the rank @5",
        ]

    def test_where_nobody_knows_any_more(self, tmp_path: Path) -> None:
        (tmp_path / "step.py").write_text(STEP)
        value = seen(account(tmp_path, "step.py:11"), "loss")
        assert value["stands_for"] == []
        assert texts(value["origin"]) == [
            "`loss` is `criterion(model(batch), batch)` @8",
            ".what `criterion(model(batch), batch)` runs is not known @8",
            "..`criterion` is a parameter of `step`; no caller is seen to pass it",
        ]

    def test_a_long_way(self, tmp_path: Path) -> None:
        links = "".join(f"def f{number}(x):\n    return f{number + 1}(x)\n" for number in range(8))
        (tmp_path / "step.py").write_text(f"import torch\n{links}def f8(x):\n    return x\ny = f0(torch.ones(1))\n")
        origin = texts(seen(account(tmp_path, "step.py:20"), "f0(torch.ones(1))")["origin"])
        assert any(each.endswith("`x` is passed `torch.ones(1)` @20") for each in origin)
        assert len(origin) < 25

    def test_a_way_that_is_too_long(self, tmp_path: Path) -> None:
        links = "".join(f"def f{number}(x):\n    return f{number + 1}(x)\n" for number in range(30))
        (tmp_path / "step.py").write_text(f"import torch\n{links}def f30(x):\n    return x\ny = f0(torch.ones(1))\n")
        origin = texts(seen(account(tmp_path, "step.py:64"), "f0(torch.ones(1))")["origin"])
        assert origin[-1].endswith("... and more")

    @pytest.mark.heavy
    def test_what_it_stands_for(self, project: Path) -> None:
        told = account(project, "train.py:14")
        assert seen(told, "sync_all")["stands_for"] == ["the function `sync_all` (util.py:8)"]
        assert seen(account(project, "util.py:9"), "dist.barrier")["stands_for"] == ["`torch.distributed.barrier`: a collective"]
        assert seen(account(project, "train.py:23"), "trainer.save")["stands_for"] == [
            "the function `Trainer.save` (train.py:10)"
        ]

    @pytest.mark.heavy
    def test_data_of_its_own(self, project: Path) -> None:
        meaning = seen(account(project, "silent.py:16"), "loss > 3")["over_ranks"]
        assert (meaning["word"], meaning["location"]["row"]) == ("per-rank data", 9)


class TestWhoAndWhen:
    @pytest.mark.heavy
    def test_tests_on_the_way(self, project: Path) -> None:
        first, second = account(project, "train.py:14")["guards"]
        assert first["text"] == "`not self.main` is false, the other ranks exited earlier"
        assert (first["location"]["row"], first["over_ranks"]["by_rank"]) == (11, ["False", "True", "True", "True"])
        assert second["text"] == "`if self.args.sharded`"
        assert second["over_ranks"]["word"] == "unknown"

    @pytest.mark.heavy
    def test_callers(self, project: Path) -> None:
        assert texts(account(project, "util.py:9")["reached"]) == [
            "called in `Trainer.save`, under `not (not self.main)` (rank-dependent: False on rank 0; True on ranks 1, 2, 3) @14",
            ".called in `main` @23",
            "..called at the top level @27",
        ]
        assert texts(account(project, "split.py:14")["reached"]) == ["no caller is seen of `prepare`"]
        assert texts(account(project, "train.py:27")["reached"]) == ["it runs when the file is run or imported"]


MORE = """\
import functools

import torch.distributed as dist


def main_only(function):
    @functools.wraps(function)
    def wrapper(*args):
        if dist.get_rank() == 0:
            return function(*args)
        return None

    return wrapper


@main_only
def save(model):
    dist.barrier()
    model.save()
    dist.barrier()


def meet(model):
    if dist.get_rank() != 0:
        dist.barrier()
    model.load()
    if dist.get_rank() == 0:
        dist.barrier()
"""


@pytest.mark.heavy
class TestDecoratorsAndHalves:
    @pytest.fixture
    def more(self, tmp_path: Path) -> Path:
        (tmp_path / "more.py").write_text(MORE, encoding="utf-8")
        return tmp_path

    def test_a_decorator_is_a_test(self, more: Path) -> None:
        told = account(more, "more.py:18")
        (guard,) = told["guards"]
        assert guard["text"] == "the decorator `main_only` lets some ranks in"
        assert guard["over_ranks"]["by_rank"] == ["True", "False", "False", "False"]
        one, others = told["trace"]["sides"]
        assert texts(one["steps"])[0] == "the decorator `main_only` lets this rank in @16"
        assert texts(others["steps"]) == ["the decorator `main_only` does not let this rank in @16"]
        assert texts(account(more, "more.py:9")["reached"])[0] == "stands in the place of `save`, which it decorates @16"

    def test_one_test_is_one_mistake(self, more: Path) -> None:
        assert [each["code"] for each in account(more, "more.py:18")["findings"]] == ["TL101"]
        second = account(more, "more.py:20")
        assert second["findings"] == []
        assert texts(second["silence"]) == [
            "one test is one mistake: what `main_only` leads to is reported where it comes first @18"
        ]
        assert [text for text in texts(account(more, "more.py:19")["silence"]) if "one test" in text] == []

    def test_the_same_in_different_places(self, more: Path) -> None:
        trace = account(more, "more.py:24")["trace"]
        assert trace["note"] == "all ranks run the same, in different places"
        assert [texts(side["steps"])[-2:] for side in trace["sides"]] == [
            ["`torch.distributed.get_rank() == 0` is true @27", "barrier @28"],
            ["barrier @25", "`torch.distributed.get_rank() == 0` is false @27"],
        ]


class TestTraces:
    def test_both_sides_where_they_differ(self, project: Path) -> None:
        trace = account(project, "train.py:14")["trace"]
        assert trace["note"] == "the ranks do not run the same"
        one, others = trace["sides"]
        assert (one["ranks"], others["ranks"]) == ([0], [1, 2, 3])
        assert texts(one["steps"]) == [
            "`self.main` is true @11",
            "if self.args.sharded (unknown, the same on all ranks):",
            ".`sync_all`, in which all ranks run the same @14",
            "..it comes to barrier @9",
        ]
        assert texts(others["steps"]) == ["`self.main` is false @11", "returns @12"]

    @pytest.mark.heavy
    def test_one_side_where_they_do_not(self, project: Path) -> None:
        trace = account(project, "train.py:18")["trace"]
        assert trace["note"] == "all ranks run the same, but for what is called"
        (side,) = trace["sides"]
        assert texts(side["steps"]) == [
            "in each iteration of the loop in line 20:",
            ".`save`, in which the ranks diverge (ask there) @23",
            "..it comes to barrier @9",
        ]
        assert account(project, "util.py:5")["trace"]["note"] == "no collective is reached from here, as far as is known"


class TestSilence:
    @pytest.mark.heavy
    def test_what_is_reported_needs_no_reason(self, project: Path) -> None:
        told = account(project, "train.py:14")
        assert [(each["code"], each["state"], each["related"]) for each in told["findings"]] == [("TL102", "reported", False)]
        assert told["silence"] == []
        (guard,) = account(project, "train.py:11")["findings"]
        assert (guard["code"], guard["related"], guard["location"]["row"]) == ("TL102", True, 14)

    def test_reasons(self, project: Path) -> None:
        def reasons(line: int) -> list[str]:
            return texts(account(project, f"silent.py:{line}")["silence"])

        assert reasons(11) == ["`barrier` under `if cfg.sync`: what is unknown is taken to be the same on every rank @11"]
        assert reasons(13) == ["`all_reduce` is traffic of the group `group`: only its members are concerned, not compared @13"]
        assert reasons(15) == ["`cfg.writer.speak` is unknown: its call counts as running nothing @15"]

    @pytest.mark.heavy
    def test_callers_that_make_up_for_it(self, project: Path) -> None:
        told = account(project, "split.py:6")
        assert told["findings"] == []
        first, second = texts(told["silence"])
        assert first.startswith("`barrier` is run by the ranks other than 0 and not by rank 0 in `wait` on its own; not reported")
        assert second == ".in `prepare` it is not found again, with what is passed there @15"

    @pytest.mark.heavy
    def test_suppressed_off_and_ignored(self, project: Path) -> None:
        def states(*words: str) -> list[str]:
            return [each["state"] for each in account(project, *words)["findings"]]

        assert states("silent.py:14") == ["not reported: the comment in line 14 suppresses it"]
        assert states("train.py:14", "--config", 'ignore = ["TL102"]') == [
            "not reported: TL102 is off (by its level or by the configuration)"
        ]
        assert states("train.py:14", "--config", 'per-file-ignores = {"train.py" = ["TL102"]}') == [
            "not reported: per-file-ignores turns TL102 off in this file"
        ]

    @pytest.mark.heavy
    def test_known_to_the_baseline(self, project: Path) -> None:
        command = [sys.executable, "-m", "trainlint", "check", ".", "--write-baseline", "known.json", "--quiet"]
        subprocess.run(command, cwd=project, check=True, capture_output=True)
        (project / "trainlint.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
        (project / "train.py").write_text("# moved\n" + TRAIN, encoding="utf-8")
        (finding,) = account(project, "train.py:15")["findings"]
        assert finding["state"] == "not reported: the baseline known.json knows it"
        (project / "known.json").write_text("no baseline")
        done = explain(project, "train.py:15")
        assert (done.returncode, "is no baseline" in done.stderr) == (2, True)

    def test_calls_that_lie_too_deep(self, project: Path) -> None:
        helpers = "".join(f"def h{each}(x):\n    return h{each - 1}(x)\n\n\n" for each in range(1, 12))
        step = "def train(model, data):\n    for x in data:\n        loss = model(x)\n        print(h11(loss), loss.backward())\n"
        start = "import torch\n\n\ndef h0(x):\n    return x.item()\n\n\n"
        (project / "deep.py").write_text(f"{start}{helpers}{step}", encoding="utf-8")
        silent = texts(account(project, f"deep.py:{start.count(chr(10)) + 44 + 4}")["silence"])
        assert "not followed any further from here: `h3` is 9 calls away" in silent

    @pytest.mark.heavy
    def test_given_up(self, project: Path) -> None:
        (project / "many.py").write_text(program(MANY, ""), encoding="utf-8")
        told = account(project, "many.py:16")
        assert told["trace"]["note"].startswith("the analysis gave up on this function: more than ")
        assert [each for each in texts(told["silence"]) if each.startswith("the comparison of ranks gave up on `work`: ")]


class TestWhere:
    @pytest.mark.heavy
    def test_a_file_that_a_check_does_not_parse(self, project: Path) -> None:
        (project / "sleep.py").write_text("X = [1, 2]\nY = X[0]\n", encoding="utf-8")
        assert account(project, "sleep.py:2")["asleep"]
        assert not account(project, "train.py:2")["asleep"]
        assert "does not parse this file" in explain(project, "sleep.py:2").stdout

    @pytest.mark.parametrize(
        ("place", "said"),
        [
            ("nowhere.py:1", "nowhere.py does not exist"),
            (".:1", ". is a folder"),
            ("util.py:11", "util.py has 10 lines: there is no line 11"),
            ("util.py:0", "there is no line 0"),
            ("util.py", "Say which line, as in util.py:1."),
            ("broken.py:1", "broken.py:2: syntax error: "),
            ("bytes.py:1", "bytes.py:1: the file "),
            ("util.py:cell 1:1", "util.py is no notebook"),
            ("book.ipynb:1", "say which cell"),
            ("book.ipynb:cell 3:1", "has no line 1 in a cell 3"),
        ],
    )
    @pytest.mark.heavy
    def test_nothing_to_explain(self, project: Path, place: str, said: str) -> None:
        (project / "broken.py").write_text("x = 1\ndef f(:\n", encoding="utf-8")
        (project / "bytes.py").write_bytes(b"x = '\xff'\n")
        notebook(project / "book.ipynb", "x = 1\n")
        done = explain(project, place)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.heavy
    def test_an_empty_line_and_a_definition(self, project: Path) -> None:
        assert account(project, "train.py:15")["kind"] == "nothing"
        told = account(project, "train.py:10")
        assert (told["kind"], told["function"]) == ("function", "Trainer.save")
        assert account(project, "train.py:14:13")["row"] == 14  # a place as findings have them

    @pytest.mark.heavy
    def test_a_notebook(self, project: Path) -> None:
        notebook(project / "book.ipynb", "import torch.distributed as dist\n", "if dist.get_rank() == 0:\n    dist.barrier()\n")
        told = account(project, "book.ipynb:cell 2:2")
        assert told["source"] == ["    dist.barrier()"]
        assert [(each["code"], each["location"]["cell"], each["location"]["row"]) for each in told["findings"]] == [
            ("TL101", 2, 2)
        ]
        assert "book.ipynb:cell 2:2: expression" in explain(project, "book.ipynb:cell 2:2").stdout

    @pytest.mark.heavy
    def test_every_line_of_everything_can_be_asked(self, project: Path) -> None:
        """Statements of all kinds: nothing crashes, nothing is printed that a terminal would act on."""
        (project / "all.py").write_text(EVERYTHING, encoding="utf-8")
        for line in range(1, EVERYTHING.count("\n") + 1):
            done = explain(project, f"all.py:{line}")
            assert (done.returncode, done.stderr) == (0, ""), line
            assert "\x1b" not in done.stdout


class TestText:
    @pytest.mark.heavy
    def test_it_fits(self, project: Path) -> None:
        for columns in (80, 200):
            lines = explain(project, "train.py:14", columns=columns).stdout.splitlines()
            assert max(map(len, lines)) <= columns
            assert lines[0] == "train.py:14: expression, in `Trainer.save` (train.py:10:5)"
            titles = [line for line in lines if line and line[0] not in " >" and not line.startswith("train.py")]
            assert titles == ["Values", "Holds here", "Reached", "Collectives of `Trainer.save`", "Findings"]
            beside = [line for line in lines if "rank 0 " in line and "ranks 1, 2, 3" in line and "|" in line]
            assert len(beside) == (columns == 200)

    @pytest.mark.heavy
    def test_colour_changes_nothing_but_colour(self, project: Path) -> None:
        plain = explain(project, "train.py:14").stdout
        coloured = explain(project, "train.py:14", "--color", "always").stdout
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def notebook(path: Path, *cells: str) -> None:
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None} for cell in cells]
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")


EVERYTHING = """\
import os, torch.distributed as dist
from contextlib import contextmanager
RANK = int(os.environ["RANK"])
@contextmanager
def around(x, *args, y=1, **kwargs):
    global RANK
    yield x if RANK else [i for i in args if i > y]
class A(object):
    field: int = 3
    def __init__(self): self.x = self.y = (lambda z: z + 1)(3)
    @property
    def main(self):
        return not self.x or kwargs
async def go(a, *, b=None):
    async with around(a) as (c, d):
        async for e in a:
            await e
    try:
        assert a, "\\x1b[31m"
    except (OSError, ValueError) as error:
        raise RuntimeError(f"{error} {a!r}") from error
    else:
        del a
    finally:
        b += 1
    while b := next(c, None):
        if b is None: break
        elif b[1:2] == -1: continue
        else: pass
    match b:
        case {"k": [1, *rest], **more} if rest:
            return more
        case A(x=1) | None:
            print(*rest, **more, sep="")
        case _:
            yield
    with around(1), around(2) as d[0]:
        nonsense.deep().er[a, b].call()(1)
if RANK == 0: dist.barrier()
for RANK in range(3): dist.barrier()
"""


CAREFUL = """\
import torch
from torch.utils.data import DataLoader, DistributedSampler


def train(model, data, optimizer, epochs):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    scaler = torch.amp.GradScaler("cuda")
    total, losses, seen = 0.0, [], []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            with torch.autocast("cuda"):
                loss = model(batch)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            total += loss.item()
            losses.append(loss.detach())
            round_ = []
            round_.append(loss)
            seen.append(batch)
    return total, losses, seen


def plain(model, data, optimizer):
    loader = DataLoader(data, sampler=DistributedSampler(data, shuffle=False))
    for epoch in range(9):
        for batch in loader:
            loss = model(batch)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def once(model, data):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        loss = model(batch)
        loss.backward()


def half(model, data):
    for batch in data:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch)
        loss.backward()
"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (10, "what each epoch runs tells the distributed sampler the epoch, or may do so"),
        (12, "what each epoch runs tells the distributed sampler the epoch, or may do so"),
        (15, "the gradients need no loss scaling, as far as is seen: its loss is scaled already"),
        (19, "what `total += loss.item()` keeps: nothing shows that it holds a graph"),
        (22, "what `round_.append(loss)` keeps: where it is put does not outlive the iteration"),
        (29, "the distributed sampler does not shuffle, as far as is seen"),
        (32, "the gradients need no loss scaling, as far as is seen: no float16 autocast is seen for certain"),
        (38, "no loop over epochs is seen around this pass over the data"),
        (47, "the gradients need no loss scaling, as far as is seen: nothing is seen that applies its gradients"),
    ],
)
def test_conditions_of_other_rules_that_are_not_met(tmp_path: Path, line: int, reason: str) -> None:
    (tmp_path / "careful.py").write_text(CAREFUL, encoding="utf-8")
    told = account(tmp_path, f"careful.py:{line}")
    assert told["findings"] == []
    assert [text for text in texts(told["silence"]) if text.startswith(reason)], told["silence"]


ON_XLA = """\
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def train(model, data, optimizer):
    loader = DataLoader(data, batch_size=8, drop_last=True)
    for epoch in range(9):
        for x, y in pl.MpDeviceLoader(loader, xm.xla_device()):
            model(x, y).backward()
            xm.optimizer_step(optimizer)
            optimizer.zero_grad()


def elsewhere(model, data, optimizer):
    for x, y in DataLoader(data, batch_size=8):
        model(x, y).backward()
        optimizer.step()
        optimizer.zero_grad()
"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("line", "reasons"),
    [
        (9, ["on XLA, and all batches have one size, as far as is seen @9"]),
        (8, []),
        (16, ["nothing shows that this loop trains a model on XLA"]),
    ],
)
def test_loops_in_a_program_that_names_xla(tmp_path: Path, line: int, reasons: list[str]) -> None:
    (tmp_path / "on_xla.py").write_text(ON_XLA, encoding="utf-8")
    told = account(tmp_path, f"on_xla.py:{line}")
    assert (told["findings"], texts(told["silence"])) == ([], reasons)

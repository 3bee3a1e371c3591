"""What Accelerate does: hooks of its saves, trackers, saves that every rank calls; and packages of other scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: A training with an accelerator: what is said of its trackers, what a hook saves to, and what saves the state in each round.
PROGRAM = """\
import argparse
import os
import torch
from accelerate import Accelerator
parser = argparse.ArgumentParser()
parser.add_argument("--report_to", default={default})
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
accelerator = Accelerator(log_with={log_with})
net, optimizer = accelerator.prepare(net, optimizer)
{starts}
def keep(models, weights, output_dir):
    if accelerator.is_main_process:
        for model in models:
            model.save_pretrained(os.path.join(output_dir, "net"))
accelerator.register_save_state_pre_hook(keep)
for step in range(100):
    loss = net(torch.rand(8, 4)).square().mean()
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
    {saves}
"""
PLAIN = {
    "default": '"tensorboard"',
    "log_with": "args.report_to",
    "starts": 'accelerator.init_trackers("run")',
    "saves": 'accelerator.save_state(os.path.join("out", f"checkpoint-{step}"))',
}
ONE = "if accelerator.is_main_process:\n        "


def lines(folder: Path, **pieces: str) -> dict[str, dict[str, object]]:
    """The lines of the program with some pieces changed."""
    (folder / ".git").mkdir()
    (folder / "train.py").write_text(PROGRAM.format(**{**PLAIN, **pieces}), encoding="utf-8")
    report = as_data(preflight([folder / "train.py"], settings_for(Request(paths=(str(folder),), isolated=True))))
    return {line["name"]: line for line in report["jobs"][0]["lines"]}


@pytest.mark.parametrize(
    ("saves", "verdict"),
    [
        (PLAIN["saves"], "not-needed"),
        ('accelerator.save_state(output_dir=f"out/{step}")', "not-needed"),
        # all rounds save to one folder: the hook writes over what it wrote
        ('accelerator.save_state("out/last")', "missing"),
        ("accelerator.save_state()", "unknown"),
    ],
)
def test_a_hook_saves_to_the_folder_that_its_save_is_handed(tmp_path: Path, saves: str, verdict: str) -> None:
    assert lines(tmp_path, saves=saves)["atomic"]["verdict"] == verdict


def test_what_one_rank_alone_calls_is_not_called_by_every_rank(tmp_path: Path) -> None:
    line = lines(tmp_path, saves=ONE + PLAIN["saves"])["rank-zero"]
    assert (line["verdict"], line["why"]) == ("seen", "Saves are under a test of the rank.")


def test_what_every_rank_calls_takes_care_of_who_writes(tmp_path: Path) -> None:
    line = lines(tmp_path)["rank-zero"]
    assert (line["verdict"], line["why"]) == ("seen", "Every rank has to call this; it takes care of who writes.")


@pytest.mark.parametrize(
    ("pieces", "verdict", "says"),
    [
        ({}, "unknown", "--report_to selects where"),
        ({"default": "None"}, "unknown", "--report_to selects where"),
        ({"default": '"wandb"'}, "seen", "Weights & Biases"),
        ({"log_with": '"wandb"'}, "seen", "Weights & Biases"),
        ({"log_with": '["tensorboard", "wandb"]'}, "seen", "Weights & Biases"),
        ({"log_with": '"all"'}, "unknown", "that are installed"),
        (
            {"log_with": '"all"', "starts": "if os.environ.get('TRACKED'):\n    accelerator.init_trackers('run')"},
            "unknown",
            "only with `TRACKED`",
        ),
        ({"log_with": "open('tracker').read()"}, "unknown", "could not be determined"),
        ({"log_with": '"tensorboard"'}, "missing", "not logged"),
        ({"log_with": "None"}, "missing", "not logged"),
        ({"starts": ""}, "missing", "not logged"),
    ],
)
def test_trackers_may_record_the_memory(tmp_path: Path, pieces: dict[str, str], verdict: str, says: str) -> None:
    line = lines(tmp_path, **pieces)["log-memory"]
    assert line["verdict"] == verdict
    assert says in str(line["why"])


def test_what_is_asked_whether_the_job_ends_may_hear_of_signals(tmp_path: Path) -> None:
    saves = "from own.resume import AutoResume\n    if AutoResume.termination_requested():\n        raise SystemExit"
    assert lines(tmp_path, saves=saves)["preemption"]["verdict"] == "unknown"


def test_what_asks_nobody_ends_where_it_stands(tmp_path: Path) -> None:
    assert lines(tmp_path)["preemption"]["verdict"] == "missing"


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [
        ('"online"', "seen"),
        ('"offline"', "seen"),
        ('"disabled"', "missing"),
        ('"online" if args.wandb else "disabled"', "unknown"),
        ('"disabled" if args.debug or not args.wandb else "online"', "unknown"),
        ('"disabled" if args.debug else "online"', "seen"),
        ('"disabled" if os.path.exists("quiet") else "online"', "unknown"),
        ('args.wandb_mode if not args.debug else "disabled"', "unknown"),
    ],
)
def test_a_run_that_is_disabled_records_nothing(tmp_path: Path, mode: str, verdict: str) -> None:
    starts = (
        'import wandb\nparser.add_argument("--wandb", action="store_true")\nparser.add_argument("--debug", action="store_true")\n'
        'parser.add_argument("--wandb-mode", default="disabled")\n'
        f"args = parser.parse_args()\nwandb.init(mode={mode})"
    )
    line = lines(tmp_path, starts=starts)["log-memory"]
    assert line["verdict"] == verdict
    assert ("--wandb" in str(line["why"])) is ("args.wandb" in mode)


@pytest.mark.parametrize(
    ("name", "beside", "is_shown"),
    [
        ("requirements.txt", "train_sd.py", True),
        ("requirements_torch.txt", "train_sd.py", True),
        ("requirements_gpu.txt", "train_sd.py", True),
        ("requirements_flax.txt", "train_sd.py", False),
        ("requirements-tf.txt", "train_sd.py", False),
        ("requirements_sd.txt", "train_sd.py", False),
        ("requirements_train.txt", "train_sd.py", True),
    ],
)
def test_packages_of_another_script_are_not_those_of_the_job(tmp_path: Path, name: str, beside: str, is_shown: bool) -> None:
    (tmp_path / name).write_text("torch==2.6.0\n", encoding="utf-8")
    (tmp_path / beside).write_text("import torch\nprint(torch.__version__)\n", encoding="utf-8")
    line = lines(tmp_path)["versions"]
    assert line["verdict"] == "unknown"
    assert bool(line["evidence"]) is is_shown

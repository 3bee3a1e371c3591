"""What a library's trainer does by itself, as the tables have it: Detectron2's."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import CheckedLine, as_data
from trainlint.app.preflight.run import preflight

SCRIPT = """
import torch
from detectron2.config import get_cfg
from detectron2.data import build_detection_train_loader
from detectron2.engine import DefaultTrainer, default_argument_parser, default_setup, launch


class Trainer(DefaultTrainer):
    @classmethod
    def build_evaluator(cls, cfg, name):
        defaults = {{}}
        defaults["lr"] = cfg.SOLVER.BASE_LR
        return None
{methods}


def main(args):
    cfg = get_cfg()
    cfg.merge_from_file(args.config_file)
    {merge}
    default_setup(cfg, args)
    trainer = Trainer(cfg)
    trainer.resume_or_load(resume=args.resume)
    return trainer.train()


if __name__ == "__main__":
    args = default_argument_parser().parse_args()
    launch(main, args.num_gpus, args=(args,){timeout})
"""
MERGE = "cfg.merge_from_list(args.opts)"


def look(folder: Path, methods: str = "", merge: str = MERGE, timeout: str = "", base: str = "") -> dict[str, CheckedLine]:
    (folder / ".git").mkdir()
    (folder / "configs").mkdir()
    target = folder / "train_net.py"
    target.write_text(SCRIPT.format(methods=methods, merge=merge, timeout=timeout), encoding="utf-8")
    (folder / "README.md").write_text(
        "Train it:\n\n```\npython train_net.py --num-gpus 8 --config-file configs/small.yaml\n```\n", encoding="utf-8"
    )
    (folder / "configs" / "small.yaml").write_text("_BASE_: base.yaml\nMODEL:\n  DEPTH: 18\n", encoding="utf-8")
    (folder / "configs" / "base.yaml").write_text(f"SOLVER:\n  BASE_LR: 0.1\n{base}", encoding="utf-8")
    (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
    assert job["framework"] == "detectron2"
    return {line["name"]: line for line in job["lines"]}


def test_the_trainer_of_detectron2_is_a_job_and_does_most_by_itself(tmp_path: Path) -> None:
    lines = look(tmp_path)
    assert {
        name: lines[name]["verdict"] for name in ("saves", "contents", "frequency", "atomic", "rank-zero", "timeout")
    } == dict.fromkeys(("saves", "contents", "frequency", "atomic", "rank-zero", "timeout"), "not-needed")
    assert {
        name: lines[name]["verdict"] for name in ("workers", "set-epoch", "log-loss", "log-learning-rate", "log-memory")
    } == dict.fromkeys(("workers", "set-epoch", "log-loss", "log-learning-rate", "log-memory"), "not-needed")
    assert {name: lines[name]["verdict"] for name in ("pruned", "pinned", "log-gradient-norm", "compile")} == dict.fromkeys(
        ("pruned", "pinned", "log-gradient-norm", "compile"), "missing"
    )
    assert {name: lines[name]["verdict"] for name in ("loads", "resumes", "dry-run")} == dict.fromkeys(
        ("loads", "resumes", "dry-run"), "seen"
    )
    assert {name: lines[name]["verdict"] for name in ("mixed-precision", "clipping", "seeds")} == dict.fromkeys(
        ("mixed-precision", "clipping", "seeds"), "unknown"
    )
    assert (lines["first-steps"]["command"] or "").startswith("python train_net.py SOLVER.MAX_ITER 10")
    assert lines["communication"]["command"] == "NCCL_DEBUG=INFO python train_net.py --num-gpus 2"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("  AMP:\n    ENABLED: true\n", "seen"), ("  AMP:\n    ENABLED: false\n", "unknown"), ("SEED: 3\n", "unknown")],
)
def test_what_the_configuration_below_says_is_seen(tmp_path: Path, text: str, verdict: str) -> None:
    lines = look(tmp_path, base=text)
    assert lines["mixed-precision"]["verdict"] == verdict
    assert lines["seeds"]["verdict"] == ("seen" if "SEED" in text else "unknown")


def test_a_number_that_stands_for_none_is_no_seed(tmp_path: Path) -> None:
    assert look(tmp_path, base="SEED: -1\n")["seeds"]["verdict"] == "unknown"


def test_methods_of_the_projects_own_leave_things_open(tmp_path: Path) -> None:
    own = (
        "    def build_hooks(self):\n        return []\n"
        "    @classmethod\n    def build_train_loader(cls, cfg):\n        return iter([torch.ones(2)])\n"
    )
    lines = look(tmp_path, methods=own)
    for name in ("saves", "contents", "pruned", "atomic", "workers", "set-epoch", "pinned", "log-learning-rate"):
        assert lines[name]["verdict"] == "unknown", name


def test_methods_that_add_to_the_librarys_leave_nothing_open(tmp_path: Path) -> None:
    own = (
        "    def build_hooks(self):\n        return [*super().build_hooks(), None]\n"
        "    @classmethod\n    def build_train_loader(cls, cfg):\n        return build_detection_train_loader(cfg, mapper=None)\n"
    )
    lines = look(tmp_path, methods=own)
    assert lines["saves"]["verdict"] == lines["workers"]["verdict"] == lines["set-epoch"]["verdict"] == "not-needed"


def test_options_and_timeouts_are_as_the_script_has_them(tmp_path: Path) -> None:
    lines = look(tmp_path, merge="pass", timeout=", timeout=None")
    assert lines["dry-run"]["verdict"] == "missing"

"""What configurations hold by default: nodes of yacs, ConfigDict, files, and what launch lines lay over them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import CheckedLine, as_data
from trainlint.app.preflight.run import preflight

STEP = """
def train(config):
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    data = torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
    loader = torch.utils.data.DataLoader(data, num_workers=config.train.loader.num_workers)
    for step, (x, y) in zip(range(config.train.n_iters), loader):
        with torch.autocast("cuda", enabled=config.train.amp):
            loss = torch.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        if config.train.clip > 0:
            torch.nn.utils.clip_grad_norm_(net.parameters(), config.train.clip)
        optimizer.step()
"""
NODES = """
from .node import ConfigNode

config = ConfigNode()
config.train = ConfigNode()
config.train.amp = False
config.train.clip = 0.0
config.train.n_iters = 1000
config.train.loader = ConfigNode()
config.train.loader.num_workers = 2
config.test = ConfigNode()
config.test.loader = ConfigNode()
config.test.loader.num_workers = 0


def get_default_config():
    return config.clone()
"""
NODE = """
import yacs.config


class ConfigNode(yacs.config.CfgNode):
    pass
"""
MERGED = """
import argparse

import torch

from configs.defaults import get_default_config


def load():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    config = get_default_config()
    if args.config is not None:
        config.merge_from_file(args.config)
    config.merge_from_list(args.options)
    return config

"""
START = """

if __name__ == "__main__":
    train(load())
"""


@pytest.fixture
def looked(tmp_path: Path):  # type: ignore[no-untyped-def]
    def look(**files: str) -> dict[str, CheckedLine]:
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, text in files.items():
            stem, _, ending = name.rpartition("_")
            path = tmp_path / f"{stem.replace('__', '/')}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        target = tmp_path / "train.py"
        (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
        return {line["name"]: line for line in job["lines"]}

    return look


def nodes(clip: str = "0.0", **more: str) -> dict[str, str]:
    files = {"configs__defaults_py": NODES.replace("clip = 0.0", f"clip = {clip}"), "configs__node_py": NODE}
    return {**files, "configs____init___py": "", "train_py": MERGED + STEP + START, **more}


def test_defaults_of_nodes_in_another_file(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(**nodes())
    assert found["workers"]["verdict"] == "seen"
    assert (found["clipping"]["verdict"], found["mixed-precision"]["verdict"]) == ("unknown", "unknown")
    assert "only with train.clip, which is off by default" in found["clipping"]["why"]
    assert looked(**nodes("1.0"))["clipping"]["verdict"] == "seen"


def test_what_launch_lines_lay_over_defaults(looked) -> None:  # type: ignore[no-untyped-def]
    lay = "train:\n  clip: 5.0\n"
    assert looked(**nodes(run_sh="python train.py --config a.yaml\n", a_yaml=lay))["clipping"]["verdict"] == "seen"
    assert looked(**nodes(run_sh="python train.py train.clip 1.0\n"))["clipping"]["verdict"] == "seen"
    assert looked(**nodes(run_sh="python train.py train.clip 0\n"))["clipping"]["verdict"] == "unknown"


def test_values_of_nodes_that_the_command_line_may_say_bound_the_run(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(**nodes())
    assert found["dry-run"]["verdict"] == "seen"
    assert found["first-steps"]["command"] == "python train.py train.n_iters 10"


FLAGS = """
import torch
from absl import app, flags
from ml_collections.config_flags import config_flags

FLAGS = flags.FLAGS
config_flags.DEFINE_config_file("config", None, "The configuration.")

"""
RUN = """

def main(argv):
    train(FLAGS.config)


if __name__ == "__main__":
    app.run(main)
"""
BASE = """
import ml_collections


def get_base():
    config = ml_collections.ConfigDict()
    config.train = training = ml_collections.ConfigDict()
    training.n_iters = 1000
    training.amp = True
    training.clip = 1.0
    training.loader = dict(num_workers=4)
    return config
"""
ONE = """
from configs.base import get_base


def get_config():
    config = get_base()
    training = config.train
    training.clip = {clip}
    return config
"""


def dicts(*clips: str, **more: str) -> dict[str, str]:
    chosen = {f"configs__c{number}_py": ONE.format(clip=clip) for number, clip in enumerate(clips)}
    return {"configs__base_py": BASE, "train_py": FLAGS + STEP + RUN, **chosen, **more}


def test_a_configuration_that_a_command_line_has_to_name(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(**dicts("1.0", "2.0"))
    assert [found[name]["verdict"] for name in ("clipping", "workers", "mixed-precision")] == ["seen"] * 3
    assert found["first-steps"]["command"] == "python train.py --config.train.n_iters=10"
    differing = looked(**dicts("1.0", "-1.0"))
    assert differing["clipping"]["verdict"] == "unknown"
    assert differing["mixed-precision"]["verdict"] == "seen"


def test_a_launch_line_says_which_configuration_holds(looked) -> None:  # type: ignore[no-untyped-def]
    line = "python train.py --config=configs/c{}.py\n"
    assert looked(**dicts("1.0", "-1.0", run_sh=line.format(0)))["clipping"]["verdict"] == "seen"
    assert looked(**dicts("1.0", "-1.0", run_sh=line.format(1)))["clipping"]["verdict"] == "unknown"


FIELDS = """
from dataclasses import dataclass, field

import torch
from omegaconf import OmegaConf


@dataclass
class Loader:
    num_workers: int = 3


@dataclass
class Training:
    amp: bool = False
    clip: float = 0.0
    n_iters: int = 100
    loader: Loader = field(default_factory=Loader)


@dataclass
class Config:
    train: Training = field(default_factory=Training)

"""
TYPED = STEP.replace("config)", "config: Config)", 1)
MERGES = """

def load() -> Config:
    return OmegaConf.merge(OmegaConf.structured(Config), OmegaConf.load({given}))
"""


def test_fields_of_the_class_of_a_configuration(looked) -> None:  # type: ignore[no-untyped-def]
    script = FIELDS + TYPED + MERGES.format(given="sys.argv[1]") + START
    found = looked(train_py="import sys\n" + script)
    assert (found["workers"]["verdict"], found["clipping"]["verdict"]) == ("seen", "unknown")
    on = script.replace("amp: bool = False", "amp: bool = True")
    assert looked(train_py="import sys\n" + on)["mixed-precision"]["verdict"] == "seen"
    adapts = "\n\ndef adapt(config):\n    config.train.amp = fits(config)\n    return config\n"
    changed = on.removesuffix(START) + adapts + START.replace("load()", "adapt(load())")
    assert looked(train_py="import sys\n" + changed)["mixed-precision"]["verdict"] == "unknown"


def test_a_file_that_the_code_names(looked) -> None:  # type: ignore[no-untyped-def]
    script = (
        "import torch\nfrom omegaconf import OmegaConf\n" + STEP + '\n\ndef load():\n    return OmegaConf.load("base.yaml")\n'
    )
    held = "train:\n  amp: true\n  clip: {}\n  n_iters: 5\n  loader:\n    num_workers: 3\n"
    found = looked(train_py=script + START, base_yaml=held.format("0.0"))
    assert [found[name]["verdict"] for name in ("clipping", "workers", "mixed-precision")] == ["unknown", "seen", "seen"]
    assert looked(train_py=script + START, base_yaml=held.format("1.0"))["clipping"]["verdict"] == "seen"
    assert looked(train_py=script + START, base_yaml=held.format("${grad.norm}"))["clipping"]["verdict"] == "unknown"


def test_files_that_hydra_puts_together(looked) -> None:  # type: ignore[no-untyped-def]
    top = 'import hydra\nimport torch\n\n\n@hydra.main(config_path="conf", config_name="main")\ndef main(cfg):\n    train(cfg)\n'
    files = {"conf__main_yaml": "defaults:\n  - train: small\n  - _self_\nseed: 1\n", "train_py": top + STEP + "\n\nmain()\n"}
    held = "amp: true\nclip: {}\nn_iters: 5\nloader:\n  num_workers: 0\n"
    found = looked(conf__train__small_yaml=held.format("0.5"), **files)
    assert [found[name]["verdict"] for name in ("clipping", "mixed-precision")] == ["seen", "seen"]
    assert found["workers"]["verdict"] in ("missing", "unknown")
    assert looked(conf__train__small_yaml=held.format("0"), **files)["clipping"]["verdict"] == "unknown"


def test_what_nobody_says_is_not_known(looked) -> None:  # type: ignore[no-untyped-def]
    script = "import json\nimport sys\n\nimport torch\n" + STEP + "\n\ndef load():\n    return json.load(open(sys.argv[1]))\n"
    found = looked(train_py=script + START)
    assert [found[name]["verdict"] for name in ("clipping", "workers", "mixed-precision")] == ["unknown"] * 3


def test_what_a_configuration_is_asked_for_has_a_default(looked) -> None:  # type: ignore[no-untyped-def]
    asked = STEP.replace("config.train.clip", 'config.get("clip", {clip})')
    top = "import json\nimport sys\n\nimport torch\n"
    end = "\n\ndef load():\n    return json.load(open(sys.argv[1]))\n" + START
    off = looked(train_py=top + asked.format(clip="0.0") + end)["clipping"]
    assert off["verdict"] == "unknown"
    assert "off by default" in off["why"]
    assert looked(train_py=top + asked.format(clip="1.0") + end)["clipping"]["verdict"] == "seen"


def test_options_whose_defaults_stand_in_an_ini_file(looked) -> None:  # type: ignore[no-untyped-def]
    step = STEP.replace("config.train.loader.", "config.").replace("config.train.", "config.")
    script = "import torch\nfrom prefigure.prefigure import get_all_args\n" + step + "\n\ntrain(get_all_args())\n"
    held = "[DEFAULTS]\n# how many\nnum_workers = 6\nclip = {}\namp = false\nn_iters = 100\n"
    found = looked(train_py=script, defaults_ini=held.format("0.0"))
    assert [found[name]["verdict"] for name in ("clipping", "workers", "mixed-precision")] == ["unknown", "seen", "unknown"]
    assert "only with --clip" in found["clipping"]["why"]
    assert looked(train_py=script, defaults_ini=held.format("1.5"))["clipping"]["verdict"] == "seen"


APEX = STEP.replace(
    "    data = ", "    net, optimizer = apex.amp.initialize(net, optimizer, opt_level=config.train.level)\n    data = "
)


@pytest.mark.parametrize(("level", "verdict"), [("O0", "unknown"), ("O1", "seen")])
def test_the_level_of_apex(looked, level: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    files = nodes(train_py=MERGED.replace("import torch", "import apex\nimport torch") + APEX + START)
    files["configs__defaults_py"] = files["configs__defaults_py"].replace(
        "amp = False", f'amp = False\nconfig.train.level = "{level}"'
    )
    assert looked(**files)["mixed-precision"]["verdict"] == verdict


SAVES = """
import os
import sys

import torch


def save_state(folder, name, state):
    torch.save(state, locate(folder, name))


net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    net(torch.rand(8, 4)).sum().backward()
    optimizer.step()
    {save}
"""


def test_a_name_in_a_folder_that_is_handed_over_may_be_another_file_each_time(looked) -> None:  # type: ignore[no-untyped-def]
    beside = SAVES.format(save='save_state(folder_of(step), "train.pt", net.state_dict())')
    assert looked(train_py=beside)["atomic"]["verdict"] != "missing"
    assert looked(train_py=SAVES.format(save='torch.save(net.state_dict(), "train.pt")'))["atomic"]["verdict"] == "missing"


@pytest.mark.parametrize(
    ("guard", "verdict"),
    [
        ("if seed < 0:\n        raise ValueError(seed)", "seen"),
        ("if seed < 0:\n        return", "unknown"),
        ("if seed >= 0:\n        pass\n    else:\n        raise ValueError(seed)", "seen"),
    ],
)
def test_a_test_that_raises_otherwise_decides_nothing(looked, guard: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    seeds = f"""
def seeded(seed):
    {guard}
    torch.manual_seed(seed)


def run(config):
    seeded(config.train.seed)
    train(config)
"""
    files = nodes()
    files["configs__defaults_py"] = NODES.replace(
        "config.train = ConfigNode()", "config.train = ConfigNode()\nconfig.train.seed = make()"
    )
    found = looked(**{**files, "train_py": MERGED + STEP + seeds + START.replace("train(load())", "run(load())")})
    assert found["seeds"]["verdict"] == verdict

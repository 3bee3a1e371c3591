"""Values of a file that a parameter's default names: they choose classes in a chain of tests, and gate what asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

if TYPE_CHECKING:
    from pathlib import Path

TRAIN = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

from models import make
from reading import parse


def main({parameter}):
    parser = argparse.ArgumentParser()
    parser.add_argument("--opt", default={default})
    opt = parse(parser.parse_args().opt)
    model = make(opt)
    model.begin()
    for step, (x,) in enumerate(DataLoader(TensorDataset(torch.rand(8, 4)))):
        model.step(x)


if __name__ == "__main__":
    main()
"""
READING = """\
import json


def parse(path):
    text = ""
    with open(path) as file:
        for line in file:
            text += line.split("//")[0]
    return json.loads(text)
"""
MODELS = """\
import torch
from torch.utils.checkpoint import checkpoint


class Base:
    def __init__(self, opt):
        self.opt_train = opt["train"]
        self.net = torch.nn.Linear(4, 2)

    def begin(self):
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def forward(self, x):
        return self.net(x)

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.forward(x).square().mean()
        loss.backward()
        clip = self.opt_train["clip"] if self.opt_train["clip"] else 0
        if clip > 0:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), clip)
        self.optimizer.step()


class Plain(Base):
    pass


class Again(Base):
    def forward(self, x):
        return checkpoint(self.net, x)

    def begin(self):
        super().begin()
        torch.manual_seed(0)


def make(opt):
    model = opt["model"]
    if model == "plain":
        Kind = Plain
    elif model == "again":
        Kind = Again
    else:
        raise NotImplementedError(model)
    return Kind(opt)
"""
HELD = """\
{{
  "model": "{model}"  // "plain" | "again"
  , "train": {{
    "clip": {clip}  // unused
  }}
}}
"""


def looked(
    folder: Path, files: dict[str, str], parameter: str = "path='options/small.json'", default: str = "path"
) -> dict[str, Any]:
    """The lines of ``train.py`` by their names."""
    (folder / ".git").mkdir()
    own = {"train.py": TRAIN.format(parameter=parameter, default=default), "reading.py": READING, "models.py": MODELS}
    for name, text in {**own, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    jobs = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))["jobs"]
    return {line["name"]: line for job in jobs if job["script"].endswith("train.py") for line in job["lines"]}


@pytest.mark.parametrize(
    ("parameter", "default"), [("path='options/small.json'", "path"), ("", "'options/small.json'")], ids=["parameter", "text"]
)
@pytest.mark.parametrize(
    ("model", "clip", "verdicts"),
    [
        ("plain", "null", ("unknown", "unknown", "unknown")),
        ("again", "null", ("seen", "seen", "unknown")),
        ("plain", "1.5", ("unknown", "unknown", "seen")),
    ],
)
def test_a_file_chooses_the_class(
    tmp_path: Path, parameter: str, default: str, model: str, clip: str, verdicts: tuple[str, ...]
) -> None:
    found = looked(tmp_path, {"options/small.json": HELD.format(model=model, clip=clip)}, parameter, default)
    assert tuple(found[each]["verdict"] for each in ("gradient-checkpointing", "seeds", "clipping")) == verdicts
    if model == "plain":
        assert "only with model" in found["gradient-checkpointing"]["why"]
        assert "only with model" in found["seeds"]["why"]
    assert clip != "null" or "only with train.clip" in found["clipping"]["why"]


def test_lines_that_name_other_files(tmp_path: Path) -> None:
    files = {
        "options/small.json": HELD.format(model="plain", clip="null"),
        "options/large.json": HELD.format(model="again", clip="null"),
        "go.sh": "python train.py --opt options/large.json\n",
        "more.sh": "python train.py --opt options/lost.json\n",
    }
    found = looked(tmp_path, files)
    assert (found["gradient-checkpointing"]["verdict"], found["clipping"]["verdict"]) == ("seen", "unknown")


def test_a_class_above_the_one_that_is_taken_runs(tmp_path: Path) -> None:
    above = MODELS.replace("class Plain(Base):", "class Plain(Again):")
    files = {
        "options/small.json": HELD.format(model="plain", clip="null"),
        "models.py": above.replace("    pass\n", "    n = 1\n"),
    }
    order = files["models.py"]
    plain = "class Plain(Again):\n    n = 1\n\n\n"
    files["models.py"] = order.replace(plain, "").replace("def make", plain + "def make")
    assert looked(tmp_path, files)["seeds"]["verdict"] == "seen"


@pytest.mark.parametrize("makes", ["Again(opt).begin()", "for each in [Again]:\n        each(opt).begin()"])
def test_a_class_that_is_made_elsewhere_too(tmp_path: Path, makes: str) -> None:
    both = MODELS.replace("    return Kind(opt)\n", f"    {makes}\n    return Kind(opt)\n")
    files = {"options/small.json": HELD.format(model="plain", clip="null"), "models.py": both}
    assert looked(tmp_path, files)["seeds"]["verdict"] == "seen"

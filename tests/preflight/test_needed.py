"""The command that starts a script says what its parser wants, wherever that is made, and nothing that a file says already."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.preflight.test_shown import looked

TRAINS = """\
import torch

from setting import options{more}

if __name__ == "__main__":
    args, cfg = options()
    assert cfg.depth in [18, 34]
    net = torch.nn.Linear(4, cfg.depth)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        loss = net(torch.rand(8, 4)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
OPTIONS = """\
import argparse
import json


class Config:
    @staticmethod
    def fromfile(path):
        return argparse.Namespace(**json.load(open(path)))


def parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("{name}")
    parser.add_argument("--run", {required})
    parser.add_argument("--depth", type=int)
    return parser


def options():
    args = parser().parse_args()
    cfg = {cfg}
    if args.depth is not None:
        cfg.depth = args.depth
    return args, cfg
"""
FILE = "Config.fromfile(args.config)"


def command(folder: Path, options: str, more: str = "", **files: str) -> str:
    texts = {"train.py": TRAINS.format(more=more), "setting.py": options, **{f"{name}.py": text for name, text in files.items()}}
    return str(looked(folder, texts)["first-steps"]["command"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (OPTIONS.format(name="config", required="default=None", cfg=FILE), "python train.py CONFIG, stopped"),
        (OPTIONS.format(name="config", required="required=True", cfg=FILE), "python train.py CONFIG --run RUN, stopped"),
        # what is asserted is an option itself: nothing else says it
        (OPTIONS.format(name="config", required="default=None", cfg="args"), "python train.py CONFIG --depth DEPTH, stopped"),
    ],
)
def test_a_parser_of_another_file_wants_what_it_wants(tmp_path: Path, options: str, said: str) -> None:
    assert command(tmp_path, options).startswith(said)


def test_what_another_script_wants_is_not_wanted_of_this_one(tmp_path: Path) -> None:
    other = "import argparse\n\n\ndef count():\n    return 3\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n"
    other += '    parser.add_argument("folder")\n    parser.add_argument("--kind", required=True)\n    parser.parse_args()\n\n\n'
    other += 'if __name__ == "__main__":\n    main()\n'
    own = OPTIONS.format(name="config", required="default=None", cfg=FILE)
    found = command(tmp_path, own, more="\nfrom other import count", other=other)
    assert found.startswith("python train.py CONFIG, stopped")

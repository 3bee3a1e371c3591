"""Imports by the path that a project has where its authors keep it."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.run import preflight
from trainlint.app.preflight.running.imports import internal_paths

START = """
from clips.options import read
from {path} import train

if __name__ == "__main__":
    train(read())
"""
LOOP = """
import torch

def train(options):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        optimizer.zero_grad()
        model(torch.ones(2)).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "jobs"),
    [
        ("lab.video.clips.tools.loop", 1),  # the package's tools lie beside it
        ("lab.video.clips.deep.loop", 1),
        ("tools.loop", 1),
        ("lab.clips.tools.loop", 0),  # a library may have a package of that name
        ("lab.video.other.tools.loop", 0),
        ("lab.video.clips.tools.missing", 0),
        ("tools.video.clips.tools.loop", 0),  # it begins as something of the project
    ],
)
def test_the_rest_of_an_internal_path_is_a_file_of_the_project(tmp_path: Path, path: str, jobs: int) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {
        "tools/run.py": START.format(path=path),
        "tools/loop.py": LOOP,
        "clips/__init__.py": "",
        "clips/options.py": "def read():\n    return 3\n",
        "clips/deep/__init__.py": "",
        "clips/deep/loop.py": LOOP,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    target = tmp_path / "tools" / "run.py"
    found = preflight([target], settings_for(Request(paths=(str(target),), isolated=True))).checklists
    assert len(found) == jobs


def test_a_script_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    assert internal_paths([tmp_path / "missing.py"], [], [str(tmp_path)]) == ()

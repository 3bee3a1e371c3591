"""Modules that lie beside a script as links to files that another recipe holds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

TRAIN = """\
import torch
from loaded import loaders

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loaders():
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
LOADED = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

def loaders():
    return DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 2)), num_workers=4)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_job_has_the_file_that_a_link_leads_to_and_none_outside(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("one", "two", "three", ".git"):
        (project / name).mkdir(parents=True)
    (project / "one" / "loaded.py").write_text(LOADED, encoding="utf-8")
    (project / "two" / "loaded.py").symlink_to("../one/loaded.py")
    (tmp_path / "outside.py").write_text(LOADED, encoding="utf-8")
    (project / "three" / "loaded.py").symlink_to("../../outside.py")
    for name in ("two", "three"):
        (project / name / "train.py").write_text(TRAIN, encoding="utf-8")

    def workers(target: Path) -> dict[str, str]:
        report = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))
        return {
            Path(job["script"]).parent.name: line["verdict"]
            for job in report["jobs"]
            for line in job["lines"]
            if line["name"] == "workers"
        }

    found = workers(project)
    assert found["two"] == "seen" != found["three"]
    assert workers(project / "two" / "train.py") == {"two": "seen"}

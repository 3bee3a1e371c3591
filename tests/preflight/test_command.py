"""``trainlint preflight``: what it prints, in which formats, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.driven import environment
from trainlint.app.preflight.report import VERSION

TRAINS = """\
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
parser.add_argument("--amp", action="store_true")
parser.add_argument("--compile", action="store_true", default=True)
args = parser.parse_args()
if args.seed is not None:
    torch.manual_seed(args.seed)
net = torch.nn.Linear(4, 2)
if args.compile:
    net = torch.compile(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in DataLoader(torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 2)), num_workers=2):
        with torch.autocast("cuda", enabled=args.amp):
            loss = torch.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item()}")
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict()}, f"net{epoch}.pt")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(TRAINS, encoding="utf-8")
    return tmp_path


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trainlint", "preflight", *words]
    return subprocess.run(
        command, cwd=project, env=environment(), capture_output=True, text=True, encoding="utf-8", check=False, timeout=120
    )


def verdicts(project: Path) -> dict[str, str]:
    report = json.loads(run(project, "--output-format", "json", "train.py").stdout)
    assert report["version"] == VERSION
    return {line["name"]: line["verdict"] for line in report["jobs"][0]["lines"]}


def test_an_option_that_is_off_cannot_be_known_and_one_that_is_on_is_seen(project: Path) -> None:
    found = verdicts(project)
    assert found["seeds"] == found["mixed-precision"] == "unknown"
    assert found["compile"] == found["workers"] == found["contents"] == found["log-loss"] == "seen"
    assert found["pinned"] == found["clipping"] == found["pruned"] == found["resumes"] == "missing"
    assert found["set-epoch"] == found["atomic"] == "not-needed"


def test_a_launch_line_says_which_options_are_on(project: Path) -> None:
    (project / "run.sh").write_text("python train.py --amp --seed 3\n", encoding="utf-8")
    found = verdicts(project)
    assert found["seeds"] == found["mixed-precision"] == "seen"
    assert found["launch"] == "seen"


def test_text_names_places_and_what_would_tell(project: Path) -> None:
    done = run(project, "--evidence", "train.py")
    assert done.returncode == 1
    assert "train.py:22 (its own loop)" in done.stdout or "train.py:" in done.stdout.splitlines()[0]
    assert "to know: nvidia-smi" in done.stdout
    assert 'torch.autocast("cuda", enabled=args.amp)' in done.stdout
    assert "\x1b" not in done.stdout


def test_the_first_screen_has_what_is_missing_the_costliest_first_and_what_is_fine_in_one_line(project: Path) -> None:
    done = run(project, "train.py")
    lines = done.stdout.splitlines()
    missing = [line[4:] for line in lines if line.startswith("  \N{MULTIPLICATION X} ")]
    assert missing[:2] == ["The job can go on where it was ended", "What was saved can be loaded"]
    assert missing.index("Gradients are clipped") < missing.index("Loaders pin their memory")
    assert "      repair: give the loader `pin_memory=True`" in lines
    assert "      to know: look whether the job is started with --amp" in lines
    assert done.stdout.count("to know: nvidia-smi\n") == 1
    fine = next(line for line in lines if "fine or not needed: " in line)
    assert "workers" in fine
    assert "log-loss" in "".join(lines[lines.index(fine) :])


def test_lines_are_left_out_and_unknown_ones_refused(project: Path) -> None:
    done = run(project, "--ignore", "compile,clipping", "--output-format", "json", "train.py")
    assert not {"compile", "clipping"} & {line["name"] for line in json.loads(done.stdout)["jobs"][0]["lines"]}
    done = run(project, "--ignore", "wings", "train.py")
    assert done.returncode == 2
    assert "'wings' is no line of the checklist" in done.stderr


def test_exit_codes(project: Path) -> None:
    assert run(project, "--exit-zero", "train.py").returncode == 0
    (project / "other.py").write_text("print(1)\n", encoding="utf-8")
    done = run(project, "other.py")
    assert done.returncode == 2
    assert "no training script was found at or below other.py" in done.stderr
    assert run(project, "nowhere.py").returncode == 2


def test_markdown_is_a_table_in_which_nothing_else_is_markup(project: Path) -> None:
    odd = project / "a|b`c<img>.py"
    odd.write_text(TRAINS, encoding="utf-8")
    done = run(project, "--output-format", "markdown", "-o", "out.md", odd.name)
    assert done.returncode == 1
    assert not done.stdout
    written = (project / "out.md").read_text(encoding="utf-8")
    assert "### Before `` a|b`c<img>.py `` starts" in written
    assert "<img>" not in re.sub(r"(`+).*?\1", "", written)
    for line in written.splitlines():
        if line.startswith("|"):
            assert len(line.replace("\\|", "").split("|")) == 5


def test_the_page_has_the_checklist(project: Path) -> None:
    done = run(project, "--output-format", "html", "train.py")
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert "Mixed precision" in done.stdout


def test_versions_are_those_on_the_way_to_the_script(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[project]\nname = "x"\nversion = "1"\ndependencies = ["torch>=2.4"]\n', encoding="utf-8"
    )
    (project / "other").mkdir()
    (project / "other" / "requirements.txt").write_text("torch==1.8\n", encoding="utf-8")
    (project / "src").mkdir()
    (project / "train.py").rename(project / "src" / "train.py")
    report = json.loads(run(project, "--output-format", "json", "src/train.py").stdout)
    (line,) = (each for each in report["jobs"][0]["lines"] if each["name"] == "versions")
    assert [Path(each["path"]).relative_to(project).as_posix() for each in line["evidence"]] == ["pyproject.toml"]


def test_versions_that_cannot_work_are_missing(project: Path) -> None:
    (project / "requirements.txt").write_text("torch==2.3.0\ntorchvision==0.16.0\n", encoding="utf-8")
    assert verdicts(project)["versions"] == "missing"


def test_what_was_not_looked_at_is_said(project: Path) -> None:
    (project / "models.py").write_text("import torch\n\nclass nn.Module:\n    torch.distributed.barrier()\n", encoding="utf-8")
    done = run(project, ".")
    assert "models.py:3: syntax error" in done.stderr
    assert "(TL001)" in done.stderr
    assert "Mixed precision" in done.stdout

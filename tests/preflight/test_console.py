"""Names that an installed project starts its scripts by, and lines that lie further away, say how a job is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.preflight.test_shown import TRAINS, looked

SCRIPT = "src/nets/scripts/train.py"
PROJECT = '[project]\nname = "nets"\n\n[project.scripts]\nnets-eval = "nets.scripts.judge:main"\n'
PROJECT += 'nets-train = "nets.scripts.train:main"\n'
POETRY = '[tool.poetry.scripts]\n"nets-train"="nets.scripts.train:main"\n'
CFG = "[options.entry_points]\nconsole_scripts =\n    nets-train = nets.scripts.train:main\n"
SETUP = 'from setuptools import setup\n\nsetup(entry_points={"console_scripts": ["nets-train = nets.scripts.train:main"]})\n'
WORKFLOW = "jobs:\n  train:\n    steps:\n      - run: accelerate launch $(which nets-train) --workers 1\n"
WITH = {"pyproject.toml": PROJECT}


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        (
            {**WITH, "README.md": "```bash\ntorchrun --nproc-per-node=8 $(which nets-train) \\\n    --workers 4\n```\n"},
            "torchrun",
        ),
        ({"pyproject.toml": POETRY, "README.md": "    accelerate launch $(which nets-train) --workers 4\n"}, "accelerate"),
        ({"setup.cfg": CFG, "README.md": "$ nets-train --workers 4\n"}, "python"),
        ({"setup.py": SETUP, "README.md": "$ CUDA_VISIBLE_DEVICES=0 uv run nets-train workers=4\n"}, "python"),
        ({**WITH, "docs/source/guides/start.mdx": "```\nnets-train \\\n  --workers 4\n```\n"}, "python"),
        ({"docs/source/start.md": "    torchrun -m nets.scripts.train --workers 4\n"}, "torchrun"),
        ({**WITH, "Makefile": "train:\n\t@nets-train --workers 4\n"}, "python"),
        ({**WITH, ".github/workflows/run.yml": WORKFLOW}, "accelerate"),
        ({**WITH, SCRIPT: f'"""Train.\n\n    torchrun $(which nets-train) --workers 4\n"""\n{TRAINS}'}, "torchrun"),
    ],
)
def test_lines_with_the_name_of_a_script_start_it(tmp_path: Path, files: dict[str, str], kind: str) -> None:
    found = looked(tmp_path, files, SCRIPT)
    assert found["launch"]["verdict"] == "seen"
    assert [each["message"] for each in found["launch"]["evidence"]] == [kind]


@pytest.mark.parametrize(
    "files",
    [
        {**WITH, "README.md": "nets-train is the command that trains.\n"},
        {**WITH, "README.md": "$ nets-eval --workers 4\n$ nets-train-again --workers 4\n"},
        {"README.md": "$ nets-train --workers 4\n"},  # nothing says what that is
        {"pyproject.toml": PROJECT.replace("scripts.train:", "scripts.other:"), "README.md": "$ nets-train --workers 4\n"},
        {**WITH, "README.md": "$ pip install nets-train --upgrade\n"},
    ],
)
def test_what_only_looks_so_starts_nothing(tmp_path: Path, files: dict[str, str]) -> None:
    assert looked(tmp_path, files, SCRIPT)["launch"]["verdict"] == "unknown"


def test_what_lies_further_away_is_not_asked_where_something_near_says_it(tmp_path: Path) -> None:
    files = {**WITH, "README.md": "$ nets-train --workers 4\n", "docs/source/start.md": "$ nets-train --workers 0\n"}
    assert [each["path"].rpartition("/")[2] for each in looked(tmp_path, files, SCRIPT)["launch"]["evidence"]] == ["README.md"]

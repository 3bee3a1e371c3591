"""Where the expectation cases are and how one of them is analysed."""

from __future__ import annotations

import shutil
from pathlib import Path

from trainlint import check_paths
from trainlint.codes import DEFAULT
from trainlint.finding import Finding

CASES = Path(__file__).parent / "expect"
SIDES = Path(__file__).parent / "sides"
"""Cases of the same form that show one condition of the analysis after the other from both sides: `tests/sides/README.md`."""


def projects(folder: Path = CASES) -> list[Path]:
    """Every single-file project and every project folder of ``tests/expect/<CODE>/``, or of another folder like it."""
    return sorted(each for each in folder.glob("TL*/*") if each.suffix == ".py" or (each.is_dir() and each.name != "__pycache__"))


def case_id(project: Path) -> str:
    """``TL101/name`` for a test report."""
    return f"{project.parent.name}/{project.stem}"


def copy_alone(project: Path, target: Path) -> Path:
    """Copy a project, without its neighbours, below ``target``; returns the folder that is the root of the copy."""
    root = target / "project"
    if project.is_file():
        root.mkdir(parents=True)
        shutil.copy2(project, root)
    else:
        shutil.copytree(project, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def analyse(root: Path, code: str) -> list[Finding]:
    """What the default rules report below ``root``, together with the rule ``code`` should it be off by default."""
    own = [] if code in DEFAULT else check_paths([root], select=[code])
    return [*check_paths([root]), *own]

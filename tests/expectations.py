"""Where the expectation cases are and how one of them is analysed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from trainlint import check_paths
from trainlint.app.dev import expectations
from trainlint.app.engine import driver
from trainlint.config import Overrides, find_settings
from trainlint.edits.site import Site
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


def analyse(root: Path, code: str, *, likely: bool = False) -> list[Finding]:
    """What the default rules report below ``root``, together with the rule ``code`` should it be off by default.

    ``likely``: with their likely findings, as with ``--preview``.
    """
    settings = find_settings(root, Overrides(flags={"extend-select": [code]}), isolated=True)
    return driver.check([root], replace(settings, likely=settings.codes if likely else frozenset())).findings


def placed(paths: Sequence[Path], select: Sequence[str] | None = None) -> list[Finding]:
    """What is reported, without repairs: for whoever asks what is found where. To build them is a fourth of a small check."""
    with patch.object(Site, "edits", lambda *_: None):
        return check_paths(paths, select=select)


def differences(root: Path, code: str) -> list[str]:
    """What is reported otherwise than expected: without likely findings and, where such are expected, with them."""
    found = expectations.problems(root, analyse(root, code))
    if any(each.likely for each in expectations.read_project(root)):
        found += expectations.problems(root, analyse(root, code, likely=True), likely=True)
    return found

"""What TorchFix 0.7.0 finds and repairs, we do, too; where we do not, the reason stands here.

TorchFix needs another libcst than we do, so it lives in an environment of its own: `nox -s parity` makes one, and names the
program in `TORCHFIX`. Without it there is nothing to compare with, and these tests are skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from trainlint import check_paths
from trainlint.app.engine.driver import check
from trainlint.app.engine.result import FixMode
from trainlint.config import Settings

HERE = Path(__file__).parent
SOURCES = HERE / "torchfix"
CASES = HERE.parent / "expect"
TORCHFIX = os.environ.get("TORCHFIX") or shutil.which("torchfix") or ""
LINE = re.compile(r"(?P<path>[^:\n]+):(?P<line>\d+):\d+: (?P<code>TOR\d{3}) (?P<fixes>\[\*\] )?(?P<message>.*)")
#: Each of TorchFix's codes and ours for the same. TOR203 is about the style of an import, TOR901 is for PyTorch's own tests.
SAME = {
    "TOR001": "TL905", "TOR004": "TL905", "TOR101": "TL905", "TOR103": "TL905", "TOR003": "TL306", "TOR102": "TL601",
    "TOR104": "TL911", "TOR105": "TL911", "TOR106": "TL417", "TOR107": "TL417", "TOR201": "TL912", "TOR202": "TL912",
}  # fmt: skip
OURS = sorted(set(SAME.values()))
AT_CALLS = "an import is reported at the calls of what it imports: one mistake, one finding"
STYLE = "the style of an import is no mistake"
IMPORTS = (
    "import torchvision.datasets as datasets",
    "import torchvision.models as models",
    "import torchvision.transforms as transforms",
)
AT_IMPORT = "a private name is reported where it is imported: one mistake, one finding"
#: Findings of TorchFix in our sources that we do not have: code, text of the line, reason.
DIFFERENT = {
    ("TOR103", "from torch import ger, lstsq"): AT_CALLS,
    ("TOR004", "from torch import ger, lstsq"): AT_CALLS,
    ("TOR103", "from torch.testing import assert_allclose"): AT_CALLS,
    ("TOR103", "from torch.utils._pytree import _register_pytree_node"): AT_CALLS,
    ("TOR103", "from functorch import jvp, vjp, vmap"): AT_CALLS,
    ("TOR104", "whole = default_collate(data)"): AT_IMPORT,
    (
        "TOR002",
        "x.require_grad = True",
    ): "a misspelt attribute is no part of PyTorch's interface; no rule of ours is about it yet",
    ("TOR401", "loader = DataLoader(data, batch_size=4)"): "TL205 is not there yet",
    **dict.fromkeys((("TOR203", each) for each in IMPORTS), STYLE),
}
#: Folders of silent cases in which TorchFix reports something, and why we do not.
SILENT = {
    "TL306/silent_said.py": "arguments may be in what is unpacked",
    "TL601/silent_new_torch": "the default is safe in the versions that the project asks for",
    "TL601/silent_patched.py": "torch.load is another function there",
    "TL601/silent_safe.py": "what is read was written by the same function or is in memory, or what is unpacked may say it",
    "TL601/silent_test_loading.py": "a test of software",
    "TL905/silent_old_target": "the project asks for versions that have nothing else",
    "TL905/silent_others.py": "the code takes care of versions",
    "TL905/silent_said_older": "its README, image or install script names a version in which nothing is deprecated yet",
    "TL912/silent_older": "the project asks for versions that have nothing else",
    "TL912/silent_said_older": "its README names a version in which nothing is deprecated yet",
}

pytestmark = pytest.mark.skipif(not TORCHFIX, reason="TorchFix is not installed: nox -s parity")


class Found(NamedTuple):
    """One finding of TorchFix."""

    path: str
    line: int
    code: str
    fixable: bool


def torchfix(folder: Path, *, may_fail: bool = False) -> list[Found]:
    """What TorchFix reports in a folder. It may fail on a file: it does on weights as a first argument."""
    command = [TORCHFIX, "--select", "ALL", "--show-stderr", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert may_fail or "Failed to codemod" not in run.stdout + run.stderr, run.stderr
    matches = (LINE.fullmatch(line) for line in run.stdout.splitlines())
    return [Found(each["path"], int(each["line"]), each["code"], bool(each["fixes"])) for each in matches if each is not None]


def ours(folder: Path) -> set[tuple[str, int, str]]:
    """What we report there: path, line, code."""
    found = check_paths([folder], select=OURS)
    return {(each.path.relative_to(folder).as_posix(), each.span.line, each.code) for each in found}


def text(folder: Path, found: Found) -> str:
    """The line of a finding."""
    return (folder / found.path).read_text(encoding="utf-8").splitlines()[found.line - 1].strip()


def copied(source: Path, folder: Path) -> Path:
    """A copy, as a project of its own: what is around it (our requirements, under nox) does not count."""
    target = folder / "alone"
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        target.mkdir()
        shutil.copy(source, target)
    (target / ".git").mkdir()
    return target


def test_what_torchfix_finds_is_found(tmp_path: Path) -> None:
    folder = copied(SOURCES, tmp_path)
    theirs, known = torchfix(folder), ours(folder)
    assert {each.code for each in theirs} >= {*SAME, "TOR002", "TOR401"} - {"TOR901"}, "a code of TorchFix is not compared"
    missing = {(each.code, text(folder, each)) for each in theirs if (each.path, each.line, SAME.get(each.code)) not in known}
    assert missing == set(DIFFERENT)


def test_what_torchfix_repairs_is_repaired(tmp_path: Path) -> None:
    folder = copied(SOURCES, tmp_path)
    fixable = [each for each in torchfix(folder) if each.fixable]
    check([folder], Settings(root=folder, codes=frozenset(OURS), likely=frozenset(OURS)), fix=FixMode.APPLY, unsafe=True)
    left = {(each.code, text(folder, each)) for each in torchfix(folder) if each.fixable}
    assert left == {("TOR002", "x.require_grad = True"), *(("TOR203", each) for each in IMPORTS)}
    assert len(fixable) > len(left) + 20
    for path in folder.glob("*.py"):
        compile(path.read_text(encoding="utf-8"), path, "exec")


def test_our_silent_cases_differ_for_a_reason(tmp_path: Path) -> None:
    """Both ways: a case in which TorchFix reports something, and a reason that is not needed any more."""
    differing = set()
    for index, case in enumerate(sorted(case for code in OURS for case in (CASES / code).glob("silent_*"))):
        folder = tmp_path / str(index)
        folder.mkdir()
        code = case.parent.name
        if any(SAME.get(each.code) == code for each in torchfix(copied(case, folder), may_fail=True)):
            differing.add(f"{code}/{case.name}")
    assert differing == set(SILENT)
